//! How symbolic model checking is chosen.

use engines::symbolic::{Direction, Symbolic};

use crate::unfold::{find, name_of};

const DIRECTIONS: &[(&str, Direction)] = &[("forward", Direction::Forward), ("backward", Direction::Backward)];

/// Reads one option; what it may be, if it is wrong.
pub(crate) fn option(mut symbolic: Symbolic, key: &str, value: &str) -> Result<Symbolic, Option<&'static str>> {
    match key {
        "direction" => symbolic.direction = find(DIRECTIONS, value).ok_or("`forward` or `backward`")?,
        "all" if value.is_empty() => symbolic.all = true,
        "all" => return Err(Some("no value")),
        _ => return Err(None),
    }
    Ok(symbolic)
}

/// The options as they are read.
pub(crate) fn spelled(symbolic: &Symbolic) -> String {
    let all = if symbolic.all { ",all" } else { "" };
    format!("direction={}{all}", name_of(DIRECTIONS, symbolic.direction))
}
