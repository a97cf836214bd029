//! What an atom can do at each of its locations, with the guards that its own priorities and internal transitions add.
//!
//! - An internal transition is a step of its own. While one is enabled, the atom takes part in nothing else.
//! - A port with less priority than another one that is enabled at the same location is not offered.
//! - Two transitions of the same port must not be enabled together, nor two internal ones: doing so is a model error.

use std::collections::HashMap;

use model::Expr;

use super::Checked;
use super::control::{Control, Step, places_of};
use super::data::AtomNames;
use super::exclusive::contradict;
use super::frame::{Frame, conjuncts};
use super::order::Order;
use super::pass::Pass;
use super::slots::{Slot, reads};
use super::sym::{all, any, negated};
use crate::Diagnostic;
use crate::bip::ast::{AtomPriority, AtomType, Name, PortPattern, Trigger};

/// What an atom can do.
pub(super) struct Behaviour {
    pub(super) control: Control,
    pub(super) moves: Vec<LocalMove>,
    /// When each port is offered at each location, where it ever is.
    offered: HashMap<(usize, usize), Expr>,
    /// By location: when the atom has no internal transition to take; nothing where it never has one.
    pub(super) settled: Vec<Vec<Expr>>,
}

/// A transition at a location.
pub(super) struct LocalMove {
    pub(super) from: usize,
    pub(super) to: usize,
    /// The transition of the atom type.
    pub(super) transition: usize,
    /// Its port; `None` for an internal transition.
    pub(super) port: Option<usize>,
    pub(super) guard: Vec<Expr>,
    /// What must hold besides, or the model is wrong.
    pub(super) asserts: Vec<Expr>,
    /// What becomes of places that are parts of the state by themselves.
    pub(super) marks: Vec<(Slot, Expr)>,
}

/// The transitions of an atom with their own guards.
struct Local<'a> {
    ty: &'a AtomType,
    first_place: usize,
    control: Control,
    guards: Vec<Vec<Expr>>,
    ports: Vec<Option<usize>>,
    order: Order,
}

/// The number of a port of an atom type.
pub(super) fn port_number(ty: &AtomType, name: &Name) -> usize {
    ty.ports.iter().position(|p| p.name.text == name.text).expect("the parser resolved the ports of atoms")
}

impl Behaviour {
    /// What an atom can do, given what is known of the data.
    pub(super) fn new(pass: &Pass<'_, '_>, atom: usize) -> Checked<Self> {
        let local = Local::new(pass, atom)?;
        let settled: Vec<Vec<Expr>> = (0..local.control.locations.len()).map(|at| local.settled(at)).collect();
        let mut moves = Vec::new();
        for step in &local.control.steps {
            moves.extend(local.local_move(*step, &settled[step.from])?);
        }
        let mut offered: HashMap<(usize, usize), Vec<Expr>> = HashMap::new();
        for (m, port) in moves.iter().filter_map(|m: &LocalMove| Some((m, m.port?))) {
            offered.entry((port, m.from)).or_default().push(all(m.guard.clone()));
        }
        let offered = offered.into_iter().map(|(key, ways)| (key, either(ways))).collect();
        Ok(Self { control: local.control, moves, offered, settled })
    }

    /// The moves with a port.
    pub(super) fn with(&self, port: usize) -> impl Iterator<Item = &LocalMove> {
        self.moves.iter().filter(move |m| m.port == Some(port))
    }

    /// When the port is offered at a location.
    pub(super) fn offered(&self, port: usize, at: usize) -> Expr {
        self.offered.get(&(port, at)).cloned().unwrap_or(Expr::Const(0))
    }
}

impl<'a> Local<'a> {
    fn new(pass: &'a Pass<'_, '_>, atom: usize) -> Checked<Self> {
        let instance = &pass.design.atoms[atom];
        let ty = instance.ty;
        let names = AtomNames { design: pass.design, atom: instance };
        let frame = Frame { model: pass.design.model, notes: pass.notes, names: &names, data: pass.reads(atom) };
        let mut unknown = |e: &_| pass.unknown(&instance.path, &[atom], e);
        let mut guards: Vec<Vec<Expr>> = (ty.transitions.iter())
            .map(|t| conjuncts(&frame, t.guard.as_ref(), &mut unknown))
            .collect::<Checked<_>>()?;
        let mut order = Order::new(ty.ports.len());
        for rule in &ty.priorities {
            let guard = conjuncts(&frame, rule.guard.as_ref(), &mut unknown)?;
            if !contradict(&guard) {
                let guard = order.guard(guard);
                pairs(ty, rule).for_each(|(low, high)| order.rule(low, high, guard));
            }
        }
        let port = |t: &Trigger| if let Trigger::Port(name) = t { Some(port_number(ty, name)) } else { None };
        let ports = ty.transitions.iter().map(|t| port(&t.trigger)).collect();
        let control = Control::new(ty, |t| !contradict(&guards[t]));
        let first_place = instance.first_place;
        if control.spread {
            for (guard, transition) in guards.iter_mut().zip(&ty.transitions) {
                let marked = places_of(ty, &transition.from).into_iter().map(|p| token(first_place, p).read());
                *guard = marked.chain(guard.drain(..)).collect();
            }
        }
        let local = Self { ty, first_place, control, guards, ports, order };
        local.no_cycle(pass, atom)?;
        Ok(local)
    }

    /// Refuses rules that are cyclic; those whose guards may hold together become a question.
    fn no_cycle(&self, pass: &Pass<'_, '_>, atom: usize) -> Checked<()> {
        for port in 0..self.ty.ports.len() {
            for way in self.above(port)?.into_iter().filter(|w| w.high == port && !contradict(&w.when)) {
                let what =
                    format!("the port `{}` of `{}`", self.ty.ports[port].name.text, pass.design.atoms[atom].path);
                pass.cycle(what, way.when, self.ty.priorities[0].span);
            }
        }
        Ok(())
    }

    fn above(&self, port: usize) -> Checked<Vec<super::order::Way>> {
        let span = self.ty.priorities.first().map_or(self.ty.name.span, |p| p.span);
        self.order.above(port).map_err(|super::order::TooMany| {
            Diagnostic::error(span, "the guards of the priorities can be combined in too many ways")
        })
    }

    fn at(&self, location: usize, port: Option<usize>) -> impl Iterator<Item = &Step> {
        self.control.steps.iter().filter(move |s| s.from == location && self.ports[s.transition] == port)
    }

    fn settled(&self, location: usize) -> Vec<Expr> {
        self.at(location, None).map(|s| negated(all(self.guards[s.transition].clone()))).collect()
    }

    fn local_move(&self, step: Step, settled: &[Expr]) -> Checked<Option<LocalMove>> {
        let port = self.ports[step.transition];
        let mut guard = self.guards[step.transition].clone();
        if let Some(port) = port {
            guard.extend(settled.iter().cloned());
            for way in self.above(port)?.into_iter().filter(|w| w.high != port) {
                for other in self.at(step.from, Some(way.high)) {
                    let waits = [&way.when[..], &self.guards[other.transition]].concat();
                    guard.extend((!contradict(&waits)).then(|| negated(all(waits))));
                }
            }
        }
        let guard: Vec<Expr> = guard.into_iter().flat_map(Expr::conjuncts).collect();
        if contradict(&guard) {
            return Ok(None);
        }
        let asserts = self.asserts(step, port);
        let marks = self.marks(step);
        let (from, to, transition) = (step.from, step.to.unwrap_or(step.from), step.transition);
        Ok(Some(LocalMove { from, to, transition, port, guard, asserts, marks }))
    }

    fn asserts(&self, step: Step, port: Option<usize>) -> Vec<Expr> {
        if step.to.is_none() {
            return vec![Expr::from(false)];
        }
        let own = &self.guards[step.transition];
        let others = self.at(step.from, port).filter(|s| s.transition != step.transition);
        let rival = |s: &&Step| {
            let guard = &self.guards[s.transition];
            let guessed = guard.iter().flat_map(reads).any(|r| matches!(r, Slot::Hidden(_)));
            !guessed && !contradict(&[&own[..], guard].concat())
        };
        let rivals = others.filter(rival).map(|s| negated(all(self.guards[s.transition].clone())));
        let filled = self.marks(step).into_iter().filter(|(_, mark)| *mark == Expr::TRUE);
        rivals.chain(filled.map(|(slot, _)| negated(slot.read()))).collect()
    }

    /// What a transition does to places that are parts of the state by themselves.
    fn marks(&self, step: Step) -> Vec<(Slot, Expr)> {
        if !self.control.spread {
            return Vec::new();
        }
        let transition = &self.ty.transitions[step.transition];
        let (pre, post) = (places_of(self.ty, &transition.from), places_of(self.ty, &transition.to));
        let left = pre.iter().filter(|p| !post.contains(p)).map(|p| (token(self.first_place, *p), Expr::Const(0)));
        let filled = post.iter().filter(|p| !pre.contains(p)).map(|p| (token(self.first_place, *p), Expr::TRUE));
        left.chain(filled).collect()
    }
}

/// One of the ways, if that is not certain.
fn either(ways: Vec<Expr>) -> Expr {
    let none: Vec<Expr> = ways.iter().cloned().map(negated).collect();
    if contradict(&none) { Expr::TRUE } else { any(ways) }
}

/// A place of an atom as a part of the state.
pub(super) fn token(first_place: usize, place: u32) -> Slot {
    Slot::Token(first_place + place as usize)
}

/// The pairs of ports that a rule orders.
fn pairs<'a>(ty: &'a AtomType, rule: &'a AtomPriority) -> impl Iterator<Item = (usize, usize)> + 'a {
    let side = |pattern: &PortPattern| match pattern {
        PortPattern::Port(name) => vec![port_number(ty, name)],
        PortPattern::Any(_) => (0..ty.ports.len()).collect(),
    };
    let (lows, highs) = (side(&rule.low), side(&rule.high));
    let wild = [&rule.low, &rule.high].iter().any(|p| matches!(p, PortPattern::Any(_)));
    lows.into_iter()
        .flat_map(move |low| highs.clone().into_iter().map(move |high| (low, high)))
        .filter(move |(low, high)| !wild || low != high)
}
