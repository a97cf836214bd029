//! What can be asked of a model.

use frontend::native::{Language, Subject};
use model::{NamedProperty, Property, System};

use crate::subject::Mistakes;

/// A question: made by [`deadlock_free`], [`partial_deadlock_free`], [`invariant`], [`reachable`] and [`ltl`], or from a [`Property`].
#[derive(Clone, Debug)]
pub struct Question(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Property(Box<Property>),
    Invariant(String),
    Reachable(String),
    Ltl(String),
}

/// Whether the system cannot get stuck.
pub fn deadlock_free() -> Question {
    Property::DeadlockFree.into()
}

/// Whether no thread can get stuck for good, even if others go on.
pub fn partial_deadlock_free() -> Question {
    Property::PartialDeadlockFree.into()
}

/// Whether a predicate is true in every reachable state: `len(requests) <= 2 && !(a at writing && b at writing)`.
pub fn invariant(predicate: impl Into<String>) -> Question {
    Question(Kind::Invariant(predicate.into()))
}

/// Whether a predicate is true in some reachable state.
pub fn reachable(predicate: impl Into<String>) -> Question {
    Question(Kind::Reachable(predicate.into()))
}

/// Whether a formula is true of every run: `always (client at waiting implies eventually client at served)`; of fair runs only
/// with `under weak fairness` behind it.
pub fn ltl(formula: impl Into<String>) -> Question {
    Question(Kind::Ltl(formula.into()))
}

impl From<Property> for Question {
    fn from(property: Property) -> Self {
        Self(Kind::Property(Box::new(property)))
    }
}

impl Question {
    /// The property of a system that is meant.
    pub(crate) fn property(&self, system: &System) -> Result<NamedProperty, Mistakes> {
        // A name of another language has more parts than ours have; ours are words or stand between backquotes.
        let subject = Subject::System(system, Language::Automata);
        let (name, property) = match &self.0 {
            Kind::Property(property) => (property.keyword().to_owned(), Ok((**property).clone())),
            Kind::Invariant(text) => (format!("invariant {text}"), subject.predicate(text).map(Property::Invariant)),
            Kind::Reachable(text) => (format!("reachable {text}"), subject.predicate(text).map(Property::Reachable)),
            Kind::Ltl(text) => (format!("ltl {text}"), subject.claim(text).map(Property::Temporal)),
        };
        let property = property.map_err(|ds| Mistakes::in_question(&name, &ds))?;
        Ok(NamedProperty { name, property, expect: None, span: None })
    }
}
