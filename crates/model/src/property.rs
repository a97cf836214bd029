//! What can be asked of a system.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use crate::{Claim, Expr, Ltl, Observer, Proposition, System, Temporal, ViewError};

/// A question with the name that the user gave it.
#[derive(Clone, Debug)]
pub struct NamedProperty {
    /// Its name; unnamed ones are called after their kind.
    pub name: String,
    /// The question.
    pub property: Property,
    /// The answer that the author of the model expects.
    pub expect: Option<Expectation>,
    /// Where it is declared.
    pub span: Option<crate::Span>,
}

/// The answer that an author expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expectation {
    /// The property holds.
    Holds,
    /// The property is violated.
    Violated,
}

/// A property of a system.
#[derive(Clone, Debug)]
pub enum Property {
    /// Every reachable state without enabled transition has all processes at declared end locations.
    DeadlockFree,
    /// From no reachable state on is a process stuck for good: that is, it is not at a declared end location, and takes no
    /// step in anything that can follow, nor is anything that can follow a model error. A deadlock breaks this, too.
    PartialDeadlockFree,
    /// The predicate is true in every reachable state.
    Invariant(Expr),
    /// The predicate is true in some reachable state.
    Reachable(Expr),
    /// The observer never reaches an error location.
    Safety(Observer),
    /// What is claimed of runs is true of every run that counts.
    Temporal(Temporal),
    /// No reachable state starts an infinite run of steps that all have this label: the silent one.
    DivergenceFree(Arc<str>),
}

/// What engines and reductions are typed by: the kind of behaviour that a property depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// States without successors.
    Deadlock,
    /// Reachable states and finite sequences of labels.
    Safety,
    /// Infinite runs.
    Liveness,
    /// What can still happen after a state.
    Branching,
}

impl Property {
    /// The class of behaviour that decides this property.
    pub fn class(&self) -> Class {
        match self {
            Property::DeadlockFree => Class::Deadlock,
            Property::Invariant(_) | Property::Reachable(_) | Property::Safety(_) => Class::Safety,
            Property::Temporal(_) | Property::DivergenceFree(_) => Class::Liveness,
            Property::PartialDeadlockFree => Class::Branching,
        }
    }

    /// The expression whose truth value shows or breaks a property of single states; `None` for deadlock freedom.
    pub fn watched(&self) -> Result<Option<(&Expr, bool)>, ViewError> {
        match self {
            Property::DeadlockFree => Ok(None),
            Property::Invariant(e) => Ok(Some((e, false))),
            Property::Reachable(e) => Ok(Some((e, true))),
            Property::PartialDeadlockFree
            | Property::Safety(_)
            | Property::Temporal(_)
            | Property::DivergenceFree(_) => Err(ViewError::new("it is not about single states")),
        }
    }

    /// The property as a claim about runs, if it is about infinite ones: that no run is silent from some step on is one.
    pub fn claim(&self, system: &System) -> Option<Cow<'_, Temporal>> {
        match self {
            Property::Temporal(temporal) => Some(Cow::Borrowed(temporal)),
            Property::DivergenceFree(label) => {
                let visible = system.transition_ids().filter(|&t| system.transition(t).label != *label).collect();
                let again = Ltl::Eventually(Box::new(Ltl::Atom(Proposition::Taken(visible))));
                let claim = Claim::Always(Ltl::Always(Box::new(again)));
                Some(Cow::Owned(Temporal { claim, fairness: Vec::new(), finite: false }))
            }
            _ => None,
        }
    }

    /// The keyword that introduces it, in the native language if that has it.
    pub fn keyword(&self) -> &'static str {
        match self {
            Property::DeadlockFree => "deadlock-free",
            Property::PartialDeadlockFree => "partial-deadlock-free",
            Property::Invariant(_) => "invariant",
            Property::Reachable(_) => "reachable",
            Property::Safety(_) => "safety",
            Property::Temporal(Temporal { claim: Claim::Always(_), .. }) => "ltl",
            Property::Temporal(Temporal { claim: Claim::Never(_), .. }) => "never",
            Property::DivergenceFree(_) => "divergence-free",
        }
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Expectation::Holds => "holds",
            Expectation::Violated => "violated",
        })
    }
}
