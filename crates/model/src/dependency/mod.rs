//! Dependency between the transitions of a system, from the relations of the object library (sections 3.4 and 4.2 to
//! 4.7 of Godefroid's thesis).
//!
//! Two transitions are independent in a state if no process is active for both and all operations that they perform
//! on a same object are independent in its value (Definition 3.21). What a transition performs is found once, when the
//! table is made; the relations between operations are asked when needed, so that nothing here grows with the number
//! of *pairs* of transitions.
//!
//! - An access through an index is resolved in the state that is asked about: as long as nothing dependent with
//!   reading the index has happened, it means that object. Relations without a state take all objects that it may
//!   mean.
//! - A fault counts as an output: independent transitions neither cause nor prevent each other's faults.
//! - A transition after which its process goes on alone has the uses of all that may follow (see `blocks`). A last resort
//!   cannot be fired while a persistent set has something that is enabled: it interferes with nobody before that.
//! - Locations that a predicate asks for, and an observer, are no objects, but transitions depend on them: here they are
//!   *ghosts*, variables of their own. A transition that the observer follows writes it and reads what its predicates
//!   read.

mod blocks;
mod ghosts;
mod merging;
mod reasons;
mod recognise;
mod users;
mod uses;

pub use reasons::Reasons;
pub use uses::{Role, Use};

use blocks::Blocks;
use ghosts::Ghosts;
use users::Users;
use uses::Found;

use crate::code::{Coder, Place};
use crate::objects::{Relations, Shape};
use crate::{ObjectId, ProcessId, State, System, TransitionId};

/// The uses of all transitions of a system, and the relations between transitions that follow from them.
#[derive(Clone, Debug)]
pub struct Dependency<'a> {
    system: &'a System,
    shapes: Vec<Shape>,
    uses: Vec<Use>,
    /// For each transition, and one past the last, where its uses begin.
    starts: Vec<u32>,
    places: Vec<Place>,
    active: Vec<ProcessId>,
    /// For each transition, and one past the last, where its active processes begin.
    active_starts: Vec<u32>,
    users: Users,
    ghosts: Ghosts,
}

/// A relation between an operation of one transition and those of others.
#[derive(Clone, Copy, Debug)]
pub enum Relation<'s> {
    /// They are dependent in some value (Definition 4.6).
    CanBeDependent,
    /// They are both defined and dependent in some value (Definition 4.13).
    DoNotAccord,
    /// The other might be the first to interfere from this state (Definition 4.26).
    MayInterfereFirst(&'s State),
    /// The two before by the weakly uniform relation of chapter 6, to which an access through an index is dependent
    /// wherever it can be.
    DoNotAccordUniformly,
    /// See there.
    MayInterfereFirstUniformly(&'s State),
    /// The other can come right before the operation, and the order of the two matters.
    ComesBefore,
}

impl<'a> Dependency<'a> {
    /// Finds out what every transition uses.
    pub fn new(system: &'a System) -> Self {
        let coder = Coder { layout: &system.layout, objects: &system.objects };
        let (mut uses, mut starts, mut places): (Vec<Use>, _, _) = (Vec::new(), vec![0], Vec::new());
        let (mut active, mut active_starts) = (Vec::new(), vec![0]);
        let blocks = Blocks::new(system);
        let ghosts = Ghosts::new(system, &blocks);
        let later = later_uses(system, &blocks, &ghosts);
        for (t, transition) in system.transition_ids().zip(&system.transitions) {
            let from = uses.len();
            uses.extend(later.get(t.index()).into_iter().flatten());
            for (mut found, target) in uses::find_uses(system, t, &ghosts) {
                found.place = target.map(|t| {
                    places.push(coder.place(&t));
                    places.len() as u32 - 1
                });
                uses.push(found);
            }
            uses[from..].sort_by_key(|u| (u.first, u.role));
            starts.push(uses.len() as u32);
            active.extend(transition.moves.iter().map(|m| m.process));
            active_starts.push(active.len() as u32);
        }
        let by_transition = system
            .transition_ids()
            .filter(|&t| !system.transition(t).last_resort)
            .flat_map(|t| uses[starts[t.index()] as usize..starts[t.index() + 1] as usize].iter().map(move |u| (t, u)));
        let users = Users::new(system.objects.len() + ghosts.len(), by_transition);
        let shapes = system.objects.iter().map(Shape::of).chain(ghosts.shapes(system)).collect();
        Self { system, shapes, uses, starts, places, active, active_starts, users, ghosts }
    }

    /// The system that this is about.
    pub fn system(&self) -> &'a System {
        self.system
    }

    /// What a transition uses, in the order of the objects.
    pub fn uses(&self, t: TransitionId) -> &[Use] {
        &self.uses[self.starts[t.index()] as usize..self.starts[t.index() + 1] as usize]
    }

    /// What the relations need to know of an object.
    pub fn shape(&self, object: ObjectId) -> Shape {
        self.shapes[object.index()]
    }

    /// The scalar of an object: its value, the number of its holder plus one, or its length.
    pub fn scalar(&self, object: ObjectId, state: &State) -> i64 {
        match self.system.layout.scalars.get(object.index()) {
            Some(field) => field.get(state),
            None => self.ghosts.value(object, self.system, state),
        }
    }

    /// The object that a use means in a state: nothing if its index is a fault, or changes within the transition.
    pub fn object_in(&self, usage: &Use, state: &State) -> Option<ObjectId> {
        let (first, len) = self.range_in(usage, state);
        (len == 1).then_some(ObjectId(first))
    }

    /// The processes that are active for a transition, in increasing order.
    pub fn active(&self, t: TransitionId) -> &[ProcessId] {
        &self.active[self.active_starts[t.index()] as usize..self.active_starts[t.index() + 1] as usize]
    }

    /// Whether no process is active for both transitions (Definition 4.5).
    pub fn parallel(&self, t: TransitionId, u: TransitionId) -> bool {
        let (a, b) = (self.active(t), self.active(u));
        let (mut i, mut j) = (0, 0);
        while i < a.len() && j < b.len() {
            match a[i].cmp(&b[j]) {
                std::cmp::Ordering::Equal => return false,
                std::cmp::Ordering::Less => i += 1,
                std::cmp::Ordering::Greater => j += 1,
            }
        }
        true
    }

    /// Whether some process can choose between the two transitions (Definition 4.4).
    pub fn in_conflict(&self, t: TransitionId, u: TransitionId) -> bool {
        let moves = &self.system.transition(t).moves;
        moves.iter().any(|m| self.system.transition(u).part(m.process).is_some_and(|n| n.from == m.from))
    }

    /// Whether two different transitions are independent in a state (Definition 3.21).
    pub fn independent_in(&self, t: TransitionId, u: TransitionId, state: &State) -> bool {
        self.parallel(t, u)
            && !self.some_pair(t, u, |a, b| {
                let dependent = |o: ObjectId| {
                    let scalar = self.scalar(o, state);
                    self.shapes[o.index()].dependent(a.operation, b.operation, scalar)
                };
                overlap(self.range_in(a, state), self.range_in(b, state)).any(dependent)
            })
    }

    /// Whether two different transitions are independent in a state by a weakly uniform relation (Definition 6.6).
    ///
    /// An access through an index is dependent wherever it can be: what it means may change on the way.
    pub fn uniformly_independent_in(&self, t: TransitionId, u: TransitionId, state: &State) -> bool {
        self.parallel(t, u)
            && !self.some_pair(t, u, |a, b| {
                let fixed = a.len == 1 && b.len == 1;
                overlap(range(a), range(b)).any(|o| {
                    let shape = self.shapes[o.index()];
                    match fixed {
                        true => shape.uniformly_dependent(a.operation, b.operation, self.scalar(o, state)),
                        false => shape.can_be_dependent(a.operation, b.operation),
                    }
                })
            })
    }

    /// Whether two transitions are dependent in some state: they share a process, or some of their operations can be
    /// dependent (Definition 4.6).
    pub fn can_be_dependent(&self, t: TransitionId, u: TransitionId) -> bool {
        !self.parallel(t, u)
            || self.some_pair(t, u, |a, b| {
                overlap(range(a), range(b)).any(|o| self.shapes[o.index()].can_be_dependent(a.operation, b.operation))
            })
    }

    /// Whether two transitions can be enabled together and dependent (Definition 4.12): the processes that they share
    /// start at the same locations, or they share none and some of their operations do not accord.
    pub fn do_not_accord(&self, t: TransitionId, u: TransitionId) -> bool {
        if !self.parallel(t, u) {
            let moves = &self.system.transition(t).moves;
            return moves.iter().all(|m| self.system.transition(u).part(m.process).is_none_or(|n| n.from == m.from));
        }
        self.some_pair(t, u, |a, b| {
            overlap(range(a), range(b)).any(|o| self.shapes[o.index()].do_not_accord(a.operation, b.operation))
        })
    }

    /// Calls `found` with every transition that has an operation in this relation to one use of a transition, whatever
    /// the processes. The transition itself may be among them, and one may be found several times.
    pub fn related(&self, usage: &Use, relation: Relation<'_>, found: impl FnMut(TransitionId)) {
        let (op, shape) = (usage.operation, |o: ObjectId| self.shapes[o.index()]);
        let all = range(usage);
        match relation {
            Relation::CanBeDependent => {
                self.users.visit(all, |o, other, _| shape(o).can_be_dependent(op, other), found);
            }
            Relation::DoNotAccord => self.users.visit(all, |o, other, _| shape(o).do_not_accord(op, other), found),
            Relation::ComesBefore => self.users.visit(all, |o, other, _| shape(o).order_matters(other, op), found),
            Relation::MayInterfereFirst(state) => {
                let first = |o, other, _| shape(o).may_interfere_first(op, other, self.scalar(o, state));
                self.users.visit(self.range_in(usage, state), first, found);
            }
            Relation::DoNotAccordUniformly => {
                let related = |o, other, fixed: bool| match fixed && usage.len == 1 {
                    true => shape(o).do_not_accord(op, other),
                    false => shape(o).can_be_dependent(op, other),
                };
                self.users.visit(all, related, found);
            }
            Relation::MayInterfereFirstUniformly(state) => {
                let related = |o, other, fixed: bool| match fixed && usage.len == 1 {
                    true => shape(o).may_interfere_first_uniformly(op, other, self.scalar(o, state)),
                    false => shape(o).can_be_dependent(op, other),
                };
                self.users.visit(all, related, found);
            }
        }
    }

    /// Whether `related` is true of some use of `t` and some use of `u` that may be of one object.
    fn some_pair(&self, t: TransitionId, u: TransitionId, related: impl Fn(&Use, &Use) -> bool) -> bool {
        let others = self.uses(u);
        self.uses(t).iter().any(|a| {
            let near = others.iter().take_while(|b| b.first.0 < a.first.0 + a.len);
            near.filter(|b| a.first.0 < b.first.0 + b.len).any(|b| related(a, b))
        })
    }

    /// The objects that a use may mean in a state; none if its index is a fault.
    fn range_in(&self, usage: &Use, state: &State) -> (u32, u32) {
        match usage.place {
            None => range(usage),
            Some(place) => match self.places[place as usize].resolve(state, &self.system.layout) {
                Ok(object) => (object.0, 1),
                Err(_) => (usage.first.0, 0),
            },
        }
    }
}

/// By transition, what it uses as the beginning of a block, and where it stays. Nothing where there are no blocks.
fn later_uses(system: &System, blocks: &Blocks, ghosts: &Ghosts) -> Vec<Vec<Use>> {
    if blocks.is_empty() {
        return Vec::new();
    }
    let resting = |t: TransitionId| ghosts.resting(system, t);
    let find = |t: TransitionId| -> Vec<Found> {
        uses::find_uses(system, t, ghosts).into_iter().chain(resting(t).map(|u| (u, None))).collect()
    };
    let found: Vec<Vec<Found>> = system.transition_ids().map(find).collect();
    let of = |t: TransitionId| {
        let mut uses = blocks.uses(system, t, &found, ghosts.feedback());
        uses.extend(resting(t));
        uses
    };
    system.transition_ids().map(of).collect()
}

fn range(usage: &Use) -> (u32, u32) {
    (usage.first.0, usage.len)
}

fn overlap(a: (u32, u32), b: (u32, u32)) -> impl Iterator<Item = ObjectId> {
    (a.0.max(b.0)..(a.0 + a.1).min(b.0 + b.1)).map(ObjectId)
}
