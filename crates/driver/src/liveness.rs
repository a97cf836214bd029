//! How the search for runs that break a claim is chosen.

use engines::liveness::{CycleProviso, Emptiness, Liveness};

use crate::choice::PERSISTENT;
use crate::unfold::{find, name_of};

const PROVISOS: &[(&str, CycleProviso)] = &[("peled", CycleProviso::Peled), ("valmari", CycleProviso::Valmari)];

const SEARCHES: &[(&str, Emptiness)] = &[("components", Emptiness::Components), ("nested", Emptiness::Nested)];

/// Reads one option; what it may be, if it is wrong.
pub(crate) fn option(mut liveness: Liveness, key: &str, value: &str) -> Result<Liveness, Option<&'static str>> {
    const SETS: &str = "`none`, `conflict`, `overman`, `stubborn`, `conditional` or `weak`";
    match key {
        "reduce" if value == "none" => liveness.persistent = None,
        "reduce" => liveness.persistent = Some(find(PERSISTENT, value).ok_or(SETS)?),
        "proviso" => liveness.proviso = find(PROVISOS, value).ok_or("`peled` or `valmari`")?,
        "search" => liveness.emptiness = find(SEARCHES, value).ok_or("`components` or `nested`")?,
        _ => return Err(None),
    }
    Ok(liveness)
}

/// The options as they are read.
pub(crate) fn spelled(liveness: &Liveness) -> String {
    let sets = liveness.persistent.map_or("none", |persistent| name_of(PERSISTENT, persistent));
    let proviso = name_of(PROVISOS, liveness.proviso);
    match liveness.emptiness {
        Emptiness::Components => format!("reduce={sets},proviso={proviso}"),
        Emptiness::Nested => format!("reduce={sets},proviso={proviso},search=nested"),
    }
}
