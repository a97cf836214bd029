//! Siphons without tokens: places that can never be marked, and the transitions that wait for them.
//!
//! The places that can be marked at best are those with tokens, and those that a transition feeds all of whose inputs can
//! be marked. The others form the largest siphon without initial tokens: they stay empty, and their consumers are dead.
//! Dead transitions do nothing, so everything is preserved; the empty places become constant.

use model::views::{NetTransitionId, PlaceId};

use crate::class::{Deadlocks, Observations, Preserves, Runs};
use crate::scheduler::{Global, Rule, Stop};
use crate::work::Work;

/// Removes transitions that wait for places that are never marked.
#[derive(Clone, Copy, Debug)]
pub struct UnmarkedSiphon;

impl Preserves<Deadlocks> for UnmarkedSiphon {}
impl Preserves<Observations> for UnmarkedSiphon {}
impl Preserves<Runs> for UnmarkedSiphon {}

impl Rule for UnmarkedSiphon {
    fn name(&self) -> &'static str {
        "unmarked siphon"
    }
}

impl Global for UnmarkedSiphon {
    fn everywhere(&self, work: &mut Work, _: Stop<'_>) -> usize {
        let missing = missing_inputs(work);
        let dead: Vec<NetTransitionId> = work.transitions().filter(|t| missing[t.index()] > 0).collect();
        work.remove_transitions(&dead);
        dead.len()
    }
}

/// By transition: how many of its inputs can never be marked.
fn missing_inputs(work: &Work) -> Vec<usize> {
    let (places, transitions) = work.numbers();
    let mut missing = vec![0; transitions];
    let mut marked = vec![false; places];
    let mut queue: Vec<PlaceId> = Vec::new();
    let mut mark = |p: PlaceId, queue: &mut Vec<PlaceId>| {
        if !std::mem::replace(&mut marked[p.index()], true) {
            queue.push(p);
        }
    };
    work.places().filter(|&p| work.initial(p) > 0).for_each(|p| mark(p, &mut queue));
    for t in work.transitions() {
        missing[t.index()] = work.pre(t).len();
        if work.pre(t).is_empty() {
            work.post(t).iter().for_each(|&(p, _)| mark(p, &mut queue));
        }
    }
    while let Some(p) = queue.pop() {
        for &(t, _) in work.consumers(p) {
            missing[t.index()] -= 1;
            if missing[t.index()] == 0 {
                work.post(t).iter().for_each(|&(q, _)| mark(q, &mut queue));
            }
        }
    }
    missing
}
