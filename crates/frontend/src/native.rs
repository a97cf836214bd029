//! The native language (`docs/language.md`).

use model::{Expr, Ltl, Property};

use crate::{Diagnostic, Loaded};

/// A value given to a parameter on the command line: `n=12`.
pub type Setting = (String, i64);

/// Reads a model; `name` is what the system will be called.
pub fn load(_name: &str, _text: &str, _settings: &[Setting]) -> Result<Loaded, Vec<Diagnostic>> {
    Err(Vec::new())
}

/// Reads a predicate over the model of `text`, as `--invariant` gives it. Spans of diagnostics refer to `predicate`.
pub fn predicate(_text: &str, _settings: &[Setting], _predicate: &str) -> Result<Expr, Vec<Diagnostic>> {
    Err(Vec::new())
}

/// Reads a formula over the model of `text`, as `--ltl` gives it.
pub fn formula(_text: &str, _settings: &[Setting], _formula: &str) -> Result<Ltl, Vec<Diagnostic>> {
    Err(Vec::new())
}

/// The text in its canonical layout; comments stay. A text with errors is not touched.
pub fn format(_text: &str) -> Result<String, Vec<Diagnostic>> {
    Err(Vec::new())
}

/// The model as text of this language, its families and parameters expanded.
pub fn print(_system: &model::System, _properties: &[(String, Property)]) -> String {
    String::new()
}
