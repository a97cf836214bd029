//! An engine made of any semantics: the whole graph, then the answer. Right if the semantics is.

use evidence::{Evidence, Exhausted, Outcome, Statistics, Trace, Verdict};
use model::Property;

use crate::naive::temporal::refutation;
use crate::naive::{Graph, Semantics, Shown, decide, explore, round, shows};

/// Decides a property as an engine would; `None` if there are more than `limit` states.
pub fn search<M: Semantics>(model: &M, property: &Property, limit: usize) -> Option<Outcome> {
    let graph = explore(model, limit)?;
    let answer = decide(model, &graph, property);
    let evidence = match answer.shortest(property) {
        Some(length) => {
            let round = match property {
                Property::Temporal(temporal) => refutation(model, &graph, temporal),
                _ => round_at(model, &graph, property, length),
            };
            Evidence::Run(round.unwrap_or_else(|| Trace::finite(run(model, &graph, property, length))))
        }
        None => Evidence::Exhausted(Exhausted::FullStateSpace),
    };
    let verdict = if answer.holds(property) { Verdict::Holds(evidence) } else { Verdict::Violated(evidence) };
    let statistics = Statistics {
        states: Some(answer.states as u64),
        transitions: Some(answer.transitions as u64),
        deadlocks: Some(answer.deadlocks as u64),
        complete: Some(true),
        reduced: None,
        ..Statistics::default()
    };
    Some(Outcome::new(verdict, statistics))
}

/// A run round a silent cycle for ever, after so many steps, if the property is about such runs.
fn round_at<M: Semantics>(model: &M, graph: &Graph<M::State>, property: &Property, length: usize) -> Option<Trace> {
    let Property::DivergenceFree(label) = property else { return None };
    let near = (0..graph.states.len()).filter(|&i| graph.distances[i] == length);
    let mut traces = near.filter_map(|i| Some(Trace { stem: graph.path(i), cycle: round(model, graph, label, i)? }));
    traces.next()
}

/// A run of this length that decides the property: to a state that shows it, or into a fault.
fn run<M: Semantics>(
    model: &M,
    graph: &Graph<M::State>,
    property: &Property,
    length: usize,
) -> Vec<model::TransitionId> {
    let at = |distance: usize| (0..graph.states.len()).filter(move |&i| graph.distances[i] == distance);
    let wanted = |shown: Shown| !matches!((property, shown), (Property::Reachable(_), Shown::Fault(_)));
    let showing: Vec<usize> = at(length).filter(|&i| shows(model, property, &graph.states[i]).is_some()).collect();
    let best = showing.iter().find(|&&i| shows(model, property, &graph.states[i]).is_some_and(wanted));
    if let Some(&state) = best.or(showing.first()) {
        return graph.path(state);
    }
    let fault = at(length.saturating_sub(1))
        .find_map(|i| graph.edges[i].iter().find(|(_, to)| to.is_err()).map(|(t, _)| (i, *t)));
    let (state, transition) = fault.expect("the length is that of a run to a state or into a fault");
    let mut path = graph.path(state);
    path.push(transition);
    path
}
