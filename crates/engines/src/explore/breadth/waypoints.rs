//! The way back without parents: the states of some levels are kept, the waypoints, each with the one that it was reached
//! through. Between two waypoints the way is searched once more, when a run is to be told.
//!
//! Every level is kept as long as states are few. Later, waypoints are a small part of the states, so that a state costs less
//! than a byte for them; the gaps between the levels that are kept, and with them the searches for the way, stay short where
//! levels are much alike, and where they grow fast there are few of them. A search from a waypoint visits only states that the
//! whole search visited, and the way that it finds is a shortest one.
//!
//! A reduced search keeps every level: its states are few, and there may be many around them.

use std::io;

use evidence::{Budget, Reason};
use model::{State, System, TransitionId};

use super::frontier::{Block, Frontier};
use crate::explore::passing::pass;
use crate::sealed::{Reader, Writer};
use crate::store::{Inserted, Store, hash};

/// How many waypoints may be kept in any case, and one state of so many besides. Were it the larger of the two, nothing would
/// be kept between the first so many states and sixteen times as many: of a state space that is deep there, the way through that
/// gap took an eighth of the whole search to find, on one thread.
const FEW: u64 = 1 << 15;
const SHARE: u64 = 16;

/// The states of the levels that are kept.
#[derive(Debug)]
pub(super) struct Waypoints {
    /// Each with the waypoint before it; the first one is its own.
    kept: Block,
    all: bool,
}

impl Waypoints {
    /// None yet, of states of so many words; perhaps every level is to be kept.
    pub(super) fn new(words: usize, all: bool) -> Self {
        Self { kept: Block::new(words), all }
    }

    pub(super) fn bytes(&self) -> u64 {
        self.kept.bytes()
    }

    pub(super) fn save(&self, to: &mut Writer) -> io::Result<()> {
        self.kept.save(to)
    }

    /// Takes over what others have kept.
    pub(super) fn load(&mut self, from: &mut Reader) -> io::Result<()> {
        self.kept = Block::load(self.kept.words(), from)?;
        Ok(())
    }

    /// Keeps the states of a level, if they are not too many; so many were stored so far.
    pub(super) fn pass(&mut self, level: &mut Frontier, stored: u64) {
        let len = (self.kept.len() + level.len()) as u64;
        if self.all || len <= FEW + stored / SHARE {
            self.kept.make_room(level.len());
            level.blocks_mut().iter_mut().for_each(|block| self.keep(block));
        }
    }

    fn keep(&mut self, block: &mut Block) {
        for i in 0..block.len() {
            let number = u32::try_from(self.kept.len()).expect("there are not so many waypoints");
            self.kept.push(block.state(i), block.waypoints[i]);
            block.waypoints[i] = number;
        }
    }

    /// The waypoints up to one, from the first on; none if the search ended before its first level.
    pub(super) fn up_to(&self, last: u32) -> Vec<&[u64]> {
        if self.kept.len() == 0 {
            return Vec::new();
        }
        let mut way = vec![last];
        let mut at = last;
        while at != 0 {
            at = self.kept.waypoints[at as usize];
            way.push(at);
        }
        way.iter().rev().map(|&i| self.kept.state(i as usize)).collect()
    }
}

/// How many states are expanded between two looks at the budget.
const PATIENCE: usize = 256;

/// A shortest run through some states, one after the other. Steps are blocks of a process that goes on alone, if such are
/// passed.
pub(in crate::explore) fn run_through(
    system: &System,
    passes: bool,
    states: &[Vec<u64>],
    budget: &Budget,
) -> Result<Vec<TransitionId>, Reason> {
    let mut run = Vec::new();
    for pair in states.windows(2) {
        run.extend(way(system, passes, (&pair[0], &pair[1]), budget)?);
    }
    Ok(run)
}

/// A shortest way from one state to another.
fn way(
    system: &System,
    passes: bool,
    (from, to): (&State, &State),
    budget: &Budget,
) -> Result<Vec<TransitionId>, Reason> {
    if from == to {
        return Ok(Vec::new());
    }
    let (mut store, mut before) = (Store::new(system.words()), vec![(0, TransitionId(0))]);
    store.reserve(0, budget)?;
    store.insert(from, hash(from));
    let (mut state, mut next, mut expanded) = (vec![0; system.words()], vec![0; system.words()], 0);
    while expanded < store.len() {
        if expanded.is_multiple_of(PATIENCE) {
            budget.check(store.bytes() + 8 * before.len() as u64)?;
        }
        state.copy_from_slice(store.get(expanded as u32));
        for t in system.enabled(&state).filter_map(Result::ok) {
            let fired = system.fire(t, &state, &mut next).is_ok();
            if !fired || (passes && pass(system, &mut next, |_| ()).is_err()) {
                continue;
            }
            store.reserve(8 * before.len() as u64, budget)?;
            if let Inserted::New(index) = store.insert(&next, hash(&next)) {
                before.push((expanded as u32, t));
                if next == to {
                    return Ok(told(&before, index));
                }
            }
        }
        expanded += 1;
    }
    panic!("a waypoint leads to the states that were reached through it")
}

fn told(before: &[(u32, TransitionId)], mut at: u32) -> Vec<TransitionId> {
    let mut way = Vec::new();
    while at != 0 {
        let (from, t) = before[at as usize];
        way.push(t);
        at = from;
    }
    way.reverse();
    way
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Levels of a thousand states: all are kept at first, later one of sixteen.
    #[test]
    fn few_states_are_kept_of_many() {
        let mut waypoints = Waypoints::new(1, false);
        let (mut kept, mut stored) = (Vec::new(), 0);
        for depth in 0..4000u64 {
            let mut level = Frontier::default();
            let mut block = Block::new(1);
            (0..1000).for_each(|i| block.push(&[1000 * depth + i], 0));
            level.give(block);
            stored += 1000;
            let before = waypoints.kept.len();
            waypoints.pass(&mut level, stored);
            if waypoints.kept.len() > before {
                kept.push(depth);
                let first = level.blocks_mut()[0].waypoints[0];
                assert_eq!(waypoints.up_to(first).last(), Some(&&[1000 * depth][..]));
            }
        }
        assert_eq!(kept[..34], (0..34).collect::<Vec<_>>()[..], "all while they are few");
        assert_eq!(kept.len() as u64, (FEW + stored / SHARE) / 1000);
        assert!(kept.windows(2).all(|pair| pair[1] - pair[0] <= SHARE), "nowhere is a gap");
        assert!(kept.windows(2).skip(34).all(|pair| pair[1] - pair[0] == SHARE), "in equal steps then");
    }
}
