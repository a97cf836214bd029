//! Patterns: a name that is a constructor or a channel stands for itself, any other is bound.

use model::Span;

use super::namespace::Meaning;
use super::scope::Local;
use super::{Resolver, error};
use crate::csp::ast::{Pattern, PatternKind, Text};
use crate::csp::code::Pat;
use crate::csp::process::Checked;

impl<'a> Resolver<'a> {
    /// The variables that a pattern binds, in the order of the text.
    pub(super) fn variables(&self, pattern: &Pattern) -> Vec<(Text, Span)> {
        let mut found = vec![];
        self.collect(pattern, &mut found);
        found
    }

    fn collect(&self, pattern: &Pattern, found: &mut Vec<(Text, Span)>) {
        match &pattern.kind {
            PatternKind::Name(name) if !matches!(self.look_up(name), Some(Meaning::Head(_))) => {
                found.push((name.clone(), pattern.span));
            }
            PatternKind::Tuple(inner)
            | PatternKind::Sequence(inner)
            | PatternKind::Set(inner)
            | PatternKind::Dot(inner)
            | PatternKind::Concat(inner) => inner.iter().for_each(|p| self.collect(p, found)),
            PatternKind::Both(both) => {
                self.collect(&both.0, found);
                self.collect(&both.1, found);
            }
            _ => {}
        }
    }

    /// Resolves a pattern and binds its variables in the innermost scope.
    pub(super) fn pattern(&mut self, pattern: &Pattern) -> Checked<Pat> {
        Ok(match &pattern.kind {
            PatternKind::Wildcard => Pat::Wildcard,
            PatternKind::Name(name) => self.name_pattern(name, pattern.span)?,
            PatternKind::Qualified(path) => match self.look_up_path(path)? {
                Meaning::Head(head) => Pat::Head(head),
                _ => return Err(error(pattern.span, "only constructors and channels can stand in a pattern")),
            },
            PatternKind::Int(n) => Pat::Int(*n),
            PatternKind::Bool(b) => Pat::Bool(*b),
            PatternKind::Char(c) => Pat::Char(*c),
            PatternKind::String(text) => Pat::Text(text.clone()),
            PatternKind::Tuple(inner) => Pat::Tuple(self.patterns(inner)?),
            PatternKind::Sequence(inner) => Pat::Sequence(self.patterns(inner)?),
            PatternKind::Set(inner) => Pat::Set(self.patterns(inner)?.pop().map(Box::new)),
            PatternKind::Dot(inner) => Pat::Dot(self.patterns(inner)?),
            PatternKind::Concat(inner) => self.concat_pattern(inner, pattern.span)?,
            PatternKind::Both(both) => Pat::Both(Box::new((self.pattern(&both.0)?, self.pattern(&both.1)?))),
        })
    }

    fn patterns(&mut self, inner: &[Pattern]) -> Checked<Vec<Pat>> {
        inner.iter().map(|p| self.pattern(p)).collect()
    }

    fn name_pattern(&mut self, name: &Text, span: Span) -> Checked<Pat> {
        if let Some(Meaning::Head(head)) = self.look_up(name) {
            return Ok(Pat::Head(head));
        }
        let slot = self.context().new_slot();
        if self.bind(name.clone(), Local::Slot(slot)) {
            Ok(Pat::Bind(slot))
        } else {
            Err(error(span, format!("the pattern binds `{name}` twice")))
        }
    }

    /// `<x>^s`, `s^<x>`: one part may have any length.
    fn concat_pattern(&mut self, parts: &[Pattern], span: Span) -> Checked<Pat> {
        let (mut front, mut middle, mut back) = (vec![], None, vec![]);
        for part in parts {
            let list = if middle.is_none() { &mut front } else { &mut back };
            match self.pattern(part)? {
                Pat::Sequence(items) => list.extend(items),
                Pat::Text(text) => list.extend(text.chars().map(Pat::Char)),
                _ if middle.is_some() => {
                    return Err(error(span, "two parts of this pattern have no fixed length"));
                }
                other => middle = Some(other),
            }
        }
        Ok(match middle {
            Some(middle) => Pat::Concat(front, Box::new(middle), back),
            None => Pat::Sequence(front),
        })
    }
}
