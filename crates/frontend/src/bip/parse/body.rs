//! The bodies of types: declarations up to `end`, each of which begins with a word that says what it is.

use super::cursor::{Parsed, Parser};
use crate::Diagnostic;
use crate::bip::ast::{Data, Name};
use crate::bip::token::Kind;

impl Parser<'_, '_> {
    /// Whether a type is declared here: if there was no `end`, it is missing.
    pub(super) fn at_type(&self) -> bool {
        let kind = matches!(self.kind(0), Kind::Atom | Kind::Connector | Kind::Compound | Kind::Port);
        kind && self.kind(1) == Kind::Type
    }

    /// Declarations up to `end`; after a mistake it goes on with the next of them. Whether there is such an `end`.
    pub(super) fn body(&mut self, words: &[&'static str], mut part: impl FnMut(&mut Self) -> Parsed<()>) -> Parsed<()> {
        loop {
            if self.eat(Kind::End) {
                return Ok(());
            }
            if self.at(Kind::TextEnd) || self.at_type() || self.tired() {
                return Err(self.unexpected("`end`"));
            }
            let begins = |p: &Self| p.at(Kind::End) || p.at(Kind::At) || p.at_type() || words.contains(&p.text(0));
            self.recovering(begins, |p| {
                p.annotations()?;
                part(p)
            });
        }
    }

    /// What stands between `type` and the body; with a mistake, the body is read nonetheless.
    pub(super) fn head<T>(
        &mut self,
        words: &[&'static str],
        part: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Option<(Name, T)> {
        let begins = |p: &Self| p.at(Kind::End) || p.at_type() || words.contains(&p.text(0));
        self.recovering(begins, |p| {
            p.bump();
            p.expect(Kind::Type, "`type`")?;
            let name = p.name("the name of the type")?;
            Ok((name, part(p)?))
        })
    }

    /// `data int x = 3, y`, behind `export` if that stands there.
    pub(super) fn data(&mut self, export: bool) -> Parsed<Vec<Data>> {
        self.expect(Kind::Data, "`data`")?;
        let data_type = self.data_type()?;
        self.list(|p| {
            let name = p.name("the name of the data item")?;
            let initial = if p.eat(Kind::Is) { Some(p.expr()?) } else { None };
            Ok(Data { export, data_type: data_type.clone(), name, initial })
        })
    }

    /// The mistake of declaring something a second time that can be there once.
    pub(super) fn once(&self, there: bool, what: &str) -> Parsed<()> {
        if !there {
            return Ok(());
        }
        let error = Diagnostic::error(self.span(), format!("a second {what}"));
        Err(Box::new(error.label("only one is possible")))
    }
}
