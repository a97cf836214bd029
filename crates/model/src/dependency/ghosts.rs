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
    /// The location of a process that may be moved in a block that another one begins.
    Process(ProcessId),
}

/// The ghosts of a system, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Ghosts {
    all: Vec<Ghost>,
    /// The number of the first.
    base: u32,
}

impl Ghosts {
    /// What the observer and the watchers of a system ask for, and the processes that are moved by blocks of others.
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
            all.extend(strangers.map(Ghost::Process));
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
            let hi = match ghost {
                Ghost::Observer => locations - 1,
                // At least two values: to be there matters, even if there is nowhere else to go.
                Ghost::Process(p) => (system.process(*p).locations.len() as i64 - 1).max(1),
                Ghost::At(..) | Ghost::Loop => 1,
            };
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
            Ghost::Process(p) => i64::from(system.location(p, state).0),
        }
    }

    /// How a transition uses the processes that blocks may move: its own ones, and those of its block.
    pub(super) fn processes(&self, system: &System, blocks: &Blocks, t: TransitionId) -> Vec<Use> {
        let role = Role::Effect(u32::MAX);
        let usage = |process, operation| {
            let number = self.number(Ghost::Process(process))?;
            Some(Use { first: number, len: 1, operation, role, place: None })
        };
        let own = system.transition(t).moves.iter().filter_map(|m| {
            let operation = if m.from == m.to { Operation::Read } else { Operation::Write };
            usage(m.process, operation)
        });
        let strangers = blocks.strangers(system, t).filter_map(|p| usage(p, Operation::Any));
        own.chain(strangers).collect()
    }
}
