//! What the tests share: reading a package that uses nothing, and writing expressions with all their parentheses.

use frontend::Diagnostic;
use frontend::bip::ast::{Expr, ExprKind, Model};
use frontend::bip::parse;

/// A package with every construct of the language.
pub(crate) const SAMPLE: &str = include_str!("sample.bip");

/// Reads a package that uses no other.
pub(crate) fn read(text: &str) -> Result<Model, Vec<Diagnostic>> {
    parse(text, &|name| Err(format!("there is no {name}")))
}

/// The tree of a package that is valid.
pub(crate) fn valid(text: &str) -> Model {
    read(text).unwrap_or_else(|mistakes| panic!("{text} was refused: {mistakes:?}"))
}

/// An expression with all parentheses written.
pub(crate) fn shown(expr: &Expr) -> String {
    let list = |parts: &[Expr]| parts.iter().map(shown).collect::<Vec<_>>().join(", ");
    match &expr.kind {
        ExprKind::Int(value) => value.to_string(),
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::Float(text) | ExprKind::String(text) | ExprKind::Name(text) => text.to_string(),
        ExprKind::Member(owner, name) => format!("{}.{}", owner.text, name.text),
        ExprKind::Call(name, arguments) => format!("{}({})", name.text, list(arguments)),
        ExprKind::Not(e) => format!("!{}", shown(e)),
        ExprKind::Negate(e) => format!("-{}", shown(e)),
        ExprKind::Complement(e) => format!("~{}", shown(e)),
        ExprKind::Chain(first, rest) => {
            let parts: Vec<String> = rest.iter().map(|(op, e)| format!(" {} {}", op.symbol(), shown(e))).collect();
            format!("({}{})", shown(first), parts.concat())
        }
    }
}
