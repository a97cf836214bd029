//! Things that transitions depend on though they are no objects: locations that predicates ask for, the observer, and
//! the loops that an awaited watcher is in conflict with. For the relations each is a variable of its own, with a
//! number after those of the objects.

use super::blocks::Blocks;
use super::uses::{Role, Use};
use crate::objects::{Operation, Shape, Variable};
use crate::{Expr, LocationId, ObjectId, ProcessId, State, System, TransitionId};

/// What stands behind a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Ghost {
    /// Whether a process is at a location: 1 or 0.
    At(ProcessId, LocationId),
    /// The location of the observer.
    Observer,
    /// Complemented by what may loop, read by the watchers.
    Loop,
}

/// The ghosts of a system, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Ghosts {
    all: Vec<Ghost>,
    /// The number of the first.
    base: u32,
}

impl Ghosts {
    /// What the observer and the watchers of a system ask for, and where blocks of others find a process or miss it.
    /// Guards of other transitions do not ask for locations.
    pub(super) fn new(system: &System, blocks: &Blocks) -> Self {
        let mut all = Vec::new();
        let mut note = |e: &Expr| {
            if let Expr::At(p, l) = e {
                all.push(Ghost::At(*p, *l));
            }
        };
        if let Some(observer) = &system.observer {
            observer.edges.iter().for_each(|edge| edge.when.walk(&mut note));
        }
        if let Some(watch) = &system.watch {
            let guards = system.transitions[watch.first.index()..].iter().flat_map(|t| &t.guard);
            guards.for_each(|e| e.walk(&mut note));
        }
        all.extend(system.observer.as_ref().map(|_| Ghost::Observer));
        all.extend(system.watch.as_ref().filter(|w| w.feedback.contains(&true)).map(|_| Ghost::Loop));
        if !blocks.is_empty() {
            let strangers = system.transition_ids().flat_map(|t| blocks.strangers(system, t));
            all.extend(strangers.map(|(p, l)| Ghost::At(p, l)));
        }
        all.sort_unstable();
        all.dedup();
        Self { all, base: system.objects.len() as u32 }
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    fn number(&self, ghost: Ghost) -> Option<ObjectId> {
        self.all.binary_search(&ghost).ok().map(|i| ObjectId(self.base + i as u32))
    }

    /// The number of a location that is asked for.
    pub(super) fn at(&self, process: ProcessId, location: LocationId) -> Option<ObjectId> {
        self.number(Ghost::At(process, location))
    }

    pub(super) fn observer(&self) -> Option<ObjectId> {
        self.number(Ghost::Observer)
    }

    pub(super) fn feedback(&self) -> Option<ObjectId> {
        self.number(Ghost::Loop)
    }

    /// What the relations need to know of the ghosts, in order.
    pub(super) fn shapes(&self, system: &System) -> impl Iterator<Item = Shape> {
        let locations = system.observer.as_ref().map_or(0, |o| o.locations.len()) as i64;
        self.all.iter().map(move |ghost| {
            let hi = if *ghost == Ghost::Observer { locations - 1 } else { 1 };
            Shape::Variable(Variable { lo: 0, hi })
        })
    }

    /// The value of one in a state.
    #[cold]
    pub(super) fn value(&self, number: ObjectId, system: &System, state: &State) -> i64 {
        match self.all[(number.0 - self.base) as usize] {
            Ghost::At(p, l) => i64::from(system.location(p, state) == l),
            Ghost::Observer => system.observer_location(state).map_or(0, |l| i64::from(l.0)),
            Ghost::Loop => 0,
        }
    }

    /// The locations that a transition asks for without leaving them.
    pub(super) fn resting<'s>(&'s self, system: &'s System, t: TransitionId) -> impl Iterator<Item = Use> {
        let role = Role::Effect(u32::MAX);
        let resting = system.transition(t).moves.iter().filter(|m| m.from == m.to);
        let places = resting.filter_map(|m| self.at(m.process, m.from));
        places.map(move |first| Use { first, len: 1, operation: Operation::Read, role, place: None })
    }
}
