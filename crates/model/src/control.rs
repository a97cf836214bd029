//! Exclusive control and last resorts: who may go on, beyond what guards say.
//!
//! - After a transition its *keeper* has control if it is now at a location that holds it and starts some transition
//!   that is enabled there, unless the transition yields; otherwise nobody has. Having control is part of the state; nobody has it at first.
//! - While a process has control, only what it starts is enabled; at a `Hold::Step` location only the first of that.
//! - A process that cannot go on at a `Hold::Step` location is a model error of the step that led there.
//! - A last resort is enabled only if nothing else is. It does not count when it is asked whether a process can go on.
//! - A guard that is a model error counts as enabled: it is a step that somebody would take.
//!
//! This is what SPIN 6.5 does with `atomic`, `d_step` and `timeout`, found out by experiment: after a rendezvous from within
//! an atomic sequence the receiver goes on if it is inside one, too, and otherwise everybody may, the sender with them;
//! a sequence that is blocked, also by `timeout`, is stored as an ordinary state and goes on alone again after its next
//! step; a `d_step` that is blocked is an error. Nobody sees the states in between, not even a never claim: SPIN stores
//! just the states in which nobody has control, and so predicates are about these alone. Only where an observer follows
//! certain transitions does it go along.
//!
//! So a state in which somebody has control always has a successor or an error, and a process that is blocked at a
//! holding location looks the same however it came there.

use std::ops::Range;

use crate::layout::Layout;
use crate::system::{Hold, Location};
use crate::{Enabled, Fault, ProcessId, State, System, TransitionId, ViewError};

/// What the rules need to know of a system with holding locations or last resorts. The positions are those in the
/// candidates of the compiled system.
#[derive(Clone, Debug, Default)]
pub(crate) struct Control {
    /// For each location of each process, in the order of the processes: what the process starts there.
    started: Vec<Range<u32>>,
    /// The first entry of each process in `started`.
    bases: Vec<u32>,
    /// By transition, who may have control after it.
    keepers: Vec<Option<Keeper>>,
    /// All last resorts.
    pub(crate) resorts: Range<u32>,
}

#[derive(Clone, Debug)]
struct Keeper {
    process: ProcessId,
    hold: Hold,
    started: Range<u32>,
}

impl Control {
    /// The control of a system that needs it, with more candidates.
    pub(crate) fn new(system: &System, candidates: &mut Vec<TransitionId>) -> Option<Box<Self>> {
        let resorts = || system.transition_ids().filter(|&t| system.transition(t).last_resort);
        if !system.has_holds() && resorts().next().is_none() {
            return None;
        }
        let mut control = Control::default();
        let mut lists: Vec<Vec<TransitionId>> = Vec::new();
        for process in &system.processes {
            control.bases.push(lists.len() as u32);
            lists.resize(lists.len() + process.locations.len(), Vec::new());
        }
        for t in system.transition_ids().filter(|&t| !system.transition(t).last_resort) {
            let transition = system.transition(t);
            if let Some(m) = transition.starter().and_then(|p| transition.part(p)) {
                lists[control.bases[m.process.index()] as usize + m.from.index()].push(t);
            }
        }
        control.started = lists.into_iter().map(|list| append(candidates, list)).collect();
        control.keepers = system.transition_ids().map(|t| control.keeper(system, t)).collect();
        control.resorts = append(candidates, resorts());
        Some(Box::new(control))
    }

    fn keeper(&self, system: &System, t: TransitionId) -> Option<Keeper> {
        let m = system.transition(t).keeper()?;
        let hold = system.process(m.process).locations[m.to.index()].hold;
        let started = self.started[self.bases[m.process.index()] as usize + m.to.index()].clone();
        (hold != Hold::No).then_some(Keeper { process: m.process, hold, started })
    }
}

fn append(candidates: &mut Vec<TransitionId>, list: impl IntoIterator<Item = TransitionId>) -> Range<u32> {
    let start = candidates.len() as u32;
    candidates.extend(list);
    start..candidates.len() as u32
}

impl Layout {
    fn control(&self, state: &State) -> Option<ProcessId> {
        let number = self.control?.get(state);
        (number > 0).then(|| ProcessId(number as u32 - 1))
    }
}

impl System {
    /// Whether some location holds the process that arrives there.
    pub fn has_holds(&self) -> bool {
        self.processes.iter().flat_map(|p| &p.locations).any(|l| l.hold != Hold::No)
    }

    /// Whether a transition is possible only where nothing else is.
    pub fn has_last_resorts(&self) -> bool {
        self.transitions.iter().any(|t| t.last_resort)
    }

    /// Refuses a view that has no place for control and last resorts.
    pub(crate) fn without_control(&self, view: &str) -> Result<(), ViewError> {
        if !self.stop.is_empty() {
            let message = format!("whether it may stop depends on its objects: such a system has no {view}");
            return Err(ViewError::new(message));
        }
        let held = |l: &&Location| l.hold != Hold::No;
        if let Some((p, l)) = self.processes.iter().find_map(|p| p.locations.iter().find(held).map(|l| (p, l))) {
            let message = format!("`{}` goes on alone from `{}`: a system with control has no {view}", p.name, l.name);
            return Err(ViewError::new(message).at(l.span));
        }
        match self.transitions.iter().find(|t| t.last_resort) {
            None => Ok(()),
            Some(t) => {
                let message =
                    format!("`{}` is possible only where nothing else is: such a system has no {view}", t.name);
                Err(ViewError::new(message).at(t.spans.first().copied()))
            }
        }
    }

    /// Who has control, if somebody has.
    #[inline]
    pub fn control(&self, state: &State) -> Option<ProcessId> {
        self.layout.control(state)
    }

    /// Gives control to whom it belongs after a transition that led to `state`.
    pub(crate) fn pass_control(&self, control: &Control, t: TransitionId, state: &mut State) -> Result<(), Fault> {
        let Some(field) = self.layout.control else { return Ok(()) };
        let mut holder = 0;
        if let Some(keeper) = &control.keepers[t.index()] {
            if self.first_of(keeper.started.clone(), state).is_some() {
                holder = i64::from(keeper.process.0) + 1;
            } else if keeper.hold == Hold::Step {
                return Err(Fault::Blocked { process: keeper.process });
            }
        }
        field.set(state, holder);
        Ok(())
    }

    /// The position of the first candidate of a range that can be fired, or whose guard is a fault.
    fn first_of(&self, range: Range<u32>, state: &State) -> Option<u32> {
        let program = &self.program;
        range.into_iter().find(|&i| program.enabled(program.candidates[i as usize], state, &self.layout) != Ok(false))
    }

    /// The candidates in a state where a process has control.
    fn held(&self, control: &Control, process: ProcessId, state: &State) -> Range<u32> {
        let location = self.location(process, state);
        let range = control.started[control.bases[process.index()] as usize + location.index()].clone();
        if self.process(process).locations[location.index()].hold == Hold::Step {
            let first = self.first_of(range, state).expect("who has control can go on");
            return first..first + 1;
        }
        range
    }

    /// Whether a transition is enabled in a system with control.
    pub(crate) fn is_enabled_under(&self, control: &Control, t: TransitionId, state: &State) -> Result<bool, Fault> {
        let admitted = match self.control(state) {
            Some(p) => self.program.candidates[range(self.held(control, p, state))].contains(&t),
            None => !self.transition(t).last_resort || Enabled::all(self, state).leaves_last_resorts(),
        };
        if admitted { self.program.enabled(t, state, &self.layout) } else { Ok(false) }
    }
}

fn range(range: Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

impl<'a> Enabled<'a> {
    /// What is enabled in a system with control.
    pub(crate) fn under(system: &'a System, control: &Control, state: &'a State) -> Self {
        match system.control(state) {
            Some(p) => Self::among(system, system.held(control, p, state), state),
            None => Self::all(system, state),
        }
    }

    /// What comes after `t` in a system with control.
    pub(crate) fn under_after(system: &'a System, control: &Control, t: TransitionId, state: &'a State) -> Self {
        let mut left = match system.control(state) {
            Some(p) => system.held(control, p, state),
            None if system.transition(t).last_resort => control.resorts.clone(),
            None => return Self::all_after(system, t, state),
        };
        left.start += system.program.candidates[range(left.clone())].partition_point(|&u| u <= t) as u32;
        Self::among(system, left, state)
    }
}
