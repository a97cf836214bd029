//! Types of expressions, as far as their values depend on them: truth values and numbers do not mix.

use model::Span;

use super::Checked;
use crate::Diagnostic;
use crate::bip::ast::{DataType, DataTypeKind, Operator};

/// The type of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    /// `bool`.
    Truth,
    /// `int` or `float`.
    Number,
    /// A type whose values are never known.
    Other,
}

impl Type {
    /// The type that is declared.
    pub(super) fn of(declared: &DataType) -> Self {
        match declared.kind {
            DataTypeKind::Bool => Type::Truth,
            DataTypeKind::Int | DataTypeKind::Float => Type::Number,
            DataTypeKind::String | DataTypeKind::Extern(_) => Type::Other,
        }
    }

    fn noun(self) -> &'static str {
        match self {
            Type::Truth => "a truth value",
            Type::Number => "a number",
            Type::Other => "a value of another type",
        }
    }

    /// Whether a value of this type can stand where the other is expected.
    fn fits(self, expected: Type) -> bool {
        self == expected || self == Type::Other || expected == Type::Other
    }

    /// Refuses this type where the other is expected.
    pub(super) fn expect(self, expected: Type, span: Span) -> Checked<()> {
        if self.fits(expected) {
            return Ok(());
        }
        let message = format!("this is {}, and {} is expected", self.noun(), expected.noun());
        let help = match expected {
            Type::Truth => "compare it: `x != 0`",
            _ => "choose a number: `if (b) then x = 1; else x = 0; fi`",
        };
        Err(Diagnostic::error(span, message).label(format!("not {}", expected.noun())).help(help))
    }

    /// The type of `self operator other`.
    pub(super) fn joined(self, operator: Operator, other: Type, span: Span) -> Checked<Type> {
        match operator {
            Operator::And | Operator::Or => {
                self.expect(Type::Truth, span)?;
                other.expect(Type::Truth, span)?;
                Ok(Type::Truth)
            }
            Operator::Equal | Operator::NotEqual => {
                other.expect(self, span)?;
                Ok(Type::Truth)
            }
            Operator::Less | Operator::AtMost | Operator::Greater | Operator::AtLeast => {
                self.expect(Type::Number, span)?;
                other.expect(Type::Number, span)?;
                Ok(Type::Truth)
            }
            Operator::BitAnd | Operator::BitXor | Operator::BitOr => {
                other.expect(self, span)?;
                Ok(if self == Type::Other { other } else { self })
            }
            _ => {
                self.expect(Type::Number, span)?;
                other.expect(Type::Number, span)?;
                Ok(if self == Type::Other { other } else { self })
            }
        }
    }
}
