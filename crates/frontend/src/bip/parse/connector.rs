//! Connector types.

use model::Span;

use super::cursor::{Parsed, Parser};
use crate::Diagnostic;
use crate::bip::ast::{ConnectorType, Data, Interaction, Name, Operand, OperandKind, Port, PortParameter};
use crate::bip::token::Kind;

/// The words that a declaration of a connector type begins with.
const WORDS: [&str; 4] = ["data", "export", "define", "on"];

impl Parser<'_, '_> {
    /// `connector type C(T p, T q) ... end`; nothing if a mistake that was reported prevents it.
    pub(super) fn connector_type(&mut self) -> Parsed<Option<ConnectorType>> {
        let (start, mistakes) = (self.span(), self.mistakes());
        let head = self.head(&WORDS, Self::port_parameters);
        let mut draft = Draft::default();
        self.body(&WORDS, |p| p.connector_item(&mut draft))?;
        let span = self.since(start);
        // What could not be read is not missing.
        let Some((name, ports)) = head.filter(|_| self.mistakes() == mistakes) else { return Ok(None) };
        draft.finish(name, ports, span).map(Some)
    }

    fn connector_item(&mut self, connector: &mut Draft) -> Parsed<()> {
        match self.kind(0) {
            Kind::Data => connector.data.extend(self.data(false)?),
            Kind::Export => {
                self.once(connector.export.is_some(), "exported port")?;
                self.bump();
                self.expect(Kind::Port, "`port`")?;
                connector.export = Some(self.exported_port()?);
            }
            Kind::Define => {
                self.once(!connector.define.is_empty(), "`define`")?;
                self.bump();
                connector.define = self.operands()?;
            }
            Kind::On => connector.interactions.push(self.interaction()?),
            _ => return Err(self.unexpected_word("a declaration of a connector type or `end`", &WORDS)),
        }
        Ok(())
    }

    /// `T e(x)`: only one.
    fn exported_port(&mut self) -> Parsed<Port> {
        let mut ports = self.port_list()?;
        let port = ports.remove(0);
        match ports.first() {
            None => Ok(port),
            Some(second) => {
                let error = Diagnostic::error(second.span, "a second exported port").label("only one is possible");
                Err(Box::new(error))
            }
        }
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

/// A connector type while its body is read.
#[derive(Default)]
struct Draft {
    data: Vec<Data>,
    export: Option<Port>,
    define: Vec<Operand>,
    interactions: Vec<Interaction>,
}

impl Draft {
    fn finish(self, name: Name, ports: Vec<PortParameter>, span: Span) -> Parsed<ConnectorType> {
        let Draft { data, export, define, interactions } = self;
        if define.is_empty() {
            let message = format!("the connector type `{}` defines no interaction", name.text);
            let error = Diagnostic::error(name.span, message).label("there is no `define`");
            return Err(Box::new(error.help("write `define` and the ports, with `'` behind triggers")));
        }
        Ok(ConnectorType { name, ports, data, export, define, interactions, span })
    }
}
