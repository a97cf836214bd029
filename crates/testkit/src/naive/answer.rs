//! What the state graph says about a property, and what a single run says.
//!
//! A fault is a violation of any property: the model has no meaning beyond it. Only `Reachable` holds all the same if
//! there is a run to its goal.

use evidence::Trace;
use model::{Fault, LocationId, Property, TransitionId};

use super::temporal::{faulty_atom, refutation, refutes};
use super::{Graph, Semantics, round};

/// What a run shows at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Nothing can happen, and some process is not at an end location.
    Deadlock,
    /// Something can happen, but some process that is not at an end location will never move again.
    PartialDeadlock,
    /// The invariant is false.
    InvariantBroken,
    /// The predicate that was asked for is true.
    Reached,
    /// The observer is at an error location.
    ErrorLocation(LocationId),
    /// The steps that repeat are silent and lead back to where they began.
    Divergence,
    /// The run counts and breaks what is claimed of runs.
    Broken,
    /// The last step, or evaluating the predicate in the last state, is a fault.
    Fault(Fault),
}

/// The truth about a property, with the length of the shortest run that shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Answer {
    /// The length of a shortest run that shows what the property is about: a violation, or the state asked for. Of a run
    /// that goes round for ever, the steps before the cycle count; of runs that break a claim about whole runs some one is
    /// meant, not the shortest.
    pub shown: Option<usize>,
    /// The length of a shortest run that ends in a fault.
    pub fault: Option<usize>,
    /// Reachable states in which nobody goes on alone.
    pub states: usize,
    /// Steps between them.
    pub transitions: usize,
    /// Deadlocks among them.
    pub deadlocks: usize,
}

impl Answer {
    /// Whether the property holds.
    pub fn holds(&self, property: &Property) -> bool {
        match property {
            Property::Reachable(_) => self.shown.is_some(),
            _ => self.shown.is_none() && self.fault.is_none(),
        }
    }

    /// The length of a shortest run that decides the property, if a run does.
    pub fn shortest(&self, property: &Property) -> Option<usize> {
        match property {
            Property::Reachable(_) => self.shown.or(self.fault),
            _ => self.shown.into_iter().chain(self.fault).min(),
        }
    }
}

/// Decides a property on the whole graph. For a safety property it must be the graph with its observer.
pub fn decide<M: Semantics>(model: &M, graph: &Graph<M::State>, property: &Property) -> Answer {
    let mut answer = Answer { transitions: graph.transitions(), ..Answer::default() };
    let mut partial = None;
    for (i, state) in graph.states.iter().enumerate() {
        let (distance, stuck) = (graph.distances[i], graph.edges[i].is_empty());
        answer.states += usize::from(model.control(state).is_none());
        match state_shows(model, property, state, stuck) {
            Some(Shown::Fault(_)) => nearer(&mut answer.fault, distance),
            Some(Shown::PartialDeadlock) => nearer(&mut partial, distance),
            Some(_) => nearer(&mut answer.shown, distance),
            None => {}
        }
        if let Property::DivergenceFree(label) = property
            && round(model, graph, label, i).is_some()
        {
            nearer(&mut answer.shown, distance);
        }
        if graph.edges[i].iter().any(|(_, to)| to.is_err()) {
            nearer(&mut answer.fault, distance + 1);
        }
        if stuck && !model.at_end(state) {
            answer.deadlocks += 1;
        }
    }
    // Who asks for partial deadlocks is shown one, however near a deadlock is.
    answer.shown = partial.or(answer.shown);
    if let Property::Temporal(temporal) = property {
        answer.shown = refutation(model, graph, temporal).map(|run| run.stem.len());
    }
    answer
}

fn nearer(best: &mut Option<usize>, distance: usize) {
    *best = Some(best.map_or(distance, |b| b.min(distance)));
}

/// What a state shows about a property.
pub fn shows<M: Semantics>(model: &M, property: &Property, state: &M::State) -> Option<Shown> {
    state_shows(model, property, state, model.steps(state).is_empty())
}

fn state_shows<M: Semantics>(model: &M, property: &Property, state: &M::State, stuck: bool) -> Option<Shown> {
    let passing = model.control(state).is_some();
    match property {
        // What a process passes alone is seen by nobody; only an observer goes along.
        Property::Invariant(_) | Property::Reachable(_) if passing => None,
        Property::DeadlockFree | Property::PartialDeadlockFree if stuck => {
            (!model.at_end(state)).then_some(Shown::Deadlock)
        }
        Property::DeadlockFree => None,
        Property::PartialDeadlockFree => (!super::stuck(model, state).is_empty()).then_some(Shown::PartialDeadlock),
        Property::Invariant(p) => match model.holds(p, state) {
            Ok(true) => None,
            Ok(false) => Some(Shown::InvariantBroken),
            Err(fault) => Some(Shown::Fault(fault)),
        },
        Property::Reachable(p) => match model.holds(p, state) {
            Ok(true) => Some(Shown::Reached),
            Ok(false) => None,
            Err(fault) => Some(Shown::Fault(fault)),
        },
        Property::Safety(observer) => {
            let at = model.observer_location(state).expect("a safety property is decided with its observer");
            observer.locations[at.index()].error.then_some(Shown::ErrorLocation(at))
        }
        Property::Temporal(temporal) => faulty_atom(model, temporal, state).map(Shown::Fault),
        Property::DivergenceFree(_) => None,
    }
}

/// What a run shows about a property; `None` if it is no run of the system, or shows nothing.
pub fn witness<M: Semantics>(model: &M, property: &Property, run: &Trace) -> Option<Shown> {
    let (end, fault) = follow(model, model.initial(), &run.stem)?;
    match (fault, property) {
        (Some(fault), _) => run.cycle.is_empty().then_some(Shown::Fault(fault)),
        (None, Property::DivergenceFree(label)) => {
            let back = follow(model, end.clone(), &run.cycle)? == (end, None);
            let silent = run.cycle.iter().all(|t| model.label(*t) == &**label);
            (!run.cycle.is_empty() && silent && back).then_some(Shown::Divergence)
        }
        (None, Property::Temporal(temporal)) if refutes(model, temporal, run) => Some(Shown::Broken),
        (None, _) if run.cycle.is_empty() => shows(model, property, &end),
        (None, _) => None,
    }
}

/// The state that a run leads to, or the last one before the fault that its last step is; `None` if it is no run.
fn follow<M: Semantics>(model: &M, mut state: M::State, run: &[TransitionId]) -> Option<(M::State, Option<Fault>)> {
    for (i, transition) in run.iter().enumerate() {
        let (_, result) = model.steps(&state).into_iter().find(|(t, _)| t == transition)?;
        match result {
            Ok(next) => state = next,
            Err(fault) => return (i + 1 == run.len()).then_some((state, Some(fault))),
        }
    }
    Some((state, None))
}
