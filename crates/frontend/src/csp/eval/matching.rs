//! Patterns.
//!
//! A part of a dotted pattern that is not the last takes one complete value, but a constructor or a channel takes only
//! itself; the last part takes all the rest.

use super::{Evaluator, Frame};
use crate::csp::code::Pat;
use crate::csp::process::Checked;
use crate::csp::value::{Sequence, Set, Value};

impl<'p> Evaluator<'p> {
    /// Whether a value matches; if so, the variables are bound.
    pub(super) fn matches(&mut self, pat: &'p Pat, value: &Value, frame: &mut Frame) -> Checked<bool> {
        Ok(match (pat, value) {
            (Pat::Wildcard, _) => true,
            (Pat::Bind(slot), _) => {
                frame[slot.0 as usize] = value.clone();
                true
            }
            (Pat::Int(a), Value::Int(b)) => a == b,
            (Pat::Bool(a), Value::Bool(b)) => a == b,
            (Pat::Char(a), Value::Char(b)) => a == b,
            (Pat::Head(a), Value::Head(b)) => a == b,
            (Pat::Text(text), Value::Sequence(_)) => Value::text(text) == *value,
            (Pat::Tuple(pats), Value::Tuple(items)) => self.all_match(pats, items, frame)?,
            (Pat::Sequence(pats), Value::Sequence(sequence)) => match sequence.items() {
                Some(items) => self.all_match(pats, items, frame)?,
                None => false,
            },
            (Pat::Concat(front, middle, back), Value::Sequence(sequence)) => {
                self.concat_matches((front, middle, back), sequence, frame)?
            }
            (Pat::Set(inner), Value::Set(set)) => self.set_matches(inner.as_deref(), set, frame)?,
            (Pat::Dot(pats), _) => self.dot_matches(pats, value.atoms(), frame)?,
            (Pat::Both(both), _) => self.matches(&both.0, value, frame)? && self.matches(&both.1, value, frame)?,
            _ => false,
        })
    }

    fn all_match(&mut self, pats: &'p [Pat], values: &[Value], frame: &mut Frame) -> Checked<bool> {
        if pats.len() != values.len() {
            return Ok(false);
        }
        for (pat, value) in pats.iter().zip(values) {
            if !self.matches(pat, value, frame)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn concat_matches(
        &mut self,
        (front, middle, back): (&'p [Pat], &'p Pat, &'p [Pat]),
        sequence: &Sequence,
        frame: &mut Frame,
    ) -> Checked<bool> {
        let mut rest = sequence.clone();
        for pat in front {
            let Some((first, tail)) = rest.split_first() else { return Ok(false) };
            if !self.matches(pat, &first, frame)? {
                return Ok(false);
            }
            rest = tail;
        }
        if back.is_empty() {
            return self.matches(middle, &Value::Sequence(rest), frame);
        }
        let Some(items) = rest.items().filter(|items| items.len() >= back.len()) else { return Ok(false) };
        let (inner, end) = items.split_at(items.len() - back.len());
        let inner = Value::Sequence(Sequence::new(inner.to_vec()));
        Ok(self.all_match(back, end, frame)? && self.matches(middle, &inner, frame)?)
    }

    fn set_matches(&mut self, inner: Option<&'p Pat>, set: &Set, frame: &mut Frame) -> Checked<bool> {
        let Some(values) = self.listed(set)? else { return Ok(false) };
        match (inner, &values[..]) {
            (None, []) => Ok(true),
            (Some(pat), [value]) => self.matches(pat, value, frame),
            _ => Ok(false),
        }
    }

    fn dot_matches(&mut self, pats: &'p [Pat], atoms: &[Value], frame: &mut Frame) -> Checked<bool> {
        let (last, first) = pats.split_last().expect("a dotted pattern has parts");
        let mut rest = atoms;
        for pat in first {
            let Some(taken) = self.takes(pat, rest)?.filter(|n| *n < rest.len()) else { return Ok(false) };
            let (part, after) = rest.split_at(taken);
            if !self.matches(pat, &Value::dotted(part), frame)? {
                return Ok(false);
            }
            rest = after;
        }
        self.matches(last, &Value::dotted(rest), frame)
    }

    /// How many atoms a pattern takes when others follow it.
    pub(super) fn takes(&mut self, pat: &'p Pat, atoms: &[Value]) -> Checked<Option<usize>> {
        if atoms.is_empty() {
            return Ok(None);
        }
        match pat {
            Pat::Head(_) => Ok(Some(1)),
            Pat::Dot(pats) => {
                let mut taken = 0;
                for pat in pats {
                    let Some(n) = self.takes(pat, &atoms[taken..])? else { return Ok(None) };
                    taken += n;
                }
                Ok(Some(taken))
            }
            Pat::Both(both) => Ok(self.takes(&both.0, atoms)?.max(self.takes(&both.1, atoms)?)),
            _ => Ok(Some(self.unit(atoms)?.0)),
        }
    }
}
