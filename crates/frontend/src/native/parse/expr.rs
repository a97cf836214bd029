//! Expressions and formulas, by precedence climbing: one level of recursion for each level of nesting.
//!
//! From loose to tight: `?:`, `=>` and `->`, `||`, `&&`, `until`, `weak until` and `release`, comparisons, `+ -`, `* / %`, prefixes. The
//! operand of a temporal prefix is a comparison, so `always x == 1 && y` means `(always (x == 1)) && y`.

use model::Binary;

use super::cursor::Parser;
use super::items::ITEM_WORDS;
use super::marks::Mark;
use crate::Diagnostic;
use crate::native::ast::{Expr, ExprKind, Infix, Name, Occurrence, Part, Place, Prefix, Quantifier, Range, Test};
use crate::native::report::Checked;
use crate::native::token::Kind;

/// The levels of precedence, loose to tight.
const IMPLIES: u8 = 1;
const TEMPORAL: u8 = 4;
const COMPARISON: u8 = 5;
const SUM: u8 = 6;

/// An operator between two operands.
#[derive(Clone, Copy)]
enum Operator {
    Implies,
    Infix(Infix),
    Binary(Binary),
}

impl<'t> Parser<'t, '_> {
    /// A formula: an expression with temporal operators.
    pub(super) fn formula(&mut self) -> Checked<Expr<'t>> {
        self.temporal = true;
        let result = self.expr();
        self.temporal = false;
        result
    }

    /// Any expression.
    pub(super) fn expr(&mut self) -> Checked<Expr<'t>> {
        self.nested(|p| {
            let condition = p.binary(IMPLIES)?;
            if !p.eat(Kind::Question) {
                return Ok(condition);
            }
            let yes = p.expr()?;
            p.expect(Kind::Colon, "`:` and the other value of `? :`")?;
            let no = p.expr()?;
            let span = condition.span.to(no.span);
            Ok(Expr { kind: ExprKind::Choice(Box::new((condition, yes, no))), span })
        })
    }

    /// An expression that stops before comparisons: the bound of a range, a capacity.
    pub(super) fn sum(&mut self) -> Checked<Expr<'t>> {
        self.nested(|p| p.compactly(true, |p| p.binary(SUM)))
    }

    /// `lo..hi`.
    pub(super) fn range(&mut self) -> Checked<Range<'t>> {
        let lo = self.sum()?;
        self.mark(Mark::Tight);
        self.expect(Kind::DotDot, "`..` and the end of the range")?;
        Ok(Range { lo, hi: self.sum()? })
    }

    fn operator(&self) -> Option<(Operator, u8)> {
        let binary = |b, level| Some((Operator::Binary(b), level));
        match self.kind(0) {
            Kind::Implies => Some((Operator::Implies, IMPLIES)),
            Kind::Arrow if self.temporal => Some((Operator::Implies, IMPLIES)),
            Kind::Word if self.temporal && self.text(0) == "weak" && self.text(1) == "until" => {
                Some((Operator::Infix(Infix::WeakUntil), TEMPORAL))
            }
            Kind::Or => binary(Binary::Or, 2),
            Kind::And => binary(Binary::And, 3),
            Kind::Word if self.temporal && self.text(0) == "until" => Some((Operator::Infix(Infix::Until), TEMPORAL)),
            Kind::Word if self.temporal && self.text(0) == "release" => {
                Some((Operator::Infix(Infix::Release), TEMPORAL))
            }
            Kind::Equal => binary(Binary::Eq, COMPARISON),
            Kind::NotEqual => binary(Binary::Ne, COMPARISON),
            Kind::Less => binary(Binary::Lt, COMPARISON),
            Kind::AtMost => binary(Binary::Le, COMPARISON),
            Kind::Greater => binary(Binary::Gt, COMPARISON),
            Kind::AtLeast => binary(Binary::Ge, COMPARISON),
            Kind::Plus => binary(Binary::Add, SUM),
            Kind::Minus => binary(Binary::Sub, SUM),
            Kind::Star => binary(Binary::Mul, 7),
            Kind::Slash => binary(Binary::Div, 7),
            Kind::Percent => binary(Binary::Rem, 7),
            _ => None,
        }
    }

    /// Operands and operators of at least this level.
    fn binary(&mut self, least: u8) -> Checked<Expr<'t>> {
        let mut left = self.prefix()?;
        // The level of the chain that `left` is, if it grew here: more operands of that level join it.
        let mut growing = u8::MAX;
        while let Some((operator, level)) = self.operator()
            && level >= least
        {
            if level == COMPARISON && growing == COMPARISON {
                let what = Diagnostic::error(self.span(), "comparisons cannot be chained").label("a second comparison");
                return Err(self.report(what.help("write `a < b && b < c`, or use parentheses")));
            }
            if self.compact && matches!(self.kind(0), Kind::Plus | Kind::Minus | Kind::Star) {
                self.mark(Mark::Tight);
            }
            self.bump();
            if matches!(operator, Operator::Infix(Infix::WeakUntil)) {
                self.bump();
            }
            left = match operator {
                Operator::Binary(op) => {
                    let right = self.binary(level + 1)?;
                    chain(left, op, right, growing == level)
                }
                Operator::Implies => pair(left, self.nested(|p| p.binary(level))?, ExprKind::Implies),
                Operator::Infix(op) => pair(left, self.nested(|p| p.binary(level))?, |p| ExprKind::Infix(op, p)),
            };
            growing = level;
        }
        self.misspelt_temporal(&["until", "release"])?;
        if self.at(Kind::Is) && least <= COMPARISON {
            let what = Diagnostic::error(self.span(), "expected a comparison, found `=`").label("`=` declares");
            return Err(self.report(what.help("write `==` to compare, `:=` to assign")));
        }
        Ok(left)
    }

    fn prefix(&mut self) -> Checked<Expr<'t>> {
        let start = self.span();
        let kind = match self.kind(0) {
            Kind::Bang => {
                self.mark(Mark::Right);
                self.bump();
                ExprKind::Not(Box::new(self.nested(Self::prefix)?))
            }
            Kind::Minus => {
                self.mark(Mark::Right);
                self.bump();
                ExprKind::Neg(Box::new(self.nested(Self::prefix)?))
            }
            _ => match self.temporal_prefix() {
                Some(prefix) => {
                    self.bump();
                    ExprKind::Prefix(prefix, Box::new(self.nested(|p| p.binary(COMPARISON))?))
                }
                None => {
                    self.misspelt_temporal(&["always", "eventually", "next"])?;
                    return self.primary();
                }
            },
        };
        Ok(Expr { kind, span: start.to(self.last_span()) })
    }

    /// In a formula, two words in a row are a temporal operator and an operand, or the second one leads on.
    fn misspelt_temporal(&mut self, words: &[&'static str]) -> Checked<()> {
        let fairness = self.text(0) == "under" && matches!(self.text(1), "weak" | "strong");
        let leads_on =
            fairness || ITEM_WORDS.contains(&self.text(1)) || matches!(self.text(1), "until" | "release" | "at" | "in");
        if !self.temporal || ITEM_WORDS.contains(&self.text(0)) || leads_on {
            return Ok(());
        }
        self.temporal_letter()?;
        self.misspelt(words, "temporal operator")
    }

    /// The letters of temporal logic, which are words here.
    fn temporal_letter(&mut self) -> Checked<()> {
        let (letter, word) = match self.text(0) {
            "G" => ("G p", "always p"),
            "F" => ("F p", "eventually p"),
            "X" => ("X p", "next p"),
            "U" => ("p U q", "p until q"),
            "W" => ("p W q", "p weak until q"),
            "R" => ("p R q", "p release q"),
            _ => return Ok(()),
        };
        let operand = matches!(self.kind(1), Kind::Word | Kind::Open | Kind::Bang | Kind::Box | Kind::Diamond);
        if !operand || self.text(1) == "weak" {
            return Ok(());
        }
        let what = Diagnostic::error(self.span(), format!("there is no temporal operator `{}`", self.text(0)));
        Err(self.report(what.label("unknown temporal operator").help(format!("`{letter}` is written `{word}`"))))
    }

    /// The temporal operator that begins here: a word is one only if an operand follows.
    fn temporal_prefix(&self) -> Option<Prefix> {
        if !self.temporal {
            return None;
        }
        let operand = match self.kind(1) {
            Kind::Word => !matches!(self.text(1), "until" | "release" | "at" | "expect" | "under"),
            Kind::Number | Kind::Quoted | Kind::Open | Kind::Bang | Kind::Box | Kind::Diamond => true,
            _ => false,
        };
        match (self.kind(0), self.text(0)) {
            (Kind::Box, _) => Some(Prefix::Always),
            (Kind::Diamond, _) => Some(Prefix::Eventually),
            (Kind::Word, "always") if operand => Some(Prefix::Always),
            (Kind::Word, "eventually") if operand => Some(Prefix::Eventually),
            (Kind::Word, "next") if operand => Some(Prefix::Next),
            _ => None,
        }
    }

    fn primary(&mut self) -> Checked<Expr<'t>> {
        let start = self.span();
        let kind = match self.kind(0) {
            Kind::Number => ExprKind::Number(self.number()?),
            Kind::Open => {
                self.bump();
                let mut inner = self.expr()?;
                self.expect(Kind::Close, "`)`")?;
                inner.span = start.to(self.last_span());
                return Ok(inner);
            }
            Kind::Word if matches!(self.text(0), "true" | "false") => {
                let value = self.text(0) == "true";
                self.bump();
                ExprKind::Bool(value)
            }
            Kind::Word if self.kind(1) == Kind::Open => self.call()?,
            Kind::Word => match self.quantifier() {
                Some(quantifier) => self.quantified(quantifier)?,
                None => self.named()?,
            },
            Kind::Quoted => self.named()?,
            Kind::Box | Kind::Diamond => {
                let what = Diagnostic::error(start, "temporal operators belong into `ltl` properties");
                return Err(self.report(what.label("not a formula here")));
            }
            _ => return Err(self.unexpected("an expression")),
        };
        Ok(Expr { kind, span: start.to(self.last_span()) })
    }

    fn number(&mut self) -> Checked<i64> {
        let (text, span) = (self.text(0), self.span());
        match text.parse() {
            Ok(value) => {
                self.bump();
                Ok(value)
            }
            Err(_) if text.bytes().all(|b| b.is_ascii_digit()) => {
                Err(self.report(Diagnostic::error(span, "the number does not fit into 64 bits").label("too large")))
            }
            Err(_) => {
                let what = Diagnostic::error(span, format!("`{text}` is neither a number nor a name"));
                Err(self.report(what.label("not a number").help("names begin with a letter or `_`")))
            }
        }
    }

    /// A number that is no part of an expression.
    pub(super) fn count(&mut self, what: &str) -> Checked<u64> {
        if !self.at(Kind::Number) {
            return Err(self.unexpected(what));
        }
        Ok(self.number()?.unsigned_abs())
    }

    fn call(&mut self) -> Checked<ExprKind<'t>> {
        let test = match self.text(0) {
            "free" => Test::Free,
            "len" => Test::Len,
            "empty" => Test::Empty,
            "full" => Test::Full,
            "enabled" if self.temporal => return self.occurrence(Occurrence::Enabled),
            "taken" if self.temporal => return self.occurrence(Occurrence::Taken),
            "min" => return self.extreme(Binary::Min),
            "max" => return self.extreme(Binary::Max),
            word @ ("enabled" | "taken") => {
                let what = Diagnostic::error(self.span(), format!("`{word}` belongs in a formula"));
                let what = what.label("not a function of the state");
                let ask =
                    format!("formulas are asked by `--ltl`, and in `ltl` properties: `eventually {word}(P.take)`");
                return Err(self.report(what.help(ask)));
            }
            other => {
                let message = format!("there is no function `{other}`");
                let known = ["free", "len", "empty", "full", "min", "max"];
                let temporal =
                    ["always", "eventually", "next", "enabled", "taken"].into_iter().filter(|_| self.temporal);
                let help = crate::native::nearest::suggestion(other, known.into_iter().chain(temporal));
                let what = Diagnostic::error(self.span(), message).label("not a function");
                let fallback = "the functions are free, len, empty, full, min and max";
                return Err(self.report(what.help(fallback).maybe_help(help)));
            }
        };
        self.open_call();
        let place = self.place("the name of an object")?;
        self.expect(Kind::Close, "`)`")?;
        Ok(ExprKind::Test(test, Box::new(place)))
    }

    fn occurrence(&mut self, occurrence: Occurrence) -> Checked<ExprKind<'t>> {
        self.open_call();
        let place = self.place("a process, a step `P.take` or an action")?;
        self.expect(Kind::Close, "`)`")?;
        Ok(ExprKind::Occurrence(occurrence, Box::new(place)))
    }

    fn extreme(&mut self, op: Binary) -> Checked<ExprKind<'t>> {
        self.open_call();
        let a = self.expr()?;
        self.expect(Kind::Comma, "`,` and a second value")?;
        let b = self.expr()?;
        self.expect(Kind::Close, "`)` after two values")?;
        Ok(ExprKind::Extreme(op, Box::new((a, b))))
    }

    /// The name of a function and its parenthesis.
    fn open_call(&mut self) {
        self.bump();
        self.mark(Mark::Left);
        self.bump();
    }

    fn quantifier(&self) -> Option<Quantifier> {
        if self.kind(1) != Kind::Word || self.text(2) != "in" {
            return None;
        }
        match self.text(0) {
            "forall" => Some(Quantifier::Forall),
            "exists" => Some(Quantifier::Exists),
            "count" => Some(Quantifier::Count),
            "sum" => Some(Quantifier::Sum),
            _ => None,
        }
    }

    fn quantified(&mut self, quantifier: Quantifier) -> Checked<ExprKind<'t>> {
        self.bump();
        let name = self.name("the name of an index")?;
        self.bump();
        let range = self.range()?;
        self.mark(Mark::Left);
        self.expect(Kind::Colon, "`:` and what is quantified")?;
        let body = self.compactly(false, Self::expr)?;
        Ok(ExprKind::Quantified(quantifier, name, Box::new((range, body))))
    }

    /// A name, an indexed name, a member, or a process `at` a state.
    fn named(&mut self) -> Checked<ExprKind<'t>> {
        let place = self.place("an expression")?;
        if self.eat_word("at") {
            let state = self.member("the name of a state")?;
            return Ok(ExprKind::At(Box::new((place, state))));
        }
        Ok(ExprKind::Place(Box::new(place)))
    }

    pub(super) fn place(&mut self, what: &str) -> Checked<Place<'t>> {
        let head = self.part(what)?;
        let mut member = None;
        if self.at(Kind::Dot) {
            self.mark(Mark::Tight);
            self.bump();
            member = Some(self.member("the name of a member")?);
        }
        let span = head.span.to(self.last_span());
        Ok(Place { head, member, span })
    }

    /// A part that may be a number: other languages have such names.
    fn member(&mut self, what: &str) -> Checked<Part<'t>> {
        if !self.at(Kind::Number) {
            return self.part(what);
        }
        let text = self.text(0);
        let span = self.bump();
        Ok(Part { name: Name { text, span }, indices: Vec::new(), span })
    }

    pub(super) fn part(&mut self, what: &str) -> Checked<Part<'t>> {
        let name = if self.at(Kind::Quoted) { self.quoted() } else { self.name(what)? };
        let mut indices = Vec::new();
        while self.at(Kind::OpenBracket) {
            self.mark(Mark::Left);
            self.bump();
            indices.push(self.compactly(true, Self::expr)?);
            self.expect(Kind::CloseBracket, "`]`")?;
        }
        Ok(Part { name, indices, span: name.span.to(self.last_span()) })
    }
}

fn pair<'t>(a: Expr<'t>, b: Expr<'t>, kind: impl FnOnce(Box<(Expr<'t>, Expr<'t>)>) -> ExprKind<'t>) -> Expr<'t> {
    let span = a.span.to(b.span);
    Expr { kind: kind(Box::new((a, b))), span }
}

/// Puts an operand to a chain that grows, or begins one.
fn chain<'t>(left: Expr<'t>, op: Binary, right: Expr<'t>, growing: bool) -> Expr<'t> {
    let span = left.span.to(right.span);
    match left.kind {
        ExprKind::Chain(first, mut rest) if growing => {
            rest.push((op, right));
            Expr { kind: ExprKind::Chain(first, rest), span }
        }
        kind => {
            let first = Box::new(Expr { kind, span: left.span });
            Expr { kind: ExprKind::Chain(first, vec![(op, right)]), span }
        }
    }
}
