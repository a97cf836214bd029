//! `ltl` blocks: the operators of temporal logic among those of expressions.

use super::cursor::{Parser, Part};
use crate::promela::ast::{Formula, Ltl};
use crate::promela::token::Kind;

/// Operators between two formulas.
#[derive(Clone, Copy)]
pub(super) enum Temporal {
    Implies,
    Equivalent,
    Until,
    WeakUntil,
    Release,
}

impl Temporal {
    pub(super) fn of(self, left: Formula, right: Formula) -> Formula {
        let (left, right) = (Box::new(left), Box::new(right));
        match self {
            Temporal::Implies => Formula::Implies(left, right),
            Temporal::Equivalent => Formula::Equivalent(left, right),
            Temporal::Until => Formula::Until(left, right),
            Temporal::WeakUntil => Formula::WeakUntil(left, right),
            Temporal::Release => Formula::Release(left, right),
        }
    }
}

/// Operators before a formula.
#[derive(Clone, Copy)]
pub(super) enum TemporalUnary {
    Always,
    Eventually,
    Next,
}

impl TemporalUnary {
    pub(super) fn of(self, inner: Formula) -> Formula {
        let inner = Box::new(inner);
        match self {
            TemporalUnary::Always => Formula::Always(inner),
            TemporalUnary::Eventually => Formula::Eventually(inner),
            TemporalUnary::Next => Formula::Next(inner),
        }
    }
}

impl Parser {
    /// `ltl name { formula }`.
    pub(super) fn ltl(&mut self) -> Part<Ltl> {
        let start = self.bump();
        let name = if self.at(Kind::Word) { Some(self.name("the name of the formula")?) } else { None };
        let open = self.expect(Kind::OpenBrace, "`{` and a formula")?;
        self.temporal = true;
        let formula = self.formula();
        let closed = formula.and_then(|formula| {
            while self.eat(Kind::Semicolon) {}
            self.close(open, Kind::CloseBrace, "an operator or `}`").map(|_| formula)
        });
        self.temporal = false;
        Ok(Ltl { name, formula: closed?, span: self.since(start) })
    }

    /// A formula, where temporal operators are known.
    pub(super) fn formula(&mut self) -> Part<Formula> {
        let operand = self.binary(0)?;
        self.formula_of(operand)
    }

    /// The temporal operator between two formulas that comes next, and its level.
    pub(super) fn temporal_operator(&self) -> Option<(Temporal, u8)> {
        if !self.temporal {
            return None;
        }
        Some(match (self.kind(0), self.text()) {
            (Kind::Arrow, _) | (Kind::Word, "implies") => (Temporal::Implies, 0),
            (Kind::Equivalent, _) | (Kind::Word, "equivalent") => (Temporal::Equivalent, 0),
            (Kind::Word, "U" | "until" | "stronguntil") => (Temporal::Until, 3),
            (Kind::Word, "W" | "weakuntil") => (Temporal::WeakUntil, 3),
            (Kind::Word, "V" | "release") => (Temporal::Release, 3),
            _ => return None,
        })
    }

    /// Passes the temporal operator before a formula, if one comes next.
    pub(super) fn temporal_prefix(&mut self) -> Option<TemporalUnary> {
        if !self.temporal {
            return None;
        }
        let (operator, tokens) = match (self.kind(0), self.kind(1), self.text()) {
            (Kind::OpenBracket, Kind::CloseBracket, _) if self.joined() => (TemporalUnary::Always, 2),
            (Kind::Less, Kind::Greater, _) if self.joined() => (TemporalUnary::Eventually, 2),
            (Kind::Word, _, "always") => (TemporalUnary::Always, 1),
            (Kind::Word, _, "eventually") => (TemporalUnary::Eventually, 1),
            (Kind::Word, _, "X" | "next") => (TemporalUnary::Next, 1),
            _ => return None,
        };
        for _ in 0..tokens {
            self.bump();
        }
        Some(operator)
    }

    /// Whether nothing lies between the next two tokens; what a macro gives lies in one place.
    fn joined(&self) -> bool {
        let (first, second) = (self.span(), self.token(1).span);
        first.end == second.start || first == second
    }
}
