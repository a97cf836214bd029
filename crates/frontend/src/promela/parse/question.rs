//! Questions about a model that are not in its text: expressions and formulas over its global variables and its
//! processes.

use super::Parsed;
use super::cursor::{Parser, Part};
use crate::promela::ast::{Expr, Formula, Unit};
use crate::promela::preprocess::question;
use crate::promela::separators::separate;
use crate::promela::token::Kind;
use crate::{Diagnostic, Severity};

impl Parsed {
    /// Reads an expression, in which the macros of the model may be used. The places of messages refer to `text`.
    pub(in crate::promela) fn expression(&self, text: &str) -> Result<Expr, Vec<Diagnostic>> {
        self.question(text, Parser::full_expr)
    }

    /// Reads a formula, likewise.
    pub(in crate::promela) fn formula(&self, text: &str) -> Result<Formula, Vec<Diagnostic>> {
        self.question(text, |parser| {
            parser.temporal = true;
            parser.formula()
        })
    }

    fn question<Q>(&self, text: &str, read: impl FnOnce(&mut Parser) -> Part<Q>) -> Result<Q, Vec<Diagnostic>> {
        let found = question(text, self.macros.clone(), self.words.clone());
        let mistakes: Vec<Diagnostic> = found.reports.into_iter().filter(|d| d.severity == Severity::Error).collect();
        if !mistakes.is_empty() {
            return Err(mistakes);
        }
        let mut parser = Parser::new(separate(found.tokens), found.words, text);
        parser.proctypes = self.proctypes();
        let asked = read(&mut parser);
        let asked = asked.and_then(|q| parser.expect(Kind::TextEnd, "an operator or the end").map(|_| q));
        let asked = asked.map_err(|mistake| vec![*mistake])?;
        let (mistakes, _) = parser.finish();
        if mistakes.is_empty() { Ok(asked) } else { Err(mistakes) }
    }

    fn proctypes(&self) -> std::collections::HashSet<crate::name::Text> {
        let name = |unit: &Unit| if let Unit::Proctype(p) = unit { Some(p.name.text.clone()) } else { None };
        self.program.units.iter().filter_map(name).collect()
    }
}
