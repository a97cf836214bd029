//! The native language (`docs/language.md`).

mod ast;
mod elaborate;
mod format;
mod limits;
pub(crate) mod nearest;
mod parse;
mod places;
mod print;
mod report;
mod token;

use model::{Edge, Expr, Ltl, Property, Span, System};

use crate::{Diagnostic, Loaded};
use elaborate::{Elaborator, Source};
pub use places::{place_formula, place_predicate};
use report::Reports;

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

/// Reads a predicate over the model of `text`, as `--invariant` gives it. Spans of diagnostics refer to `predicate`.
pub fn predicate(text: &str, settings: &[Setting], predicate: &str) -> Result<Expr, Vec<Diagnostic>> {
    with_model(text, settings, predicate, false, |elaborator, e| elaborator.predicate(e))
}

/// Reads a formula over the model of `text`, as `--ltl` gives it. Spans of diagnostics refer to `formula`.
pub fn formula(text: &str, settings: &[Setting], formula: &str) -> Result<Ltl, Vec<Diagnostic>> {
    with_model(text, settings, formula, true, |elaborator, e| elaborator.formula(e))
}

/// Reads `question` and hands it to `ask`, with the model that it is about.
fn with_model<T>(
    text: &str,
    settings: &[Setting],
    question: &str,
    temporal: bool,
    ask: impl FnOnce(Elaborator<'_>, &ast::Expr<'_>) -> Result<T, Vec<Diagnostic>>,
) -> Result<T, Vec<Diagnostic>> {
    let mut reports = Reports::default();
    let expr = parse::parse_expr(question, temporal, &mut reports);
    let Ok(expr) = expr else { return Err(reports.sorted()) };
    let items = parse::parse(text, &mut reports).unwrap_or_default();
    let elaborator = Elaborator::new("", Source { text, items: &items, keep_steps: false }, settings, reports);
    if !elaborator.is_sound() {
        let what = Diagnostic::error(Span::new(0, 0), "the model has errors, so nothing can be asked about it");
        return Err(vec![what.label("asked here")]);
    }
    ask(elaborator, &expr)
}

/// The text in its canonical layout; comments stay. A text with errors is not touched.
pub fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    format::format(text)
}

/// The model as text of this language, its families and parameters expanded. Divergence freedom, for which it has no
/// words, is left out. What [`unsayable`] names is written as it is shown, which does not read back.
pub fn print(system: &System, properties: &[(String, Property)]) -> String {
    print::print(system, properties)
}

/// Something of a model that the language has no words for, if there is something: operators on bits, channels that
/// are used out of order, steps that nobody interrupts.
pub fn unsayable(system: &System, properties: &[(String, Property)]) -> Option<String> {
    print::unsayable(system, properties)
}
