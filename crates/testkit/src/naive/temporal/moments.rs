//! Runs as a graph of moments: a state, the step that led to it, and what is seen there.

use std::collections::HashMap;

use evidence::Trace;
use model::{Fault, Proposition, Temporal, TransitionId};

use super::super::{Graph, Semantics};

/// The moments of all runs that count but for fairness, the first one at 0.
#[derive(Clone, Debug, Default)]
pub struct Moments {
    /// The moments.
    pub all: Vec<Moment>,
}

/// A moment of a run.
#[derive(Clone, Debug)]
pub struct Moment {
    /// The step that led to it: none to the first one, nor to the repetitions of an end. What is seen may be older.
    pub taken: Option<TransitionId>,
    /// Which atoms are true, if it is a position.
    pub letter: Option<Vec<bool>>,
    /// Whether somebody keeps control for ever, so that the last position is seen.
    pub kept: bool,
    /// What is enabled in its state.
    pub enabled: Vec<TransitionId>,
    /// What can come next.
    pub next: Vec<usize>,
}

/// A state of the graph, how it was reached, and the last position of the run if that was earlier, or is repeated.
type Place = (usize, Option<TransitionId>, Option<usize>);

impl Moments {
    /// The moments of all runs. Where an atom is a fault, runs are not followed.
    pub fn of_graph<M: Semantics>(model: &M, graph: &Graph<M::State>, temporal: &Temporal) -> Self {
        let mut places: Vec<Place> = vec![(0, None, None)];
        let mut numbers = HashMap::from([(places[0], 0)]);
        let mut moments = Moments::default();
        let enabled = |state: usize| graph.edges[state].iter().map(|(t, _)| *t).collect::<Vec<TransitionId>>();
        while moments.all.len() < places.len() {
            let (state, taken, last) = places[moments.all.len()];
            let seen = match last {
                None => letter(model, temporal, &graph.states[state], taken, &enabled(state)),
                Some(last) => letter(model, temporal, &graph.states[last], None, &enabled(last)),
            };
            let mut number = |place: Place| {
                *numbers.entry(place).or_insert_with(|| {
                    places.push(place);
                    places.len() - 1
                })
            };
            let next = match &seen {
                Err(_) => Vec::new(),
                Ok(_) => following(model, graph, temporal, (state, last)).into_iter().map(&mut number).collect(),
            };
            let (letter, kept) = (seen.unwrap_or_default(), last.is_some_and(|last| last != state));
            moments.all.push(Moment { taken, letter, kept, enabled: enabled(state), next });
        }
        moments
    }

    /// The moments of a single run, if it is one and its cycle is closed.
    pub fn of_run<M: Semantics>(model: &M, run: &Trace, temporal: &Temporal) -> Option<Self> {
        let mut states = vec![model.initial()];
        for step in 0..run.steps() {
            let (_, result) = model.steps(&states[step]).into_iter().find(|(t, _)| *t == run.step(step))?;
            states.push(result.ok()?);
        }
        let mut moments = Moments::default();
        for (i, state) in states.iter().enumerate() {
            let taken = (i > 0).then(|| run.step(i - 1));
            let enabled: Vec<TransitionId> = model.steps(state).iter().map(|(t, _)| *t).collect();
            let letter = letter(model, temporal, state, taken, &enabled).ok()?;
            moments.all.push(Moment { taken, letter, kept: false, enabled, next: vec![i + 1] });
        }
        let (first, last) = (run.stem.len() + 1, run.steps());
        if run.cycle.is_empty() {
            let ends = temporal.finite && moments.all[last].enabled.is_empty();
            let again = letter(model, temporal, &states[last], None, &[]).ok()?;
            let next = vec![last + 1];
            moments.all.push(Moment { taken: None, letter: again, kept: false, enabled: Vec::new(), next });
            return ends.then_some(moments);
        }
        if states[last] != states[run.stem.len()] {
            return None;
        }
        moments.all[last].next = vec![first];
        if moments.all[first..].iter().all(|m| m.letter.is_none()) {
            let position = (0..first).rev().find(|i| moments.all[*i].letter.is_some())?;
            let again = letter(model, temporal, &states[position], None, &moments.all[position].enabled).ok()?;
            moments.all[first..].iter_mut().for_each(|m| (m.letter, m.kept) = (again.clone(), true));
            return temporal.finite.then_some(moments);
        }
        Some(moments)
    }
}

/// What can come next in a state, if the last position of the run was earlier or is repeated: the same for ever where
/// nothing is enabled; where control is kept that may be so for ever, or not.
fn following<M: Semantics>(
    model: &M,
    graph: &Graph<M::State>,
    temporal: &Temporal,
    (state, last): (usize, Option<usize>),
) -> Vec<Place> {
    let is_position = |s: usize| model.control(&graph.states[s]).is_none();
    if graph.edges[state].is_empty() {
        return temporal.finite.then_some((state, None, Some(state))).into_iter().collect();
    }
    let steps = || graph.edges[state].iter().filter_map(|(t, to)| Some((to.ok()?, Some(*t))));
    let kept = |last: usize| {
        let steps = steps().filter(|(to, _)| temporal.finite && !is_position(*to));
        steps.map(move |(to, t)| (to, t, Some(last)))
    };
    match last {
        Some(last) => kept(last).collect(),
        None if is_position(state) => steps().map(|(to, t)| (to, t, None)).chain(kept(state)).collect(),
        None => steps().map(|(to, t)| (to, t, None)).collect(),
    }
}

/// Which atoms are true in a state, if nobody has control there.
fn letter<M: Semantics>(
    model: &M,
    temporal: &Temporal,
    state: &M::State,
    taken: Option<TransitionId>,
    enabled: &[TransitionId],
) -> Result<Option<Vec<bool>>, Fault> {
    if model.control(state).is_some() {
        return Ok(None);
    }
    let holds = |p: &Proposition| match p {
        Proposition::State(e) => model.holds(e, state),
        Proposition::Enabled(some) => Ok(some.iter().any(|t| enabled.contains(t))),
        Proposition::Taken(some) => Ok(taken.is_some_and(|t| some.contains(&t))),
    };
    temporal.propositions().into_iter().map(holds).collect::<Result<Vec<bool>, Fault>>().map(Some)
}

/// The fault that an atom of the claim is in a state, if it is a position.
pub(crate) fn faulty_atom<M: Semantics>(model: &M, temporal: &Temporal, state: &M::State) -> Option<Fault> {
    letter(model, temporal, state, None, &[]).err()
}
