//! Valid, distinct names for everything: `Phil[0]` becomes `Phil_0`; arrays stay arrays.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use model::{Command, Domain, Enumeration, Expr, Kind, LocationId, ObjectId, Pattern, ProcessId, System};
use model::{Target, TransitionId, Value};

/// Words that mean something in some place: names avoid them all.
const WORDS: &str = "true false bool param const enum var lock semaphore counter channel action process property expect \
                     states init end uses for if else error when do sync on at in of rendezvous lossy acquire release \
                     wait signal assert forall exists count sum free len empty full min max always eventually next \
                     until holds violated deadlock invariant reachable safety ltl enabled taken under weak strong \
                     fairness";

/// An array, or a single object: consecutive objects that are declared together.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) name: String,
    pub(super) first: usize,
    pub(super) len: usize,
    pub(super) is_array: bool,
    /// Locks that are held at the start, or handled by steps of others, are written as variables that name the holder.
    pub(super) as_holder: bool,
    /// Semaphores that change by more than one are written as counters.
    pub(super) as_counter: bool,
}

/// The names of a system in the printed text.
#[derive(Debug)]
pub(super) struct Names {
    pub(super) enumerations: Vec<(String, Vec<String>)>,
    types: Vec<Arc<Enumeration>>,
    pub(super) blocks: Vec<Block>,
    /// The block of each object.
    block_of: Vec<usize>,
    processes: Vec<String>,
    states: Vec<Vec<String>>,
    /// The name of each step: its label, or its action; empty if it has none.
    steps: Vec<String>,
    pub(super) helper: String,
}

impl Names {
    /// Names for a system; if it is `watched`, each step has a name of its own.
    pub(super) fn new(system: &System, watched: bool) -> Self {
        let mut pool = Pool::new();
        let types = enumerations(system);
        let enumerations = types.iter().map(|e| {
            let name = pool.take(&e.name);
            (name, e.constants.iter().map(|c| pool.take(c)).collect())
        });
        let enumerations = enumerations.collect();
        let blocks = blocks(system, &mut pool);
        let mut block_of = vec![0; system.objects().len()];
        for (i, block) in blocks.iter().enumerate() {
            block_of[block.first..block.first + block.len].fill(i);
        }
        let processes = system.processes().iter().map(|p| pool.take(&p.name)).collect();
        let states = system.processes().iter().map(|p| {
            let mut own = Pool::new();
            p.locations.iter().map(|l| own.take(&l.name)).collect()
        });
        let states = states.collect();
        let helper = pool.take("Net");
        let steps = steps(system, watched, &mut pool);
        Self { enumerations, types, blocks, block_of, processes, states, steps, helper }
    }

    pub(super) fn process(&self, p: ProcessId) -> &str {
        &self.processes[p.index()]
    }

    pub(super) fn state(&self, p: ProcessId, l: LocationId) -> &str {
        &self.states[p.index()][l.index()]
    }

    pub(super) fn step(&self, t: TransitionId) -> &str {
        &self.steps[t.index()]
    }

    pub(super) fn block(&self, o: ObjectId) -> &Block {
        &self.blocks[self.block_of[o.index()]]
    }

    /// The constants of an enumeration.
    pub(super) fn constants(&self, e: &Enumeration) -> &[String] {
        self.types.iter().position(|t| **t == *e).map_or(&[], |i| &self.enumerations[i].1)
    }

    /// A domain as a type.
    pub(super) fn domain(&self, domain: &Domain) -> String {
        match domain {
            Domain::Named(e) => match self.types.iter().position(|t| t == e) {
                Some(i) => self.enumerations[i].0.clone(),
                None => format!("0..{}", domain.hi()),
            },
            other => other.to_string(),
        }
    }
}

/// Hands out valid names, each once.
#[derive(Debug)]
pub(super) struct Pool {
    /// For each name that was given, the number to try next when it is wanted again.
    taken: HashMap<String, u32>,
}

impl Pool {
    /// All names are free but the words of the language.
    pub(super) fn new() -> Self {
        Self { taken: WORDS.split_whitespace().map(|w| (w.to_owned(), 2)).collect() }
    }

    /// A valid name like this one, not given before.
    pub(super) fn take(&mut self, name: &str) -> String {
        let base = valid(name);
        let mut candidate = base.clone();
        while self.taken.contains_key(&candidate) {
            let number = self.taken.entry(base.clone()).or_insert(2);
            candidate = format!("{base}_{number}");
            *number += 1;
        }
        self.taken.insert(candidate.clone(), 2);
        candidate
    }

    /// A valid name like this one, given before or not.
    fn reuse(&self, name: &str) -> String {
        let name = valid(name);
        if WORDS.split_whitespace().any(|w| w == name) { name + "_" } else { name }
    }
}

/// The name with whatever cannot stand in a name replaced.
fn valid(name: &str) -> String {
    let mut base = String::new();
    for c in name.chars() {
        if c.is_ascii_alphanumeric() || c == '_' {
            base.push(c);
        } else if !base.ends_with('_') && !base.is_empty() {
            base.push('_');
        }
    }
    let base = base.trim_end_matches('_');
    match base.chars().next() {
        Some(c) if c.is_ascii_digit() => format!("n{base}"),
        Some(_) => base.to_owned(),
        None => "x".to_owned(),
    }
}

fn enumerations(system: &System) -> Vec<Arc<Enumeration>> {
    let mut out: Vec<Arc<Enumeration>> = Vec::new();
    let mut add = |domain: &Domain| {
        if let Domain::Named(e) = domain
            && !out.contains(e)
        {
            out.push(e.clone());
        }
    };
    for object in system.objects() {
        match &object.kind {
            Kind::Variable(domain) => add(domain),
            Kind::Channel(channel) => channel.fields.iter().for_each(&mut add),
            Kind::Lock | Kind::Semaphore { .. } | Kind::Counter { .. } => {}
        }
    }
    out
}

/// Labels that are worth printing, and the names of actions.
fn steps(system: &System, watched: bool, pool: &mut Pool) -> Vec<String> {
    let mut out = Vec::new();
    for t in system.transitions() {
        let joint = t.moves.len() > 1;
        let plain = t.moves.first().is_some_and(|m| {
            let locations = &system.process(m.process).locations;
            *m.label == *format!("{}->{}", locations[m.from.index()].name, locations[m.to.index()].name)
        });
        out.push(match (joint || watched, plain) {
            (true, true) => pool.take("step"),
            (true, false) => pool.take(&t.label),
            (false, true) => String::new(),
            // Labels are no names for all: they need not differ.
            (false, false) => pool.reuse(&t.label),
        });
    }
    out
}

/// `grid` of `grid[1][2]`, if there are indices.
fn array_name(name: &str) -> Option<&str> {
    let mut base = name;
    while let Some(rest) = base.strip_suffix(']') {
        base = &rest[..rest.rfind('[')?];
    }
    (base != name).then_some(base)
}

fn blocks(system: &System, pool: &mut Pool) -> Vec<Block> {
    let objects = system.objects();
    let uses = Uses::new(system);
    let joined = |i: usize| {
        let (a, b) = (&objects[i - 1], &objects[i]);
        let same = array_name(&a.name).is_some() && array_name(&a.name) == array_name(&b.name) && a.kind == b.kind;
        same || uses.joined.contains(&i)
    };
    let mut out: Vec<Block> = Vec::new();
    for (i, object) in objects.iter().enumerate() {
        if i > 0 && joined(i) {
            out.last_mut().expect("the first object begins a block").len += 1;
            continue;
        }
        let is_array = array_name(&object.name).is_some() || uses.indexed.contains(&i);
        let name = array_name(&object.name).unwrap_or(&object.name);
        let name = pool.take(name);
        out.push(Block { name, first: i, len: 1, is_array, as_holder: false, as_counter: false });
    }
    for block in &mut out {
        let range = block.first..block.first + block.len;
        block.is_array |= block.len > 1;
        block.as_holder =
            range.clone().any(|i| matches!(objects[i].initial, Value::Lock(Some(_))) || uses.foreign.contains(&i));
        block.as_counter = range.clone().any(|i| uses.bulk.contains(&i));
    }
    out
}

/// How the steps use the objects.
#[derive(Default)]
struct Uses {
    /// Objects that an index may select together with the one before them.
    joined: BTreeSet<usize>,
    /// Objects that an index selects.
    indexed: BTreeSet<usize>,
    /// Locks handled in a step whose process is not the holder.
    foreign: BTreeSet<usize>,
    /// Semaphores that change by more than one.
    bulk: BTreeSet<usize>,
}

impl Uses {
    fn new(system: &System) -> Self {
        let mut uses = Uses::default();
        let mut targets: BTreeMap<(u32, u32), ()> = BTreeMap::new();
        for t in system.transitions() {
            t.guard.iter().for_each(|e| note(e, &mut targets));
            let mut active = 0;
            for c in &t.command {
                c.expressions().into_iter().for_each(|e| note(e, &mut targets));
                c.target().iter().for_each(|t| note_target(t, &mut targets));
                if let Command::Receive(_, patterns) = c {
                    for p in patterns {
                        if let Pattern::Bind(t) = p {
                            note_target(t, &mut targets);
                        }
                    }
                }
                uses.command(c, &t.moves, &mut active);
            }
        }
        for (first, len) in targets.into_keys() {
            uses.indexed.insert(first as usize);
            uses.joined.extend(first as usize + 1..(first + len) as usize);
        }
        uses
    }

    fn command(&mut self, command: &Command, moves: &[model::Move], active: &mut usize) {
        match command {
            Command::Acquire(t, p) | Command::Release(t, p) => match moves.iter().position(|m| m.process == *p) {
                // The operations run in the order of the processes: nobody can be asked to go back.
                Some(k) if k >= *active => *active = k,
                _ => self.foreign.extend(t.objects().map(ObjectId::index)),
            },
            Command::Gain(t, n) | Command::Take(t, n) if *n != 1 => self.bulk.extend(t.objects().map(ObjectId::index)),
            _ => {}
        }
    }
}

fn note(e: &Expr, targets: &mut BTreeMap<(u32, u32), ()>) {
    e.walk(&mut |e| e.target().iter().for_each(|t| note_target(t, targets)));
}

fn note_target(target: &Target, targets: &mut BTreeMap<(u32, u32), ()>) {
    if target.index.is_some() {
        targets.insert((target.first.0, target.len), ());
    }
}
