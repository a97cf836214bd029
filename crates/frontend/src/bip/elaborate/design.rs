//! The instances of a model: what the root compound consists of, each with its path, its arguments and its ports.

use std::collections::HashMap;

use model::Span;

use super::constants::Constants;
use super::data::is_followed;
use super::frame::{Frame, Meaning, Names, Notes};
use super::sym::Sym;
use super::types::Type;
use super::{Checked, limits};
use crate::Diagnostic;
use crate::bip::ComponentType;
use crate::bip::ast::{self, AtomType, CompoundType, ConnectorType, Member, Model, PackageId, Parameter};

/// All instances.
pub(super) struct Design<'m> {
    pub(super) model: &'m Model,
    pub(super) constants: Constants<'m>,
    pub(super) atoms: Vec<Atom<'m>>,
    pub(super) connectors: Vec<Connector<'m>>,
    pub(super) compounds: Vec<Compound<'m>>,
    /// The number of data items of all atoms.
    pub(super) items: usize,
    /// The number of their places.
    pub(super) places: usize,
}

/// An instance of an atom type.
pub(super) struct Atom<'m> {
    pub(super) path: String,
    pub(super) ty: &'m AtomType,
    pub(super) package: PackageId,
    pub(super) arguments: Vec<Sym>,
    /// The number of its first data item; the others follow.
    pub(super) first_item: usize,
    /// The number of its first place; the others follow.
    pub(super) first_place: usize,
    pub(super) span: Span,
}

/// A connector of a compound.
pub(super) struct Connector<'m> {
    pub(super) path: String,
    pub(super) ty: &'m ConnectorType,
    pub(super) package: PackageId,
    pub(super) compound: usize,
    /// What its ports are bound to.
    pub(super) ports: Vec<Port>,
    /// Whether no other connector of its compound is bound to it.
    pub(super) top: bool,
    pub(super) span: Span,
}

/// An instance of a compound type.
pub(super) struct Compound<'m> {
    /// Its path with a dot behind it; nothing for the root.
    pub(super) prefix: String,
    pub(super) ty: &'m CompoundType,
    pub(super) package: PackageId,
    pub(super) arguments: Vec<Sym>,
    pub(super) components: HashMap<&'m str, Child>,
    pub(super) connectors: HashMap<&'m str, usize>,
}

/// A component of a compound.
#[derive(Clone, Copy, Debug)]
pub(super) enum Child {
    Atom(usize),
    Compound(usize),
}

/// A port that a connector can be bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Port {
    /// An export of an atom, by its number.
    Atom(usize, usize),
    /// An export of a compound, by its number.
    Compound(usize, usize),
    /// What a connector exports.
    Connector(usize),
}

/// The names that arguments of components may use.
struct Arguments<'a, 'm> {
    design: &'a Design<'m>,
    package: PackageId,
    parameters: &'m [Parameter],
    values: &'a [Sym],
}

impl Names for Arguments<'_, '_> {
    fn name(&self, name: &str) -> Option<Meaning> {
        given(self.parameters, self.values, name).or_else(|| self.design.constants.get(self.package, name))
    }

    fn member(&self, _: &str, _: &str) -> Option<Meaning> {
        None
    }

    fn package(&self) -> PackageId {
        self.package
    }
}

impl<'m> Design<'m> {
    /// The instances below a compound type of the main package.
    pub(super) fn new(model: &'m Model, root: &'m CompoundType, notes: &Notes) -> Checked<Self> {
        let constants = Constants::new(model, notes)?;
        let (atoms, connectors, compounds) = (Vec::new(), Vec::new(), Vec::new());
        let mut design = Self { model, constants, atoms, connectors, compounds, items: 0, places: 0 };
        design.compound("", Model::MAIN, root, Vec::new(), notes)?;
        design.mark_top();
        Ok(design)
    }

    fn compound(
        &mut self,
        prefix: &str,
        package: PackageId,
        ty: &'m CompoundType,
        arguments: Vec<Sym>,
        notes: &Notes,
    ) -> Checked<usize> {
        let this = self.compounds.len();
        let (components, connectors) = (HashMap::new(), HashMap::new());
        self.compounds.push(Compound { prefix: prefix.to_owned(), ty, package, arguments, components, connectors });
        for component in &ty.components {
            let child = self.component(this, prefix, component, notes)?;
            self.compounds[this].components.insert(&component.name.text, child);
        }
        self.connect(this, prefix)?;
        Ok(this)
    }

    fn component(
        &mut self,
        compound: usize,
        prefix: &str,
        component: &'m ast::Component,
        notes: &Notes,
    ) -> Checked<Child> {
        self.count(component.span)?;
        if prefix.matches('.').count() >= limits::DEPTH {
            let message = format!("compounds contain compounds more than {} deep", limits::DEPTH);
            return Err(Diagnostic::error(component.span, message));
        }
        let from = self.compounds[compound].package;
        let found = self.model.component_type(from, &component.component_type);
        let (package, ty) = found.expect("the parser resolved the types of components");
        let parameters = match ty {
            ComponentType::Atom(ty) => &ty.parameters,
            ComponentType::Compound(ty) => &ty.parameters,
        };
        let arguments = self.arguments(compound, component, parameters, notes)?;
        let path = format!("{prefix}{}", component.name.text);
        match ty {
            ComponentType::Compound(ty) => {
                Ok(Child::Compound(self.compound(&format!("{path}."), package, ty, arguments, notes)?))
            }
            ComponentType::Atom(ty) => {
                self.carrying(package, &ty.ports, &ty.data)?;
                let (first_item, first_place, span) = (self.items, self.places, component.span);
                self.items += ty.data.len();
                self.places += ty.places.len();
                self.atoms.push(Atom { path, ty, package, arguments, first_item, first_place, span });
                Ok(Child::Atom(self.atoms.len() - 1))
            }
        }
    }

    fn arguments(
        &self,
        compound: usize,
        component: &'m ast::Component,
        wanted: &[Parameter],
        notes: &Notes,
    ) -> Checked<Vec<Sym>> {
        let within = &self.compounds[compound];
        let (package, parameters) = (within.package, &within.ty.parameters[..]);
        let names = Arguments { design: self, package, parameters, values: &within.arguments };
        let frame = Frame { model: self.model, notes, names: &names, data: Vec::new() };
        let value = |(argument, parameter): (&ast::Expr, &Parameter)| {
            let value = frame.eval_as(Type::of(&parameter.data_type), argument)?;
            Ok(if is_followed(&parameter.data_type) { value } else { Sym::Unknown })
        };
        component.arguments.iter().zip(wanted).map(value).collect()
    }

    fn connect(&mut self, compound: usize, prefix: &str) -> Checked<()> {
        let ty = self.compounds[compound].ty;
        let package = self.compounds[compound].package;
        let first = self.connectors.len();
        for connector in &ty.connectors {
            self.count(connector.span)?;
            let found = self.model.connector_type(package, &connector.connector_type);
            let (package, ty) = found.expect("the parser resolved the types of connectors");
            self.carrying(package, ty.export.as_slice(), &ty.data)?;
            let path = format!("{prefix}{}", connector.name.text);
            let at = self.connectors.len();
            let (ports, top, span) = (Vec::new(), true, connector.span);
            self.connectors.push(Connector { path, ty, package, compound, ports, top, span });
            self.compounds[compound].connectors.insert(&connector.name.text, at);
        }
        for (i, connector) in ty.connectors.iter().enumerate() {
            let ports = connector.ports.iter().map(|p| self.port(compound, p)).collect::<Checked<_>>()?;
            self.connectors[first + i].ports = ports;
        }
        for (i, connector) in ty.connectors.iter().enumerate() {
            self.fitting(first + i, connector)?;
        }
        Ok(())
    }

    /// Refuses ports that carry data of other types than theirs.
    fn carrying(&self, package: PackageId, ports: &[ast::Port], data: &[ast::Data]) -> Checked<()> {
        for port in ports {
            let ty = self.model.port_type(package, &port.port_type).map(|(_, ty)| ty);
            for (name, parameter) in port.data.iter().zip(ty.into_iter().flat_map(|ty| &ty.data)) {
                let own = data.iter().find(|d| d.name.text == name.text).map(|d| Type::of(&d.data_type));
                own.map_or(Ok(()), |own| own.expect(Type::of(&parameter.data_type), name.span))?;
            }
        }
        Ok(())
    }

    /// Refuses a connector that is bound to ports of other types than it wants.
    fn fitting(&self, at: usize, written: &ast::Connector) -> Checked<()> {
        let connector = &self.connectors[at];
        for ((port, parameter), member) in connector.ports.iter().zip(&connector.ty.ports).zip(&written.ports) {
            let wanted = self.model.port_type(connector.package, &parameter.port_type).map(|(_, ty)| ty);
            let found = self.port_type(*port)?;
            if let (Some(wanted), Some(found)) = (wanted, found)
                && !std::ptr::eq(wanted, found)
            {
                let message = format!("`{}` wants a port of type `{}`", connector.path, wanted.name.text);
                return Err(Diagnostic::error(member.span, message).label(format!("of type `{}`", found.name.text)));
            }
        }
        Ok(())
    }

    fn port_type(&self, port: Port) -> Checked<Option<&'m ast::PortType>> {
        let found = match port {
            Port::Atom(at, export) => {
                let atom = &self.atoms[at];
                let name = atom.ty.exports[export].ports.first();
                let port = name.and_then(|name| atom.ty.ports.iter().find(|p| p.name.text == name.text));
                port.and_then(|p| self.model.port_type(atom.package, &p.port_type))
            }
            Port::Connector(at) => {
                let connector = &self.connectors[at];
                let export = connector.ty.export.as_ref();
                export.and_then(|p| self.model.port_type(connector.package, &p.port_type))
            }
            Port::Compound(at, export) => match self.compounds[at].ty.port_exports[export].members.first() {
                Some(member) => return self.port_type(self.port(at, member)?),
                None => None,
            },
        };
        Ok(found.map(|(_, ty)| ty))
    }

    fn count(&self, span: Span) -> Checked<()> {
        if self.atoms.len() + self.compounds.len() + self.connectors.len() < limits::INSTANCES {
            return Ok(());
        }
        let message = format!("the model has more than {} instances", limits::INSTANCES);
        Err(Diagnostic::error(span, message).label("given up here"))
    }

    fn mark_top(&mut self) {
        for at in 0..self.connectors.len() {
            for port in self.connectors[at].ports.clone() {
                if let Port::Connector(below) = port {
                    self.connectors[below].top = false;
                }
            }
        }
    }

    /// What `owner.name` is in a compound.
    pub(super) fn port(&self, compound: usize, member: &Member) -> Checked<Port> {
        let within = &self.compounds[compound];
        let is_meant = |name: &ast::Name| name.text == member.name.text;
        let found = match within.components.get(&*member.owner.text) {
            Some(&Child::Atom(atom)) => {
                let at = self.atoms[atom].ty.exports.iter().position(|e| is_meant(&e.name));
                at.map(|at| Port::Atom(atom, at))
            }
            Some(&Child::Compound(inner)) => {
                let at = self.compounds[inner].ty.port_exports.iter().position(|e| is_meant(&e.name));
                at.map(|at| Port::Compound(inner, at))
            }
            None => within.connectors.get(&*member.owner.text).map(|&at| Port::Connector(at)),
        };
        found.ok_or_else(|| {
            let message = format!("`{}` exports no port `{}`", member.owner.text, member.name.text);
            Diagnostic::error(member.span, message)
        })
    }

    /// The data item that a component shows to priorities under a name.
    pub(super) fn exported_data(&self, compound: usize, owner: &str, name: &str) -> Option<usize> {
        match *self.compounds[compound].components.get(owner)? {
            Child::Atom(atom) => {
                let at = self.atoms[atom].ty.data.iter().position(|d| d.export && &*d.name.text == name)?;
                Some(self.atoms[atom].first_item + at)
            }
            Child::Compound(inner) => {
                let export = self.compounds[inner].ty.data_exports.iter().find(|e| &*e.name.text == name)?;
                let member = export.members.first()?;
                self.exported_data(inner, &member.owner.text, &member.name.text)
            }
        }
    }

    /// The atom that a data item belongs to.
    pub(super) fn owner(&self, item: usize) -> usize {
        self.atoms.partition_point(|a| a.first_item <= item) - 1
    }

    /// The atom that a place belongs to.
    pub(super) fn place_owner(&self, place: usize) -> usize {
        self.atoms.partition_point(|a| a.first_place <= place) - 1
    }
}

/// What the name of a parameter means.
pub(super) fn given(parameters: &[Parameter], values: &[Sym], name: &str) -> Option<Meaning> {
    let at = parameters.iter().position(|p| &*p.name.text == name)?;
    Some(Meaning::Value(values[at].clone(), Type::of(&parameters[at].data_type)))
}
