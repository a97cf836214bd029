//! Merging of local steps: more locations that hold, where nobody can tell the difference.
//!
//! At some locations all that a process can do next is its own affair: only it takes part, and only it ever uses the
//! objects concerned. What it does there is independent of all that others do, now and later, so that its transitions are
//! a persistent set by themselves; if they are also invisible to the question, and it does not go round for ever, it may as
//! well do them at once. So the location is made to hold: the states in between are passed, the transitions stay as they
//! are, and every run is a run of the system as it was. A state in which such a process cannot go on is kept: nobody has
//! control there.
//!
//! A step after which the process goes on alone anyway is left as it is: what follows it need not be its own affair.

use std::collections::BTreeSet;

use super::blocks::Blocks;
use super::ghosts::Ghosts;
use super::uses::find_uses;
use crate::compile::Program;
use crate::layout::Layout;
use crate::system::{Hold, Joining, Location};
use crate::watch::loop_heads;
use crate::{Expr, LocationId, Move, ObjectId, ProcessId, System, Target, TransitionId};

/// The most locations of one process that are made holding: what may follow each of them is listed (see `blocks`), which
/// takes room that grows with the square of their number.
const MOST: usize = 500;

impl System {
    /// The same system with more locations that hold, for a question about these predicates and about deadlocks; nothing
    /// if there are none. Transitions keep their numbers.
    pub fn merging<'p>(&self, predicates: impl IntoIterator<Item = &'p Expr>) -> Option<System> {
        if self.observer.is_some() {
            return None;
        }
        let merger = Merger::new(self, predicates.into_iter().collect());
        let places = merger.places();
        if places.is_empty() {
            return None;
        }
        let mut system = self.clone();
        for (p, l) in places {
            system.processes[p.index()].locations[l.index()].hold = Hold::Atomic;
        }
        system.layout = Layout::new(&system.processes, &system.objects, &system.transitions, None);
        system.program = Program::new(&system);
        Some(system)
    }
}

/// Who uses an object.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Nobody,
    One(ProcessId),
    Many,
}

struct Merger<'a> {
    system: &'a System,
    owners: Vec<Owner>,
    /// The objects that each transition uses.
    used: Vec<Vec<ObjectId>>,
    seen_objects: BTreeSet<ObjectId>,
    /// Where predicates and blocks of others look for a process.
    seen_places: BTreeSet<(ProcessId, LocationId)>,
}

impl<'a> Merger<'a> {
    fn new(system: &'a System, predicates: Vec<&Expr>) -> Self {
        let blocks = Blocks::new(system);
        let ghosts = Ghosts::new(system, &blocks);
        let objects = system.objects.len();
        let used = |t: TransitionId| {
            let uses = find_uses(system, t, &ghosts).into_iter().flat_map(|(u, _)| u.objects());
            uses.filter(|o| o.index() < objects).collect()
        };
        let used: Vec<Vec<ObjectId>> = system.transition_ids().map(used).collect();
        let mut owners = vec![Owner::Nobody; objects];
        for (transition, used) in system.transitions.iter().zip(&used) {
            used.iter().for_each(|o| owners[o.index()] = owners[o.index()].and(&transition.moves));
        }
        let (mut seen_objects, mut seen_places) = (BTreeSet::new(), BTreeSet::new());
        seen_places.extend(system.transition_ids().flat_map(|t| blocks.strangers(system, t)));
        for predicate in predicates {
            predicate.walk(&mut |e| match e {
                Expr::At(p, l) => _ = seen_places.insert((*p, *l)),
                e => seen_objects.extend(e.target().into_iter().flat_map(Target::objects)),
            });
        }
        Self { system, owners, used, seen_objects, seen_places }
    }

    /// The locations from which their process may go on alone.
    fn places(&self) -> Vec<(ProcessId, LocationId)> {
        // By process and location, where its transitions lead; nothing if it is not one to be made holding.
        let way = |l: &Location| (l.hold == Hold::No).then(Vec::new);
        let mut ways: Vec<Vec<Option<Vec<LocationId>>>> =
            self.system.processes.iter().map(|p| p.locations.iter().map(way).collect()).collect();
        for (t, transition) in self.system.transition_ids().zip(&self.system.transitions) {
            for m in &transition.moves {
                match &mut ways[m.process.index()][m.from.index()] {
                    Some(way) if self.is_private(t, m) => way.push(m.to),
                    way => *way = None,
                }
            }
        }
        self.system.process_ids().zip(&ways).flat_map(|(p, ways)| self.places_of(p, ways)).collect()
    }

    /// Those of one process, by where its transitions lead.
    fn places_of(&self, p: ProcessId, ways: &[Option<Vec<LocationId>>]) -> Vec<(ProcessId, LocationId)> {
        let leads = |l: &LocationId| ways[l.index()].as_ref().is_some_and(|way| !way.is_empty());
        let graph: Vec<Vec<LocationId>> =
            ways.iter().map(|way| way.iter().flatten().copied().filter(leads).collect()).collect();
        let heads = loop_heads(self.system.process(p), &graph);
        let all = (0..graph.len()).map(LocationId::new);
        let places: Vec<(ProcessId, LocationId)> =
            all.filter(|l| leads(l) && !heads[l.index()]).map(|l| (p, l)).collect();
        if places.len() <= MOST { places } else { Vec::new() }
    }

    /// Whether a transition with this move is its process' own affair, and nobody sees it.
    fn is_private(&self, t: TransitionId, m: &Move) -> bool {
        let transition = self.system.transition(t);
        let hidden = |l: LocationId| !self.seen_places.contains(&(m.process, l));
        let own = |o: &ObjectId| self.owners[o.index()] == Owner::One(m.process) && !self.seen_objects.contains(o);
        transition.moves.len() == 1
            && !transition.last_resort
            && matches!(transition.joining, Joining::Plain | Joining::Lost(_))
            && self.system.process(m.process).locations[m.to.index()].hold == Hold::No
            && (m.from == m.to || hidden(m.from) && hidden(m.to))
            && self.used[t.index()].iter().all(own)
    }
}

impl Owner {
    /// The owner if a transition with these moves uses the object, too.
    fn and(self, moves: &[Move]) -> Owner {
        match (self, moves) {
            (Owner::Nobody, [m]) => Owner::One(m.process),
            (Owner::One(p), [m]) if m.process == p => self,
            _ => Owner::Many,
        }
    }
}
