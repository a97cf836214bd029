//! The native language (`docs/language.md`).

mod ast;
mod elaborate;
mod format;
mod limits;
pub(crate) mod nearest;
mod outline;
mod parse;
mod print;
mod report;
mod subject;
mod token;

use model::{Edge, Expr, Ltl, Property, System, Temporal};

use crate::{Diagnostic, Loaded};
pub use elaborate::Language;
use elaborate::{Elaborator, Source};
pub use outline::outline;
use report::Reports;
pub use subject::Subject;

/// A value given to a parameter on the command line: `n=12`.
pub type Setting = (String, i64);

/// Reads a model; `name` is what the system will be called.
pub fn load(name: &str, text: &str, settings: &[Setting]) -> Result<Loaded, Vec<Diagnostic>> {
    let mut reports = Reports::default();
    // What could be parsed is read on, so that one run reports mistakes of every kind.
    let Ok(items) = parse::parse(text, &mut reports) else { return Err(reports.sorted()) };
    let source = Source { text, items: &items, keep_steps: false };
    Elaborator::new(name, source, settings, reports).finish(source)
}

/// The steps of the processes of a model as they are written, before those that happen together are joined; families
/// are expanded, and the numbers are those of the system that `load` gives.
pub fn steps(text: &str, settings: &[Setting]) -> Result<Vec<Edge>, Vec<Diagnostic>> {
    let mut reports = Reports::default();
    let Ok(items) = parse::parse(text, &mut reports) else { return Err(reports.sorted()) };
    Elaborator::new("", Source { text, items: &items, keep_steps: true }, settings, reports).steps()
}

/// Reads a predicate over the model of `text`. Spans of diagnostics refer to `predicate`.
pub fn predicate(text: &str, settings: &[Setting], predicate: &str) -> Result<Expr, Vec<Diagnostic>> {
    Subject::Text(text, settings).predicate(predicate)
}

/// Reads a formula over the model of `text`. Spans of diagnostics refer to `formula`.
pub fn formula(text: &str, settings: &[Setting], formula: &str) -> Result<Ltl, Vec<Diagnostic>> {
    Subject::Text(text, settings).formula(formula)
}

/// Reads a formula, and the fairness that it asks for, over the model of `text`. Spans of diagnostics refer to `claim`.
pub fn claim(text: &str, settings: &[Setting], claim: &str) -> Result<Temporal, Vec<Diagnostic>> {
    Subject::Text(text, settings).claim(claim)
}

/// The text in its canonical layout; comments stay. A text with errors is not touched.
pub fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    format::format(text)
}

/// The model as text of this language, its families and parameters expanded. Divergence freedom and claims by automata,
/// for which it has no words, are left out. What [`unsayable`] names is written as it is shown, which does not read back.
pub fn print(system: &System, properties: &[(String, Property)]) -> String {
    print::print(system, properties)
}

/// Something of a model that the language has no words for, if there is something: operators on bits, channels that
/// are used out of order, steps that nobody interrupts.
pub fn unsayable(system: &System, properties: &[(String, Property)]) -> Option<String> {
    print::unsayable(system, properties)
}
