//! What an author expects, said in comments: `expect: deadlock-free holds`, `expect: 26 states, 51 transitions`.

use model::{Expectation, Span};

use crate::{Diagnostic, ExpectedSize};

/// What the comments of a file expect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Notes {
    /// Of deadlock freedom.
    pub(super) expect: Option<Expectation>,
    pub(super) size: ExpectedSize,
}

impl Notes {
    /// Reads a comment; only those that begin with `expect:` say something.
    pub(super) fn read(&mut self, comment: &str, span: Span) -> Result<(), Diagnostic> {
        let Some(note) = comment.trim().strip_prefix("expect:") else { return Ok(()) };
        let note = note.trim();
        match note {
            "deadlock-free holds" => self.expect = Some(Expectation::Holds),
            "deadlock-free violated" => self.expect = Some(Expectation::Violated),
            _ => {
                let wrong = || {
                    Diagnostic::error(span, "this expectation is not understood")
                        .label("expected `deadlock-free holds`, `deadlock-free violated` or `3 states, 4 transitions`")
                };
                note.split(',').try_for_each(|part| self.count(part)).ok_or_else(wrong)?;
            }
        }
        Ok(())
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
        let size = ExpectedSize { states: Some(4), transitions: Some(6), deadlocks: Some(1) };
        assert_eq!(notes, Notes { expect: Some(Expectation::Violated), size });
        for comment in ["expect: nothing", "expect: x states", "expect: 3 birds"] {
            assert!(notes.read(comment, Span::new(0, 1)).is_err(), "{comment}");
        }
    }
}
