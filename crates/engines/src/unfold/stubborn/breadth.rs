//! Smallest configurations first; of those with one marking, only the first is gone on from.

use std::collections::VecDeque;

use model::views::NetTransitionId;

use super::End;
use super::occurrences::Cut;
use super::search::{Fired, Search};
use crate::store::{Inserted, StateIndex};
use crate::tokens::tree::Tree;
use crate::unfold::unfolder::Stopped;

/// How each marking but the first was reached.
type Parents = Vec<(StateIndex, NetTransitionId)>;

/// The markings that were met, and the configurations that wait for their turn.
struct Breadth<'s, 'a> {
    search: &'s mut Search<'a>,
    visited: Tree,
    parents: Parents,
    waiting: VecDeque<(StateIndex, Cut)>,
    waiting_bytes: u64,
}

pub(super) fn search(search: &mut Search<'_>) -> Result<End, Stopped> {
    let most: Vec<u64> = search.live.tokens().iter().map(|&n| n.max(1)).collect();
    let visited = Tree::new(&most);
    let (parents, waiting) = (Parents::new(), VecDeque::new());
    Breadth { search, visited, parents, waiting, waiting_bytes: 0 }.run()
}

impl Breadth<'_, '_> {
    fn run(mut self) -> Result<End, Stopped> {
        let limits = (self.others(), self.search.budget);
        self.visited.begin(self.search.live.tokens(), limits).map_err(Stopped::Limit)?;
        if self.search.arrive(Vec::new) {
            return Ok(End::AtDeadlock);
        }
        self.push(0, self.search.occurrences.start());
        while let Some((state, cut)) = self.waiting.pop_front() {
            self.waiting_bytes -= bytes_of(&cut);
            self.go_to(state);
            for t in self.search.choose() {
                if self.step(state, t, &cut)? {
                    return Ok(End::AtDeadlock);
                }
            }
        }
        Ok(End::Complete)
    }

    fn others(&self) -> u64 {
        self.search.bytes() + 8 * self.parents.capacity() as u64 + self.waiting_bytes
    }

    fn push(&mut self, state: StateIndex, cut: Cut) {
        self.waiting_bytes += bytes_of(&cut);
        self.waiting.push_back((state, cut));
    }

    fn go_to(&mut self, state: StateIndex) {
        let (live, wiring) = (&mut self.search.live, self.search.wiring);
        self.visited.go_to(state, |p, tokens| live.set(wiring, p, tokens));
        live.fresh.clear();
    }

    /// Fires a transition and comes back; whether there is nothing left to search for.
    fn step(&mut self, state: StateIndex, t: NetTransitionId, cut: &Cut) -> Result<bool, Stopped> {
        let Fired::Event(event) = self.search.fire(t, cut)? else { return Ok(false) };
        let limits = (self.others(), self.search.budget);
        limits.1.check(limits.0 + self.visited.bytes()).map_err(Stopped::Limit)?;
        let effect = self.search.wiring.effect(t);
        let entered = self.visited.enter(self.search.live.tokens(), effect, limits).map_err(Stopped::Limit)?;
        if let Inserted::New(next) = entered {
            self.parents.push((state, t));
            if self.search.arrive(|| run(&self.parents, next)) {
                return Ok(true);
            }
            self.push(next, self.search.after(cut, event));
        }
        self.search.live.unfire(self.search.wiring, t);
        self.visited.go_back(state);
        Ok(false)
    }
}

/// The steps to a marking.
fn run(parents: &Parents, mut state: StateIndex) -> Vec<NetTransitionId> {
    let mut run = Vec::new();
    while let Some(before) = state.checked_sub(1) {
        let (parent, t) = parents[before as usize];
        run.push(t);
        state = parent;
    }
    run.reverse();
    run
}

fn bytes_of(cut: &Cut) -> u64 {
    32 + size_of_val(&**cut) as u64
}
