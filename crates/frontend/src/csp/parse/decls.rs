//! Declarations. Each begins on a line of its own; where one may stand depends on what it is within.

use model::Span;

use super::cursor::{Parsed, Parser};
use super::signatures;
use crate::Diagnostic;
use crate::csp::ast::{Clause, Constructor, Datatype, Decl, DeclKind, Function, Module};
use crate::csp::token::Kind;

/// Where a declaration stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Script,
    /// A `Timed` section of the script.
    Timed,
    Module,
    Let,
}

impl Parser<'_> {
    /// The declarations of a `let`, up to `within`.
    pub(super) fn local_decls(&mut self) -> Parsed<Vec<Decl>> {
        self.plain_decls(Place::Let, &[Kind::Within])
    }

    /// Declarations up to one of these tokens.
    fn plain_decls(&mut self, place: Place, ends: &[Kind]) -> Parsed<Vec<Decl>> {
        let mut decls = Vec::new();
        loop {
            self.skip_file_marks();
            if ends.contains(&self.kind(0)) {
                break;
            }
            let decl = self.decl(place)?;
            merge(&mut decls, decl);
            if !self.first() && !ends.contains(&self.kind(0)) {
                return Err(self.unexpected("an operator or a new line"));
            }
        }
        match signatures::check(&decls).into_iter().next() {
            Some(mistake) => Err(Box::new(mistake)),
            None => Ok(decls),
        }
    }

    /// Goes over the borders of included files: between declarations they mean nothing.
    pub(super) fn skip_file_marks(&mut self) {
        while matches!(self.kind(0), Kind::Included | Kind::IncludedEnd) {
            self.bump();
        }
    }

    /// A declaration that ends with its line.
    pub(super) fn script_decl(&mut self) -> Parsed<Decl> {
        let decl = self.decl(Place::Script)?;
        if self.first() { Ok(decl) } else { Err(self.unexpected("an operator or a new line")) }
    }

    fn decl(&mut self, place: Place) -> Parsed<Decl> {
        let (start, word) = (self.span(), self.text(0));
        let kind = self.decl_kind(place)?;
        let decl = Decl { kind, span: self.since(start) };
        if allowed(&decl.kind, place) {
            return Ok(decl);
        }
        let within = match place {
            Place::Let => "`let`",
            Place::Module => "a module",
            Place::Script | Place::Timed => "a `Timed` section",
        };
        let what = Diagnostic::error(start, format!("`{word}` cannot stand within {within}"));
        Err(Box::new(what.label("not here").help("move it out")))
    }

    fn decl_kind(&mut self, place: Place) -> Parsed<DeclKind> {
        match self.kind(0) {
            Kind::Channel => self.channel(),
            Kind::Datatype => Ok(DeclKind::Datatype(self.datatype()?)),
            Kind::Subtype => Ok(DeclKind::Subtype(self.datatype()?)),
            Kind::Nametype => self.nametype(),
            Kind::Assert => {
                self.bump();
                Ok(DeclKind::Assert(self.assertion()?))
            }
            Kind::Transparent => {
                self.bump();
                Ok(DeclKind::Transparent(self.names("the name of a function")?))
            }
            Kind::External => {
                self.bump();
                Ok(DeclKind::External(self.names("the name of a function")?))
            }
            Kind::Module => Ok(DeclKind::Module(self.nested(Self::module)?)),
            Kind::Instance => self.instance(),
            Kind::Timed => self.nested(|p| p.timed(place)),
            Kind::Include => {
                self.bump();
                Err(self.unexpected("the name of a file in quotes, alone on the line"))
            }
            Kind::Word if self.at_print() => {
                self.bump();
                Ok(DeclKind::Print(self.expr()?))
            }
            Kind::Word if self.at_signature() => self.signature(),
            Kind::Word if self.kind(1) == Kind::Open => self.function(),
            _ => self.binding(),
        }
    }

    /// Whether `print e` stands here, and not a definition of `print`.
    fn at_print(&self) -> bool {
        let defines = matches!(self.kind(1), Kind::Is | Kind::Scope | Kind::Dot | Kind::Concat | Kind::Comma);
        self.at_word("print") && !defines && !(self.kind(1) == Kind::Open && self.next_touches())
    }

    /// Whether `f, g ::` stands here.
    fn at_signature(&self) -> bool {
        let mut ahead = 1;
        while self.kind(ahead) == Kind::Comma && self.kind(ahead + 1) == Kind::Word {
            ahead += 2;
        }
        self.kind(ahead) == Kind::Scope
    }

    fn signature(&mut self) -> Parsed<DeclKind> {
        let names = self.names("a name")?;
        self.expect(Kind::Scope, "`::` and a type")?;
        self.annotation()?;
        Ok(DeclKind::Signature(names))
    }

    fn function(&mut self) -> Parsed<DeclKind> {
        let name = self.name("a name")?;
        let mut parameters = Vec::new();
        while self.at(Kind::Open) {
            let group = self.brackets(Kind::Close, "`)`", |p| {
                if p.at(Kind::Close) { Ok(Vec::new()) } else { p.list(Self::pattern) }
            })?;
            parameters.push(group);
        }
        self.expect(Kind::Is, "`=` and what the function gives")?;
        let body = self.expr()?;
        let span = self.since(name.span);
        Ok(DeclKind::Function(Function { name, clauses: vec![Clause { parameters, body, span }] }))
    }

    fn binding(&mut self) -> Parsed<DeclKind> {
        if !self.at_pattern() {
            return Err(self.unexpected("a declaration"));
        }
        let pattern = self.pattern()?;
        self.expect(Kind::Is, "`=` and a value")?;
        Ok(DeclKind::Bind { pattern, value: self.expr()? })
    }

    fn at_pattern(&self) -> bool {
        let simple = matches!(self.kind(0), Kind::Word | Kind::Wildcard | Kind::Number | Kind::Minus | Kind::Char);
        let constant = matches!(self.kind(0), Kind::String | Kind::True | Kind::False | Kind::EmptySequence);
        simple || constant || matches!(self.kind(0), Kind::Open | Kind::OpenBrace | Kind::Less)
    }

    fn channel(&mut self) -> Parsed<DeclKind> {
        self.bump();
        let names = self.names("the name of a channel")?;
        let data = if self.eat(Kind::Colon) { Some(self.expr()?) } else { None };
        Ok(DeclKind::Channel { names, data })
    }

    fn datatype(&mut self) -> Parsed<Datatype> {
        self.bump();
        let name = self.name("the name of a type")?;
        self.expect(Kind::Is, "`=` and the constructors")?;
        let mut constructors = vec![self.constructor()?];
        while self.eat(Kind::Bar) {
            constructors.push(self.constructor()?);
        }
        Ok(Datatype { name, constructors })
    }

    fn constructor(&mut self) -> Parsed<Constructor> {
        let name = self.name("the name of a constructor")?;
        let data = if self.eat(Kind::Dot) { Some(self.expr()?) } else { None };
        Ok(Constructor { name, data })
    }

    fn nametype(&mut self) -> Parsed<DeclKind> {
        self.bump();
        let name = self.name("the name of a type")?;
        self.expect(Kind::Is, "`=` and a set")?;
        Ok(DeclKind::Nametype { name, value: self.expr()? })
    }

    fn instance(&mut self) -> Parsed<DeclKind> {
        self.bump();
        let name = self.name("the name of an instance")?;
        self.expect(Kind::Is, "`=` and a module")?;
        let module = self.path("the name of a module")?;
        let mut arguments = Vec::new();
        if self.at(Kind::Open) && !self.fresh_line() {
            let open = self.span();
            arguments = self.arguments()?;
            check_some(arguments.len(), self.since(open))?;
        }
        Ok(DeclKind::Instance { name, module, arguments })
    }

    fn module(&mut self) -> Parsed<Module> {
        self.bump();
        let name = self.name("the name of a module")?;
        let mut parameters = Vec::new();
        if self.at(Kind::Open) && !self.fresh_line() {
            let open = self.span();
            parameters = self.brackets(Kind::Close, "`)`", |p| {
                if p.at(Kind::Close) { Ok(Vec::new()) } else { p.list(Self::pattern) }
            })?;
            check_some(parameters.len(), self.since(open))?;
        }
        let private = self.plain_decls(Place::Module, &[Kind::Exports, Kind::End])?;
        self.expect(Kind::Exports, "`exports`")?;
        let exported = self.plain_decls(Place::Module, &[Kind::EndModule, Kind::End])?;
        self.expect(Kind::EndModule, "`endmodule`")?;
        Ok(Module { name, parameters, private, exported })
    }

    fn timed(&mut self, place: Place) -> Parsed<DeclKind> {
        self.bump();
        let given = self.at(Kind::Open);
        let function = if given { Some(self.brackets(Kind::Close, "`)`", Self::expr)?) } else { None };
        let open = self.expect(Kind::OpenBrace, "`{` and declarations")?;
        let place = if place == Place::Script { Place::Timed } else { place };
        let decls = self.within(false, false, |p| p.plain_decls(place, &[Kind::CloseBrace, Kind::End]))?;
        self.close(open, Kind::CloseBrace, "`}`")?;
        Ok(DeclKind::Timed { function, decls })
    }
}

fn check_some(count: usize, span: Span) -> Parsed<()> {
    if count > 0 {
        return Ok(());
    }
    let what = Diagnostic::error(span, "a module with parentheses has parameters").label("nothing in them");
    Err(Box::new(what.help("leave the parentheses out")))
}

fn allowed(kind: &DeclKind, place: Place) -> bool {
    match kind {
        DeclKind::Print(_) => place == Place::Script,
        DeclKind::Assert(_) => matches!(place, Place::Script | Place::Timed),
        DeclKind::Channel { .. } | DeclKind::Datatype(_) | DeclKind::Subtype(_) => place != Place::Let,
        DeclKind::Nametype { .. } | DeclKind::Module(_) | DeclKind::Instance { .. } => place != Place::Let,
        _ => true,
    }
}

/// Adds a declaration; the next clause of a function joins the clauses before it.
pub(super) fn merge(decls: &mut Vec<Decl>, decl: Decl) {
    let span = decl.span;
    match (decls.last_mut(), decl.kind) {
        (Some(Decl { kind: DeclKind::Function(last), span: all }), DeclKind::Function(next))
            if last.name.text == next.name.text =>
        {
            last.clauses.extend(next.clauses);
            *all = all.to(span);
        }
        (_, kind) => decls.push(Decl { kind, span }),
    }
}
