//! What a process passes alone is not stored: a state in which somebody has control and only one transition is enabled.
//!
//! The search takes that transition at once, and so on, so that a step of the search is a *block*: a transition and all
//! that was the only way to go on after it. A state under control with a choice is stored like others, but not counted.
//! A process that would never stop is stopped after some thousand steps, and its state stored, so that every cycle
//! contains a stored state. Which steps a block consists of follows from its first state and its first transition: a run
//! of blocks is told in full by taking it once more.
//!
//! An observer sees every step, so nothing is passed in a system with one; nor in a search for infinite runs, where every
//! step of a cycle counts.

use model::{State, System, TransitionId};

use super::search::Search;

/// The most steps that are taken without storing a state.
const MOST: usize = 4_000;

/// Takes the only steps that there are from a state in which somebody has control, telling each; the one that is a model
/// error ends the way.
pub(super) fn pass(system: &System, state: &mut State, mut each: impl FnMut(TransitionId)) -> Result<(), TransitionId> {
    for _ in 0..MOST {
        let Some(only) = only_step(system, state) else { return Ok(()) };
        let t = only?;
        system.fire_in_place(t, state).map_err(|_| t)?;
        each(t);
    }
    Ok(())
}

/// The only step from a state in which somebody has control; none if there is a choice.
fn only_step(system: &System, state: &State) -> Option<Result<TransitionId, TransitionId>> {
    system.control(state)?;
    let mut enabled = system.enabled(state);
    let first = enabled.next().expect("who has control can go on");
    enabled.next().is_none().then_some(first.map_err(|(t, _)| t))
}

impl Search<'_> {
    /// Goes on from a state that a step led to, to the next one that is to be stored; or says which step on the way is a
    /// model error.
    #[inline]
    pub(super) fn pass(&mut self, state: &mut State) -> Result<(), TransitionId> {
        match self.passes {
            true => self.pass_on(state),
            false => Ok(()),
        }
    }

    fn pass_on(&mut self, state: &mut State) -> Result<(), TransitionId> {
        let before = self.transitions;
        let passed = pass(self.system, state, |t| self.fired(t));
        self.passed += self.transitions - before;
        passed
    }

    /// The steps of a run of blocks, given by their first transitions; the last one may end in a model error.
    pub(super) fn told(&self, run: Vec<TransitionId>) -> Vec<TransitionId> {
        if !self.passes {
            return run;
        }
        let mut state = self.system.initial_state();
        let mut steps = Vec::new();
        for t in run {
            steps.push(t);
            let possible = self.system.is_enabled(t, &state) == Ok(true);
            if !possible || self.system.fire_in_place(t, &mut state).is_err() {
                break;
            }
            if let Err(wrong) = pass(self.system, &mut state, |t| steps.push(t)) {
                steps.push(wrong);
                break;
            }
        }
        steps
    }
}
