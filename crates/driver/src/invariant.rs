//! How invariants and the exact phase after them are chosen.

use engines::diagrams::rings::Pace;
use engines::invariant::{Exact, Invariants, Traps};

use crate::symbolic::{order, spelled_order};
use crate::unfold::{find, name_of};

const TRAPS: &[(&str, Traps)] = &[("lazy", Traps::Lazy), ("symbolic", Traps::Symbolic), ("none", Traps::None)];

const EXACT: &[(&str, Exact)] = &[
    ("in-turn", Exact::InTurn),
    ("chains", Exact::Rings(Pace::Chained)),
    ("rings", Exact::Rings(Pace::Shortest)),
    ("forward", Exact::Forward),
    ("none", Exact::None),
];

const SWITCH: &[(&str, bool)] = &[("on", true), ("off", false)];

/// Reads one option; what it may be, if it is wrong.
pub(crate) fn option(mut chosen: Invariants, key: &str, value: &str) -> Result<Invariants, Option<&'static str>> {
    let switch = || find(SWITCH, value).ok_or("`on` or `off`");
    match key {
        "components" => chosen.strength.components = switch()?,
        "traps" => chosen.strength.traps = find(TRAPS, value).ok_or("`lazy`, `symbolic` or `none`")?,
        "linear" => chosen.strength.linear = switch()?,
        "exact" => chosen.exact = find(EXACT, value).ok_or("`in-turn`, `chains`, `rings`, `forward` or `none`")?,
        "restrict" => chosen.restrict = switch()?,
        "single" if value == "off" => chosen.one_by_one = None,
        "single" => chosen.one_by_one = Some(value.parse().map_err(|_| "a number of nodes or `off`")?),
        "order" => chosen.order = order(value)?,
        _ => return Err(None),
    }
    Ok(chosen)
}

/// The options as they are read.
pub(crate) fn spelled(chosen: &Invariants) -> String {
    let strength = &chosen.strength;
    let [components, linear, restrict] =
        [strength.components, strength.linear, chosen.restrict].map(|on| name_of(SWITCH, on));
    let (traps, exact) = (name_of(TRAPS, strength.traps), name_of(EXACT, chosen.exact));
    let single = chosen.one_by_one.map_or_else(|| "off".to_owned(), |nodes| nodes.to_string());
    let order = spelled_order(chosen.order);
    format!(
        "components={components},traps={traps},linear={linear},exact={exact},restrict={restrict},single={single},order={order}"
    )
}
