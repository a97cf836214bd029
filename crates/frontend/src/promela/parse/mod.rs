//! Recursive descent: tokens to syntax tree. After a mistake the parser goes on at the next statement, or at the next
//! unit, so that one run reports several; `nested` bounds the recursion.

mod cursor;
mod declarations;
mod expr;
mod hints;
mod inline;
mod messages;
mod operand;
mod parsed;
mod question;
mod sequence;
mod statement;
mod temporal;
mod units;

use super::options::Options;
use super::preprocess::preprocess;
use super::separators::separate;
use crate::sources::Reader;
use crate::{Diagnostic, Severity};
use cursor::Parser;
pub use parsed::Parsed;

/// Reads a model and, through `reader`, the files that it includes. The places of messages refer to `text` itself.
pub fn parse(text: &str, reader: Reader<'_>, options: &Options) -> Result<Parsed, Vec<Diagnostic>> {
    let found = preprocess(text, reader, options);
    let wrong = |report: &Diagnostic| report.severity == Severity::Error;
    let (mut mistakes, mut warnings): (Vec<_>, Vec<_>) = found.reports.into_iter().partition(wrong);
    let mut program = None;
    // Where the preprocessor failed, what is left is not the model.
    if mistakes.is_empty() {
        let mut parser = Parser::new(separate(found.tokens), found.words.clone(), text);
        program = Some(parser.program());
        let reports = parser.finish();
        mistakes.extend(reports.0);
        warnings.extend(reports.1);
    }
    let place = |reports: Vec<Diagnostic>| {
        let mut placed: Vec<Diagnostic> = reports.into_iter().map(|report| found.sources.placed(report)).collect();
        placed.sort_by_key(|report| report.span);
        placed
    };
    match program.filter(|_| mistakes.is_empty()) {
        Some(program) => Parsed::new(text, program, place(warnings), (found.sources, found.macros, found.words)),
        None => Err(place(mistakes)),
    }
}
