//! Declarations of variables.

use super::cursor::{Parser, Part};
use crate::promela::ast::{Expr, Init, Type, VarDecl, Visibility};
use crate::promela::token::Kind;

impl Parser {
    /// Whether a declaration of variables comes next.
    pub(super) fn begins_declaration(&self) -> bool {
        match self.kind(0) {
            Kind::Hidden | Kind::Show | Kind::Local => true,
            Kind::Word => self.kind(1) == Kind::Word && self.typedefs.contains(self.text()),
            other => plain(other).is_some() || other == Kind::Mtype,
        }
    }

    /// `byte a, b[3] = 2`.
    pub(super) fn variables(&mut self) -> Part<Vec<VarDecl>> {
        let visibility = self.visibility();
        let ty = self.ty("a type")?;
        let mut out = vec![self.variable(visibility, &ty)?];
        // What ends with a brace ends the declaration.
        while self.at(Kind::Comma) {
            if self.last_kind() == Kind::CloseBrace {
                let error = self.unexpected("`;` after `}`");
                return Err(Box::new(error.help("begin another declaration: nothing follows `}` in one")));
            }
            self.bump();
            out.push(self.variable(visibility, &ty)?);
        }
        Ok(out)
    }

    fn visibility(&mut self) -> Visibility {
        let visibility = match self.kind(0) {
            Kind::Hidden => Visibility::Hidden,
            Kind::Show => Visibility::Show,
            Kind::Local => Visibility::Local,
            _ => return Visibility::Plain,
        };
        self.bump();
        visibility
    }

    /// A type; `what` says so.
    pub(super) fn ty(&mut self, what: &str) -> Part<Type> {
        if let Some(ty) = plain(self.kind(0)) {
            self.bump();
            return Ok(ty);
        }
        match self.kind(0) {
            Kind::Mtype => {
                self.bump();
                let subtype = if self.eat(Kind::Colon) { Some(self.name("the name of the type")?) } else { None };
                Ok(Type::Mtype(subtype))
            }
            Kind::Word => self.name(what).map(Type::Named),
            _ => Err(self.unexpected(what)),
        }
    }

    fn variable(&mut self, visibility: Visibility, ty: &Type) -> Part<VarDecl> {
        if self.begins_declaration() && !self.at(Kind::Word) {
            let error = self.unexpected("the name of the variable");
            return Err(Box::new(
                error.help("parameters and declarations with types of their own are separated by `;`"),
            ));
        }
        let name = self.name("the name of the variable")?;
        let width = if self.at(Kind::Colon) { Some(self.width()?) } else { None };
        let size = if width.is_none() && self.at(Kind::OpenBracket) { Some(self.bracketed()?) } else { None };
        let init = if self.eat(Kind::Is) { Some(self.initial()?) } else { None };
        Ok(VarDecl { visibility, ty: ty.clone(), name, width, size, init })
    }

    /// `: 5`.
    fn width(&mut self) -> Part<Expr> {
        self.bump();
        if !self.at(Kind::Int) {
            return Err(self.unexpected("the number of bits"));
        }
        self.operand_expr()
    }

    /// `[expression]`.
    pub(super) fn bracketed(&mut self) -> Part<Expr> {
        let open = self.bump();
        let size = self.nested(Self::expr)?;
        self.close(open, Kind::CloseBracket, "an operator or `]`")?;
        Ok(size)
    }

    /// What stands behind `=` in a declaration.
    fn initial(&mut self) -> Part<Init> {
        match self.kind(0) {
            Kind::OpenBracket => self.channel(),
            Kind::OpenBrace => {
                let open = self.bump();
                let values = self.list(Self::expr)?;
                self.close(open, Kind::CloseBrace, "`,` or `}`")?;
                Ok(Init::List(values))
            }
            _ => self.expr().map(Init::Value),
        }
    }

    /// `[capacity] of { types }`.
    fn channel(&mut self) -> Part<Init> {
        let capacity = self.bracketed()?;
        self.expect(Kind::Of, "`of` and the types of a message")?;
        let open = self.expect(Kind::OpenBrace, "`{` and the types of a message")?;
        let types = self.list(|p| p.ty("the type of a field"))?;
        self.close(open, Kind::CloseBrace, "`,` or `}`")?;
        Ok(Init::Channel(capacity, types))
    }
}

fn plain(kind: Kind) -> Option<Type> {
    Some(match kind {
        Kind::BitType => Type::Bit,
        Kind::BoolType => Type::Bool,
        Kind::ByteType => Type::Byte,
        Kind::PidType => Type::Pid,
        Kind::ShortType => Type::Short,
        Kind::IntType => Type::Int,
        Kind::UnsignedType => Type::Unsigned,
        Kind::ChanType => Type::Chan,
        _ => return None,
    })
}
