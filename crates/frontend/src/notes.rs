//! What an author expects, said in comments: `expect: deadlock-free holds`, `expect: live holds under weak fairness`,
//! `expect: 26 states, 51 transitions`. A note about partial deadlocks asks for them, too: nobody else does.

use model::{Expectation, NamedProperty, Property, Span, Strength};

use crate::native::nearest::suggestion;
use crate::{Diagnostic, ExpectedSize};

/// The name of the property that every model has.
pub(crate) const DEADLOCK_FREE: &str = "deadlock-free";

/// What the comments of a file expect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Notes {
    claims: Vec<Claim>,
    /// How large the state space is.
    pub(crate) size: ExpectedSize,
}

/// What is expected of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Claim {
    name: String,
    /// Of fair runs only, if that is expected.
    fairness: Option<Strength>,
    expect: Expectation,
    span: Span,
}

/// What follows an expectation of fair runs.
const FAIRLY: [(&str, Strength); 2] =
    [(" under weak fairness", Strength::Weak), (" under strong fairness", Strength::Strong)];

impl Notes {
    /// Reads a comment; only those that begin with `expect:` say something.
    pub(crate) fn read(&mut self, comment: &str, span: Span) -> Result<(), Diagnostic> {
        let Some(note) = comment.trim().strip_prefix("expect:") else { return Ok(()) };
        let fairly = FAIRLY.iter().find_map(|(words, s)| Some((note.trim().strip_suffix(words)?, Some(*s))));
        let (claim, fairness) = fairly.unwrap_or((note.trim(), None));
        let claim = claim.rsplit_once(' ').and_then(|(name, verdict)| Some((name.trim(), expectation(verdict)?)));
        if let Some((name, expect)) = claim {
            self.claims.push(Claim { name: name.to_owned(), fairness, expect, span });
            return Ok(());
        }
        let wrong = || {
            Diagnostic::error(span, "this expectation is not understood")
                .label("expected `deadlock-free holds`, `deadlock-free violated` or `3 states, 4 transitions`")
        };
        note.trim().split(',').try_for_each(|part| self.count(part)).ok_or_else(wrong)
    }

    fn count(&mut self, part: &str) -> Option<()> {
        let (number, what) = part.trim().split_once(' ')?;
        let number = Some(number.parse().ok()?);
        match what.trim().trim_end_matches('s') {
            "state" => self.size.states = number,
            "transition" => self.size.transitions = number,
            "deadlock" => self.size.deadlocks = number,
            _ => return None,
        }
        Some(())
    }

    /// Gives the properties what is expected of them; a mistake if a note is about none of them, nor about one of those that
    /// are left out on purpose.
    pub(crate) fn settle(&self, properties: &mut Vec<NamedProperty>, left_out: &[&str]) -> Result<(), Diagnostic> {
        let partial = always(Property::PartialDeadlockFree);
        let asked = |p: &NamedProperty| self.claims.iter().any(|claim| claim.full_name() == p.name);
        if asked(&partial) && !properties.iter().any(|p| p.name == partial.name) {
            properties.push(partial);
        }
        for claim in &self.claims {
            match properties.iter_mut().find(|property| property.name == claim.full_name()) {
                Some(property) => property.expect = Some(claim.expect),
                None if left_out.contains(&&*claim.name) => {}
                None => return Err(claim.unknown(properties.iter().map(|property| &*property.name))),
            }
        }
        Ok(())
    }

    /// The properties that something is expected of for fair runs, and what they are called then.
    pub(crate) fn fairly(&self) -> impl Iterator<Item = (&str, Strength, String)> {
        self.claims.iter().filter_map(|c| Some((&*c.name, c.fairness?, c.full_name())))
    }

    /// What can be asked of systems whose language has no properties, and what is expected of it.
    pub(crate) fn properties(&self) -> Result<Vec<NamedProperty>, Diagnostic> {
        let mut properties = vec![always(Property::DeadlockFree)];
        self.settle(&mut properties, &[])?;
        Ok(properties)
    }

    /// What is expected of deadlock freedom, where nothing else can be asked.
    pub(crate) fn deadlock_free(&self) -> Result<Option<Expectation>, Diagnostic> {
        match self.claims.iter().find(|claim| claim.full_name() != DEADLOCK_FREE) {
            Some(claim) => Err(claim.unknown([DEADLOCK_FREE].into_iter())),
            None => Ok(self.claims.last().map(|claim| claim.expect)),
        }
    }
}

/// A property that has no name of its own.
fn always(property: Property) -> NamedProperty {
    NamedProperty { name: property.keyword().to_owned(), property, expect: None, span: None }
}

impl Claim {
    fn full_name(&self) -> String {
        let words = FAIRLY.iter().find(|(_, strength)| Some(*strength) == self.fairness);
        format!("{}{}", self.name, words.map_or("", |(words, _)| words))
    }

    fn unknown<'n>(&self, names: impl Iterator<Item = &'n str>) -> Diagnostic {
        let error = Diagnostic::error(self.span, format!("there is no property `{}`", self.full_name()));
        error.label("expected here").maybe_help(suggestion(&self.name, names))
    }
}

fn expectation(word: &str) -> Option<Expectation> {
    match word {
        "holds" => Some(Expectation::Holds),
        "violated" => Some(Expectation::Violated),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_read() {
        let mut notes = Notes::default();
        for comment in ["anything", " expect: deadlock-free violated ", "expect: 4 states, 6 transitions, 1 deadlock"] {
            notes.read(comment, Span::new(0, 1)).expect("understood");
        }
        assert_eq!(notes.size, ExpectedSize { states: Some(4), transitions: Some(6), deadlocks: Some(1) });
        assert_eq!(notes.deadlock_free(), Ok(Some(Expectation::Violated)));
        for comment in ["expect: nothing", "expect: x states", "expect: 3 birds"] {
            assert!(notes.read(comment, Span::new(0, 1)).is_err(), "{comment}");
        }
    }

    #[test]
    fn notes_name_properties() {
        let named = |name: &str| NamedProperty {
            name: name.to_owned(),
            property: Property::DeadlockFree,
            expect: None,
            span: None,
        };
        let (mut notes, mut properties) = (Notes::default(), vec![named("deadlock-free"), named("c.mutex")]);
        notes.read("expect: c.mutex violated", Span::new(0, 1)).expect("understood");
        notes.settle(&mut properties, &[]).expect("there is such a property");
        let expected = |properties: &[NamedProperty]| properties.iter().map(|p| p.expect).collect::<Vec<_>>();
        assert_eq!(expected(&properties), [None, Some(Expectation::Violated)]);
        let mistake = notes.settle(&mut vec![named("c.mute")], &[]).expect_err("there is none");
        assert_eq!(mistake.help.as_deref(), Some("did you mean `c.mute`?"));
        assert!(notes.deadlock_free().is_err());
    }

    #[test]
    fn a_note_asks_for_partial_deadlocks() {
        let mut notes = Notes::default();
        assert_eq!(notes.properties().map(|ps| ps.len()), Ok(1));
        notes.read("expect: partial-deadlock-free violated", Span::new(0, 1)).expect("understood");
        let properties = notes.properties().expect("both can be asked");
        assert!(matches!(properties[1].property, Property::PartialDeadlockFree));
        assert_eq!(properties[1].expect, Some(Expectation::Violated));
        assert!(notes.deadlock_free().is_err(), "a net has no processes");
    }
}
