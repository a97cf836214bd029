//! The algorithms of the papers as switches of the engine.

use crate::item::Search;
use crate::models::Model;

/// A search and the name that a paper gives to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Algorithm {
    pub(crate) name: &'static str,
    switches: &'static str,
}

const fn algorithm(name: &'static str, switches: &'static str) -> Algorithm {
    Algorithm { name, switches }
}

pub(crate) const DFS: Algorithm = algorithm("DFS", "");
pub(crate) const SLEEP: Algorithm = algorithm("SLEEP", ",sleep");
pub(crate) const PS: Algorithm = algorithm("PS", ",persistent=overman,relation=first");
pub(crate) const PS_SLEEP: Algorithm = algorithm("PS+SLEEP", ",persistent=overman,relation=first,sleep");
pub(crate) const PS_PROV: Algorithm = algorithm("PS+PROV", ",persistent=overman,relation=first,proviso=stack");
pub(crate) const PS_SLEEP_PROV: Algorithm =
    algorithm("PS+SLEEP+PROV", ",persistent=overman,relation=first,sleep,proviso=stack");
pub(crate) const STUBBORN: Algorithm = algorithm("stubborn", ",persistent=stubborn");
pub(crate) const STUBBORN_SLEEP: Algorithm = algorithm("stubborn+SLEEP", ",persistent=stubborn,sleep");

/// The figures of this search are complete, whatever it meets.
const WHOLE: &str = "explore:order=depth,finish=unlimited";

impl Algorithm {
    /// The search of a model.
    pub(crate) fn search(self, model: Model, set: &[(&'static str, i64)]) -> Search {
        search(model, set, self.switches)
    }
}

/// The search of a model with some switches, each after a comma.
pub(crate) fn search(model: Model, set: &[(&'static str, i64)], switches: &str) -> Search {
    Search { model, set: set.to_vec(), engine: format!("{WHOLE}{switches}"), printed: None }
}
