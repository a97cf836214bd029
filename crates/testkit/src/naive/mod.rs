//! The naive oracle: what a system means, by interpretation of its expressions and commands on plain values.
//!
//! It shares with the packed states and the compiled code of `model` only the description of the system, and follows
//! the documentation of `model::{Expr, Command, Transition, Observer}` to the letter. Nothing here is fast; it must be
//! so simple that it is obviously right.

mod answer;
mod control;
mod eval;
mod graph;
mod round;
mod step;
mod stuck;
pub mod temporal;

pub use answer::{Answer, Shown, decide, shows, witness};
pub use eval::{eval, matches, resolve};
pub use graph::{Graph, explore};
pub use round::round;
pub use step::{bind, compose, defined, guard, observe, operate};
pub use stuck::{movers, stuck};

use std::borrow::Cow;
use std::fmt::Debug;
use std::hash::Hash;

use model::{
    Expr, Fault, LocationId, ObjectId, Observer, ProcessId, Property, System, Transition, TransitionId, Value,
};

/// A state as plain values.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    /// Where each process is.
    pub locations: Vec<LocationId>,
    /// The value of each object.
    pub values: Vec<Value>,
    /// Where the observer is, if there is one.
    pub observer: Option<LocationId>,
    /// Who goes on alone, if somebody does.
    pub control: Option<ProcessId>,
}

impl State {
    /// The value of an object.
    pub fn value(&self, object: ObjectId) -> &Value {
        &self.values[object.index()]
    }
}

/// A transition that is taken, with the state that it leads to or the fault that it is.
pub type Step<S> = (TransitionId, Result<S, Fault>);

/// The meaning of a system: what the oracle, the packed semantics and the planted wrong ones have in common.
pub trait Semantics {
    /// Its states.
    type State: Clone + Debug + Eq + Hash;

    /// The initial state.
    fn initial(&self) -> Self::State;

    /// What can happen in a state, in the order of the transitions. A guard that is a fault counts as a faulty step.
    fn steps(&self, state: &Self::State) -> Vec<Step<Self::State>>;

    /// Whether there are processes and all are at locations where they may stop for good.
    fn at_end(&self, state: &Self::State) -> bool;

    /// Whether a predicate is true in a state.
    fn holds(&self, predicate: &Expr, state: &Self::State) -> Result<bool, Fault>;

    /// Where the observer is.
    fn observer_location(&self, state: &Self::State) -> Option<LocationId>;

    /// Who goes on alone, if somebody does.
    fn control(&self, state: &Self::State) -> Option<ProcessId>;

    /// What a transition is called.
    fn label(&self, transition: TransitionId) -> &str;

    /// Who moves in a transition.
    fn moved(&self, transition: TransitionId) -> Vec<ProcessId>;

    /// The processes that are not at locations where they may stop for good.
    fn unfinished(&self, state: &Self::State) -> Vec<ProcessId>;
}

/// The oracle's semantics of a system, with an observer or without.
#[derive(Clone, Debug)]
pub struct Naive<'a> {
    /// The system; only its description is used.
    pub system: &'a System,
    /// Its transitions, or others that were planted.
    pub transitions: Cow<'a, [Transition]>,
    /// The observer that moves along.
    pub observer: Option<&'a Observer>,
}

impl<'a> Naive<'a> {
    /// A system with the observer that it has, if any.
    pub fn new(system: &'a System) -> Self {
        Self { system, transitions: Cow::Borrowed(system.transitions()), observer: system.observer() }
    }

    /// A system as a property needs it: with the observer of a safety property.
    pub fn of(system: &'a System, property: &'a Property) -> Self {
        match property {
            Property::Safety(observer) => Self { observer: Some(observer), ..Self::new(system) },
            _ => Self::new(system),
        }
    }

    /// Whether a transition is possible, if it is its turn: its processes are there, its guard is true, its operations are
    /// defined.
    pub fn is_possible(&self, transition: &Transition, state: &State) -> Result<bool, Fault> {
        let objects = self.system.objects();
        Ok(transition.moves.iter().all(|m| state.locations[m.process.index()] == m.from)
            && guard(objects, &transition.guard, state)?
            && defined(objects, &transition.command, state)?)
    }

    /// The successor of a state by an enabled transition.
    pub fn fire(&self, id: TransitionId, state: &State) -> Result<State, Fault> {
        let objects = self.system.objects();
        let transition = &self.transitions[id.index()];
        let mut next = state.clone();
        for m in &transition.moves {
            next.locations[m.process.index()] = m.to;
        }
        for operation in &transition.command {
            operate(objects, operation, &mut next)?;
        }
        next.control = self.heir(transition, &next)?;
        if let (Some(observer), Some(at)) = (self.observer, state.observer) {
            next.observer = Some(observe(objects, observer, at, id, &next)?);
        }
        Ok(next)
    }
}

impl Semantics for Naive<'_> {
    type State = State;

    fn initial(&self) -> State {
        State {
            locations: self.system.processes().iter().map(|p| p.initial).collect(),
            values: self.system.objects().iter().map(|o| o.initial.clone()).collect(),
            observer: self.observer.map(|o| o.initial),
            control: None,
        }
    }

    fn steps(&self, state: &State) -> Vec<Step<State>> {
        let step = |(id, possible): Step<()>| (id, possible.and_then(|()| self.fire(id, state)));
        self.choices(state).into_iter().map(step).collect()
    }

    fn at_end(&self, state: &State) -> bool {
        let mut places = state.locations.iter().zip(self.system.processes());
        let settled = self.system.stop_conditions().iter().all(|e| self.holds(e, state) == Ok(true));
        settled && !state.locations.is_empty() && places.all(|(l, p)| p.locations[l.index()].end)
    }

    fn holds(&self, predicate: &Expr, state: &State) -> Result<bool, Fault> {
        Ok(eval(self.system.objects(), predicate, state)? != 0)
    }

    fn observer_location(&self, state: &State) -> Option<LocationId> {
        state.observer
    }

    fn control(&self, state: &State) -> Option<ProcessId> {
        state.control
    }

    fn label(&self, transition: TransitionId) -> &str {
        &self.transitions[transition.index()].label
    }

    fn moved(&self, transition: TransitionId) -> Vec<ProcessId> {
        self.transitions[transition.index()].moves.iter().map(|m| m.process).collect()
    }

    fn unfinished(&self, state: &State) -> Vec<ProcessId> {
        let end = |p: &ProcessId| self.system.processes()[p.index()].locations[state.locations[p.index()].index()].end;
        self.system.process_ids().filter(|p| !end(p)).collect()
    }
}
