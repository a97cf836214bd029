//! What is defined outside of the language: types, functions and operators.

use model::Span;

use super::cursor::{Parsed, Parser};
use super::expr::binary;
use crate::bip::ast::{ExternFunction, ExternOperator, ExternParameter, ExternType, OperatorSymbol, Package};
use crate::bip::token::Kind;

impl Parser<'_, '_> {
    pub(super) fn extern_item(&mut self, package: &mut Package) -> Parsed<()> {
        let start = self.bump();
        match self.kind(0) {
            Kind::Data => package.extern_types.push(self.extern_type(start)?),
            Kind::Function => package.functions.push(self.extern_function(start)?),
            Kind::Operator => package.operators.push(self.extern_operator(start)?),
            _ => return Err(self.unexpected("`data type`, `function` or `operator`")),
        }
        Ok(())
    }

    /// `data type T refine U as "backend name"`.
    fn extern_type(&mut self, start: Span) -> Parsed<ExternType> {
        self.bump();
        self.expect(Kind::Type, "`type`")?;
        let name = self.name("the name of the type")?;
        let refines = if self.eat(Kind::Refine) { self.list(|p| p.path("the name of a type"))? } else { Vec::new() };
        if self.eat(Kind::As) {
            self.expect(Kind::String, "the name that it has outside, between quotes")?;
        }
        Ok(ExternType { name, refines, span: self.since(start) })
    }

    /// `function int f(string)`.
    fn extern_function(&mut self, start: Span) -> Parsed<ExternFunction> {
        self.bump();
        let bare = self.at(Kind::Word) && self.kind(1) == Kind::Open;
        let result = if bare { None } else { Some(self.data_type()?) };
        let name = self.name("the name of the function")?;
        let parameters = self.extern_parameters()?;
        Ok(ExternFunction { result, name, parameters, span: self.since(start) })
    }

    /// `operator T +(T, T)`.
    fn extern_operator(&mut self, start: Span) -> Parsed<ExternOperator> {
        self.bump();
        let result = self.data_type()?;
        let symbol = match self.kind(0) {
            Kind::Not | Kind::Complement | Kind::Is => OperatorSymbol::Other(self.intern()),
            kind => match binary(kind) {
                Some((operator, _)) => OperatorSymbol::Binary(operator),
                None => return Err(self.unexpected("an operator")),
            },
        };
        self.bump();
        let parameters = self.extern_parameters()?;
        Ok(ExternOperator { result, symbol, parameters, span: self.since(start) })
    }

    fn extern_parameters(&mut self) -> Parsed<Vec<ExternParameter>> {
        self.parenthesised(|p| {
            let constant = p.eat(Kind::Const);
            let data_type = p.data_type()?;
            // A name may follow, for readers.
            p.eat(Kind::Word);
            Ok(ExternParameter { constant, data_type })
        })
    }
}
