//! Connector types.

use super::cursor::{Parsed, Parser};
use crate::Diagnostic;
use crate::bip::ast::{ConnectorType, Interaction, Operand, OperandKind, PortParameter};
use crate::bip::token::Kind;

/// The words that a declaration of a connector type begins with.
const WORDS: [&str; 4] = ["data", "export", "define", "on"];

impl Parser<'_, '_> {
    /// `connector type C(T p, T q) ... end`; nothing if a mistake that was reported prevents it.
    pub(super) fn connector_type(&mut self) -> Parsed<Option<ConnectorType>> {
        let (start, mistakes) = (self.span(), self.mistakes());
        let head = self.head(&WORDS, Self::port_parameters);
        let (mut data, mut export, mut define, mut interactions) = (Vec::new(), None, Vec::new(), Vec::new());
        self.body(&WORDS, |p| {
            match p.kind(0) {
                Kind::Data => data.extend(p.data(false)?),
                Kind::Export => {
                    p.once(export.is_some(), "exported port")?;
                    p.bump();
                    p.expect(Kind::Port, "`port`")?;
                    export = p.port_list()?.pop();
                }
                Kind::Define => {
                    p.once(!define.is_empty(), "`define`")?;
                    p.bump();
                    define = p.operands()?;
                }
                Kind::On => interactions.push(p.interaction()?),
                _ => return Err(p.unexpected_word("a declaration of a connector type or `end`", &WORDS)),
            }
            Ok(())
        })?;
        let span = self.since(start);
        // What could not be read is not missing.
        let Some((name, ports)) = head.filter(|_| self.mistakes() == mistakes) else { return Ok(None) };
        if define.is_empty() {
            let message = format!("the connector type `{}` defines no interaction", name.text);
            let error = Diagnostic::error(name.span, message).label("there is no `define`");
            return Err(Box::new(error.help("write `define` and the ports, with `'` behind triggers")));
        }
        Ok(Some(ConnectorType { name, ports, data, export, define, interactions, span }))
    }

    /// `(T p, T q)`.
    fn port_parameters(&mut self) -> Parsed<Vec<PortParameter>> {
        self.parenthesised(|p| {
            let port_type = p.path("the type of a port")?;
            let name = p.name("the name of the port")?;
            Ok(PortParameter { port_type, name })
        })
    }

    /// `p' (q r)`.
    fn operands(&mut self) -> Parsed<Vec<Operand>> {
        let mut out = Vec::new();
        while out.is_empty() || matches!(self.kind(0), Kind::Word | Kind::Open) {
            let start = self.span();
            let kind = if self.at(Kind::Open) {
                self.bump();
                let inner = self.nested(Self::operands)?;
                self.close(start, Kind::Close, "a port or `)`")?;
                OperandKind::Group(inner)
            } else {
                OperandKind::Port(self.name("a port of the connector")?)
            };
            let trigger = self.eat(Kind::Quote);
            out.push(Operand { kind, trigger, span: self.since(start) });
        }
        Ok(out)
    }

    /// `on p q provided (g) up { ... } down { ... }`.
    fn interaction(&mut self) -> Parsed<Interaction> {
        let start = self.bump();
        let mut ports = vec![self.name("a port of the connector")?];
        while self.at(Kind::Word) {
            ports.push(self.name("a port of the connector")?);
        }
        let guard = if self.eat(Kind::Provided) { Some(self.condition()?) } else { None };
        let up = if self.eat(Kind::Up) { self.actions()? } else { Vec::new() };
        let down = if self.eat(Kind::Down) { self.actions()? } else { Vec::new() };
        Ok(Interaction { ports, guard, up, down, span: self.since(start) })
    }
}
