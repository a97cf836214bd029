//! Constants of one `mtype` where those of another are expected.
//!
//! SPIN looks at constants that are assigned to variables of a named `mtype`, and at all that is passed to parameters of
//! any; neither at comparisons nor at messages. So it is here, and constants that are assigned to fields are remarked on.

use model::Span;

use super::expr::Value;
use super::types::Types;
use crate::Diagnostic;
use crate::promela::ir::{Expr, Scalar};

/// What gets a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Receiver<'n> {
    pub(super) name: &'n str,
    pub(super) scalar: Scalar,
}

impl Receiver<'_> {
    /// What is wrong if a variable is given a constant of another `mtype`. The plain `mtype` takes all of them.
    pub(super) fn refuse_constant(self, value: &Value, span: Span, types: &Types) -> Option<Diagnostic> {
        let is_constant = matches!(value.expr, Expr::Const(_));
        (is_constant && self.scalar != Scalar::Mtype(0)).then(|| self.refuse(value, span, types)).flatten()
    }

    /// What is wrong if a parameter is given something of another `mtype`.
    pub(super) fn refuse(self, value: &Value, span: Span, types: &Types) -> Option<Diagnostic> {
        let (Scalar::Mtype(needed), Some(given)) = (self.scalar, value.mtype) else { return None };
        if needed == given {
            return None;
        }
        let (name, other) = (self.name, types.mtype_name(given));
        let what = format!("`{name}` is of the type `{}`, and this is of `{other}`", types.mtype_name(needed));
        let own: Vec<String> = types.mtypes[needed as usize].constants.iter().rev().map(|c| format!("`{c}`")).collect();
        let instead = if own.is_empty() { String::new() } else { format!(", or give it {}", own.join(" or ")) };
        let help = format!("declare it as `{other} {name}`{instead}");
        Some(Diagnostic::error(span, what).label(format!("of the type `{other}`")).help(help))
    }
}

impl Types {
    /// A type as it is written.
    fn mtype_name(&self, number: u32) -> String {
        let name = &self.mtypes[number as usize].name;
        name.as_ref().map_or_else(|| "mtype".to_owned(), |name| format!("mtype:{name}"))
    }
}
