//! All traps at once, as a diagram over sets of local states.
//!
//! A variable for each local state says that it is in a set S. S is a trap if no rule, for any choice of moves, takes
//! from S and gives nothing to it. Choices need not be listed: participants choose independently, so a bad choice exists
//! if and only if some participant i has a move that leaves S and every other one has a move that ends outside:
//!
//! > for every rule and participant i: no move of i leaves S, or all moves of some other participant end in S
//!
//! These are the paper's *boolean behavioural constraints*. A state violates the interaction invariant if there is a trap,
//! marked in every initial state, that has none of its local states.
//!
//! **Incremental construction.** The sets are not enumerated for the whole: components are taken one after the other, with
//! the constraints of their rules; what has been put together is a *sub-system*, and the variables of local states that no
//! other rule touches are quantified at once. Which component is next: the one that shares rules with the fewest local
//! states. That S is marked is a disjunction over all components, which would couple them; so a sub-system has two
//! diagrams, of sets that may be marked in it or not, and of those that are.
//!
//! The variables of local states are in a manager of their own, next to the bits of the component's state; the result
//! is copied.

use std::collections::{BTreeSet, HashMap};

use model::views::{ComponentId, StateId};
use solve::bdd::{Bdd, Full, Manager, Room, Variables, deep};

use crate::diagrams::{Space, Stop};
use crate::invariant::report::Used;
use crate::structure::wiring::Wiring;

/// The states that mark every trap that is marked in every initial state.
pub(in crate::invariant) fn marked(space: &Space<'_>, wiring: &Wiring<'_>, used: &mut Used) -> Result<Bdd, Stop> {
    let layout = Layout::new(space, wiring);
    let construction = || {
        let room = Room::within(space.budget().memory().map(|bytes| bytes / 2), layout.variables());
        let manager = Manager::new(layout.variables() as u32, room);
        let mut construction = Construction::new(space, wiring, &layout, &manager)?;
        let violated = construction.run()?;
        let copy = violated.copied(space.manager(), &|v| layout.original[v as usize])?;
        Ok::<_, Stop>((copy.not(), construction.subsystems))
    };
    let (set, subsystems) = deep(4 * layout.variables(), construction)?;
    used.subsystems = subsystems;
    Ok(set)
}

/// Which variable is what.
struct Layout {
    /// By component, the first variable of its bits.
    bits: Vec<u32>,
    /// By local state.
    places: Vec<u32>,
    /// By variable that is a bit, its number in the space.
    original: Vec<u32>,
}

impl Layout {
    fn new(space: &Space<'_>, wiring: &Wiring<'_>) -> Self {
        let components = wiring.network().components().len();
        let mut layout = Self { bits: vec![0; components], places: vec![0; wiring.states()], original: Vec::new() };
        for c in space.upwards().into_iter().rev() {
            layout.bits[c.index()] = layout.original.len() as u32;
            layout.original.extend(space.bits(c));
            for place in wiring.states_of(c) {
                layout.places[place] = layout.original.len() as u32;
                layout.original.push(u32::MAX);
            }
        }
        layout
    }

    fn variables(&self) -> usize {
        self.original.len()
    }
}

/// Sets of local states of a sub-system that may be part of a trap.
struct Subsystem {
    /// The components whose local states are not quantified yet.
    open: BTreeSet<ComponentId>,
    /// Whether marked or not.
    any: Bdd,
    /// Those that are marked in every initial state by a component that is quantified.
    marked: Bdd,
}

struct Construction<'b> {
    space: &'b Space<'b>,
    wiring: &'b Wiring<'b>,
    layout: &'b Layout,
    manager: &'b Manager,
    parts: Vec<Option<Subsystem>>,
    /// By component, the parts in which it is open.
    of: Vec<BTreeSet<usize>>,
    subsystems: usize,
}

impl<'b> Construction<'b> {
    fn new(
        space: &'b Space<'b>,
        wiring: &'b Wiring<'b>,
        layout: &'b Layout,
        manager: &'b Manager,
    ) -> Result<Self, Stop> {
        let of = vec![BTreeSet::new(); wiring.network().components().len()];
        let mut construction = Self { space, wiring, layout, manager, parts: Vec::new(), of, subsystems: 0 };
        let mut known: HashMap<&[_], ()> = HashMap::new();
        for rule in wiring.network().rules().iter().filter(|rule| !rule.participants.is_empty()) {
            space.check()?;
            if known.insert(&rule.participants, ()).is_none() {
                let ports: Vec<(ComponentId, usize)> =
                    rule.participants.iter().map(|&(c, e)| (c, wiring.port(c, e))).collect();
                let any = construction.constraint(&ports)?;
                let open = ports.iter().map(|p| p.0).collect();
                construction.add(Subsystem { open, any, marked: manager.none() });
            }
        }
        Ok(construction)
    }

    fn add(&mut self, part: Subsystem) {
        part.open.iter().for_each(|c| _ = self.of[c.index()].insert(self.parts.len()));
        self.parts.push(Some(part));
    }

    /// A local state is in the set.
    fn place(&self, c: ComponentId, s: StateId) -> Result<Bdd, Full> {
        self.manager.literal(self.layout.places[self.wiring.state(c, s)], true)
    }

    /// No choice of moves takes from the set without giving to it.
    fn constraint(&self, ports: &[(ComponentId, usize)]) -> Result<Bdd, Stop> {
        let mut leaves = Vec::new();
        let mut avoids = Vec::new();
        for &(c, port) in ports {
            let (mut leave, mut avoid) = (self.manager.none(), self.manager.none());
            for &(from, to) in self.wiring.moves(port) {
                let outside = self.place(c, to)?.not();
                leave = leave.or(&self.place(c, from)?.and(&outside)?)?;
                avoid = avoid.or(&outside)?;
            }
            leaves.push(leave);
            avoids.push(avoid);
        }
        let mut fine = self.manager.all();
        for (i, leave) in leaves.iter().enumerate() {
            let others = avoids.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, avoid)| avoid);
            let bad = others.rev().try_fold(leave.clone(), |bad, avoid| bad.and(avoid))?;
            fine = fine.minus(&bad)?;
        }
        Ok(fine)
    }

    /// The states that have nothing of some trap that is marked in every initial state.
    fn run(&mut self) -> Result<Bdd, Stop> {
        let components = self.wiring.network().component_ids();
        let mut queue: BTreeSet<(usize, usize, ComponentId)> = BTreeSet::new();
        let mut keys: Vec<(usize, usize)> = Vec::new();
        let order = self.space.upwards();
        let mut rank = vec![0; order.len()];
        order.iter().enumerate().for_each(|(k, c)| rank[c.index()] = k);
        for c in components {
            keys.push((self.touched(c), rank[c.index()]));
            queue.insert((keys[c.index()].0, keys[c.index()].1, c));
        }
        let mut all = Subsystem { open: BTreeSet::new(), any: self.manager.all(), marked: self.manager.none() };
        while let Some((.., c)) = queue.pop_first() {
            let part = self.quantified(c)?;
            let changed = part.open.clone();
            if changed.is_empty() {
                all = self.joined(all, &part)?;
            } else {
                self.add(part);
            }
            for d in changed {
                let old = keys[d.index()];
                queue.remove(&(old.0, old.1, d));
                keys[d.index()].0 = self.touched(d);
                queue.insert((keys[d.index()].0, old.1, d));
            }
        }
        Ok(all.marked)
    }

    /// How many local states of others a component shares a part with.
    fn touched(&self, c: ComponentId) -> usize {
        let parts = self.of[c.index()].iter().filter_map(|&k| self.parts[k].as_ref());
        let others: BTreeSet<ComponentId> = parts.flat_map(|part| part.open.iter().copied()).collect();
        others.into_iter().filter(|d| *d != c).map(|d| self.wiring.states_of(d).len()).sum()
    }

    /// The sub-system of all parts with a component, whose local states are quantified.
    fn quantified(&mut self, c: ComponentId) -> Result<Subsystem, Stop> {
        self.subsystems += 1;
        let (outside, started) = (self.outside(c)?, self.started(c)?);
        let mut whole = Subsystem { open: BTreeSet::from([c]), any: outside, marked: self.manager.none() };
        for k in std::mem::take(&mut self.of[c.index()]) {
            self.space.check()?;
            let part = self.parts[k].take().expect("a part is joined once");
            part.open.iter().for_each(|d| _ = self.of[d.index()].remove(&k));
            whole = self.joined(whole, &part)?;
        }
        let places = self.places(c)?;
        let marked = whole.marked.or(&whole.any.and(&started)?)?;
        whole.open.remove(&c);
        Ok(Subsystem { open: whole.open, any: whole.any.exists(&places)?, marked: marked.exists(&places)? })
    }

    fn joined(&self, a: Subsystem, b: &Subsystem) -> Result<Subsystem, Stop> {
        let marked = a.marked.and(&b.any)?.or(&a.any.and(&b.marked)?)?;
        let open = a.open.union(&b.open).copied().collect();
        Ok(Subsystem { open, any: a.any.and(&b.any)?, marked })
    }

    /// The state of a component is not in the set.
    fn outside(&self, c: ComponentId) -> Result<Bdd, Stop> {
        let first = self.layout.bits[c.index()];
        let bits = self.space.bits(c).len();
        let mut outside = self.manager.all();
        for s in (0..self.wiring.states_of(c).len()).map(StateId::new).rev() {
            let code = (0..bits).map(|k| (first + k as u32, s.index() >> (bits - 1 - k) & 1 == 1));
            let here = self.manager.cube(code)?.set().and(&self.place(c, s)?)?;
            outside = outside.minus(&here)?;
        }
        Ok(outside)
    }

    /// All states in which a component may start are in the set.
    fn started(&self, c: ComponentId) -> Result<Bdd, Stop> {
        let starts =
            self.space.starts()[c.index()].iter().map(|&s| (self.layout.places[self.wiring.state(c, s)], true));
        Ok(self.manager.cube(starts)?.set().clone())
    }

    fn places(&self, c: ComponentId) -> Result<Variables, Stop> {
        Ok(self.manager.set(self.wiring.states_of(c).map(|place| self.layout.places[place]))?)
    }
}
