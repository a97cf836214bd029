//! Steps in a row, with their labels.

use super::cursor::{Parser, Part};
use crate::promela::ast::{Expr, ExprKind, Name, Sequence, Stmt, StmtKind};
use crate::promela::token::Kind;

impl Parser {
    /// Steps up to `}`, `fi`, `od` or `::`. After a mistake it goes on with the next step.
    pub(super) fn sequence(&mut self) -> Part<Sequence> {
        let mut out = Vec::new();
        loop {
            match self.step().and_then(|step| self.separators(&step).map(|()| step)) {
                Ok(step) => out.push(step),
                Err(mistake) => {
                    self.skip_statement(*mistake);
                    while self.eat(Kind::Semicolon) {}
                }
            }
            if self.ends_sequence() || self.lost() || self.tired() {
                return Ok(out);
            }
        }
    }

    /// Whether a statement may begin here that is no expression in parentheses.
    fn begins_statement(&self) -> bool {
        let keyword =
            matches!(self.kind(0), Kind::If | Kind::Do | Kind::Goto | Kind::Break | Kind::Skip | Kind::Atomic);
        let other = matches!(self.kind(0), Kind::DStep | Kind::Assert | Kind::Printf | Kind::For | Kind::Select);
        keyword || other || self.at(Kind::Word)
    }

    fn ends_sequence(&self) -> bool {
        matches!(self.kind(0), Kind::CloseBrace | Kind::Fi | Kind::Od | Kind::Option | Kind::TextEnd)
    }

    /// What separates a step from the next one: nothing is needed behind `}` and `else`.
    fn separators(&mut self, step: &Stmt) -> Part<()> {
        let closed = self.last_kind() == Kind::CloseBrace || step.kind == StmtKind::Else;
        let mut separated = closed || self.ends_sequence();
        while self.at(Kind::Semicolon) || self.at(Kind::Arrow) {
            self.bump();
            separated = true;
        }
        if separated { Ok(()) } else { Err(self.missing()) }
    }

    /// What is wrong where a separator should be.
    fn missing(&self) -> Box<crate::Diagnostic> {
        let error = self.unexpected("`;` or `->`");
        let help = match (self.last_kind(), self.kind(0)) {
            (Kind::Word, Kind::Open) if self.last_text() == "while" => {
                Some("there is no `while`: write `do :: condition -> ... :: else -> break od`".to_owned())
            }
            (Kind::Word, Kind::Open) if self.last_text() == "switch" => {
                Some("there is no `switch`: write `if :: x == 1 -> ... :: else -> ... fi`".to_owned())
            }
            (Kind::Word, Kind::Open) => Some(self.similar_inline()),
            (Kind::Word, _) if self.last_text() == "not" => Some("write `!`".to_owned()),
            (_, Kind::Word) if matches!(self.text(), "and" | "or") => None,
            (Kind::Word, Kind::Word) => Some(format!("there is no type `{}`, either", self.last_text())),
            (_, Kind::Unless) => {
                Some("to put an `unless` around an `unless`, write `{ ... }` around the inner one".to_owned())
            }
            (Kind::Int | Kind::Close | Kind::CloseBracket | Kind::Od | Kind::Fi | Kind::Word, _)
                if self.begins_statement() =>
            {
                Some("`;` separates statements, and `->` a condition from what follows it".to_owned())
            }
            _ => None,
        };
        Box::new(error.maybe_help(help))
    }

    /// A declaration, or a statement, perhaps with an `unless`.
    fn step(&mut self) -> Part<Stmt> {
        let (start, home) = (self.span(), self.token(0).home);
        if self.at(Kind::Mtype) && self.names_constants() {
            return Err(
                self.here("the constants of an `mtype` are declared outside of all bodies".to_owned(), "too deep")
            );
        }
        let kind = match self.kind(0) {
            _ if self.begins_declaration() => StmtKind::Vars(self.variables()?),
            Kind::Xr | Kind::Xs => {
                let receive = self.at(Kind::Xr);
                self.bump();
                StmtKind::Exclusive(receive, self.list(Self::variable_ref)?)
            }
            _ => return self.guarded(),
        };
        Ok(Stmt { labels: Vec::new(), kind, span: self.since(start), home })
    }

    /// `statement` or `statement unless statement`.
    fn guarded(&mut self) -> Part<Stmt> {
        let mut main = self.statement()?;
        if !self.at(Kind::Unless) {
            return Ok(main);
        }
        let block = matches!(main.kind, StmtKind::Block(_));
        if let Some(label) = main.labels.first().filter(|_| !block) {
            let message = format!("the label `{}` would belong to the first statement alone", label.text);
            let error = crate::Diagnostic::error(label.span, message).label("before an `unless`");
            return Err(Box::new(error.help(format!("write `{}: {{ ... unless ... }}`", label.text))));
        }
        self.bump();
        let escape = self.statement()?;
        if let Some(label) = escape.labels.first() {
            let message = format!("nothing can jump to `{}`, where an `unless` begins", label.text);
            return Err(Box::new(crate::Diagnostic::error(label.span, message).label("no place for a label")));
        }
        let (span, home) = (main.span.to(escape.span), main.home);
        let labels = std::mem::take(&mut main.labels);
        Ok(Stmt { labels, kind: StmtKind::Unless(Box::new(main), Box::new(escape)), span, home })
    }

    /// A statement with its labels.
    pub(super) fn statement(&mut self) -> Part<Stmt> {
        let (start, home) = (self.span(), self.token(0).home);
        let labels = self.labels()?;
        if !labels.is_empty() && self.ends_statement() {
            // A label with nothing behind it marks a `skip`.
            let span = self.since(start);
            let kind = StmtKind::Expr(Expr { kind: ExprKind::Const(1), span });
            return Ok(Stmt { labels, kind, span, home });
        }
        let (start, home) = (self.span(), self.token(0).home);
        let kind = self.nested(Self::statement_kind)?;
        Ok(Stmt { labels, kind, span: self.since(start), home })
    }

    fn ends_statement(&self) -> bool {
        self.ends_sequence() || self.at(Kind::Semicolon) || self.at(Kind::Arrow)
    }

    /// `label: label:`.
    fn labels(&mut self) -> Part<Vec<Name>> {
        let mut labels = Vec::new();
        while self.at(Kind::Word) && self.kind(1) == Kind::Colon && !self.proctypes.contains(self.text()) {
            labels.push(self.name("a label")?);
            self.bump();
        }
        let declares = self.begins_declaration() || self.at(Kind::Xr) || self.at(Kind::Xs);
        if !labels.is_empty() && declares {
            let error =
                self.here("a label stands before statements, not before declarations".to_owned(), "a declaration");
            return Err(Box::new(error.help("put the declaration before the label")));
        }
        Ok(labels)
    }
}
