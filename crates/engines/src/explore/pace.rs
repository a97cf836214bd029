//! How much of the way to the next look at the budget it is to expand a state or to store a successor.
//!
//! What a state costs depends on the model: every guard may be evaluated to see what is enabled, and every predicate that is
//! asked about for every new state. Both are counted in nodes of their expressions, once, so that the search itself adds
//! numbers and nothing else.

use model::{Expr, Property, System};

/// How much work may pass between two looks at the budget: far less than a second.
pub(super) const WORK: u64 = 1 << 9;
/// So many nodes of expressions, or words of a state, are as much work as a small state.
const NODES: u64 = 1 << 10;

/// The work with a state and with a successor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pace {
    state: u64,
    successor: u64,
}

impl Pace {
    pub(super) fn new(system: &System, properties: &[&Property]) -> Self {
        let guards = system.transitions().iter().map(|t| 1 + t.guard.iter().map(nodes).sum::<u64>());
        let asked = properties.iter().map(|p| match p {
            Property::Invariant(e) | Property::Reachable(e) => nodes(e),
            _ => 0,
        });
        let successor = 1 + (asked.sum::<u64>() + system.words() as u64) / NODES;
        Self { state: 1 + guards.sum::<u64>() / NODES, successor }
    }

    /// The work with some states and their successors.
    #[inline]
    pub(super) fn work(self, states: usize, successors: usize) -> u64 {
        self.state * states as u64 + self.successor * successors as u64
    }

    /// How many successors may be stored between two looks, a power of two.
    pub(super) fn stride(self) -> usize {
        (WORK / self.successor).max(1).next_power_of_two() as usize
    }
}

fn nodes(e: &Expr) -> u64 {
    let mut nodes = 0;
    e.walk(&mut |_| nodes += 1);
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{Binary, Builder, Domain, Edge, Kind};

    #[test]
    fn large_predicates_and_many_guards_bring_looks_closer_together() {
        let system = |transitions: usize| {
            let mut b = Builder::new("m");
            let x = b.object("x", Kind::Variable(Domain::Bool));
            let p = b.process("P");
            let here = b.location(p, "here");
            (0..transitions).for_each(|_| b.edge(Edge::new(p, here, here).when(Expr::read(x).is(1))));
            (b.build().expect("a model"), x)
        };
        let (small, x) = system(1);
        let invariant =
            |n: usize| Property::Invariant((0..n).fold(Expr::TRUE, |e, _| e.op(Binary::And, Expr::read(x).is(0))));
        let light = Pace::new(&small, &[&invariant(3)]);
        assert_eq!((light.work(1, 1), light.stride()), (2, 512));
        let asked = Pace::new(&small, &[&invariant(10_000)]);
        assert!(asked.work(0, 1) > 20 && asked.stride() <= 32 && asked.stride().is_power_of_two(), "{asked:?}");
        let busy = Pace::new(&system(20_000).0, &[&Property::DeadlockFree]);
        assert!(busy.work(1, 0) > 20 && busy.stride() == 512, "{busy:?}");
    }
}
