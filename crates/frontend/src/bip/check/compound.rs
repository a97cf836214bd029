//! Compound types.

use std::collections::HashSet;

use super::{Checker, Known};
use crate::Diagnostic;
use crate::bip::ast::{Component, CompoundType, Connector, ConnectorType, InteractionPattern, Member, Name, Priority};
use crate::bip::names::ComponentType;
use crate::native::nearest::suggestion;

/// What a name in a compound type stands for; what has an unknown type was reported and is not asked about.
#[derive(Clone, Copy)]
enum Part<'m> {
    Component(Option<ComponentType<'m>>),
    Connector(&'m Connector, Option<&'m ConnectorType>),
}

/// What belongs to a part.
#[derive(Clone, Copy, PartialEq)]
enum Sort {
    Port,
    Data,
}

impl<'m> Checker<'m> {
    pub(super) fn compound(&mut self, compound: &'m CompoundType) {
        self.parameters(&compound.parameters);
        let components = compound.components.iter().map(|c| &c.name);
        self.unique("component or connector", components.chain(compound.connectors.iter().map(|c| &c.name)));
        self.unique("exported port", compound.port_exports.iter().map(|e| &e.name));
        self.unique("exported data item", compound.data_exports.iter().map(|e| &e.name));
        self.unique("priority", compound.priorities.iter().map(|p| &p.name));
        let parts = self.parts(compound);
        for member in compound.connectors.iter().flat_map(|c| &c.ports) {
            self.member(member, Sort::Port, &parts);
        }
        for member in compound.port_exports.iter().flat_map(|e| &e.members) {
            self.member(member, Sort::Port, &parts);
        }
        for member in compound.data_exports.iter().flat_map(|e| &e.members) {
            self.member(member, Sort::Data, &parts);
        }
        compound.priorities.iter().for_each(|priority| self.priority(priority, &parts));
    }

    /// What the names of a compound type stand for.
    fn parts(&mut self, compound: &'m CompoundType) -> Known<'m, Part<'m>> {
        let mut parts = Known::new();
        for component in &compound.components {
            parts.insert(&component.name.text, Part::Component(self.component(component)));
        }
        for connector in &compound.connectors {
            let connector_type = self.connector_type(connector);
            parts.insert(&connector.name.text, Part::Connector(connector, connector_type));
        }
        parts
    }

    fn component(&mut self, component: &'m Component) -> Option<ComponentType<'m>> {
        component.arguments.iter().for_each(|e| self.calls(e));
        let path = &component.component_type;
        let Some((_, found)) = self.model.component_type(self.package, path) else {
            self.unknown_type(path, "component type", |package| {
                package.atoms.iter().map(|t| &t.name).chain(package.compounds.iter().map(|t| &t.name)).collect()
            });
            return None;
        };
        let parameters = match found {
            ComponentType::Atom(atom) => &atom.parameters,
            ComponentType::Compound(compound) => &compound.parameters,
        };
        let what = format!("the component type `{}`", path.name.text);
        self.count(component.span, &what, parameters.len(), component.arguments.len());
        Some(found)
    }

    fn connector_type(&mut self, connector: &'m Connector) -> Option<&'m ConnectorType> {
        let path = &connector.connector_type;
        let Some((_, found)) = self.model.connector_type(self.package, path) else {
            self.unknown_type(path, "connector type", |p| p.connectors.iter().map(|t| &t.name).collect());
            return None;
        };
        let what = format!("the connector type `{}`", path.name.text);
        self.count(connector.span, &what, found.ports.len(), connector.ports.len());
        Some(found)
    }

    /// `c.p` is there and can be seen.
    fn member(&mut self, member: &Member, sort: Sort, parts: &Known<'m, Part<'m>>) {
        let Some(part) = self.known(&member.owner, "component or connector", parts) else { return };
        let Some(visible) = visible(part, sort) else { return };
        if visible.iter().any(|name| name.text == member.name.text) {
            return;
        }
        let noun = if sort == Sort::Port { "port" } else { "data item" };
        let hidden = hidden(part, sort).iter().any(|name| name.text == member.name.text);
        let error = if hidden {
            let message = format!("the {noun} `{}` of `{}` is not exported", member.name.text, member.owner.text);
            Diagnostic::error(member.span, message).label("not seen from here").help("declare it with `export`")
        } else {
            let message = format!("`{}` has no {noun} `{}`", member.owner.text, member.name.text);
            let help = suggestion(&member.name.text, visible.iter().map(|name| &*name.text));
            Diagnostic::error(member.span, message).label(format!("unknown {noun}")).maybe_help(help)
        };
        self.report(error);
    }

    fn priority(&mut self, priority: &'m Priority, parts: &Known<'m, Part<'m>>) {
        priority.guard.iter().for_each(|e| self.calls(e));
        if let (InteractionPattern::Any(_), InteractionPattern::Any(_)) = (&priority.low, &priority.high) {
            let error = Diagnostic::error(priority.span, "everything cannot go before everything");
            self.report(error.label("`*:*` on both sides").help("name the interactions of one side"));
        }
        for side in [&priority.low, &priority.high] {
            match side {
                InteractionPattern::Any(_) => {}
                InteractionPattern::All(name) => {
                    self.connector_named(name, parts);
                }
                InteractionPattern::One { connector, ports, .. } => self.interaction(connector, ports, parts),
            }
        }
    }

    fn interaction(&mut self, connector: &Name, ports: &[Member], parts: &Known<'m, Part<'m>>) {
        let Some(connector) = self.connector_named(connector, parts) else { return };
        let mut seen = HashSet::new();
        for port in ports {
            let same = |other: &&Member| other.owner.text == port.owner.text && other.name.text == port.name.text;
            let (owner, name) = (&port.owner.text, &port.name.text);
            if connector.ports.iter().find(same).is_none() {
                let message = format!("`{}` does not connect the port `{owner}.{name}`", connector.name.text);
                self.report(Diagnostic::error(port.span, message).label("not one of its ports"));
            } else if !seen.insert((owner, name)) {
                let message = format!("the port `{owner}.{name}` stands here twice");
                self.report(Diagnostic::error(port.span, message).label("for the second time"));
            }
        }
    }

    fn connector_named(&mut self, name: &Name, parts: &Known<'m, Part<'m>>) -> Option<&'m Connector> {
        if let Some(Part::Connector(connector, _)) = parts.get(&*name.text) {
            return Some(connector);
        }
        let connectors: Vec<&str> =
            parts.iter().filter(|(_, part)| matches!(part, Part::Connector(..))).map(|(name, _)| *name).collect();
        self.unknown(name, "connector", connectors.into_iter());
        None
    }
}

/// What others see of a part; nothing if its type is unknown.
fn visible(part: Part<'_>, sort: Sort) -> Option<Vec<&Name>> {
    Some(match (part, sort) {
        (Part::Component(component), _) => match (component?, sort) {
            (ComponentType::Atom(atom), Sort::Port) => atom.exports.iter().map(|e| &e.name).collect(),
            (ComponentType::Atom(atom), Sort::Data) => atom.data.iter().filter(|d| d.export).map(|d| &d.name).collect(),
            (ComponentType::Compound(compound), Sort::Port) => compound.port_exports.iter().map(|e| &e.name).collect(),
            (ComponentType::Compound(compound), Sort::Data) => compound.data_exports.iter().map(|e| &e.name).collect(),
        },
        (Part::Connector(_, connector_type), Sort::Port) => {
            connector_type?.export.iter().map(|port| &port.name).collect()
        }
        (Part::Connector(..), Sort::Data) => Vec::new(),
    })
}

/// What is there, but only inside.
fn hidden(part: Part<'_>, sort: Sort) -> Vec<&Name> {
    match (part, sort) {
        (Part::Component(Some(ComponentType::Atom(atom))), Sort::Port) => atom.ports.iter().map(|p| &p.name).collect(),
        (Part::Component(Some(ComponentType::Atom(atom))), Sort::Data) => atom.data.iter().map(|d| &d.name).collect(),
        _ => Vec::new(),
    }
}
