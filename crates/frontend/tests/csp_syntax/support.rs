//! What the tests share: reading scripts that include nothing, or files from a list.

use frontend::Diagnostic;
use frontend::csp::{Parsed, parse};

use crate::print;

/// Reads a script that includes nothing.
pub(crate) fn read(text: &str) -> Result<Parsed, Vec<Diagnostic>> {
    parse(text, &|name| Err(format!("there is no {name}")))
}

/// How a script is read, all parentheses written.
pub(crate) fn shown(text: &str) -> String {
    match read(text) {
        Ok(script) => print::decls(&script.decls),
        Err(mistakes) => panic!("{text:?} was refused: {mistakes:?}"),
    }
}

/// How an expression is read, all parentheses written.
pub(crate) fn expr(text: &str) -> String {
    shown(&format!("x = {text}")).strip_prefix("x = ").expect("a definition of x").to_owned()
}

/// The messages about a script, each with the text that it points at.
pub(crate) fn mistakes(text: &str) -> Vec<(String, String)> {
    let reports = read(text).err().unwrap_or_default();
    reports.into_iter().map(|r| (r.message.clone(), text.get(r.span.range()).unwrap_or("?").to_owned())).collect()
}
