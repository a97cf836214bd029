//! Units: what a file consists of.

use model::Span;

use super::cursor::{Parser, Part};
use crate::Diagnostic;
use crate::native::nearest::suggestion;
use crate::promela::ast::{
    Claim, Expr, ExprKind, Mtype, Name, Proctype, Program, Sequence, Trace, Typedef, Unit, VarDecl,
};
use crate::promela::token::Kind;

/// The words that a unit can begin with.
const WORDS: [&str; 22] = [
    "active",
    "proctype",
    "D_proctype",
    "init",
    "never",
    "trace",
    "notrace",
    "ltl",
    "inline",
    "typedef",
    "mtype",
    "bit",
    "bool",
    "byte",
    "pid",
    "short",
    "int",
    "unsigned",
    "chan",
    "hidden",
    "show",
    "local",
];

impl Parser {
    /// The whole text.
    pub(super) fn program(&mut self) -> Program {
        let mut units = Vec::new();
        while !self.at(Kind::TextEnd) && !self.tired() {
            let start = self.remaining();
            match self.unit() {
                Ok(unit) => units.extend(unit),
                Err(mistake) => self.skip_unit(*mistake, start),
            }
        }
        Program { units }
    }

    /// One unit; nothing for a separator or an `inline`.
    fn unit(&mut self) -> Part<Option<Unit>> {
        match self.kind(0) {
            Kind::Semicolon | Kind::Arrow => {
                self.bump();
                Ok(None)
            }
            Kind::CloseBrace if self.late_brace() => Ok(None),
            Kind::Inline => self.inline().map(|()| None),
            Kind::Mtype if self.names_constants() => self.mtype().map(Unit::Mtype).map(Some),
            Kind::Typedef => self.typedef().map(Unit::Typedef).map(Some),
            Kind::Active | Kind::Proctype | Kind::DProctype => self.proctype().map(Unit::Proctype).map(Some),
            Kind::Init => self.init().map(Unit::Proctype).map(Some),
            Kind::Never => self.never().map(Unit::Never).map(Some),
            Kind::Trace | Kind::Notrace => self.trace().map(Unit::Trace).map(Some),
            Kind::Ltl => self.ltl().map(Unit::Ltl).map(Some),
            _ if self.begins_declaration() => self.variables().map(Unit::Vars).map(Some),
            _ => Err(self.no_unit()),
        }
    }

    /// What is wrong where nothing begins.
    fn no_unit(&self) -> Box<Diagnostic> {
        let (word, declares) = (self.at(Kind::Word), matches!(self.kind(2), Kind::Semicolon | Kind::Is | Kind::Comma));
        let mut known: Vec<&str> = self.typedefs.iter().map(|name| &**name).chain(WORDS).collect();
        known.sort_unstable();
        let spelled = suggestion(self.text(), known).filter(|_| word);
        // What looks like a function is a proctype if it is spelled like one.
        let proctype = spelled.as_ref().is_some_and(|word| word.contains("proctype"));
        let hint = self.unit_hint().filter(|_| !proctype);
        let help = hint.map(str::to_owned).or(spelled);
        let error = if word && self.kind(1) == Kind::Word && declares {
            self.here(format!("there is no type `{}`", self.text()), "not known here")
        } else {
            self.unexpected("a declaration or a proctype")
        };
        Box::new(error.maybe_help(help))
    }

    /// Whether `mtype` is followed by names of constants.
    pub(super) fn names_constants(&self) -> bool {
        let named = if self.kind(1) == Kind::Colon { 3 } else { 1 };
        let braces = |ahead| self.kind(ahead) == Kind::OpenBrace;
        braces(named) || self.kind(named) == Kind::Is && braces(named + 1)
    }

    /// `mtype = { a, b }`; commas may be missing.
    fn mtype(&mut self) -> Part<Mtype> {
        self.bump();
        let subtype = if self.eat(Kind::Colon) { Some(self.name("the name of the type")?) } else { None };
        if subtype.is_some() || self.at(Kind::Is) {
            self.expect(Kind::Is, "`=` and the names of constants")?;
        }
        let open = self.expect(Kind::OpenBrace, "`{`")?;
        let mut constants = vec![self.name("the name of a constant")?];
        while self.at(Kind::Comma) || self.at(Kind::Word) {
            if !self.eat(Kind::Comma) || self.at(Kind::Word) {
                constants.push(self.name("the name of a constant")?);
            }
        }
        if self.at(Kind::Is) {
            let error = self.unexpected("`,` or `}`");
            return Err(Box::new(
                error.help("these constants have no numbers of one's own: for that, write `#define N 3`"),
            ));
        }
        self.close(open, Kind::CloseBrace, "`,` or `}`")?;
        Ok(Mtype { subtype, constants })
    }

    fn typedef(&mut self) -> Part<Typedef> {
        self.bump();
        let name = self.name("the name of the type")?;
        self.typedefs.insert(name.text.clone());
        let open = self.expect(Kind::OpenBrace, "`{` and the fields of the type")?;
        let mut fields = self.variables()?;
        while self.eat(Kind::Semicolon) {
            while self.eat(Kind::Semicolon) {}
            if self.at(Kind::CloseBrace) {
                break;
            }
            fields.extend(self.variables()?);
        }
        self.close(open, Kind::CloseBrace, "`;` or `}`")?;
        Ok(Typedef { name, fields })
    }

    /// `active [n] proctype name(parameters) priority n provided (condition) { ... }`.
    fn proctype(&mut self) -> Part<Proctype> {
        let active = self.active()?;
        let deterministic = self.at(Kind::DProctype);
        if !self.eat(Kind::DProctype) {
            self.expect(Kind::Proctype, "`proctype`")?;
        }
        let name = self.name("the name of the proctype")?;
        self.proctypes.insert(name.text.clone());
        let parameters = self.parameters()?;
        let priority = self.priority()?;
        let provided = if self.eat(Kind::Provided) { Some(self.parenthesised(Self::full_expr)?) } else { None };
        let body = self.body()?;
        Ok(Proctype { name, deterministic, active, parameters, priority, provided, body })
    }

    /// How many run from the start.
    fn active(&mut self) -> Part<Option<Expr>> {
        if !self.at(Kind::Active) {
            return Ok(None);
        }
        let span = self.bump();
        if self.at(Kind::OpenBracket) { self.bracketed().map(Some) } else { Ok(Some(one(span))) }
    }

    /// `(int a, b; byte c)`.
    fn parameters(&mut self) -> Part<Vec<VarDecl>> {
        let open = self.expect(Kind::Open, "`(` and parameters")?;
        let mut parameters = Vec::new();
        while !self.at(Kind::Close) {
            parameters.extend(self.variables()?);
            if !self.at(Kind::Semicolon) {
                break;
            }
            self.bump();
            if self.at(Kind::Close) {
                return Err(self.unexpected("another parameter after `;`"));
            }
        }
        self.close(open, Kind::Close, "`,`, `;` or `)`")?;
        Ok(parameters)
    }

    /// `priority n`.
    pub(super) fn priority(&mut self) -> Part<Option<Expr>> {
        if !self.eat(Kind::Priority) {
            return Ok(None);
        }
        if !self.at(Kind::Int) {
            return Err(self.unexpected("a number"));
        }
        self.expr().map(Some)
    }

    fn init(&mut self) -> Part<Proctype> {
        let span = self.bump();
        let name = Name { text: self.intern("init"), span };
        let priority = self.priority()?;
        let body = self.body()?;
        let (deterministic, active, parameters) = (false, Some(one(span)), Vec::new());
        Ok(Proctype { name, deterministic, active, parameters, priority, provided: None, body })
    }

    fn never(&mut self) -> Part<Claim> {
        let span = self.bump();
        let name = if self.at(Kind::Word) { Some(self.name("the name of the claim")?) } else { None };
        Ok(Claim { name, body: self.body()?, span })
    }

    fn trace(&mut self) -> Part<Trace> {
        let negated = self.at(Kind::Notrace);
        let span = self.bump();
        Ok(Trace { negated, body: self.body()?, span })
    }

    /// `{ ... }`.
    pub(super) fn body(&mut self) -> Part<Sequence> {
        let open = self.expect(Kind::OpenBrace, "`{`")?;
        let body = self.nested(Self::sequence)?;
        self.close(open, Kind::CloseBrace, "`;`, `->` or `}`")?;
        Ok(body)
    }
}

fn one(span: Span) -> Expr {
    Expr { kind: ExprKind::Const(1), span }
}
