//! Type annotations, `f :: Eq a => (a, <Int>) -> c=>Event`: read for their form, then forgotten, since the evaluator
//! looks at values. From loose to tight: `->`, `=>` and `=>*`, `.`.

use super::cursor::{Parsed, Parser};
use crate::Diagnostic;
use crate::csp::token::Kind;

/// What can be asked of a type variable.
const CLASSES: [&str; 6] = ["Complete", "Eq", "Inputable", "Ord", "Set", "Yieldable"];

/// What a part of a type can be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Any type.
    Type,
    /// Types in parentheses, which may be the parameters of a function.
    Parameters,
    /// Constraints, alone or in parentheses, before `=>`.
    Constraints,
}

impl Parser<'_> {
    /// A type, with constraints on its variables if there are any.
    pub(super) fn annotation(&mut self) -> Parsed<()> {
        self.nested(|p| {
            if p.type_dots()? == Part::Constraints {
                p.expect(Kind::MapsTo, "`=>` and the type")?;
                p.type_dots()?;
            }
            p.type_rest()
        })
    }

    fn type_rest(&mut self) -> Parsed<()> {
        while self.eat(Kind::MapsTo) {
            self.eat(Kind::Star);
            self.type_dots()?;
        }
        Ok(())
    }

    fn any_type(&mut self) -> Parsed<()> {
        self.nested(|p| {
            p.type_dots()?;
            p.type_rest()
        })
    }

    /// `a.b.c`, or `(a, b) -> c`.
    fn type_dots(&mut self) -> Parsed<Part> {
        let part = self.type_part()?;
        if part == Part::Parameters && self.eat(Kind::Arrow) {
            self.any_type()?;
            return Ok(Part::Type);
        }
        if !self.at(Kind::Dot) {
            return Ok(part);
        }
        while self.eat(Kind::Dot) {
            self.type_part()?;
        }
        Ok(Part::Type)
    }

    fn type_part(&mut self) -> Parsed<Part> {
        match self.kind(0) {
            Kind::Word if self.kind(1) == Kind::Word && !self.breaks_after() => self.constraint(),
            Kind::Word => self.path("a type").map(|_| Part::Type),
            Kind::OpenBrace => {
                self.brackets(Kind::CloseBrace, "`}`", Self::any_type)?;
                Ok(Part::Type)
            }
            Kind::Less => {
                let open = self.bump();
                self.any_type()?;
                self.close(open, Kind::Greater, "`>`")?;
                Ok(Part::Type)
            }
            Kind::Open => self.brackets(Kind::Close, "`)`", Self::type_list),
            _ => Err(self.unexpected("a type")),
        }
    }

    /// Whether a line ends after the next token.
    fn breaks_after(&mut self) -> bool {
        let position = self.position();
        self.bump();
        let first = self.first();
        self.rewind(position);
        first
    }

    /// The inside of parentheses: types, constraints, a map, or nothing.
    fn type_list(&mut self) -> Parsed<Part> {
        if self.at(Kind::Close) {
            return Ok(Part::Parameters);
        }
        let map = self.touches() && self.eat(Kind::Bar);
        let mut part = Part::Parameters;
        self.list(|p| {
            if p.type_dots()? == Part::Constraints {
                part = Part::Constraints;
            }
            p.type_rest()
        })?;
        if map {
            self.expect(Kind::Bar, "`|)`")?;
            return Ok(Part::Type);
        }
        Ok(part)
    }

    fn constraint(&mut self) -> Parsed<Part> {
        if !CLASSES.contains(&self.text(0)) {
            let what = Diagnostic::error(self.span(), format!("`{}` is no class of types", self.text(0)));
            let help = format!("the classes are {}", CLASSES.join(", "));
            return Err(Box::new(what.label("unknown").help(help)));
        }
        self.bump();
        self.bump();
        Ok(Part::Constraints)
    }
}
