//! Operands: names, literals, brackets, what begins with a word or an operator; then calls and renamings.

use super::cursor::{Parsed, Parser};
use super::expr::{CONCAT, NOT, PRODUCT};
use crate::Diagnostic;
use crate::csp::ast::{Expr, ExprKind, If, Lambda, Let, Name, Text};
use crate::csp::token::Kind;

impl Parser<'_> {
    /// An operand with its calls `f(x)(y)` and renamings `P[[a <- b]]`.
    pub(super) fn operand(&mut self) -> Parsed<Expr> {
        let mut left = self.primary()?;
        let (start, mut wraps) = (left.span, 0);
        loop {
            let kind = match self.kind(0) {
                Kind::Open if !self.fresh_line() => ExprKind::Call(Box::new(left), self.arguments()?),
                Kind::OpenRename => {
                    let pairs = self.brackets(Kind::CloseRename, "`]]`", |p| p.pairs(Kind::From))?;
                    ExprKind::Rename(Box::new(left), Box::new(pairs))
                }
                _ => return Ok(left),
            };
            left = Expr { kind, span: self.since(start) };
            wraps += 1;
            self.check_wraps(wraps)?;
        }
    }

    /// `(a, b)` after a function.
    pub(super) fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        self.brackets(Kind::Close, "`)`", |p| if p.at(Kind::Close) { Ok(Vec::new()) } else { p.list(Self::expr) })
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let kind = match self.kind(0) {
            Kind::Open => return self.parenthesised(),
            Kind::Number => ExprKind::Int(self.number()?),
            Kind::Char => ExprKind::Char(self.character()),
            Kind::String => ExprKind::String(self.string()),
            Kind::True | Kind::False => {
                let value = self.at(Kind::True);
                self.bump();
                ExprKind::Bool(value)
            }
            Kind::Word => self.named()?,
            Kind::Not => self.unary(NOT, ExprKind::Not)?,
            Kind::Minus => self.unary(PRODUCT, ExprKind::Negate)?,
            Kind::Length => self.unary(CONCAT, ExprKind::Length)?,
            Kind::OpenBrace | Kind::OpenProductions | Kind::Less | Kind::EmptySequence => self.collection()?,
            Kind::If => self.choice()?,
            Kind::Let => self.local()?,
            Kind::Backslash => self.lambda()?,
            Kind::Wildcard => {
                let what = Diagnostic::error(start, "`_` is a pattern, not a value").label("matches anything");
                return Err(Box::new(what.help("give a name to what it matches")));
            }
            _ => self.replicated()?,
        };
        Ok(Expr { kind, span: self.since(start) })
    }

    fn unary(&mut self, level: u8, make: fn(Box<Expr>) -> ExprKind) -> Parsed<ExprKind> {
        self.bump();
        Ok(make(Box::new(self.nested(|p| p.binary(level))?)))
    }

    /// `(e)`, `(a, b)` or `(| k => v |)`.
    fn parenthesised(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let kind = self.brackets(Kind::Close, "`)`", |p| {
            if p.touches() && (p.at(Kind::Bar) || p.at(Kind::Parallel) && p.kind(1) == Kind::Close) {
                return p.map();
            }
            let mut parts = p.list(Self::expr)?;
            Ok(if parts.len() == 1 { parts.remove(0).kind } else { ExprKind::Tuple(parts) })
        })?;
        Ok(Expr { kind, span: self.since(start) })
    }

    /// The inside of `(| k => v, ... |)`; an empty one may look like `(||)`.
    fn map(&mut self) -> Parsed<ExprKind> {
        if self.eat(Kind::Parallel) {
            return Ok(ExprKind::Map(Vec::new()));
        }
        self.bump();
        if self.eat(Kind::Bar) {
            return Ok(ExprKind::Map(Vec::new()));
        }
        let entries = self.list(|p| {
            let key = p.expr()?;
            p.expect(Kind::MapsTo, "`=>` and the value")?;
            Ok((key, p.expr()?))
        })?;
        self.expect(Kind::Bar, "`|)`")?;
        Ok(ExprKind::Map(entries))
    }

    fn named(&mut self) -> Parsed<ExprKind> {
        let mut path = self.path("a name")?;
        Ok(if path.len() == 1 { ExprKind::Name(path.remove(0).text) } else { ExprKind::Qualified(path) })
    }

    /// `M::N::x`.
    pub(super) fn path(&mut self, what: &str) -> Parsed<Vec<Name>> {
        let mut path = vec![self.name(what)?];
        while self.eat(Kind::Scope) {
            path.push(self.name("a name of the module")?);
        }
        Ok(path)
    }

    /// `if a then b else if c then d else e`: a loop, as the chain may be long.
    fn choice(&mut self) -> Parsed<ExprKind> {
        let (mut branches, before) = (Vec::new(), self.steps);
        loop {
            self.step()?;
            let start = self.bump();
            let condition = self.expr()?;
            self.expect(Kind::Then, "`then`")?;
            let yes = self.expr()?;
            self.expect(Kind::Else, "`else`")?;
            branches.push((start, condition, yes));
            if !self.at(Kind::If) {
                break;
            }
        }
        let mut last = self.expr()?;
        self.steps = before;
        while let Some((start, condition, yes)) = branches.pop() {
            let span = start.to(last.span);
            last = Expr { kind: ExprKind::If(Box::new(If { condition, yes, no: last })), span };
        }
        Ok(last.kind)
    }

    fn local(&mut self) -> Parsed<ExprKind> {
        self.bump();
        let decls = self.within(false, false, Self::local_decls)?;
        self.expect(Kind::Within, "`within`")?;
        Ok(ExprKind::Let(Box::new(Let { decls, body: self.expr()? })))
    }

    fn lambda(&mut self) -> Parsed<ExprKind> {
        self.bump();
        let parameters = self.list(Self::pattern)?;
        self.expect(Kind::At, "`@` and what the function gives")?;
        Ok(ExprKind::Lambda(Box::new(Lambda { parameters, body: self.expr()? })))
    }

    pub(super) fn number(&mut self) -> Parsed<i64> {
        let (value, span) = (self.text(0).parse(), self.span());
        self.bump();
        let what = || Diagnostic::error(span, "the number does not fit into 64 bits").label("too large");
        value.map_err(|_| Box::new(what()))
    }

    pub(super) fn character(&mut self) -> char {
        let text = unescaped(self.text(0));
        self.bump();
        text.chars().next().expect("the lexer admits no empty character")
    }

    pub(super) fn string(&mut self) -> Text {
        let text = unescaped(self.text(0));
        self.bump();
        self.intern(&text)
    }
}

/// The text between the quotes, with its escapes resolved.
fn unescaped(quoted: &str) -> String {
    let mut characters = quoted[1..quoted.len() - 1].chars();
    let mut out = String::new();
    while let Some(c) = characters.next() {
        let plain = if c == '\\' { characters.next().map(escape) } else { Some(c) };
        out.extend(plain);
    }
    out
}

fn escape(c: char) -> char {
    match c {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        other => other,
    }
}
