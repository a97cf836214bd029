//! Finds out which processes there can be: a bounded search of the system made so far, until a plan foresees all it meets.
//!
//! Only states from which a process can still be created are of interest, so the search of a program that creates its
//! processes at its start is short, and complete. A program that creates them without end has so many plans that no system
//! would ever be wide enough; once there are as many processes as there can be, the search looks for the run that breaks
//! that limit, which is an answer whatever else was not foreseen.

use std::collections::{HashSet, VecDeque};

use model::{Command, State, System, TransitionId};

use super::Model;
use super::births::Unforeseen;
use super::patience::Patience;
use super::plan::{MAX_PROCESSES, Plan, Seat};

/// After how many states it is asked whether to go on.
const ASK: usize = 64;

/// What a search for processes found.
#[derive(Debug, Default)]
pub(super) struct Discovery {
    /// Whether something was met that the plan did not foresee.
    pub(super) new: bool,
    /// A run to a model error, where the plan has room for no more processes.
    pub(super) error: Option<Vec<TransitionId>>,
}

impl Model {
    /// Widens a plan by all that a search of at most so many states meets, or as many as somebody waits for.
    pub(super) fn discover(&self, plan: &mut Plan, states: usize, patience: &Patience) -> Discovery {
        if self.unforeseen.is_empty() {
            return Discovery::default();
        }
        let full = plan.slots() >= MAX_PROCESSES;
        let (seen, open, steps, found) = (HashSet::new(), VecDeque::new(), Vec::new(), Discovery::default());
        let mut search = Search { model: self, plan, states, full, found, seen, open, steps };
        search.run(patience);
        search.found
    }

    /// Whether some process may still create another one.
    fn may_run(&self, state: &State) -> bool {
        let system = &self.loaded.system;
        system.process_ids().any(|p| self.running[p.index()][system.location(p, state).index()])
    }
}

struct Search<'m> {
    model: &'m Model,
    plan: &'m mut Plan,
    /// The most states that are looked at.
    states: usize,
    /// Whether the system has room for as many processes as there can be.
    full: bool,
    found: Discovery,
    seen: HashSet<Vec<u64>>,
    /// States to look at, each with its number.
    open: VecDeque<(Vec<u64>, usize)>,
    /// The step to each state, and the number of the state before; none to the first.
    steps: Vec<Option<(usize, TransitionId)>>,
}

impl Search<'_> {
    fn run(&mut self, patience: &Patience) {
        let system = &self.model.loaded.system;
        self.add(system.initial_state(), None);
        let mut looked_at = 0_usize;
        while let Some((state, number)) = self.pick() {
            looked_at += 1;
            if looked_at.is_multiple_of(ASK) && !patience.lasts() {
                return;
            }
            let mut next = state.clone();
            for t in system.enabled(&state).flatten() {
                if let Some(number) = unforeseen(system, t) {
                    self.meet(&self.model.unforeseen[number], &state);
                } else if system.fire(t, &state, &mut next).is_ok() {
                    self.add(next.clone(), Some((number, t)));
                } else if self.full {
                    self.found.error = Some(self.run_to(number, t));
                    return;
                }
            }
        }
    }

    /// The steps to a state and one more.
    fn run_to(&self, mut number: usize, last: TransitionId) -> Vec<TransitionId> {
        let mut run = vec![last];
        while let Some((before, step)) = self.steps[number] {
            run.push(step);
            number = before;
        }
        run.reverse();
        run
    }

    /// From the beginning and from where the search is deepest in turn: who creates many processes creates the last of them
    /// far away.
    fn pick(&mut self) -> Option<(Vec<u64>, usize)> {
        match self.open.len() % 2 {
            0 => self.open.pop_front(),
            _ => self.open.pop_back(),
        }
    }

    fn add(&mut self, state: Vec<u64>, step: Option<(usize, TransitionId)>) {
        if self.seen.len() < self.states && self.model.may_run(&state) && self.seen.insert(state.clone()) {
            self.open.push_back((state, self.steps.len()));
            self.steps.push(step);
        }
    }

    /// A process is about to be created that the plan does not foresee.
    fn meet(&mut self, what: &Unforeseen, state: &State) {
        let system = &self.model.loaded.system;
        let value = |e: &model::Expr| system.predicate(e).value(system, state).unwrap_or(0);
        let slot = value(&what.count) as u32;
        let parameters: Vec<i64> = what.parameters.iter().map(value).collect();
        self.found.new |= self.plan.foresee(what.runner, Seat { slot, proctype: what.proctype }, &parameters);
    }
}

/// The number of an unforeseen step.
fn unforeseen(system: &System, t: TransitionId) -> Option<usize> {
    system.transition(t).command.iter().find_map(|c| match c {
        Command::Unforeseen(number) => Some(*number as usize),
        _ => None,
    })
}
