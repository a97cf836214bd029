//! From drafts to a system: places that follow locations where guards ask for them, hidden conditions chosen anew, data
//! written in an order that keeps what is still to be read.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use model::{
    Builder, Command, Domain, Enumeration, Expr, Joining, Kind, LocationId, Move, ObjectId, ProcessId, Span, Target,
    Transition, Value,
};

use super::behaviour::{Behaviour, token};
use super::control::places_of;
use super::data::{Item, Status};
use super::design::Design;
use super::drafts::{Draft, Moved};
use super::hidden::Condition;
use super::limits;
use super::slots::{Slot, reads};
use super::sym::{any, renamed};
use super::types::Type;
use super::writes::ordered;
use super::{Checked, place};
use crate::Diagnostic;
use crate::bip::ast;

/// The name of the location where an atom is before its first conditions are chosen.
const START: &str = "(start)";

/// Everything that the system is made of.
pub(super) struct Parts<'a, 'm> {
    pub(super) design: &'a Design<'m>,
    pub(super) items: &'a [Item],
    pub(super) behaviours: &'a [Behaviour],
    pub(super) conditions: &'a [Condition],
    pub(super) drafts: Vec<Draft>,
    /// What is asked of all states.
    pub(super) asked: Vec<&'a Expr>,
}

/// A builder with everything in it, and the objects behind the parts of the state.
pub(super) struct Made<'m> {
    model: &'m ast::Model,
    pub(super) builder: Builder,
    pub(super) objects: HashMap<Slot, ObjectId>,
}

/// Where the value of a hidden condition matters, by its owner's locations; nothing where it has several owners.
struct Relevance {
    at: Vec<Option<BTreeSet<usize>>>,
}

impl Relevance {
    fn new(parts: &Parts<'_, '_>) -> Self {
        let Parts { conditions, behaviours, drafts, asked, .. } = parts;
        let single = |c: &Condition| (c.owners.len() == 1).then(BTreeSet::new);
        let mut at: Vec<Option<BTreeSet<usize>>> = conditions.iter().map(single).collect();
        for slot in asked.iter().flat_map(|e| reads(e)) {
            let Slot::Hidden(h) = slot else { continue };
            let everywhere = 0..behaviours[conditions[h].owners[0]].control.locations.len();
            at[h].iter_mut().for_each(|places| places.extend(everywhere.clone()));
        }
        for draft in drafts {
            for slot in draft.guard.iter().flat_map(reads) {
                let Slot::Hidden(h) = slot else { continue };
                let owner = conditions[h].owners[0];
                if let Some(places) = &mut at[h] {
                    match draft.moves.iter().find(|m| m.atom == owner) {
                        Some(moved) => places.extend([moved.from]),
                        None => places.extend(0..behaviours[owner].control.locations.len()),
                    }
                }
            }
        }
        Self { at }
    }

    fn matters(&self, hidden: usize, location: usize) -> bool {
        self.at[hidden].as_ref().is_none_or(|places| places.contains(&location))
    }
}

impl<'m> Parts<'_, 'm> {
    /// Makes the system.
    pub(super) fn make(mut self, name: &str) -> Checked<Made<'m>> {
        self.settle();
        let relevance = Relevance::new(&self);
        let starting = self.starting(&relevance);
        self.hold_back(&starting);
        let followed = self.followed();
        let mut made = Made { model: self.design.model, builder: Builder::new(name), objects: HashMap::new() };
        self.processes(&mut made, &starting);
        self.objects(&mut made, &followed, &starting);
        self.start(&mut made, &relevance, &starting, &followed)?;
        for draft in std::mem::take(&mut self.drafts) {
            self.transition(&mut made, draft, &relevance, &followed)?;
        }
        Ok(made)
    }

    /// A step that asks about other atoms waits for their internal transitions.
    fn settle(&mut self) {
        for draft in &mut self.drafts {
            for &atom in &draft.settled {
                let behaviour = &self.behaviours[atom];
                let several = behaviour.control.locations.len() > 1;
                for (at, conditions) in behaviour.settled.iter().enumerate() {
                    let elsewhere = several.then(|| Slot::Place(atom).read().op(model::Binary::Ne, at as i64));
                    let calm = |c: &Expr| any(elsewhere.iter().chain([c]).cloned().collect());
                    draft.guard.extend(conditions.iter().map(calm));
                }
            }
        }
    }

    /// The atoms that choose conditions before all else, with those conditions.
    fn starting(&self, relevance: &Relevance) -> BTreeMap<usize, Vec<usize>> {
        let mut starting: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (h, condition) in self.conditions.iter().enumerate() {
            if relevance.matters(h, 0) {
                starting.entry(condition.owners[0]).or_default().push(h);
            }
        }
        starting
    }

    /// Steps that ask about an atom wait until it has started.
    fn hold_back(&mut self, starting: &BTreeMap<usize, Vec<usize>>) {
        for draft in &mut self.drafts {
            for &atom in draft.settled.iter().filter(|atom| starting.contains_key(atom)) {
                let start = self.behaviours[atom].control.locations.len() as i64;
                draft.guard.push(Slot::Place(atom).read().op(model::Binary::Ne, start));
            }
        }
    }

    /// The atoms whose location some guard asks for.
    fn followed(&self) -> BTreeSet<usize> {
        let guards = self.drafts.iter().flat_map(|d| &d.guard);
        let slots = guards.chain(self.asked.iter().copied()).flat_map(reads);
        slots.filter_map(|slot| if let Slot::Place(atom) = slot { Some(atom) } else { None }).collect()
    }

    fn processes(&self, made: &mut Made<'_>, starting: &BTreeMap<usize, Vec<usize>>) {
        for (at, (atom, behaviour)) in self.design.atoms.iter().zip(self.behaviours).enumerate() {
            let process = made.builder.process(atom.path.clone());
            for name in &behaviour.control.locations {
                made.builder.location(process, name.clone());
            }
            if starting.contains_key(&at) {
                let start = made.builder.location(process, START);
                made.builder.process_mut(process).initial = start;
            }
            made.builder.process_mut(process).span = Some(place(self.design.model, atom.span));
        }
    }

    fn objects(&self, made: &mut Made<'_>, followed: &BTreeSet<usize>, starting: &BTreeMap<usize, Vec<usize>>) {
        for (n, item) in self.items.iter().enumerate().filter(|(_, i)| i.status == Status::Followed) {
            let domain =
                if item.ty() == Type::Truth { Domain::Bool } else { Domain::Range { lo: i32::MIN, hi: i32::MAX } };
            made.object(Slot::Item(n), item.name.clone(), domain, item.initial, Some(item.span));
        }
        for (atom, behaviour) in self.design.atoms.iter().zip(self.behaviours).filter(|(_, b)| b.control.spread) {
            let marked = places_of(atom.ty, &atom.ty.initial.to);
            for (place, name) in (0..).zip(&atom.ty.places) {
                let (slot, first) = (token(atom.first_place, place), i64::from(marked.contains(&place)));
                made.object(slot, format!("{}@{}", atom.path, name.text), Domain::Bool, first, Some(name.span));
            }
            debug_assert_eq!(behaviour.control.locations.len(), 1, "the places say where the atom is");
        }
        for &atom in followed {
            let (instance, control) = (&self.design.atoms[atom], &self.behaviours[atom].control);
            let first = starting.get(&atom).map_or(0, |_| control.locations.len() as i64);
            let constants = control.locations.iter().cloned().chain(starting.get(&atom).map(|_| START.to_owned()));
            let name = format!("{}.place", instance.path);
            let domain = Enumeration { name: name.clone(), constants: constants.collect() };
            made.object(Slot::Place(atom), name, Domain::Named(Arc::new(domain)), first, Some(instance.span));
        }
        for (h, condition) in self.conditions.iter().enumerate() {
            made.object(Slot::Hidden(h), condition.name.clone(), Domain::Bool, 0, Some(condition.span));
        }
    }

    fn start(
        &self,
        made: &mut Made<'_>,
        relevance: &Relevance,
        starting: &BTreeMap<usize, Vec<usize>>,
        followed: &BTreeSet<usize>,
    ) -> Checked<()> {
        for &atom in starting.keys() {
            let instance = &self.design.atoms[atom];
            let from = self.behaviours[atom].control.locations.len();
            let name = format!("{}.start", instance.path);
            let draft = Draft {
                label: name.clone(),
                name,
                moves: vec![Moved { atom, from, to: 0, label: "start".to_owned() }],
                guard: Vec::new(),
                settled: BTreeSet::new(),
                asserts: Vec::new(),
                writes: Vec::new(),
                spans: vec![instance.ty.initial.span],
            };
            self.transition(made, draft, relevance, followed)?;
        }
        Ok(())
    }

    /// Adds a draft in all the ways in which it can choose hidden conditions.
    fn transition(
        &self,
        made: &mut Made<'_>,
        mut draft: Draft,
        relevance: &Relevance,
        followed: &BTreeSet<usize>,
    ) -> Checked<()> {
        let mut chosen = Vec::new();
        for (h, condition) in self.conditions.iter().enumerate() {
            let Some(moved) = draft.moves.iter().find(|m| condition.owners.contains(&m.atom)) else { continue };
            if relevance.matters(h, moved.to) {
                chosen.push(h);
            } else if relevance.matters(h, moved.from) {
                draft.writes.push((Slot::Hidden(h), Expr::from(false)));
            }
        }
        if chosen.len() > limits::CHOICES {
            let message = format!("after `{}`, {} conditions are unknown: too many", draft.name, chosen.len());
            return Err(Diagnostic::error(draft.spans[0], message).help("let fewer guards depend on external code"));
        }
        for moved in draft.moves.iter().filter(|m| followed.contains(&m.atom) && m.from != m.to) {
            draft.writes.push((Slot::Place(moved.atom), Expr::Const(moved.to as i64)));
        }
        for choice in 0..1_u32 << chosen.len() {
            let value = |k: usize| Expr::from(choice >> k & 1 != 0);
            let choices = chosen.iter().enumerate().map(|(k, &h)| (Slot::Hidden(h), value(k)));
            let writes = draft.writes.iter().cloned().chain(choices).collect();
            made.push(&draft, writes);
        }
        Ok(())
    }
}

impl Made<'_> {
    fn object(&mut self, slot: Slot, name: String, domain: Domain, initial: i64, span: Option<Span>) {
        let span = span.map(|s| place(self.model, s));
        let id = self.builder.object_with(name, Kind::Variable(domain), Value::Int(initial), span);
        self.objects.insert(slot, id);
    }

    /// The expression over objects of the system.
    pub(super) fn expr(&self, expr: &Expr) -> Expr {
        renamed(expr, &|target: &Target| Expr::read(self.objects[&Slot::of(target.first)]))
    }

    fn push(&mut self, draft: &Draft, writes: Vec<(Slot, Expr)>) {
        let (writes, spares) = ordered(writes);
        for spare in 0..spares {
            if !self.objects.contains_key(&Slot::Spare(spare)) {
                let domain = Domain::Range { lo: i32::MIN, hi: i32::MAX };
                self.object(Slot::Spare(spare), format!("(exchanged {spare})"), domain, 0, None);
            }
        }
        let asserts = draft.asserts.iter().map(|e| Command::Assert(self.expr(e)));
        let assigns = writes.iter().map(|(slot, e)| Command::Assign(self.objects[slot].into(), self.expr(e)));
        let transition = Transition {
            name: draft.name.clone(),
            label: draft.label.as_str().into(),
            moves: draft.moves.iter().map(move_of).collect(),
            guard: draft.guard.iter().map(|e| self.expr(e)).collect(),
            command: asserts.chain(assigns).collect(),
            joining: Joining::Plain,
            last_resort: false,
            spans: draft.spans.iter().map(|s| place(self.model, *s)).collect(),
        };
        self.builder.transition(transition);
    }
}

fn move_of(moved: &Moved) -> Move {
    let (from, to) = (LocationId::new(moved.from), LocationId::new(moved.to));
    Move { process: ProcessId::new(moved.atom), from, to, label: moved.label.as_str().into() }
}
