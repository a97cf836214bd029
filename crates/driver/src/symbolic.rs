//! How symbolic model checking is chosen.

use engines::diagrams::order::Heuristic;
use engines::symbolic::{Direction, Symbolic};

use crate::unfold::{find, name_of};

const DIRECTIONS: &[(&str, Direction)] = &[("forward", Direction::Forward), ("backward", Direction::Backward)];

/// Reads one option; what it may be, if it is wrong.
pub(crate) fn option(mut symbolic: Symbolic, key: &str, value: &str) -> Result<Symbolic, Option<&'static str>> {
    match key {
        "direction" => symbolic.direction = find(DIRECTIONS, value).ok_or("`forward` or `backward`")?,
        "order" => symbolic.order = order(value)?,
        _ => return Err(None),
    }
    Ok(symbolic)
}

/// The options as they are read.
pub(crate) fn spelled(symbolic: &Symbolic) -> String {
    format!("direction={},order={}", name_of(DIRECTIONS, symbolic.direction), spelled_order(symbolic.order))
}

/// How components are ordered.
pub(crate) fn order(value: &str) -> Result<Option<Heuristic>, Option<&'static str>> {
    match Heuristic::ALL.into_iter().find(|heuristic| heuristic.name() == value) {
        None if value == "best" => Ok(None),
        None => Err(Some("`best`, `declared`, `search`, `cuthill-mckee`, `sloan` or `force`")),
        named => Ok(named),
    }
}

/// The order as it is read.
pub(crate) fn spelled_order(order: Option<Heuristic>) -> &'static str {
    order.map_or("best", Heuristic::name)
}
