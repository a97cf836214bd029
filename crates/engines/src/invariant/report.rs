//! Which invariants were used, and what is suspected, in words.

use solve::bdd::Bdd;

use crate::diagrams::{Space, Stop};
use crate::question;

/// Where an invariant is from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Used {
    /// Components, alone or with their companions, whose reachable states were computed.
    pub clusters: usize,
    /// The most components that were taken together.
    pub largest_cluster: usize,
    /// Conserved quantities.
    pub linear: usize,
    /// Conserved quantities that would have made the invariant too large.
    pub skipped: usize,
    /// Traps, if they were found one by one.
    pub traps: usize,
    /// The sub-systems from which all traps were put together, if they were.
    pub subsystems: usize,
    /// Whether the search for traps was given up while some suspects might still have been excluded by one.
    pub gave_up: bool,
}

impl Used {
    /// For a report.
    pub fn words(&self) -> Vec<String> {
        let counted =
            |n: usize, one: &str, many: &str| (n > 0).then(|| format!("{n} {}", if n == 1 { one } else { many }));
        let words = [
            counted(self.clusters, "component invariant", "component invariants"),
            counted(self.subsystems, "sub-system for all traps", "sub-systems for all traps"),
            counted(self.traps, "trap", "traps"),
            counted(self.linear, "conserved quantity", "conserved quantities"),
            counted(self.skipped, "quantity left out as too large", "quantities left out as too large"),
            self.gave_up.then(|| "not all traps were looked for".to_owned()),
        ];
        words.into_iter().flatten().collect()
    }
}

/// The states of a set in terms of the components, no more than `most` of them.
pub fn show(space: &Space<'_>, set: &Bdd, most: usize) -> Result<Vec<String>, Stop> {
    let (mut left, mut shown) = (set.clone(), Vec::new());
    while let Some(state) = space.pick(&left).filter(|_| shown.len() < most) {
        shown.push(question::show(space.network(), &state));
        left = left.minus(&space.state(&state)?)?;
    }
    Ok(shown)
}
