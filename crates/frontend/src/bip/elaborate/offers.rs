//! The interactions of connectors: which ports of which atoms meet, under which condition, with which data.
//!
//! An offer fixes the internal port of each atom, because that decides which data is passed; it leaves open by which
//! transition the atom moves. A connector sees all offers of a connector that it is bound to in the same compound. A
//! compound exports only the maximal ones, after its own priorities: that is BIP's rule.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use model::Expr;

use super::algebra::{self, Ports};
use super::behaviour::{Behaviour, port_number};
use super::data::{is_followed, unset};
use super::design::{Connector, Port};
use super::exclusive::contradict;
use super::frame::{Frame, Meaning, Names, conjuncts};
use super::maximal::{self, Ranked};
use super::pass::Pass;
use super::sym::Sym;
use super::types::Type;
use super::{Checked, limits};
use crate::Diagnostic;
use crate::bip::ast::{self, PackageId};

/// An internal port of an atom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Leaf {
    pub(super) atom: usize,
    pub(super) port: usize,
}

/// An interaction of a connector.
#[derive(Clone)]
pub(super) struct Offer {
    pub(super) connector: usize,
    /// Those of the connector's ports that take part.
    pub(super) ports: Ports,
    /// What each of them is here.
    parts: Vec<Part>,
    /// The ports of atoms that take part, in increasing order.
    pub(super) leaves: Vec<Leaf>,
    /// The guards of this connector and of those below.
    pub(super) guard: Vec<Expr>,
    /// What must not be possible, or this interaction is not maximal.
    pub(super) unless: Vec<Rc<Offer>>,
    /// Further conditions under which something must not be possible, from priorities.
    pub(super) waits: Vec<Wait>,
    /// The data of the connector after `up`.
    locals: Vec<Sym>,
}

/// An interaction has to wait where all of this holds and the other one is possible.
#[derive(Clone)]
pub(super) struct Wait {
    pub(super) when: Vec<Expr>,
    pub(super) other: Rc<Offer>,
}

/// What a port of a connector is in one interaction.
#[derive(Clone)]
enum Part {
    Atom(Leaf),
    Connector(Rc<Offer>),
}

/// The offers of all connectors, found on demand.
pub(super) struct Offers<'p, 'a, 'm> {
    pub(super) pass: &'p Pass<'a, 'm>,
    pub(super) behaviours: &'p [Behaviour],
    all: Vec<Option<Rc<[Rc<Offer>]>>>,
    maximal: Vec<Option<Rc<[Rc<Offer>]>>>,
    ranked: HashMap<usize, Rc<Ranked>>,
    /// How many connectors are being looked at, each bound to the next.
    depth: usize,
}

impl Offer {
    /// Whether this is a part of another interaction of the same connector.
    pub(super) fn within(&self, other: &Offer, direct: &dyn Fn(usize, u16) -> bool) -> bool {
        algebra::within(&self.ports, &other.ports)
            && self.ports.iter().zip(&self.parts).all(|(port, part)| {
                let at = other.ports.binary_search(port).expect("the ports are included");
                match (part, &other.parts[at]) {
                    (Part::Connector(a), Part::Connector(b)) if direct(self.connector, *port) => a.within(b, direct),
                    _ => true,
                }
            })
    }

    /// Whether it is possible exactly where all of its ports are.
    pub(super) fn is_plain(&self) -> bool {
        self.guard.is_empty() && self.unless.is_empty() && self.waits.is_empty()
    }

    /// Whether it has to wait for other ports of atoms that take part: then it matters where these are.
    pub(super) fn asks_partners(&self) -> bool {
        let takes_part = |leaf: &Leaf| self.leaves.binary_search_by_key(&leaf.atom, |l| l.atom).is_ok();
        let mut open: Vec<&Offer> = self.awaited().collect();
        while let Some(other) = open.pop() {
            if other.leaves.iter().any(|leaf| takes_part(leaf) && self.leaves.binary_search(leaf).is_err()) {
                return true;
            }
            open.extend(other.awaited());
        }
        false
    }

    fn awaited(&self) -> impl Iterator<Item = &Offer> {
        self.unless.iter().chain(self.waits.iter().map(|w| &w.other)).map(|o| &**o)
    }

    fn exported(&self, connector: &Connector<'_>) -> Vec<Sym> {
        connector.exported().into_iter().map(|at| self.locals[at].clone()).collect()
    }
}

impl Connector<'_> {
    /// The numbers of its data that its own port shows.
    fn exported(&self) -> Vec<usize> {
        let number = |name: &ast::Name| self.ty.data.iter().position(|d| d.name.text == name.text);
        let data = self.ty.export.iter().flat_map(|port| &port.data);
        data.map(|name| number(name).expect("the parser resolved the data of ports")).collect()
    }
}

/// The names that a connector's interaction may use: its data first, then the data of the ports that take part.
struct Scope<'a, 'm> {
    pass: &'a Pass<'a, 'm>,
    connector: &'a Connector<'m>,
    ports: &'a [u16],
    /// Where the data of each of these ports begins in the frame.
    starts: Vec<usize>,
}

impl Names for Scope<'_, '_> {
    fn name(&self, name: &str) -> Option<Meaning> {
        let own = self.connector.ty.data.iter().enumerate().find(|(_, d)| &*d.name.text == name);
        let own = own.map(|(at, data)| Meaning::Data(at, Type::of(&data.data_type)));
        own.or_else(|| self.pass.design.constants.get(self.connector.package, name))
    }

    fn member(&self, owner: &str, name: &str) -> Option<Meaning> {
        let parameter = self.connector.ty.ports.iter().position(|p| &*p.name.text == owner)?;
        let at = self.ports.iter().position(|&p| usize::from(p) == parameter)?;
        let path = &self.connector.ty.ports[parameter].port_type;
        let (_, ty) = self.pass.design.model.port_type(self.connector.package, path)?;
        let data = ty.data.iter().position(|d| &*d.name.text == name)?;
        Some(Meaning::Data(self.starts[at] + data, Type::of(&ty.data[data].data_type)))
    }

    fn package(&self) -> PackageId {
        self.connector.package
    }
}

impl<'p, 'a, 'm> Offers<'p, 'a, 'm> {
    /// Nothing is known yet.
    pub(super) fn new(pass: &'p Pass<'a, 'm>, behaviours: &'p [Behaviour]) -> Self {
        let connectors = pass.design.connectors.len();
        let (all, maximal) = (vec![None; connectors], vec![None; connectors]);
        Self { pass, behaviours, all, maximal, ranked: HashMap::new(), depth: 0 }
    }

    /// All offers of a connector. The parser refused connectors that are bound to each other in a circle.
    pub(super) fn all(&mut self, at: usize) -> Checked<Rc<[Rc<Offer>]>> {
        if let Some(offers) = &self.all[at] {
            return Ok(offers.clone());
        }
        self.depth += 1;
        if self.depth > limits::DEPTH {
            let message = format!("connectors are bound to connectors more than {} deep", limits::DEPTH);
            return Err(Diagnostic::error(self.pass.design.connectors[at].span, message));
        }
        let offers: Rc<[Rc<Offer>]> = self.enumerate(at)?.into();
        self.depth -= 1;
        self.all[at] = Some(offers.clone());
        Ok(offers)
    }

    /// The offers of a connector, each only where it is maximal.
    pub(super) fn maximal(&mut self, at: usize) -> Checked<Rc<[Rc<Offer>]>> {
        if let Some(offers) = &self.maximal[at] {
            return Ok(offers.clone());
        }
        let offers: Rc<[Rc<Offer>]> = maximal::restrict(self, at)?.into();
        self.maximal[at] = Some(offers.clone());
        Ok(offers)
    }

    /// The priorities of a compound.
    pub(super) fn ranked(&mut self, compound: usize) -> Checked<Rc<Ranked>> {
        if let Some(ranked) = self.ranked.get(&compound) {
            return Ok(ranked.clone());
        }
        let ranked = Rc::new(Ranked::new(self.pass, compound)?);
        self.ranked.insert(compound, ranked.clone());
        Ok(ranked)
    }

    fn enumerate(&mut self, at: usize) -> Checked<Vec<Rc<Offer>>> {
        let connector = &self.pass.design.connectors[at];
        let choices: Vec<Vec<Part>> = connector.ports.iter().map(|&p| self.parts(p)).collect::<Checked<_>>()?;
        let mut offers = Vec::new();
        for ports in algebra::interactions(connector.ty)? {
            let mut partial: Vec<Vec<Part>> = vec![Vec::new()];
            for &port in &ports {
                let more = &choices[usize::from(port)];
                if partial.len() * more.len() > limits::INTERACTIONS {
                    return Err(too_many(connector));
                }
                partial = partial
                    .iter()
                    .flat_map(|p| more.iter().map(move |m| [&p[..], std::slice::from_ref(m)].concat()))
                    .collect();
            }
            for parts in partial {
                offers.extend(self.offer(at, ports.clone(), parts)?.map(Rc::new));
            }
            if offers.len() > limits::INTERACTIONS {
                return Err(too_many(connector));
            }
        }
        Ok(offers)
    }

    /// What a port can be.
    fn parts(&mut self, port: Port) -> Checked<Vec<Part>> {
        let design = self.pass.design;
        Ok(match port {
            Port::Atom(atom, export) => {
                let ty = design.atoms[atom].ty;
                let leaves = ty.exports[export].ports.iter().map(|name| Leaf { atom, port: port_number(ty, name) });
                let moving = leaves.filter(|leaf| self.behaviours[atom].with(leaf.port).next().is_some());
                moving.map(Part::Atom).collect()
            }
            Port::Connector(below) => self.all(below)?.iter().cloned().map(Part::Connector).collect(),
            Port::Compound(compound, export) => {
                let mut parts = Vec::new();
                for member in &design.compounds[compound].ty.port_exports[export].members {
                    match design.port(compound, member)? {
                        Port::Connector(c) => parts.extend(self.maximal(c)?.iter().cloned().map(Part::Connector)),
                        other => parts.extend(self.parts(other)?),
                    }
                }
                parts
            }
        })
    }

    /// The offer of these ports; nothing if its guards can never hold.
    fn offer(&self, at: usize, ports: Ports, parts: Vec<Part>) -> Checked<Option<Offer>> {
        let connector = &self.pass.design.connectors[at];
        let leaves = self.leaves(connector, &parts)?;
        let (mut guard, unless, waits) = below(&parts);
        let (scope, data) = self.scope(connector, &ports, &parts);
        let mut frame = Frame { model: self.pass.design.model, notes: self.pass.notes, names: &scope, data };
        for (at, data) in connector.ty.data.iter().enumerate().filter(|(_, d)| is_followed(&d.data_type)) {
            if let Some(initial) = &data.initial {
                frame.data[at] = frame.eval_as(Type::of(&data.data_type), initial)?;
            }
        }
        if let Some(clause) = clause(connector, &ports) {
            let owners: Vec<usize> = leaves.iter().map(|l| l.atom).collect();
            let name = format!("{}[{}]", connector.path, self.names(&leaves));
            let mut unknown = |e: &_| self.pass.unknown(&name, &owners, e);
            guard.extend(conjuncts(&frame, clause.guard.as_ref(), &mut unknown)?);
            frame.run(&clause.up)?;
        }
        if contradict(&guard) {
            return Ok(None);
        }
        let mut locals = frame.data;
        locals.truncate(connector.ty.data.len());
        Ok(Some(Offer { connector: at, ports, parts, leaves, guard, unless, waits, locals }))
    }

    /// The ports of atoms, as they are shown: `f1.take p1.take_left`.
    pub(super) fn names(&self, leaves: &[Leaf]) -> String {
        let name = |leaf: &Leaf| {
            let atom = &self.pass.design.atoms[leaf.atom];
            format!("{}.{}", atom.path, atom.ty.ports[leaf.port].name.text)
        };
        leaves.iter().map(name).collect::<Vec<_>>().join(" ")
    }

    fn leaves(&self, connector: &Connector<'_>, parts: &[Part]) -> Checked<Vec<Leaf>> {
        let mut leaves: Vec<Leaf> = Vec::new();
        for part in parts {
            match part {
                Part::Atom(leaf) => leaves.push(*leaf),
                Part::Connector(offer) => leaves.extend(&offer.leaves),
            }
        }
        leaves.sort_unstable();
        if let Some(twice) = leaves.windows(2).find(|w| w[0].atom == w[1].atom) {
            let path = &self.pass.design.atoms[twice[0].atom].path;
            let message = format!("`{path}` would take part twice in one interaction of `{}`", connector.path);
            return Err(Diagnostic::error(connector.span, message).label("bound to it more than once"));
        }
        Ok(leaves)
    }

    fn scope<'s>(
        &'s self,
        connector: &'s Connector<'m>,
        ports: &'s [u16],
        parts: &[Part],
    ) -> (Scope<'s, 'm>, Vec<Sym>) {
        let mut data: Vec<Sym> = connector.ty.data.iter().map(|d| unset(&d.data_type)).collect();
        let mut starts = Vec::with_capacity(ports.len());
        for part in parts {
            starts.push(data.len());
            data.extend(self.carried(part));
        }
        (Scope { pass: self.pass, connector, ports, starts }, data)
    }

    /// The data that a part shows.
    fn carried(&self, part: &Part) -> Vec<Sym> {
        match part {
            Part::Atom(leaf) => self.bound(*leaf).map(|item| self.pass.items[item].read(item)).collect(),
            Part::Connector(offer) => offer.exported(&self.pass.design.connectors[offer.connector]),
        }
    }

    /// The data items that a port of an atom carries.
    fn bound(&self, leaf: Leaf) -> impl Iterator<Item = usize> {
        let atom = &self.pass.design.atoms[leaf.atom];
        let number = |name: &ast::Name| atom.ty.data.iter().position(|d| d.name.text == name.text);
        atom.ty.ports[leaf.port]
            .data
            .iter()
            .map(move |name| atom.first_item + number(name).expect("the parser resolved the data of ports"))
    }

    /// What an interaction makes of the data of the atoms before they move: `down` from the top.
    pub(super) fn down(&self, offer: &Offer) -> Checked<BTreeMap<usize, Sym>> {
        let mut written = BTreeMap::new();
        self.hand_down(offer, None, &mut written)?;
        Ok(written)
    }

    fn hand_down(&self, offer: &Offer, from_above: Option<&[Sym]>, written: &mut BTreeMap<usize, Sym>) -> Checked<()> {
        let connector = &self.pass.design.connectors[offer.connector];
        let (scope, mut data) = self.scope(connector, &offer.ports, &offer.parts);
        data[..offer.locals.len()].clone_from_slice(&offer.locals);
        for (at, value) in connector.exported().into_iter().zip(from_above.into_iter().flatten()) {
            data[at] = value.clone();
        }
        let mut frame = Frame { model: self.pass.design.model, notes: self.pass.notes, names: &scope, data };
        if let Some(clause) = clause(connector, &offer.ports) {
            frame.run(&clause.down)?;
        }
        let data = frame.data;
        let starts = &scope.starts;
        for (i, part) in offer.parts.iter().enumerate() {
            let values = &data[starts[i]..starts.get(i + 1).copied().unwrap_or(data.len())];
            match part {
                Part::Atom(leaf) => written.extend(self.bound(*leaf).zip(values.iter().cloned())),
                Part::Connector(below) => self.hand_down(below, Some(values), written)?,
            }
        }
        Ok(())
    }
}

/// What the parts of an interaction need to be possible.
fn below(parts: &[Part]) -> (Vec<Expr>, Vec<Rc<Offer>>, Vec<Wait>) {
    let (mut guard, mut unless, mut waits) = (Vec::new(), Vec::new(), Vec::new());
    for part in parts {
        if let Part::Connector(offer) = part {
            guard.extend(offer.guard.iter().cloned());
            unless.extend(offer.unless.iter().cloned());
            waits.extend(offer.waits.iter().cloned());
        }
    }
    (guard, unless, waits)
}

/// What the author says about an interaction.
fn clause<'c>(connector: &Connector<'c>, ports: &[u16]) -> Option<&'c ast::Interaction> {
    let number = |name: &ast::Name| connector.ty.ports.iter().position(|p| p.name.text == name.text);
    connector.ty.interactions.iter().find(|clause| {
        clause.ports.len() == ports.len()
            && clause.ports.iter().all(|n| number(n).is_some_and(|at| ports.contains(&(at as u16))))
    })
}

fn too_many(connector: &Connector<'_>) -> Diagnostic {
    let message = format!("`{}` has more than {} interactions", connector.path, limits::INTERACTIONS);
    Diagnostic::error(connector.span, message).label("too many combinations").help("use several smaller connectors")
}
