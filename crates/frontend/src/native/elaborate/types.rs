//! Types and typed expressions. The model knows only integers; truth values and enumerations are kept apart here.

use std::sync::Arc;

use model::{Domain, Enumeration, Expr, Span};

/// The type of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::native) enum Type {
    Bool,
    Int,
    Named(Arc<Enumeration>),
}

impl Type {
    /// The type of the values of a domain.
    pub(in crate::native) fn of(domain: &Domain) -> Type {
        match domain {
            Domain::Bool => Type::Bool,
            Domain::Range { .. } => Type::Int,
            Domain::Named(e) => Type::Named(e.clone()),
        }
    }

    /// The type in words: `a number`.
    pub(super) fn noun(&self) -> String {
        match self {
            Type::Bool => "a truth value".to_owned(),
            Type::Int => "a number".to_owned(),
            Type::Named(e) => format!("a value of `{}`", e.name),
        }
    }
}

/// An expression of the model with its type.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    pub(super) expr: Expr,
    pub(super) ty: Type,
    /// Its height, counted along: nobody has to walk it to know.
    pub(super) depth: u32,
    pub(super) span: Span,
}

impl Typed {
    /// An expression without operands.
    pub(super) fn leaf(expr: Expr, ty: Type, span: Span) -> Self {
        Self { expr, ty, depth: 1, span }
    }

    pub(super) fn constant(value: i64, ty: Type, span: Span) -> Self {
        Self::leaf(Expr::Const(value), ty, span)
    }

    pub(super) fn truth(value: bool, span: Span) -> Self {
        Self::constant(i64::from(value), Type::Bool, span)
    }

    /// Its value, if it is the same in every state.
    pub(super) fn value(&self) -> Option<i64> {
        match self.expr {
            Expr::Const(c) => Some(c),
            _ => None,
        }
    }
}
