//! What must occur before what, among events: a run of them, or the cycles that forbid it.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap, VecDeque};

use super::prefix::ContextualPrefix;
use crate::unfold::ids::{ConditionId, EventId};

/// Which of some events occur before others. No two of them use up one condition, and their causes are among them.
#[derive(Debug)]
pub(super) struct Precedence {
    events: Vec<EventId>,
    /// By position, the positions of the events that come later; and whether that is because they read or use up what
    /// is made here. Otherwise they use up what is read here.
    later: Vec<Vec<(usize, bool)>>,
}

impl Precedence {
    /// Of events in increasing order.
    pub(super) fn new(prefix: &ContextualPrefix, events: Vec<EventId>) -> Self {
        let position: HashMap<EventId, usize> = events.iter().enumerate().map(|(i, &e)| (e, i)).collect();
        let consumers: HashMap<ConditionId, usize> =
            events.iter().enumerate().flat_map(|(i, &e)| prefix.preset(e).iter().map(move |&c| (c, i))).collect();
        let mut later = vec![Vec::new(); events.len()];
        for (i, &event) in events.iter().enumerate() {
            for &c in prefix.preset(event).iter().chain(prefix.context(event)) {
                let producer = prefix.producer(c).map(|e| position[&e]);
                producer.into_iter().for_each(|producer| later[producer].push((i, true)));
            }
            for c in prefix.context(event) {
                later[i].extend(consumers.get(c).map(|&consumer| (consumer, false)));
            }
        }
        Self { events, later }
    }

    /// The events in an order in which they can occur; if there is none, the positions of those that are on cycles or
    /// behind them.
    pub(super) fn linearise(&self) -> Result<Vec<EventId>, Vec<usize>> {
        let mut earlier = vec![0_u32; self.events.len()];
        self.later.iter().flatten().for_each(|&(i, _)| earlier[i] += 1);
        let mut ready: Vec<usize> = (0..earlier.len()).rev().filter(|&i| earlier[i] == 0).collect();
        let mut out = Vec::with_capacity(earlier.len());
        while let Some(i) = ready.pop() {
            out.push(self.events[i]);
            for &(next, _) in &self.later[i] {
                earlier[next] -= 1;
                if earlier[next] == 0 {
                    ready.push(next);
                }
            }
        }
        match out.len() == earlier.len() {
            true => Ok(out),
            false => Err((0..earlier.len()).filter(|&i| earlier[i] > 0).collect()),
        }
    }

    /// For each of some positions that are on a cycle and are readers, the events of a shortest one: those whose next
    /// one does not depend on them.
    pub(super) fn cycles(&self, core: &[usize]) -> BTreeSet<Vec<EventId>> {
        let reads = |&&i: &&usize| self.later[i].iter().any(|&(_, is_cause)| !is_cause);
        core.iter().filter(reads).filter_map(|&i| self.cycle(i)).collect()
    }

    fn cycle(&self, start: usize) -> Option<Vec<EventId>> {
        // Where each was reached from, and whether as an effect of that.
        let mut from: HashMap<usize, (usize, bool)> = HashMap::new();
        let mut waiting = VecDeque::from([start]);
        while let Some(i) = waiting.pop_front() {
            for &(next, is_cause) in &self.later[i] {
                if let Entry::Vacant(free) = from.entry(next) {
                    free.insert((i, is_cause));
                    waiting.push_back(next);
                }
            }
            if from.contains_key(&start) {
                break;
            }
        }
        let mut named = Vec::new();
        let mut at = start;
        loop {
            let &(before, is_cause) = from.get(&at)?;
            named.extend((!is_cause).then_some(self.events[before]));
            at = before;
            if at == start {
                named.sort_unstable();
                return Some(named);
            }
        }
    }
}
