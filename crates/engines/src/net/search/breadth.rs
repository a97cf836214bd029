//! Nearest to the initial marking first, or nearest to the goal first. Every marking remembers how it was reached.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use evidence::Reason;
use model::views::NetTransitionId;

use super::explorer::{Explorer, room};
use crate::store::{Inserted, StateIndex};

/// The markings that wait for their turn.
enum Waiting {
    /// All from this one on: they are numbered as they come.
    From(StateIndex),
    /// By the distance to the goal, the newest first.
    Nearest(BinaryHeap<(Reverse<u64>, StateIndex)>),
}

impl Waiting {
    fn pop(&mut self, len: usize) -> Option<StateIndex> {
        match self {
            Waiting::From(next) if (*next as usize) < len => {
                *next += 1;
                Some(*next - 1)
            }
            Waiting::From(_) => None,
            Waiting::Nearest(heap) => heap.pop().map(|(_, state)| state),
        }
    }

    fn push(&mut self, state: StateIndex, explorer: &Explorer<'_>, own: u64) -> Result<(), Reason> {
        let Waiting::Nearest(heap) = self else { return Ok(()) };
        if heap.len() == heap.capacity() {
            let more = (heap.len() / 4).max(256);
            let others = explorer.tree.bytes() + explorer.others(own);
            explorer.task.budget.check_memory(others + 16 * (heap.len() + more) as u64)?;
            heap.reserve_exact(more);
        }
        heap.push((Reverse(explorer.distance()), state));
        Ok(())
    }

    fn bytes(&self) -> u64 {
        if let Waiting::Nearest(heap) = self { 16 * heap.capacity() as u64 } else { 0 }
    }
}

/// How each marking but the first was reached.
#[derive(Default)]
struct Parents(Vec<(StateIndex, NetTransitionId)>);

impl Parents {
    fn bytes(&self) -> u64 {
        8 * self.0.capacity() as u64
    }

    /// The steps to a marking, last first.
    fn path(&self, mut state: StateIndex) -> impl Iterator<Item = NetTransitionId> {
        std::iter::from_fn(move || {
            let (before, t) = *self.0.get((state as usize).checked_sub(1)?)?;
            state = before;
            Some(t)
        })
    }

    fn run(&self, state: StateIndex) -> Vec<NetTransitionId> {
        let mut run: Vec<NetTransitionId> = self.path(state).collect();
        run.reverse();
        run
    }
}

/// Visits everything; false if nobody is interested any more.
pub(super) fn search(explorer: &mut Explorer<'_>, nearest: bool) -> Result<bool, Reason> {
    let mut parents = Parents::default();
    let mut waiting = if nearest { Waiting::Nearest(BinaryHeap::from([(Reverse(0), 0)])) } else { Waiting::From(0) };
    let mut chosen = Vec::new();
    let mut depth = Depth::default();
    explorer.begin(0)?;
    while let Some(state) = waiting.pop(explorer.tree.len()) {
        explorer.go_to(state)?;
        chosen.clear();
        explorer.choose(&mut chosen);
        for &t in &chosen {
            let own = parents.bytes() + waiting.bytes() + 4 * chosen.capacity() as u64;
            if !explorer.goes_on(own)? {
                return Ok(false);
            }
            if let Inserted::New(next) = explorer.fire(t, own)? {
                let others = explorer.tree.bytes() + explorer.others(own - parents.bytes());
                room(&mut parents.0, 1, others, explorer.task.budget)?;
                parents.0.push((state, t));
                if explorer.arrive(t, depth.most, || parents.run(next)) {
                    let mut length = 0;
                    explorer.stays_bounded(parents.path(next).inspect(|_| length += 1))?;
                    depth.most = depth.most.max(length);
                }
                waiting.push(next, explorer, parents.bytes())?;
            }
            explorer.unfire(t, state)?;
        }
    }
    Ok(true)
}

/// The longest path that was gone up so far: a guess of what the next one costs.
#[derive(Default)]
struct Depth {
    most: usize,
}
