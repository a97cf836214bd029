//! A run that was found, written down: along the stack to a component, and round in it from mark to nearest mark.

use std::collections::HashMap;
use std::time::Duration;

use evidence::Reason;
use model::views::NetTransitionId;

use super::Lasso;
use super::search::{Found, STAY, Search, word};
use crate::store::{StateIndex, hash};

/// The time for a run when there is none left: engines may take a second too long.
const GRACE: Duration = Duration::from_millis(500);

/// A run that goes on longer before it repeats is not followed.
const LONGEST: usize = 1 << 16;

/// A way through nodes: its steps, what they do, and where it leads.
struct Way {
    steps: Vec<NetTransitionId>,
    done: u64,
    end: StateIndex,
}

impl Search<'_> {
    /// A run that shows what was found, unless that takes too much.
    pub(super) fn told(&mut self, found: &Found) -> Option<Lasso> {
        match found {
            Found::Component => self.round().ok(),
            Found::Whatever => self.whatever(),
        }
    }

    /// A run to the last component and round in it.
    fn round(&mut self) -> Result<Lasso, Reason> {
        let (first, nodes) = self.component();
        let nodes = nodes.to_vec();
        let stem = self.way_along(Some(first));
        let (mut cycle, mut missing, mut at) = (Vec::new(), self.required(), first);
        while missing != 0 {
            let way = self.way(at, &nodes, |_, marks| marks & missing != 0)?;
            missing &= !way.done;
            at = way.end;
            cycle.extend(way.steps);
        }
        if at != first {
            cycle.extend(self.way(at, &nodes, |node, _| node == first)?.steps);
        }
        cycle.retain(|t| *t != STAY);
        Ok(Lasso { stem, cycle })
    }

    /// A shortest way of a step or more through some nodes, up to a step of a kind, given by where it leads and what it does.
    fn way(
        &mut self,
        start: StateIndex,
        nodes: &[StateIndex],
        is_last: impl Fn(StateIndex, u64) -> bool,
    ) -> Result<Way, Reason> {
        let budget = self.task.budget.grace(GRACE);
        let mut before: HashMap<StateIndex, (StateIndex, NetTransitionId, u64)> = HashMap::new();
        let mut queue = vec![start];
        let mut expanded = 0;
        while let Some(&from) = queue.get(expanded) {
            expanded += 1;
            budget.check(self.tree.bytes() + self.others() + 48 * before.len() as u64)?;
            for (t, marks, to) in self.steps_from(from)? {
                if nodes.binary_search(&to).is_err() {
                    continue;
                }
                if is_last(to, marks) {
                    let (mut steps, mut done, mut at) = (vec![t], marks, from);
                    while let Some(&(from, t, marks)) = before.get(&at).filter(|_| at != start) {
                        steps.push(t);
                        done |= marks;
                        at = from;
                    }
                    steps.reverse();
                    return Ok(Way { steps, done, end: to });
                }
                if to != start && !before.contains_key(&to) {
                    before.insert(to, (from, t, marks));
                    queue.push(to);
                }
            }
        }
        unreachable!("a component is connected, and has the marks that it was found for")
    }

    /// All steps from a node to known ones, with their marks.
    fn steps_from(&mut self, from: StateIndex) -> Result<Vec<(NetTransitionId, u64, StateIndex)>, Reason> {
        let (marking, place) = self.node(from);
        let mut moved = Ok(());
        let position = &mut self.position;
        self.tree.go_to(marking, |p, tokens| {
            if let Err(e) = position.set(p, tokens) {
                moved = Err(e);
            }
        });
        moved?;
        let mut enabled = self.position.live.enabled().to_vec();
        if enabled.is_empty() {
            enabled.push(STAY);
        }
        let mut out = Vec::new();
        for t in enabled {
            let next = self.fire(t, marking)?;
            let (mut edge, letter) = (0, self.position.letter());
            while let Some((after, marks, target)) = self.edge(place, letter, edge) {
                edge = after;
                let word = [word(next, target)];
                out.extend(self.nodes.find(&word, hash(&word)).map(|node| (t, marks, node)));
            }
            self.unfire(t, marking)?;
        }
        Ok(out)
    }

    /// A run along the stack, and on wherever it goes until a marking repeats or nothing is enabled.
    fn whatever(&mut self) -> Option<Lasso> {
        let mut stem = self.way_along(None);
        let mut met = HashMap::from([(self.position.live.tokens().to_vec(), stem.len())]);
        while met.len() < LONGEST && met.len() * self.position.live.tokens().len() < (LONGEST << 10) {
            let live = &self.position.live;
            let fresh = live.fresh.iter().find(|t| live.is_enabled(**t));
            let Some(&t) = fresh.or_else(|| live.enabled().first()) else {
                return Some(Lasso { stem, cycle: Vec::new() });
            };
            self.position.fire(t).ok()?;
            stem.push(t);
            if let Some(&start) = met.get(self.position.live.tokens()) {
                let cycle = stem.split_off(start);
                return Some(Lasso { stem, cycle });
            }
            met.insert(self.position.live.tokens().to_vec(), stem.len());
        }
        None
    }
}
