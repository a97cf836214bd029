//! A search of a projection that goes first where a wanted joint state seems near.
//!
//! The distance is the sum over the members of the moves that each needs by itself. It guides only: a search that ends
//! by itself has visited everything.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use evidence::{Budget, Reason};
use model::views::{Component, StateId};

use super::projection::Projection;
use crate::store::{Inserted, Store, hash};

/// What a search found.
#[derive(Debug)]
pub(super) enum Found {
    /// The wanted state: the steps of a run to it, and the joint state after each.
    Run(Vec<(u32, Vec<StateId>)>),
    /// Everything was visited; the wanted state is not among it.
    Exhausted(Store),
    /// There are more states than allowed.
    TooMany,
    /// The budget is used up.
    Stopped(Reason),
}

/// How far each state of a member is from the wanted one; never further than this.
const FAR: u32 = 1 << 10;

/// The budget is looked at once in so many words of joint states.
const PATIENCE: usize = 1 << 16;

/// Searches for a state that `wanted` accepts, which is told whether the state has a successor in the projection.
pub(super) fn search(
    projection: &Projection<'_>,
    distance: &[Vec<u32>],
    most: usize,
    budget: &Budget,
    mut wanted: impl FnMut(&[StateId], bool) -> bool,
) -> Found {
    let mut search = Search {
        projection,
        distance,
        store: Store::new(projection.words()),
        origins: Vec::new(),
        waiting: BinaryHeap::new(),
        work: 0,
    };
    let initial = projection.initial();
    let far = distance.iter().zip(&initial).map(|(d, s)| d[s.index()]).sum();
    let mut packed = Vec::new();
    projection.pack(&initial, &mut packed);
    match search.offer(&packed, far, (0, 0), budget) {
        Ok(()) => {}
        Err(reason) => return Found::Stopped(reason),
    }
    let mut states = Vec::new();
    while let Some(Reverse((far, index))) = search.waiting.pop() {
        packed.clear();
        packed.extend_from_slice(search.store.get(index));
        projection.unpack(&packed, &mut states);
        match search.expand(index, (&states, &mut packed), far, budget) {
            Err(reason) => return Found::Stopped(reason),
            Ok(moves) if wanted(&states, moves) => return Found::Run(search.run(index)),
            Ok(_) if search.store.len() > most => return Found::TooMany,
            Ok(_) => {}
        }
    }
    Found::Exhausted(search.store)
}

struct Search<'s, 'a> {
    projection: &'s Projection<'a>,
    /// By member and state.
    distance: &'s [Vec<u32>],
    store: Store,
    /// By state: the one before it and the step from there.
    origins: Vec<(u32, u32)>,
    /// By distance, then in the order of insertion.
    waiting: BinaryHeap<Reverse<(u32, u32)>>,
    /// How many words were offered since the budget was looked at.
    work: usize,
}

impl Search<'_, '_> {
    fn offer(&mut self, packed: &[u64], far: u32, origin: (u32, u32), budget: &Budget) -> Result<(), Reason> {
        let others = (8 * (self.origins.capacity() + self.waiting.capacity())) as u64;
        self.store.reserve(others, budget)?;
        self.work += packed.len() + 1;
        if self.work >= PATIENCE {
            self.work = 0;
            budget.check(self.store.bytes() + others)?;
        }
        if let Inserted::New(index) = self.store.insert(packed, hash(packed)) {
            self.origins.push(origin);
            self.waiting.push(Reverse((far, index)));
        }
        Ok(())
    }

    /// Offers all successors of a joint state, which is given packed as well; whether there is one.
    fn expand(
        &mut self,
        index: u32,
        (states, packed): (&[StateId], &mut [u64]),
        far: u32,
        budget: &Budget,
    ) -> Result<bool, Reason> {
        let (projection, distance) = (self.projection, self.distance);
        let mut moves = false;
        let mut result = Ok(());
        projection.each_successor(states, |step, moved| {
            moves = true;
            let mut nearer = far;
            for &(member, to) in moved {
                nearer = nearer - distance[member][states[member].index()] + distance[member][to.index()];
                projection.repack(packed, member, to);
            }
            if result.is_ok() {
                result = self.offer(packed, nearer, (index, step), budget);
            }
            moved.iter().for_each(|&(member, _)| projection.repack(packed, member, states[member]));
        });
        result.map(|()| moves)
    }

    fn run(&self, mut index: u32) -> Vec<(u32, Vec<StateId>)> {
        let mut run = Vec::new();
        while index != 0 {
            let (before, step) = self.origins[index as usize];
            let mut states = Vec::new();
            self.projection.unpack(self.store.get(index), &mut states);
            run.push((step, states));
            index = before;
        }
        run.reverse();
        run
    }
}

/// How many moves a component by itself is from a state, from each of its states.
pub(super) fn distances(component: &Component, to: StateId) -> Vec<u32> {
    let states = component.states().len();
    let mut before = vec![Vec::new(); states];
    for from in (0..states).map(StateId::new) {
        component.moves(from).iter().for_each(|m| before[m.to.index()].push(from));
    }
    let mut distance = vec![FAR; states];
    distance[to.index()] = 0;
    let mut waiting = VecDeque::from([to]);
    while let Some(state) = waiting.pop_front() {
        let next = (distance[state.index()] + 1).min(FAR - 1);
        for &from in &before[state.index()] {
            if distance[from.index()] == FAR {
                distance[from.index()] = next;
                waiting.push_back(from);
            }
        }
    }
    distance
}
