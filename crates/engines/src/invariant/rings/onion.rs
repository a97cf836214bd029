//! Backwards, ring by ring.

use solve::bdd::Bdd;

use super::{Figures, Rings};
use crate::diagrams::{Space, Stop};

/// What backward rings ended with.
#[derive(Debug)]
pub(super) enum Onion {
    /// The last ring holds initial states.
    Met(Vec<Bdd>),
    /// Nothing else leads to the suspects than these states, as far as they are in the invariant.
    Closed(Bdd),
    /// A ring has too many nodes.
    Large,
}

/// Where rings are built.
#[derive(Debug)]
pub(super) struct Ground<'s, 'a> {
    pub(super) space: &'s Space<'a>,
    pub(super) initial: Bdd,
    pub(super) inv: Bdd,
}

impl Ground<'_, '_> {
    /// The rings around some states of the invariant, none with more than so many nodes.
    pub(super) fn onion(
        &self,
        around: &Bdd,
        rings: &Rings,
        most: Option<usize>,
        figures: &mut Figures,
    ) -> Result<Onion, Stop> {
        let mut onion = vec![around.clone()];
        let mut seen = around.clone();
        let mut last = around.clone();
        while last.and(&self.initial)?.is_none() {
            let exact = self.space.pre(&last)?.minus(&seen)?.and(&self.inv)?;
            if exact.is_none() {
                return Ok(Onion::Closed(seen));
            }
            figures.exact = figures.exact.max(exact.nodes());
            last = if rings.restrict { exact.restrict(&self.inv)? } else { exact };
            let nodes = last.nodes();
            figures.largest = figures.largest.max(nodes);
            figures.rings += 1;
            if most.is_some_and(|most| nodes > most) {
                return Ok(Onion::Large);
            }
            seen = seen.or(&last)?;
            onion.push(last.clone());
        }
        Ok(Onion::Met(onion))
    }
}
