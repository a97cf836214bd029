//! Paths, the types of data, parameters and annotations.

use super::cursor::{Parsed, Parser};
use crate::bip::ast::{DataType, DataTypeKind, Parameter, Path};
use crate::bip::token::Kind;

impl Parser<'_, '_> {
    /// `T`, or `some.package.T`.
    pub(super) fn path(&mut self, what: &str) -> Parsed<Path> {
        let mut package = Vec::new();
        let mut name = self.name(what)?;
        let start = name.span;
        while self.eat(Kind::Dot) {
            package.push(name);
            name = self.name("a name after the dot")?;
        }
        Ok(Path { package, name, span: self.since(start) })
    }

    /// `int`, or the path of an external type.
    pub(super) fn data_type(&mut self) -> Parsed<DataType> {
        let kind = match self.kind(0) {
            Kind::IntType => DataTypeKind::Int,
            Kind::BoolType => DataTypeKind::Bool,
            Kind::FloatType => DataTypeKind::Float,
            Kind::StringType => DataTypeKind::String,
            Kind::Word => {
                let path = self.path("a type")?;
                return Ok(DataType { span: path.span, kind: DataTypeKind::Extern(path) });
            }
            _ => return Err(self.unexpected("a type of data")),
        };
        Ok(DataType { kind, span: self.bump() })
    }

    /// `(int x, const bool y)`.
    pub(super) fn parameters(&mut self) -> Parsed<Vec<Parameter>> {
        self.parenthesised(|p| {
            let constant = p.eat(Kind::Const);
            let data_type = p.data_type()?;
            let name = p.name("the name of the parameter")?;
            Ok(Parameter { constant, data_type, name })
        })
    }

    /// `@cpp(include="stdio.h", x)`: said to code generators, so only its form counts.
    pub(super) fn annotations(&mut self) -> Parsed<()> {
        while self.eat(Kind::At) {
            self.name("the name of the annotation")?;
            if self.at(Kind::Open) {
                self.parenthesised(Self::annotation)?;
            }
        }
        Ok(())
    }

    fn annotation(&mut self) -> Parsed<()> {
        // Keys and values may be words of the language.
        let worded = |p: &Self| p.text(0).starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if !worded(self) {
            return Err(self.unexpected("the key of the annotation"));
        }
        self.bump();
        if self.eat(Kind::Is) {
            if !worded(self) && !matches!(self.kind(0), Kind::String | Kind::Int | Kind::Float) {
                return Err(self.unexpected("the value of the annotation"));
            }
            self.bump();
        }
        Ok(())
    }
}
