//! Collects the messages of one run: one for each place in the text, and not too many.

use std::collections::HashSet;

use model::Span;

use super::limits;
use crate::Diagnostic;

/// The mistake was reported already; whoever receives this has nothing to add.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reported;

/// A result whose failure was reported.
pub(super) type Checked<T> = Result<T, Reported>;

/// All results, if none failed: unlike `collect`, it does not stop at the first mistake.
pub(super) fn all<T>(results: impl Iterator<Item = Checked<T>>) -> Checked<Vec<T>> {
    let results: Vec<Checked<T>> = results.collect();
    results.into_iter().collect()
}

/// The messages so far.
#[derive(Debug, Default)]
pub(super) struct Reports {
    list: Vec<Diagnostic>,
    /// Where mistakes were reported: a family repeats each of its mistakes for every member.
    places: HashSet<Span>,
    /// The words of what could not be parsed: any of them may have been declared there.
    unread: HashSet<String>,
}

impl Reports {
    /// Adds a message unless its place has one.
    pub(super) fn push(&mut self, diagnostic: Diagnostic) -> Reported {
        if !self.full() && self.places.insert(diagnostic.span) {
            self.list.push(diagnostic);
        }
        Reported
    }

    /// Notes the words of a part that could not be parsed, and that was reported.
    pub(super) fn skip<'w>(&mut self, words: impl Iterator<Item = &'w str>) {
        self.unread.extend(words.map(str::to_owned));
    }

    /// Whether a word occurs in a part that could not be parsed: nobody knows what it means.
    pub(super) fn is_unread(&self, word: &str) -> bool {
        self.unread.contains(word)
    }

    /// Whether there are so many messages that looking for more helps nobody.
    pub(super) fn full(&self) -> bool {
        self.list.len() >= limits::DIAGNOSTICS
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The messages in the order of the text.
    pub(super) fn sorted(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|d| d.span);
        self.list
    }
}
