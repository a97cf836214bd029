//! Equality and order of values.

use std::cmp::Ordering;

use model::Span;

use super::Evaluator;
use crate::csp::ast::Operator;
use crate::csp::process::Checked;
use crate::csp::resolve::error;
use crate::csp::value::Value;

impl Evaluator<'_> {
    pub(super) fn equal(&mut self, a: &Value, b: &Value, span: Span) -> Checked<bool> {
        match (a, b) {
            (Value::Set(x), Value::Set(y)) => Ok(self.is_subset(x, y, span)? && self.is_subset(y, x, span)?),
            (Value::Tuple(x), Value::Tuple(y)) if x.len() == y.len() => {
                for (a, b) in x.iter().zip(y.iter()) {
                    if !self.equal(a, b, span)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (Value::Process(_) | Value::Function(_) | Value::Builtin(_) | Value::Image(_), _) => {
                Err(error(span, format!("{} cannot be compared", a.kind())))
            }
            _ => Ok(a == b),
        }
    }

    /// `<`, `<=`, `>` and `>=`.
    pub(super) fn ordered(&mut self, operator: Operator, a: &Value, b: &Value, span: Span) -> Checked<bool> {
        let order = self.order(a, b, span)?;
        Ok(match operator {
            Operator::Less => order == Some(Ordering::Less),
            Operator::AtMost => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            Operator::Greater => order == Some(Ordering::Greater),
            _ => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        })
    }

    /// Numbers and characters by size, sequences by prefix, sets by inclusion, tuples by their first difference.
    fn order(&mut self, a: &Value, b: &Value, span: Span) -> Checked<Option<Ordering>> {
        Ok(match (a, b) {
            (Value::Int(x), Value::Int(y)) => Some(x.cmp(y)),
            (Value::Char(x), Value::Char(y)) => Some(x.cmp(y)),
            (Value::Tuple(x), Value::Tuple(y)) if x.len() == y.len() => {
                for (a, b) in x.iter().zip(y.iter()) {
                    let order = self.order(a, b, span)?;
                    if order != Some(Ordering::Equal) {
                        return Ok(order);
                    }
                }
                Some(Ordering::Equal)
            }
            (Value::Sequence(_), Value::Sequence(_)) => {
                let (x, y) = (self.items(a, span)?, self.items(b, span)?);
                let shared = x.len().min(y.len());
                (x[..shared] == y[..shared]).then(|| x.len().cmp(&y.len()))
            }
            (Value::Set(x), Value::Set(y)) => match (self.is_subset(x, y, span)?, self.is_subset(y, x, span)?) {
                (true, true) => Some(Ordering::Equal),
                (true, false) => Some(Ordering::Less),
                (false, true) => Some(Ordering::Greater),
                (false, false) => None,
            },
            (Value::Map(x), Value::Map(y)) => Some(x.cmp(y)),
            _ => return Err(error(span, format!("{} and {} have no order", a.kind(), b.kind()))),
        })
    }
}
