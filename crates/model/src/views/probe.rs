//! What a transition does to objects, found by running it: no operation is interpreted a second time here.
//!
//! The conjuncts and operations of a case fall into *groups* that share no object. A group is compiled as transitions
//! of its own and run on packed states that hold a valuation of its objects; everything else in them is immaterial.
//! The tests of the whole transition are numbered in the order of evaluation, conjuncts first and then the partial
//! operations, because a fault in a test counts only if all tests before it hold, those of other groups included.

use std::collections::{BTreeMap, BTreeSet};

use super::cases::{Case, reads_nothing};
use super::values::Values;
use crate::compile::Program;
use crate::objects::Value;
use crate::system::Joining;
use crate::{Command, Expr, ObjectId, System, Target, Transition, TransitionId};

/// Conjuncts and operations of one case that no other ones share an object with.
pub(super) struct Group {
    pub(super) objects: Vec<ObjectId>,
    /// Tests with their numbers.
    tests: Vec<(usize, Transition)>,
    commands: Vec<Command>,
}

/// What a group does with a valuation of its objects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome<T> {
    /// The test with this number is false.
    Blocked(usize),
    /// Evaluating the test with this number is a fault.
    TestFault(usize),
    /// All tests hold and the operations are a fault.
    CommandFault,
    /// The values afterwards.
    Step(Vec<T>),
}

impl<T> Outcome<T> {
    /// The same with other values.
    pub(super) fn map<U>(self, f: impl FnOnce(Vec<T>) -> Vec<U>) -> Outcome<U> {
        match self {
            Outcome::Blocked(i) => Outcome::Blocked(i),
            Outcome::TestFault(i) => Outcome::TestFault(i),
            Outcome::CommandFault => Outcome::CommandFault,
            Outcome::Step(next) => Outcome::Step(f(next)),
        }
    }

    /// Whether all tests numbered below `limit` hold.
    pub(super) fn passes(&self, limit: usize) -> bool {
        match self {
            Outcome::Blocked(i) | Outcome::TestFault(i) => *i >= limit,
            Outcome::CommandFault | Outcome::Step(_) => true,
        }
    }
}

/// The groups of a case, those with the least objects first.
pub(super) fn groups(case: &Case) -> Vec<Group> {
    let mut sets: Vec<BTreeSet<ObjectId>> = case.fixed.iter().map(|(o, _)| BTreeSet::from([*o])).collect();
    let guard: Vec<BTreeSet<ObjectId>> = case.guard.iter().map(objects_of).collect();
    let command: Vec<BTreeSet<ObjectId>> = case.command.iter().map(touched).collect();
    sets.extend(guard.iter().chain(&command).filter(|s| !s.is_empty()).cloned());
    let mut groups: Vec<Group> = join(sets).into_iter().map(Group::new).collect();
    // What uses no object at all is a group too, if there is such a thing.
    let constant = groups.len();
    groups.push(Group::new(BTreeSet::new()));
    let find = |set: &BTreeSet<ObjectId>, groups: &[Group]| {
        set.first().and_then(|o| groups.iter().position(|g| g.objects.binary_search(o).is_ok())).unwrap_or(constant)
    };
    for (number, (e, set)) in case.guard.iter().zip(&guard).enumerate() {
        let g = find(set, &groups);
        groups[g].tests.push((number, slice(vec![e.clone()], Vec::new())));
    }
    for (number, (c, set)) in (case.guard.len()..).zip(case.command.iter().zip(&command)) {
        let g = find(set, &groups);
        if c.is_partial() {
            groups[g].tests.push((number, slice(Vec::new(), vec![c.clone()])));
        }
        groups[g].commands.push(c.clone());
    }
    groups.retain(|g| !(g.objects.is_empty() && g.tests.is_empty() && g.commands.is_empty()));
    groups
}

impl Group {
    fn new(objects: BTreeSet<ObjectId>) -> Self {
        Self { objects: objects.into_iter().collect(), tests: Vec::new(), commands: Vec::new() }
    }
}

/// Joins sets that meet, until none do; in increasing order of their first elements.
fn join(sets: Vec<BTreeSet<ObjectId>>) -> Vec<BTreeSet<ObjectId>> {
    let mut joined: BTreeMap<ObjectId, BTreeSet<ObjectId>> = BTreeMap::new();
    for mut set in sets {
        let meeting: Vec<ObjectId> = joined.iter().filter(|(_, s)| !s.is_disjoint(&set)).map(|(k, _)| *k).collect();
        for key in meeting {
            set.extend(joined.remove(&key).unwrap_or_default());
        }
        if let Some(&first) = set.first() {
            joined.insert(first, set);
        }
    }
    joined.into_values().collect()
}

/// The objects that an operation reads or writes.
pub(super) fn touched(command: &Command) -> BTreeSet<ObjectId> {
    let mut out: BTreeSet<ObjectId> = command.expressions().into_iter().flat_map(objects_of).collect();
    out.extend(command.target().into_iter().chain(command.binds()).flat_map(cells));
    out
}

/// The objects that an expression reads.
pub(super) fn objects_of(expr: &Expr) -> BTreeSet<ObjectId> {
    let mut out = BTreeSet::new();
    expr.walk(&mut |e| out.extend(e.target().into_iter().flat_map(cells)));
    out
}

/// The objects that a target may mean: none if its index is constant, since it then lies outside the array.
fn cells(target: &Target) -> Vec<ObjectId> {
    match &target.index {
        Some(index) if reads_nothing(index) => Vec::new(),
        _ => target.objects().collect(),
    }
}

fn slice(guard: Vec<Expr>, command: Vec<Command>) -> Transition {
    let (name, label, joining) = (String::new(), "".into(), Joining::Plain);
    Transition {
        name,
        label,
        moves: Vec::new(),
        guard,
        command,
        joining,
        last_resort: false,
        yields: false,
        spans: Vec::new(),
    }
}

/// A system whose transitions are the tests and the operations of one group.
pub(super) struct Probe {
    system: System,
    numbers: Vec<usize>,
    /// The objects of other groups have any values.
    state: Vec<u64>,
}

impl Probe {
    pub(super) fn new(system: &System) -> Self {
        let mut system = system.clone();
        // The layout stays: locations have their bits, but nothing here looks at them.
        system.processes.clear();
        system.stop.clear();
        let state = vec![0; system.words()];
        Self { system, numbers: Vec::new(), state }
    }

    /// Prepares to run a group.
    pub(super) fn load(&mut self, group: &Group) {
        self.numbers = group.tests.iter().map(|(number, _)| *number).collect();
        self.system.transitions = group.tests.iter().map(|(_, test)| test.clone()).collect();
        self.system.transitions.push(slice(Vec::new(), group.commands.clone()));
        self.system.program = Program::new(&self.system);
    }

    /// Runs the loaded group on one value for each of its objects. Large states are not copied for it: no more is written than
    /// what the group uses.
    pub(super) fn run(&mut self, group: &Group, choice: &[usize], values: &Values<'_>) -> Outcome<Value> {
        for (&o, &n) in group.objects.iter().zip(choice) {
            self.system.clear(o, &mut self.state);
            self.system.write(o, values.get(o, n), &mut self.state);
        }
        for (k, &number) in self.numbers.iter().enumerate() {
            match self.system.is_enabled(TransitionId::new(k), &self.state) {
                Ok(true) => {}
                Ok(false) => return Outcome::Blocked(number),
                Err(_) => return Outcome::TestFault(number),
            }
        }
        match self.system.fire_in_place(TransitionId::new(self.numbers.len()), &mut self.state) {
            Ok(()) => Outcome::Step(group.objects.iter().map(|&o| self.system.value(o, &self.state)).collect()),
            Err(_) => Outcome::CommandFault,
        }
    }
}
