//! Who might be the first to interfere with an operation (Definition 4.26): what was found for a value is remembered.
//!
//! The relation is about one object and its scalar, of which small systems have few. Each use has a few slots; a value
//! whose slot is taken by another is looked up every time, so that the memory stays bounded. What that is said to cost does
//! not depend on what is remembered: an attempt that is given up where it costs too much must be given up whoever asked before.

use std::cell::{OnceCell, RefCell};

use model::{Dependency, ObjectId, Relation, Role, State, TransitionId, Use};

use super::blocks::{Block, Collector, Dense};

/// Whose transitions count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parties {
    /// Everybody's.
    All,
    /// Those of processes that are not active for the transition.
    Others,
}

/// The slots of all uses.
#[derive(Debug)]
pub(super) struct First {
    /// For each transition, and one past the last, where its uses begin.
    starts: Vec<u32>,
    /// By use, and by whose transitions count; made when somebody asks.
    known: OnceCell<Vec<[RefCell<Vec<Slot>>; 2]>>,
    list: RefCell<Collector>,
}

/// What was found for a value of an object.
type Slot = Option<(ObjectId, i64, Box<[Block]>)>;

/// The number of slots of a use, a power of two.
const SLOTS: usize = 16;
/// The longest list that is remembered.
const KEPT: usize = 16;

impl First {
    pub(super) fn new(dependency: &Dependency<'_>) -> Self {
        let mut starts = vec![0];
        let mut uses = 0;
        for t in dependency.system().transition_ids() {
            uses += dependency.uses(t).len() as u32;
            starts.push(uses);
        }
        let list = RefCell::new(Collector::new(starts.len()));
        Self { starts, known: OnceCell::new(), list }
    }

    fn slots(&self, t: TransitionId, number: usize, parties: Parties) -> &RefCell<Vec<Slot>> {
        let uses = *self.starts.last().expect("there is one past the last transition") as usize;
        let known = self.known.get_or_init(|| std::iter::repeat_with(Default::default).take(uses).collect());
        &known[self.starts[t.index()] as usize + number][parties as usize]
    }

    /// Joins to `set` the transitions that might be the first to interfere with what a transition uses, all of it or in
    /// one role, by a relation about the state; says what that costs: lists, and transitions where a list is too long.
    pub(super) fn join(
        &self,
        dependency: &Dependency<'_>,
        (t, role): (TransitionId, Option<Role>),
        parties: Parties,
        (relation, state): (Relation<'_>, &State),
        set: &mut Dense,
    ) -> usize {
        let uses = dependency.uses(t).iter().enumerate();
        let mut work = 0;
        for (i, usage) in uses.filter(|(_, u)| role.is_none_or(|role| u.role == role)) {
            let fill = |set: &mut Dense| related(dependency, (t, usage), parties, relation, set);
            let Some(object) = dependency.object_in(usage, state) else {
                work += fill(set);
                continue;
            };
            let scalar = dependency.scalar(object, state);
            let number = (object.index() - usage.first.index()).wrapping_add(scalar as usize) % SLOTS;
            let mut slots = self.slots(t, i, parties).borrow_mut();
            if slots.len() <= number {
                slots.resize(number + 1, None);
            }
            let slot = &mut slots[number];
            work += 1;
            if let Some((o, s, list)) = slot
                && (*o, *s) == (object, scalar)
            {
                list.iter().for_each(|&block| _ = set.join(block));
                work += list.len();
                continue;
            }
            let (mut list, mut looked) = (self.list.borrow_mut(), 0);
            let list = list.collect(|found| looked = fill(found));
            list.iter().for_each(|&block| _ = set.join(block));
            let is_short = list.len() <= KEPT;
            work += if is_short { list.len() } else { looked };
            if is_short && slot.is_none() {
                *slot = Some((object, scalar, list.into()));
            }
        }
        work
    }
}

/// Finds out who might interfere first with one use; says how many transitions were looked at.
fn related(
    dependency: &Dependency<'_>,
    (t, usage): (TransitionId, &Use),
    parties: Parties,
    relation: Relation<'_>,
    set: &mut Dense,
) -> usize {
    let mut work = 0;
    dependency.related(usage, relation, |u| {
        work += 1;
        if parties == Parties::All || u != t && dependency.parallel(t, u) {
            set.insert(u);
        }
    });
    work
}
