//! What agglomerations share: each producer of a place joined with each consumer.

use model::views::{NetTransitionId, PlaceId};

use crate::arcs::Step;
use crate::work::Work;

/// A producer fired some times, then a consumer fired some times.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    pub(crate) first: (NetTransitionId, u32),
    pub(crate) then: (NetTransitionId, u32),
}

/// How large the products of a place may be.
///
/// Small ones come first: a chain behind a place with very many producers shrinks to one step before these are joined
/// with it, once.
#[derive(Clone, Copy, Debug)]
pub struct Growth {
    /// By how many transitions the net may become larger.
    pub more: usize,
    /// How many new transitions there may be.
    pub products: usize,
}

impl Growth {
    /// A few products that make the net no larger.
    pub const SMALL: Self = Self { more: 0, products: 4 };
    /// Products that make the net no larger.
    pub const NONE: Self = Self { more: 0, products: usize::MAX };
    /// Products that may make the net a little larger.
    pub const SOME: Self = Self { more: 16, products: usize::MAX };

    pub(super) fn allows(self, work: &Work, p: PlaceId) -> bool {
        let (producers, consumers) = (work.producers(p).len(), work.consumers(p).len());
        let products = producers * consumers;
        products <= self.products && products <= producers + consumers + self.more
    }
}

/// The producers and the consumers of a place, which are to be replaced by their products.
pub(crate) fn neighbours(work: &Work, p: PlaceId) -> Vec<NetTransitionId> {
    work.producers(p).iter().chain(work.consumers(p)).map(|&(t, _)| t).collect()
}

/// The pairs as steps, if weights fit and the net does not become too large when they replace the `old` ones.
pub(crate) fn products(work: &Work, pairs: &[Pair], old: &[NetTransitionId]) -> Option<Vec<Step>> {
    let join = |pair: &Pair| {
        let power = |(t, times): (NetTransitionId, u32)| work.step(t).power(times);
        power(pair.first)?.then(&power(pair.then)?)
    };
    let steps = pairs.iter().map(join).collect::<Option<Vec<Step>>>()?;
    let size = |steps: &mut dyn Iterator<Item = &Step>| steps.map(Step::len).sum();
    let more = (steps.len(), size(&mut steps.iter()));
    let fewer = (old.len(), size(&mut old.iter().map(|&t| work.step(t))));
    work.may_grow(more, fewer).then_some(steps)
}

/// Puts the pairs in the place of the old transitions.
pub(crate) fn replace(work: &mut Work, pairs: &[Pair], steps: Vec<Step>, old: &[NetTransitionId]) {
    for (pair, step) in pairs.iter().zip(steps) {
        let mut repeated = |(t, times)| {
            let node = work.node(t);
            work.way.repeat(node, times)
        };
        let (first, then) = (repeated(pair.first), repeated(pair.then));
        let node = work.way.sequence(first, then);
        work.add_transition(step, node);
    }
    work.remove_transitions(old);
}
