//! Patterns: what stands left of `=`, of `<-` and of `@`, and after `?` and `$`.

use model::Span;

use super::cursor::{Parsed, Parser};
use crate::Diagnostic;
use crate::csp::ast::{Pattern, PatternKind};
use crate::csp::token::Kind;

impl Parser<'_> {
    /// Any pattern: `p @@ q`.
    pub(super) fn pattern(&mut self) -> Parsed<Pattern> {
        let left = self.dot_pattern()?;
        if !self.eat(Kind::DoubleAt) {
            return Ok(left);
        }
        let right = self.nested(Self::pattern)?;
        let span = left.span.to(right.span);
        Ok(Pattern { kind: PatternKind::Both(Box::new((left, right))), span })
    }

    /// `p.q.r`.
    pub(super) fn dot_pattern(&mut self) -> Parsed<Pattern> {
        self.chain_of(Kind::Dot, PatternKind::Dot, |p| {
            p.chain_of(Kind::Concat, PatternKind::Concat, |p| p.nested(Self::simple_pattern))
        })
    }

    fn chain_of(
        &mut self,
        between: Kind,
        make: fn(Vec<Pattern>) -> PatternKind,
        mut part: impl FnMut(&mut Self) -> Parsed<Pattern>,
    ) -> Parsed<Pattern> {
        let first = part(self)?;
        if !self.at(between) {
            return Ok(first);
        }
        let mut parts = vec![first];
        while self.eat(between) {
            parts.push(part(self)?);
        }
        let span = self.since(parts[0].span);
        Ok(Pattern { kind: make(parts), span })
    }

    fn simple_pattern(&mut self) -> Parsed<Pattern> {
        let start = self.span();
        let kind = match self.kind(0) {
            Kind::Wildcard => self.constant(PatternKind::Wildcard),
            Kind::True => self.constant(PatternKind::Bool(true)),
            Kind::False => self.constant(PatternKind::Bool(false)),
            Kind::EmptySequence => self.constant(PatternKind::Sequence(Vec::new())),
            Kind::Number => PatternKind::Int(self.number()?),
            Kind::Minus if self.kind(1) == Kind::Number => {
                self.bump();
                PatternKind::Int(-self.number()?)
            }
            Kind::Char => PatternKind::Char(self.character()),
            Kind::String => PatternKind::String(self.string()),
            Kind::Word => self.named_pattern()?,
            Kind::Open => return self.parenthesised_pattern(),
            Kind::OpenBrace => self.set_pattern()?,
            Kind::Less => PatternKind::Sequence(self.sequence_pattern()?),
            _ => return Err(self.unexpected("a pattern")),
        };
        Ok(Pattern { kind, span: self.since(start) })
    }

    fn constant(&mut self, kind: PatternKind) -> PatternKind {
        self.bump();
        kind
    }

    fn named_pattern(&mut self) -> Parsed<PatternKind> {
        let mut path = self.path("a name")?;
        Ok(match path.len() {
            1 => PatternKind::Name(path.remove(0).text),
            _ => PatternKind::Qualified(path),
        })
    }

    fn parenthesised_pattern(&mut self) -> Parsed<Pattern> {
        let start = self.span();
        let mut parts = self.brackets(Kind::Close, "`)`", |p| p.list(Self::pattern))?;
        let span: Span = self.since(start);
        if parts.len() == 1 {
            return Ok(Pattern { span, ..parts.remove(0) });
        }
        Ok(Pattern { kind: PatternKind::Tuple(parts), span })
    }

    fn set_pattern(&mut self) -> Parsed<PatternKind> {
        let start = self.span();
        let parts = self.brackets(Kind::CloseBrace, "`}`", |p| {
            if p.at(Kind::CloseBrace) { Ok(Vec::new()) } else { p.list(Self::pattern) }
        })?;
        if parts.len() > 1 {
            let what = Diagnostic::error(self.since(start), "a pattern for sets has at most one element");
            return Err(Box::new(what.label("nobody knows which is which").help("match a sequence instead")));
        }
        Ok(PatternKind::Set(parts))
    }

    fn sequence_pattern(&mut self) -> Parsed<Vec<Pattern>> {
        let open = self.bump();
        let parts =
            self.within(true, true, |p| if p.at(Kind::Greater) { Ok(Vec::new()) } else { p.list(Self::pattern) })?;
        self.close(open, Kind::Greater, "`>`")?;
        Ok(parts)
    }
}
