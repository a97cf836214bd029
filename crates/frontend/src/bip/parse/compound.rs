//! Compound types.

use model::Span;

use super::cursor::{Parsed, Parser};
use crate::bip::ast::{
    Component, CompoundType, Connector, Export, InteractionPattern, Member, Name, Parameter, Priority,
};
use crate::bip::token::Kind;

/// The words that a declaration of a compound type begins with.
const WORDS: [&str; 4] = ["component", "connector", "export", "priority"];

impl Parser<'_, '_> {
    /// `compound type C(int n) ... end`; nothing if a mistake that was reported prevents it.
    pub(super) fn compound_type(&mut self) -> Parsed<Option<CompoundType>> {
        let start = self.span();
        let head = self.head(&WORDS, Self::parameters);
        let mut draft = Draft::default();
        self.body(&WORDS, |p| p.compound_item(&mut draft))?;
        let span = self.since(start);
        Ok(head.map(|(name, parameters)| draft.finish(name, parameters, span)))
    }

    fn compound_item(&mut self, compound: &mut Draft) -> Parsed<()> {
        match self.kind(0) {
            Kind::Component => compound.components.extend(self.components()?),
            Kind::Connector => compound.connectors.extend(self.connectors()?),
            Kind::Export => self.export(compound)?,
            Kind::Priority => compound.priorities.push(self.priority()?),
            _ => return Err(self.unexpected_word("a declaration of a compound type or `end`", &WORDS)),
        }
        Ok(())
    }

    /// `component T a(1), b(2)`.
    fn components(&mut self) -> Parsed<Vec<Component>> {
        self.bump();
        let component_type = self.path("the type of the component")?;
        self.list(|p| {
            let start = p.span();
            let name = p.name("the name of the component")?;
            let arguments = p.parenthesised(Self::expr)?;
            Ok(Component { component_type: component_type.clone(), name, arguments, span: p.since(start) })
        })
    }

    /// `connector T c(a.p, b.q), d(a.q)`.
    fn connectors(&mut self) -> Parsed<Vec<Connector>> {
        self.bump();
        let connector_type = self.path("the type of the connector")?;
        self.list(|p| {
            let start = p.span();
            let name = p.name("the name of the connector")?;
            let ports = p.parenthesised(Self::member)?;
            Ok(Connector { connector_type: connector_type.clone(), name, ports, span: p.since(start) })
        })
    }

    /// `a.p`.
    fn member(&mut self) -> Parsed<Member> {
        let owner = self.name("a component or a connector")?;
        self.expect(Kind::Dot, "`.` and what belongs to it")?;
        let name = self.name("a port or a data item")?;
        self.no_deeper(owner.span)?;
        let span = owner.span.to(name.span);
        Ok(Member { owner, name, span })
    }

    /// `export port a.p, b.p as q`, `export data a.x as y`.
    fn export(&mut self, compound: &mut Draft) -> Parsed<()> {
        let start = self.bump();
        let data = self.at(Kind::Data);
        if !data && !self.at(Kind::Port) {
            return Err(self.unexpected("`port` or `data`"));
        }
        self.bump();
        let members = if data { vec![self.member()?] } else { self.list(Self::member)? };
        self.expect(Kind::As, "`as` and the name that others use")?;
        let name = self.name("the name that others use")?;
        let export = Export { name, members, span: self.since(start) };
        if data {
            compound.data_exports.push(export)
        } else {
            compound.port_exports.push(export)
        }
        Ok(())
    }

    /// `priority name c:a.p,b.q < d:* provided (g)`.
    fn priority(&mut self) -> Parsed<Priority> {
        let start = self.bump();
        let name = self.name("the name of the priority")?;
        let early = self.priority_guard()?;
        let low = self.interaction_pattern()?;
        self.expect(Kind::Less, "`<`")?;
        let high = self.interaction_pattern()?;
        let guard = if early.is_some() { early } else { self.priority_guard()? };
        Ok(Priority { name, low, high, guard, span: self.since(start) })
    }

    /// `c:a.p,b.q`, `c:*` or `*:*`.
    fn interaction_pattern(&mut self) -> Parsed<InteractionPattern> {
        let start = self.span();
        if self.eat(Kind::Star) {
            if self.eat(Kind::Colon) {
                self.expect(Kind::Star, "`*`")?;
            }
            return Ok(InteractionPattern::Any(self.since(start)));
        }
        let connector = self.name("a connector or `*`")?;
        self.expect(Kind::Colon, "`:` and ports or `*`")?;
        if self.eat(Kind::Star) {
            return Ok(InteractionPattern::All(connector));
        }
        let ports = self.list(Self::member)?;
        Ok(InteractionPattern::One { connector, ports, span: self.since(start) })
    }
}

/// A compound type while its body is read.
#[derive(Default)]
struct Draft {
    components: Vec<Component>,
    connectors: Vec<Connector>,
    port_exports: Vec<Export>,
    data_exports: Vec<Export>,
    priorities: Vec<Priority>,
}

impl Draft {
    fn finish(self, name: Name, parameters: Vec<Parameter>, span: Span) -> CompoundType {
        let Draft { components, connectors, port_exports, data_exports, priorities } = self;
        CompoundType { name, parameters, components, connectors, port_exports, data_exports, priorities, span }
    }
}
