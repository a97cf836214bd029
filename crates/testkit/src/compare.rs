//! What another semantics, or an engine, must have in common with the oracle.
//!
//! Differences are texts for the message of a test; the functions that find them are themselves tested by
//! [`crate::planted`].

use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::Hash;

use evidence::{Evidence, Exhausted, Outcome, Trace, Verdict};
use model::{Fault, Property, System, TransitionId};

use crate::joint::{happenings, joined};
use crate::naive::{Answer, Graph, Naive, Semantics, Shown, State, decide, explore, witness};
use crate::packed::{Packed, unpack};
use crate::{Blueprint, describe};

/// Whether something is as it should be, or else how it is not.
pub type Agreement = Result<(), String>;

/// Equal up to the representation of states: the same states, and in each the same steps in the same order.
pub fn same_graph<A, B>(right: &Graph<A>, other: &Graph<B>, view: impl Fn(&B) -> A) -> Agreement
where
    A: Debug + Eq + Hash,
{
    let mut numbers = HashMap::new();
    for (i, state) in other.states.iter().enumerate() {
        let state = view(state);
        if let Some(before) = numbers.insert(state, i) {
            return Err(format!("states {before} and {i} differ only in their representation"));
        }
    }
    ensure(right.states.len(), other.states.len(), "states")?;
    for (i, state) in right.states.iter().enumerate() {
        let Some(&j) = numbers.get(state) else { return Err(format!("the state {state:?} is missing")) };
        let number = |to: usize| numbers.get(&right.states[to]).copied();
        let expected: Vec<_> = right.edges[i].iter().map(|(t, to)| (*t, to.map(number))).collect();
        let found: Vec<_> = other.edges[j].iter().map(|(t, to)| (*t, to.map(Some))).collect();
        if expected != found {
            return Err(format!("in {state:?} the steps are {found:?} instead of {expected:?}"));
        }
    }
    Ok(())
}

fn ensure<T: Debug + PartialEq>(expected: T, found: T, what: &str) -> Agreement {
    if expected == found { Ok(()) } else { Err(format!("{what}: {found:?} instead of {expected:?}")) }
}

/// The executable semantics of a system is that of the oracle, on all states; `None` if there are more than `limit`.
pub fn semantics(system: &System, limit: usize) -> Option<Agreement> {
    let naive = Naive::new(system);
    let graph = explore(&naive, limit)?;
    let packed = match explore(&Packed(system), limit) {
        None => Err(format!("more than {limit} states instead of {}", graph.states.len())),
        Some(packed) => same_graph(&graph, &packed, |s| unpack(system, s))
            .and_then(|()| packed.states.iter().try_for_each(|s| enabling(&naive, system, s))),
    };
    Some(packed.map_err(|e| format!("{e}\n{}", describe(system))))
}

/// `is_enabled`, `enabled_after` and `at_end` agree with the oracle in a state.
fn enabling(naive: &Naive<'_>, system: &System, state: &[u64]) -> Agreement {
    let plain = unpack(system, state);
    for t in system.transition_ids() {
        ensure(naive.is_enabled(t, &plain), system.is_enabled(t, state), &format!("{t:?} enabled"))?;
    }
    let all: Vec<Result<TransitionId, (TransitionId, Fault)>> = system.enabled(state).collect();
    for (i, enabled) in all.iter().enumerate() {
        let t = enabled.unwrap_or_else(|(t, _)| t);
        let rest: Vec<_> = system.enabled_after(t, state).collect();
        ensure(&all[i + 1..], &rest[..], &format!("enabled after {t:?} in {plain:?}"))?;
    }
    ensure(naive.at_end(&plain), system.at_end(state), "at the end")
}

/// Predicates have the same value in all states.
pub fn predicate(system: &System, graph: &Graph<Vec<u64>>, predicate: &model::Expr) -> Agreement {
    let naive = Naive::new(system);
    let compiled = system.predicate(predicate);
    graph.states.iter().try_for_each(|s| {
        let plain = unpack(system, s);
        ensure(naive.holds(predicate, &plain), compiled.holds(system, s), &format!("the predicate in {plain:?}"))
    })
}

/// Joining the edges of a blueprint into transitions does not change what can happen.
pub fn elaboration(blueprint: &Blueprint, system: &System, graph: &Graph<State>) -> Agreement {
    let naive = Naive::new(system);
    for state in &graph.states {
        let (edges, transitions) = (happenings(blueprint, state), joined(&naive, system, state));
        if edges != transitions {
            let text = describe(system);
            return Err(format!("in {state:?}\nedges give       {edges:?}\ntransitions give {transitions:?}\n{text}"));
        }
    }
    Ok(())
}

/// What an engine is asked for besides the right verdict.
#[derive(Clone, Copy, Debug, Default)]
pub struct Demand {
    /// Its runs are as short as possible.
    pub shortest: bool,
    /// It visits the whole state space even when the property is violated.
    pub complete: bool,
}

/// The truth about one question, against which engines are held.
#[derive(Clone, Debug)]
pub struct Oracle<'a> {
    naive: Naive<'a>,
    property: &'a Property,
    answer: Answer,
}

impl<'a> Oracle<'a> {
    /// Decides a property; `None` if there are more than `limit` states.
    pub fn new(system: &'a System, property: &'a Property, limit: usize) -> Option<Self> {
        let naive = Naive::of(system, property);
        let answer = decide(&naive, &explore(&naive, limit)?, property);
        Some(Self { naive, property, answer })
    }

    /// The truth.
    pub fn answer(&self) -> Answer {
        self.answer
    }

    /// What a run of the system shows.
    pub fn witness(&self, run: &Trace) -> Option<Shown> {
        witness(&self.naive, self.property, run)
    }

    /// Whether an engine without a limit may give this outcome.
    pub fn check(&self, outcome: &Outcome, demand: Demand) -> Agreement {
        self.verdict(&outcome.verdict)
            .and_then(|()| self.run(&outcome.verdict, demand.shortest))
            .and_then(|()| self.figures(outcome, demand.complete))
            .map_err(|e| format!("{} ({:?}): {e}\n{outcome:?}", self.property.keyword(), self.answer))
    }

    /// The kind of verdict and of evidence.
    fn verdict(&self, verdict: &Verdict) -> Agreement {
        let (found, evidence) = match verdict {
            Verdict::Holds(evidence) => (true, evidence),
            Verdict::Violated(evidence) => (false, evidence),
            Verdict::Unknown(_) => return Err("there is no verdict".to_owned()),
        };
        ensure(self.answer.holds(self.property), found, "holds")?;
        let run = self.answer.shortest(self.property).is_some();
        ensure(run, matches!(evidence, Evidence::Run(_)), "shown by a run")
    }

    /// The run, if there is one.
    fn run(&self, verdict: &Verdict, shortest: bool) -> Agreement {
        let Some(trace) = verdict.trace() else { return Ok(()) };
        let shown = self.witness(trace).ok_or("the run shows nothing")?;
        ensure(matches!(verdict, Verdict::Holds(_)), shown == Shown::Reached, "reaches the goal")?;
        match shortest {
            true => ensure(self.answer.shortest(self.property), Some(trace.stem.len()), "length of the run"),
            false => Ok(()),
        }
    }

    /// The size of the state space, wherever the engine claims to know it or has to.
    fn figures(&self, outcome: &Outcome, complete: bool) -> Agreement {
        let figures = &outcome.statistics;
        if figures.cleared.is_some() {
            return ensure(None, figures.complete.filter(|c| *c), "complete, though states were forgotten");
        }
        // Who searches a product with an automaton need not visit all states of the system, nor know which it visited.
        let whole_runs = matches!(self.property, Property::Temporal(_));
        let exhausted = !whole_runs
            && matches!(
                outcome.verdict,
                Verdict::Holds(Evidence::Exhausted(Exhausted::FullStateSpace))
                    | Verdict::Violated(Evidence::Exhausted(Exhausted::FullStateSpace))
            );
        if (complete || exhausted) && figures.complete != Some(true) {
            return Err("the state space should have been visited completely".to_owned());
        }
        if figures.complete != Some(true) {
            return Ok(());
        }
        ensure(Some(self.answer.states as u64), figures.states, "states")?;
        // Who counts sets of states does not see single steps.
        if figures.transitions.is_some() || outcome.counts.is_empty() {
            let expected = self.answer.transitions as u64;
            match self.naive.system.has_holds() {
                // What a process passes alone may be passed several times.
                true => ensure(true, figures.transitions.is_some_and(|n| n >= expected), "all transitions")?,
                false => ensure(Some(expected), figures.transitions, "transitions")?,
            }
        }
        ensure(Some(self.answer.deadlocks as u64), figures.deadlocks, "deadlocks")
    }
}

/// Asks an engine, and compares what it says with the truth; `None` if there are more than `limit` states. The truth about
/// the question is given back with the outcome, for whoever has more to compare.
pub fn engine(
    system: &System,
    property: &Property,
    limit: usize,
    ask: &dyn Fn(&System, &Property) -> Outcome,
) -> Option<Result<(Answer, Outcome), String>> {
    let oracle = Oracle::new(system, property, limit)?;
    let outcome = ask(system, property);
    let agreement = oracle.check(&outcome, Demand::default());
    let text = |e| format!("{e}\n{property:?}\n{}", describe(system));
    Some(agreement.map(|()| (oracle.answer(), outcome)).map_err(text))
}
