//! Operations on sets.

use model::Span;

use super::{Evaluator, wrong};
use crate::csp::process::Checked;
use crate::csp::resolve::error;
use crate::csp::value::{Set, Value};

impl Evaluator<'_> {
    pub(super) fn set<'v>(&self, value: &'v Value, span: Span) -> Checked<&'v Set> {
        match value {
            Value::Set(set) => Ok(set),
            other => Err(wrong(span, "a set", other)),
        }
    }

    pub(super) fn union(&mut self, a: &Set, b: &Set, span: Span) -> Checked<Set> {
        if let (Some(x), Some(y)) = (self.listed(a)?, self.listed(b)?) {
            return Ok(Set::new(x.iter().chain(y.iter()).cloned().collect()));
        }
        match (a, b) {
            (Set::From(m), Set::From(n)) => Ok(Set::From(*m.min(n))),
            _ if self.is_subset(a, b, span)? => Ok(b.clone()),
            _ if self.is_subset(b, a, span)? => Ok(a.clone()),
            _ => Err(infinite(span, "union")),
        }
    }

    pub(super) fn inter(&mut self, a: &Set, b: &Set, span: Span) -> Checked<Set> {
        match (a, b, self.listed(a)?, self.listed(b)?) {
            (_, _, Some(x), _) => self.filtered(&x, b, true, span),
            (_, _, _, Some(y)) => self.filtered(&y, a, true, span),
            (Set::From(m), Set::From(n), ..) => Ok(Set::From(*m.max(n))),
            _ if self.is_subset(a, b, span)? => Ok(a.clone()),
            _ if self.is_subset(b, a, span)? => Ok(b.clone()),
            _ => Err(infinite(span, "intersection")),
        }
    }

    pub(super) fn diff(&mut self, a: &Set, b: &Set, span: Span) -> Checked<Set> {
        if let Some(x) = self.listed(a)? {
            return self.filtered(&x, b, false, span);
        }
        if self.is_subset(a, b, span)? {
            return Ok(Set::new(vec![]));
        }
        match (a, self.listed(b)?) {
            (Set::From(start), Some(removed)) => {
                let mut start = *start;
                let mut left = removed.iter().filter(|v| matches!(v, Value::Int(n) if *n >= start)).count();
                while left > 0 && removed.binary_search(&Value::Int(start)).is_ok() {
                    start += 1;
                    left -= 1;
                }
                if left == 0 { Ok(Set::From(start)) } else { Err(infinite(span, "difference")) }
            }
            _ => Err(infinite(span, "difference")),
        }
    }

    /// The values that are in a set, or that are not.
    fn filtered(&mut self, values: &[Value], set: &Set, wanted: bool, span: Span) -> Checked<Set> {
        let mut kept = vec![];
        for value in values {
            if self.contains(set, value, span)? == wanted {
                kept.push(value.clone());
            }
        }
        Ok(Set::Finite(kept.into()))
    }

    pub(super) fn is_subset(&mut self, a: &Set, b: &Set, span: Span) -> Checked<bool> {
        if let Some(values) = self.listed(a)? {
            for value in values.iter() {
                if !self.contains(b, value, span)? {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        if self.listed(b)?.is_some() {
            return Ok(false);
        }
        Ok(match (a, b) {
            (Set::From(m), Set::From(n)) => m >= n,
            (Set::From(_), Set::Int) => true,
            _ => a == b,
        })
    }

    /// The sets of a set of sets.
    pub(super) fn sets(&mut self, value: &Value, span: Span) -> Checked<Vec<Set>> {
        let outer = self.set(value, span)?.clone();
        let inner = self.elements(&outer, span)?;
        inner.iter().map(|value| self.set(value, span).cloned()).collect()
    }
}

fn infinite(span: Span, what: &str) -> Box<crate::Diagnostic> {
    error(span, format!("the {what} of these infinite sets is not supported"))
}
