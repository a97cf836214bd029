//! Assertions: `assert [not] P [T= Q`, `assert P :[deadlock free [F]]`, and how they are to be checked.

use super::cursor::{Parsed, Parser};
use crate::Diagnostic;
use crate::csp::ast::{Assertion, CheckOption, Claim, Expr, Name, Property, Semantics};
use crate::csp::token::Kind;

/// The inside of `:[ ... ]`: its words, and what stands between inner brackets.
struct Clause {
    words: String,
    inner: Option<Name>,
    what: Diagnostic,
}

impl Parser<'_> {
    /// What follows the word `assert`.
    pub(super) fn assertion(&mut self) -> Parsed<Assertion> {
        let start = self.span();
        let negated = self.eat(Kind::Not);
        let left = self.expr()?;
        let claim = match self.kind(0) {
            Kind::Refines => self.refinement(left)?,
            Kind::OpenProperty => self.property(left)?,
            _ => return Err(self.unexpected("`[T=` and a process, or `:[` and a property")),
        };
        let options = self.options()?;
        Ok(Assertion { negated, claim, options, span: self.since(start) })
    }

    fn refinement(&mut self, specification: Expr) -> Parsed<Claim> {
        let letters = self.text(0).trim_start_matches('[').trim_end_matches('=');
        let semantics = semantics(letters).expect("the lexer knows the same letters");
        self.bump();
        Ok(Claim::Refines { specification, semantics, implementation: self.expr()? })
    }

    fn property(&mut self, process: Expr) -> Parsed<Claim> {
        let clause = self.clause()?;
        let semantics = match &clause.inner {
            Some(letters) => Some(semantics(&letters.text).ok_or_else(|| unknown_model(letters))?),
            None => None,
        };
        let property = match clause.words.as_str() {
            "deadlock free" => Property::DeadlockFree,
            "divergence free" | "livelock free" => Property::DivergenceFree,
            "deterministic" => Property::Deterministic,
            "has trace" => {
                self.eat(Kind::Colon);
                Property::HasTrace(self.expr()?)
            }
            _ => {
                let known = "the properties are `deadlock free`, `divergence free`, `deterministic` and `has trace`";
                return Err(Box::new(clause.what.help(known)));
            }
        };
        Ok(Claim::Has { process, property, semantics })
    }

    fn options(&mut self) -> Parsed<Vec<CheckOption>> {
        let mut options: Vec<CheckOption> = Vec::new();
        while self.at(Kind::OpenProperty) {
            let clause = self.clause()?;
            let option = match clause.words.as_str() {
                "partial order reduce" => CheckOption::PartialOrderReduce(clause.inner),
                "tau priority" | "tau priority over" => {
                    self.eat(Kind::Colon);
                    CheckOption::TauPriority(self.expr()?)
                }
                _ => {
                    let known = "the options are `partial order reduce` and `tau priority over`";
                    return Err(Box::new(clause.what.help(known)));
                }
            };
            if options.iter().any(|o| std::mem::discriminant(o) == std::mem::discriminant(&option)) {
                let what = Diagnostic::error(clause.what.span, "this option is given twice").label("again");
                return Err(Box::new(what));
            }
            options.push(option);
        }
        Ok(options)
    }

    /// `:[words [inner]]`; words may be joined by hyphens.
    fn clause(&mut self) -> Parsed<Clause> {
        let open = self.bump();
        let mut words: Vec<&str> = Vec::new();
        while matches!(self.kind(0), Kind::Word | Kind::Minus) {
            words.extend(Some(self.text(0)).filter(|text| *text != "-"));
            self.bump();
        }
        let mut inner = None;
        if self.eat(Kind::OpenBracket) {
            inner = Some(self.name("the letters of a semantic model")?);
            if !self.eat(Kind::CloseRename) {
                self.expect(Kind::CloseBracket, "`]`")?;
                self.close(open, Kind::CloseBracket, "`]`")?;
            }
        } else {
            self.close(open, Kind::CloseBracket, "`]`")?;
        }
        let words = words.join(" ");
        let what = Diagnostic::error(self.since(open), format!("`{words}` cannot be asserted")).label("unknown");
        Ok(Clause { words, inner, what })
    }
}

fn semantics(letters: &str) -> Option<Semantics> {
    Semantics::ALL.into_iter().find(|s| s.letters() == letters)
}

fn unknown_model(letters: &Name) -> Box<Diagnostic> {
    let what = Diagnostic::error(letters.span, format!("`{}` is no semantic model", letters.text)).label("unknown");
    let known: Vec<&str> = Semantics::ALL.iter().map(|s| s.letters()).collect();
    Box::new(what.help(format!("the models are {}", known.join(", "))))
}
