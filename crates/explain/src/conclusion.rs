//! What a run comes to: a deadlock, whole or partial, a predicate that is false or true, an observer's error, silence, a model error.

use check::{CheckedTrace, Finding};
use model::{Expr, Property};
use serde::Serialize;

use crate::Explanation;
use crate::cycle::Link;
use crate::deadlock::{Deadlock, PartialDeadlock, deadlock, partial_deadlock};
use crate::fault::{FaultReport, fault};
use crate::help::Scene;
use crate::obstacle::is_false;
use crate::runs::{BrokenClaim, broken_claim};
use crate::source::SourceText;
use crate::step::steps;
use crate::values::{Reading, readings};

/// What is remarkable about the end of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Conclusion {
    /// Nothing can happen any more.
    Deadlock(Deadlock),
    /// Some processes never move again, whatever happens.
    PartialDeadlock(PartialDeadlock),
    /// The invariant is false.
    InvariantBroken {
        /// The invariant.
        predicate: String,
        /// Its conjuncts that are false.
        failing: Vec<Conjunct>,
    },
    /// The predicate that was asked for is true.
    Reached {
        /// The predicate.
        predicate: String,
        /// What it speaks about.
        values: Vec<Reading>,
    },
    /// The observer is at an error location.
    ObserverError {
        /// The location.
        location: String,
    },
    /// Silent steps lead back to where they began, and so on for ever.
    Divergence {
        /// What the silent steps are called.
        silent: String,
        /// The number of the first step that repeats.
        first: usize,
        /// The number of the last one.
        last: usize,
    },
    /// The run breaks what is claimed of whole runs.
    BrokenClaim(BrokenClaim),
    /// The model makes no sense there.
    ModelError(FaultReport),
}

impl Conclusion {
    /// Who is stuck, if somebody is.
    pub fn deadlock(&self) -> Option<&Deadlock> {
        match self {
            Conclusion::Deadlock(deadlock) => Some(deadlock),
            Conclusion::PartialDeadlock(partial) => Some(&partial.deadlock),
            _ => None,
        }
    }

    /// The cycle of waiting, or the one that is going to be, if there is one.
    pub(crate) fn cycle(&self) -> &[Link] {
        match self {
            Conclusion::PartialDeadlock(PartialDeadlock { prospect: Some(prospect), .. }) => &prospect.cycle,
            _ => self.deadlock().map_or(&[], |d| &d.cycle),
        }
    }

    /// The number of the first step that repeats for ever, if some do.
    pub fn repeats_from(&self) -> Option<usize> {
        match self {
            Conclusion::Divergence { first, .. } => Some(*first),
            Conclusion::BrokenClaim(broken) => broken.first,
            _ => None,
        }
    }
}

/// A part of a conjunction with the values of what it speaks about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Conjunct {
    /// The condition.
    pub condition: String,
    /// The objects and processes in it.
    pub values: Vec<Reading>,
}

/// Explains a replayed trace of a property.
pub fn explain(trace: &CheckedTrace<'_>, property: &Property, source: &SourceText) -> Explanation {
    explain_while(trace, property, source, &|| true)
}

/// The same as long as there is time: of a deadlock of very many processes, what some of them wait for is then left out,
/// and that is said.
pub fn explain_while(
    trace: &CheckedTrace<'_>,
    property: &Property,
    source: &SourceText,
    has_time: &dyn Fn() -> bool,
) -> Explanation {
    let conclusion = match trace.finding() {
        Finding::Deadlock => Conclusion::Deadlock(deadlock(&Scene::new(trace), source, has_time)),
        Finding::PartialDeadlock => {
            Conclusion::PartialDeadlock(partial_deadlock(&Scene::new(trace), trace.movers(), source, has_time))
        }
        Finding::InvariantBroken => invariant_broken(trace, property),
        Finding::Reached => reached(trace, property),
        Finding::ErrorLocation(l) => {
            let name = trace.system().observer().map(|o| o.locations[l.index()].name.clone());
            Conclusion::ObserverError { location: name.unwrap_or_default() }
        }
        Finding::Divergence => divergence(trace),
        Finding::FormulaFalse | Finding::Accepted | Finding::Ended => {
            let Property::Temporal(temporal) = property else { panic!("only claims about runs are shown so") };
            Conclusion::BrokenClaim(broken_claim(trace, temporal, source))
        }
        Finding::Fault(f) => Conclusion::ModelError(fault(trace, f, source)),
    };
    let (steps, elided) = steps(trace, source);
    Explanation { steps, elided, conclusion }
}

fn divergence(trace: &CheckedTrace<'_>) -> Conclusion {
    let run = trace.trace();
    let silent = run.cycle.first().map(|t| trace.system().transition(*t).label.to_string());
    Conclusion::Divergence { silent: silent.unwrap_or_default(), first: run.stem.len() + 1, last: run.steps() }
}

fn predicate(property: &Property) -> &Expr {
    match property {
        Property::Invariant(e) | Property::Reachable(e) => e,
        _ => &Expr::TRUE,
    }
}

fn invariant_broken(trace: &CheckedTrace<'_>, property: &Property) -> Conclusion {
    let (system, state) = (trace.system(), trace.last());
    let conjuncts = predicate(property).clone().conjuncts().into_iter();
    let failing = conjuncts
        .filter(|e| is_false(system, e, state))
        .map(|e| Conjunct { condition: system.show_expr(&e), values: readings(system, &e, state) });
    Conclusion::InvariantBroken { predicate: system.show_expr(predicate(property)), failing: failing.collect() }
}

fn reached(trace: &CheckedTrace<'_>, property: &Property) -> Conclusion {
    let (system, e) = (trace.system(), predicate(property));
    Conclusion::Reached { predicate: system.show_expr(e), values: readings(system, e, trace.last()) }
}
