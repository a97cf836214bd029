//! Collects the messages of one run: one for each place in the text, and not too many.

use std::collections::HashSet;

use model::Span;

use crate::{Diagnostic, Severity};

/// More messages than this help nobody.
const MOST: usize = 50;

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
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    /// Where something was reported: what a macro or an `inline` gave repeats its mistakes.
    places: HashSet<(Span, bool)>,
}

impl Reports {
    /// Adds a message unless its place has one of its kind.
    pub(super) fn push(&mut self, diagnostic: Diagnostic) -> Reported {
        let is_error = diagnostic.severity == Severity::Error;
        let list = if is_error { &mut self.errors } else { &mut self.warnings };
        if list.len() < MOST && self.places.insert((diagnostic.span, is_error)) {
            list.push(diagnostic);
        }
        Reported
    }

    /// The program with its warnings, or the mistakes, each in the order of the text.
    pub(super) fn conclude<T>(mut self, program: T) -> Result<(T, Vec<Diagnostic>), Vec<Diagnostic>> {
        self.errors.sort_by_key(|d| d.span);
        self.warnings.sort_by_key(|d| d.span);
        if self.errors.is_empty() { Ok((program, self.warnings)) } else { Err(self.errors) }
    }
}
