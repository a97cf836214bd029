//! Emptiness of the product on several threads: nested depth-first search with shared colours (CNDFS: Evangelista, Laarman,
//! Petrucci, van de Pol, ATVA 2012).
//!
//! Every thread searches the whole product, in an order of its own, but goes not where another has finished: a node is *blue*
//! once a thread has left it in its search. When a thread leaves an accepting node it looks for a cycle through its own stack
//! (the *cyan* nodes) among the nodes that are not yet *red*, and makes those red that it saw, after it has waited until the
//! other accepting ones among them are. Every accepting cycle is found by the thread that leaves one of its nodes last: the
//! authors prove it, and that the waiting ends.
//!
//! Nested search wants one acceptance condition on nodes: a node also counts how many of the required marks were met in
//! turn, and accepts when that is all of them. Strong fairness is no matter of marks: it is left to the other search.
//!
//! What is left out must be the same in both searches and on all threads: then they search one graph, to which the proof
//! applies as it is. So the only reduction that fits here is [`Static`], which knows neither stacks nor colours.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::time::Duration;

use automata::automaton::State as Place;
use evidence::{Budget, Progress, Reason, Snapshot, Statistics, Trace};
use model::TransitionId;

#[cfg(test)]
use super::conditions::Condition;
use super::lasso::on_and_on;
use super::product::{Marks, Product, STAY};
use super::reduction::Static;
use crate::bits::Growing;
use crate::shared::{Full, Growable, Hold, Inserted, Means, Plain, Visited};

const BLUE: u8 = 1;
const RED: u8 = 2;
/// How much work passes between two looks at the budget.
const WORK: u32 = 1 << 10;
/// How long a thread sleeps that waits for others.
const NAP: Duration = Duration::from_micros(50);

/// What each thread has of its own.
pub(super) struct Own<'a> {
    pub(super) product: Product<'a>,
    pub(super) reduction: Option<Static<'a>>,
}

/// What was found: a run that breaks the claim, if it can be told.
pub(super) type Broken = Option<Trace>;

/// Why a thread stops.
enum Halt {
    /// The claim is broken.
    Broken(Broken),
    /// The budget is used up.
    Spent(Reason),
    /// Somebody else knows the answer.
    Known,
}

impl From<Reason> for Halt {
    fn from(reason: Reason) -> Self {
        Halt::Spent(reason)
    }
}

/// Nodes and their colours.
struct Nodes {
    store: Plain,
    colours: Vec<AtomicU8>,
}

/// What all threads see.
struct Common<'c> {
    nodes: Growable<Nodes>,
    over: AtomicBool,
    answer: Mutex<Option<Result<Broken, Reason>>>,
    transitions: AtomicU64,
    states: AtomicU64,
    kept: AtomicU64,
    peak: AtomicU64,
    depth: AtomicU64,
    threads: usize,
    terminal: &'c [bool],
    budget: &'c Budget,
    progress: &'c dyn Progress,
}

/// Searches on some threads, the first of which has its own already, and the others make theirs; whether the claim is
/// broken, and what the search covered.
pub(super) fn run<'a>(
    (first, own): (Own<'a>, &(dyn Fn() -> Own<'a> + Sync)),
    threads: usize,
    terminal: &[bool],
    (budget, progress): (&Budget, &dyn Progress),
) -> (Result<Option<Broken>, Reason>, Statistics) {
    let store = Plain::new(first.product.words());
    let colours = colours(store.room());
    let common = Common {
        nodes: Growable::new(Nodes { store, colours }),
        over: AtomicBool::new(false),
        answer: Mutex::new(None),
        transitions: AtomicU64::new(0),
        states: AtomicU64::new(0),
        kept: AtomicU64::new(0),
        peak: AtomicU64::new(0),
        depth: AtomicU64::new(0),
        threads,
        terminal,
        budget,
        progress,
    };
    std::thread::scope(|scope| {
        for number in 1..threads {
            let common = &common;
            scope.spawn(move || {
                let Own { product, reduction } = own();
                Worker::new(number, (&product, reduction), common).work();
            });
        }
        let Own { product, reduction } = first;
        Worker::new(0, (&product, reduction), &common).work();
    });
    let states = common.states.into_inner().max(1);
    let statistics = Statistics {
        states: Some(states),
        transitions: Some(common.transitions.into_inner()),
        depth: Some(common.depth.into_inner()),
        peak_bytes: common.peak.into_inner().max(bytes(&common.nodes.into_inner())),
        ..Statistics::default()
    };
    (common.answer.into_inner().expect("nobody panics here").transpose(), statistics)
}

fn colours(count: usize) -> Vec<AtomicU8> {
    std::iter::repeat_with(AtomicU8::default).take(count).collect()
}

fn bytes(nodes: &Nodes) -> u64 {
    nodes.store.bytes() + nodes.colours.len() as u64
}

/// Whether cycles are looked for where accepting nodes are entered, not where they are left: a planted bug.
#[cfg(not(test))]
const fn is_early() -> bool {
    false
}
#[cfg(test)]
fn is_early() -> bool {
    tests::EARLY.get()
}

/// A node on the stack.
#[derive(Clone, Copy)]
struct Frame {
    node: u32,
    /// Where its steps begin, and which is taken next, or again.
    first: usize,
    next: usize,
    /// The next edge of the automaton for that step.
    edge: u32,
    /// The fairness sets that are offered in its state.
    offered: Marks,
}

/// A thread.
struct Worker<'w, 'a> {
    number: usize,
    product: &'w Product<'a>,
    reduction: Option<Static<'a>>,
    common: &'w Common<'w>,
    nodes: Hold<'w, Nodes>,
    desk: <Plain as Visited>::Desk,
    /// The required marks, in the order in which they are waited for.
    marks: Vec<Marks>,
    stack: Vec<Frame>,
    /// How long the stack was when the search for a cycle began.
    base: Option<usize>,
    steps: Vec<TransitionId>,
    cyan: Growing,
    /// What the search for a cycle saw.
    seen: Growing,
    list: Vec<u32>,
    /// The topmost node, and one that a step leads to.
    node: Vec<u64>,
    next: Vec<u64>,
    enabled: Vec<TransitionId>,
    chosen: Vec<TransitionId>,
    transitions: u64,
    depth: u64,
    work: u32,
    told: u64,
}

impl<'w, 'a> Worker<'w, 'a> {
    fn new(number: usize, (product, reduction): (&'w Product<'a>, Option<Static<'a>>), common: &'w Common<'w>) -> Self {
        let (words, required) = (product.words(), product.required());
        let nodes = common.nodes.hold();
        Self {
            number,
            product,
            reduction,
            common,
            desk: nodes.store.desk(),
            nodes,
            marks: (0..Marks::BITS).map(|bit| 1 << bit).filter(|mark| required & mark != 0).collect(),
            stack: Vec::new(),
            base: None,
            steps: Vec::new(),
            cyan: Growing::default(),
            seen: Growing::default(),
            list: Vec::new(),
            node: vec![0; words],
            next: vec![0; words],
            enabled: Vec::new(),
            chosen: Vec::new(),
            transitions: 0,
            depth: 0,
            work: 0,
            told: 0,
        }
    }

    /// Searches, and tells what it found.
    fn work(mut self) {
        let answer = match self.search() {
            Ok(()) | Err(Halt::Known) => None,
            Err(Halt::Broken(broken)) => Some(Ok(broken)),
            Err(Halt::Spent(reason)) => Some(Err(reason)),
        };
        self.common.transitions.fetch_add(self.transitions, Ordering::Relaxed);
        self.common.depth.fetch_max(self.depth, Ordering::Relaxed);
        if let Some(answer) = answer {
            let mut place = self.common.answer.lock().expect("nobody panics here");
            // What was found counts more than that somebody ran out of time.
            if place.is_none() || (answer.is_ok() && matches!(*place, Some(Err(_)))) {
                *place = Some(answer);
            }
            self.common.over.store(true, Ordering::Relaxed);
        }
    }

    fn search(&mut self) -> Result<(), Halt> {
        let (product, start) = (self.product, self.product.automaton.initial);
        let state = product.system.initial_state();
        let Ok(reading) = product.read_first(&state) else { return Err(Halt::Broken(Some(Trace::finite(Vec::new())))) };
        let mut edge = 0;
        while let Some((after, _, place)) = product.edge(start, reading, edge) {
            edge = after;
            self.next[..state.len()].copy_from_slice(&state);
            let node = self.insert(place, 0)?;
            if self.colour(node) & BLUE == 0 {
                self.blue(node)?;
            }
        }
        Ok(())
    }

    /// Searches from a node on, and for a cycle wherever an accepting node is left.
    fn blue(&mut self, root: u32) -> Result<(), Halt> {
        self.enter(root)?;
        self.cyan.insert(root as usize);
        while let Some(top) = self.stack.last().map(|frame| frame.node) {
            self.tick()?;
            match self.successor()? {
                Some(node) if !self.cyan.contains(node as usize) && self.colour(node) & BLUE == 0 => {
                    self.enter(node)?;
                    self.cyan.insert(node as usize);
                    if is_early() && self.accepts() {
                        self.red(node)?;
                    }
                }
                Some(_) => {}
                None => {
                    self.paint(top, BLUE);
                    if !is_early() && self.accepts() {
                        self.red(top)?;
                    }
                    self.cyan.remove(top as usize);
                    self.leave();
                }
            }
        }
        Ok(())
    }

    /// Looks for a cycle through the stack from the accepting node on its top.
    fn red(&mut self, seed: u32) -> Result<(), Halt> {
        let base = self.stack.len();
        self.base = Some(base);
        self.list.drain(..).for_each(|node| self.seen.remove(node as usize));
        self.see(seed)?;
        while self.stack.len() > base {
            self.tick()?;
            match self.successor()? {
                Some(node) if self.cyan.contains(node as usize) => return Err(Halt::Broken(Some(self.round(node)))),
                Some(node) if !self.seen.contains(node as usize) && self.colour(node) & RED == 0 => self.see(node)?,
                Some(_) => {}
                None => self.leave(),
            }
        }
        self.base = None;
        let list = std::mem::take(&mut self.list);
        for &node in list.iter().filter(|node| **node != seed) {
            self.open(node);
            // Who looks too early would wait for itself.
            while !is_early() && self.accepts() && self.colour(node) & RED == 0 {
                self.nap()?;
            }
        }
        list.iter().for_each(|&node| self.paint(node, RED));
        self.list = list;
        self.open(seed);
        Ok(())
    }

    fn see(&mut self, node: u32) -> Result<(), Halt> {
        self.seen.insert(node as usize);
        self.list.push(node);
        self.enter(node)
    }

    /// Puts a node on the stack.
    fn enter(&mut self, node: u32) -> Result<(), Halt> {
        self.open(node);
        let (product, first) = (self.product, self.steps.len());
        let (state, place) = product.parts(&self.node);
        let listed = product.list(state, &mut self.enabled);
        let offered = product.offered(&self.node, &self.enabled);
        self.stack.push(Frame { node, first, next: first, edge: 0, offered });
        self.depth = self.depth.max(self.stack.len() as u64 - 1);
        if let Err((t, _)) = listed {
            self.steps.push(t);
            return Err(Halt::Broken(Some(Trace::finite(self.along(0..self.stack.len())))));
        }
        if self.common.terminal[place.index()] {
            return Err(Halt::Broken(self.whatever()));
        }
        let taken = match &mut self.reduction {
            Some(reduction) => {
                #[cfg(test)]
                if !reduction.keeps(Condition::Alike) && (self.base.is_some() || self.number % 2 == 1) {
                    self.enabled.reverse();
                }
                reduction.choose((state, place), &self.enabled, &mut self.chosen);
                &self.chosen
            }
            None => &self.enabled,
        };
        match taken.len() {
            0 => self.steps.extend(product.may_stay().then_some(STAY)),
            // Each thread has an order of its own, so that they go different ways.
            many => {
                let turn = if self.number < 2 { 0 } else { (node as usize).wrapping_mul(self.number) % many };
                let turned = taken[turn..].iter().chain(&taken[..turn]);
                match self.number % 2 {
                    0 => self.steps.extend(turned),
                    _ => self.steps.extend(turned.rev()),
                }
            }
        }
        Ok(())
    }

    /// Takes the topmost node from the stack.
    fn leave(&mut self) {
        if let Some(frame) = self.stack.pop() {
            self.steps.truncate(frame.first);
        }
        if let Some(below) = self.stack.last().map(|frame| frame.node) {
            self.open(below);
        }
    }

    /// The next node that a step from the topmost one leads to.
    fn successor(&mut self) -> Result<Option<u32>, Halt> {
        let top = self.stack.len() - 1;
        loop {
            let frame = self.stack[top];
            let Some(&t) = self.steps.get(frame.next) else { return Ok(None) };
            let (state, place) = self.product.parts(&self.node);
            let Ok(reading) = self.product.fire(t, state, &mut self.next) else {
                return Err(Halt::Broken(Some(Trace::finite(self.along(0..self.stack.len())))));
            };
            self.transitions += u64::from(frame.edge == 0 && t != STAY);
            match self.product.edge(place, reading, frame.edge) {
                None => (self.stack[top].next, self.stack[top].edge) = (frame.next + 1, 0),
                Some((after, marks, target)) => {
                    self.stack[top].edge = after;
                    let met = self.met(marks | self.product.fairness_of(t, frame.offered));
                    return self.insert(target, met).map(Some);
                }
            }
        }
    }

    /// How many of the marks are met after a step from the topmost node.
    fn met(&self, done: Marks) -> usize {
        let before = self.count();
        let before = if before == self.marks.len() { 0 } else { before };
        before + self.marks[before..].iter().take_while(|mark| done & **mark != 0).count()
    }

    /// How many of the marks were met at the node at hand.
    fn count(&self) -> usize {
        (self.node[self.node.len() - 1] >> 32) as usize
    }

    /// Whether the node at hand accepts.
    fn accepts(&self) -> bool {
        self.count() == self.marks.len()
    }

    fn colour(&self, node: u32) -> u8 {
        self.nodes.colours[node as usize].load(Ordering::Acquire)
    }

    fn paint(&self, node: u32, colour: u8) {
        self.nodes.colours[node as usize].fetch_or(colour, Ordering::AcqRel);
    }

    /// Brings a node to hand.
    fn open(&mut self, node: u32) {
        let mut words = std::mem::take(&mut self.node);
        self.nodes.store.open(node.into(), &mut self.desk, &mut words);
        self.node = words;
    }

    /// Stores the state in `next` with a state of the automaton and the number of marks that were met.
    fn insert(&mut self, place: Place, met: usize) -> Result<u32, Halt> {
        self.product.set_place(&mut self.next, place);
        let last = self.next.len() - 1;
        self.next[last] |= (met as u64) << 32;
        loop {
            let store = &self.nodes.store;
            let inserted =
                store.key(&self.next, &mut self.desk).and_then(|k| store.insert(&self.next, k, &mut self.desk));
            match inserted {
                Ok(Inserted::New(node)) => {
                    self.common.states.fetch_add(1, Ordering::Relaxed);
                    return Ok(node as u32);
                }
                Ok(Inserted::Old(node)) => return Ok(node as u32),
                Err(full) => self.grow(full)?,
            }
        }
    }

    /// Makes room, unless somebody did meanwhile.
    #[cold]
    fn grow(&mut self, full: Full) -> Result<(), Halt> {
        let common = self.common;
        let grown = self.nodes.grow(|nodes, helpers| {
            let others = nodes.colours.len() as u64 * 2 + common.kept.load(Ordering::Relaxed);
            let allows = |bytes: u64| common.budget.check_memory(bytes + others);
            let grown = nodes.store.grow(full, &Means { threads: common.threads, helpers, allows: &allows });
            let missing = nodes.store.room().saturating_sub(nodes.colours.len());
            nodes.colours.reserve_exact(missing);
            nodes.colours.extend(colours(missing));
            grown
        });
        Ok(grown?)
    }

    /// Waits a little for others, who may want to grow.
    fn nap(&mut self) -> Result<(), Halt> {
        self.nodes.let_go(|_| std::thread::sleep(NAP));
        self.look()
    }

    fn tick(&mut self) -> Result<(), Halt> {
        self.work += 1;
        self.nodes.give_way();
        if self.work.is_multiple_of(WORK) { self.look() } else { Ok(()) }
    }

    /// Looks whether the search is over, and at the budget.
    #[cold]
    fn look(&mut self) -> Result<(), Halt> {
        let (common, order) = (self.common, Ordering::Relaxed);
        if common.over.load(order) {
            return Err(Halt::Known);
        }
        let own = self.stack.capacity() * size_of::<Frame>() + 4 * (self.steps.capacity() + self.list.capacity());
        let own = (own + self.cyan.bytes() + self.seen.bytes()) as u64;
        common.kept.fetch_add(own.wrapping_sub(self.told), order);
        self.told = own;
        let bytes = bytes(&self.nodes) + common.kept.load(order);
        common.peak.fetch_max(bytes, order);
        if self.number == 0 && self.work.is_multiple_of(64 * WORK) {
            let (states, waiting) = (common.states.load(order), self.stack.len() as u64);
            common.progress.update(&Snapshot { states, transitions: self.transitions, waiting, bytes });
        }
        Ok(common.budget.check(bytes)?)
    }

    /// The steps that are taken from some nodes of the stack.
    fn along(&self, frames: std::ops::Range<usize>) -> Vec<TransitionId> {
        // From the node where the search for a cycle began it begins once more.
        let twice = self.base.map(|base| base - 1);
        let frames = frames.filter(|i| Some(*i) != twice).map(|i| self.steps[self.stack[i].next]);
        frames.filter(|t| *t != STAY).collect()
    }

    /// The run along the stack and round through a node of it.
    fn round(&self, node: u32) -> Trace {
        let from = self.stack.iter().position(|frame| frame.node == node).expect("cyan nodes are on the stack");
        Trace { stem: self.along(0..from), cycle: self.along(from..self.stack.len()) }
    }

    /// A run along the stack and on, wherever it goes, unless it is too long.
    fn whatever(&self) -> Broken {
        let stem = self.along(0..self.stack.len() - 1);
        on_and_on(self.product, self.product.state(&self.node), stem, (self.common.budget, bytes(&self.nodes))).ok()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use evidence::Silent;
    use model::Property;
    use testkit::Rng;
    use testkit::compare::{Demand, Oracle};
    use testkit::random::{Profile, RunProfile, sample, temporal};

    use crate::liveness::{CycleProviso, Emptiness, Liveness};
    use crate::{Engine, Problem};

    thread_local! {
        /// See [`super::is_early`].
        pub(super) static EARLY: Cell<bool> = const { Cell::new(false) };
    }

    const NESTED: Liveness = Liveness {
        persistent: None,
        proviso: CycleProviso::Peled,
        emptiness: Emptiness::Nested,
        threads: 1,
        without: None,
    };

    /// How many claims the oracle finds answered wrongly on one thread.
    fn wrong() -> usize {
        let engine = NESTED;
        let mut wrong = 0;
        for profile in [Profile::lawful(), Profile::nets()] {
            for seed in 0..60 {
                let system = sample(seed, &profile).system;
                for (kind, claims) in RunProfile::all() {
                    let property = Property::Temporal(temporal(&mut Rng::new(seed), &system, &claims));
                    let Some(oracle) = Oracle::new(&system, &property, 120) else { continue };
                    let problem = Problem { system: &system, property: &property };
                    if engine.supports(&problem).is_err() {
                        continue;
                    }
                    let outcome = engine.run(&problem, &evidence::Budget::unlimited(), &Silent);
                    if let Err(e) = oracle.check(&outcome, Demand::default()) {
                        eprintln!("seed {seed}, {kind}: {e}");
                        wrong += 1;
                    }
                }
            }
        }
        wrong
    }

    /// The way to the cycle accepts, too: who looks there first for cycles through its stack takes the nodes of this one for
    /// settled.
    const AHEAD: &str = "process P { states start, ahead, in, on  start -> ahead  ahead -> in  in -> on  on -> in }";

    #[test]
    fn cycles_that_are_looked_for_too_early_are_missed() {
        assert_eq!(wrong(), 0);
        let system = frontend::native::load("ahead", AHEAD, &[]).expect("the model is right").system;
        let claim = "eventually always !(P at ahead || P at in)";
        let formula = frontend::native::formula(AHEAD, &[], claim).expect("the formula is right");
        let property = Property::Temporal(model::Temporal::formula(formula));
        let oracle = Oracle::new(&system, &property, 120).expect("it is small");
        let is_right = || {
            let outcome =
                NESTED.run(&Problem { system: &system, property: &property }, &evidence::Budget::unlimited(), &Silent);
            oracle.check(&outcome, Demand::default()).is_ok()
        };
        assert!(is_right());
        EARLY.set(true);
        let is_wrong = !is_right();
        EARLY.set(false);
        assert!(is_wrong);
    }

    /// A product of some hundred thousand nodes: the answer is the same on any number of threads.
    #[test]
    fn answers_do_not_depend_on_threads() {
        let text = "param n = 7  lock fork[n]
            process Phil[i in 0..n-1] { states thinking, hungry, eating, done
                thinking -> hungry do acquire fork[min(i, (i+1) % n)]  hungry -> eating do acquire fork[max(i, (i+1) % n)]
                eating -> done do release fork[i]                      done -> thinking do release fork[(i+1) % n] }";
        let system = frontend::native::load("philosophers", text, &[]).expect("the model is right").system;
        for (claim, holds) in [
            ("always (Phil[0] at eating => eventually Phil[0] at thinking)", false),
            ("always eventually (exists i in 0..n-1: Phil[i] at eating)", true),
            ("always (Phil[0] at eating => (!(Phil[1] at eating) weak until Phil[0] at done))", true),
            ("eventually Phil[0] at eating", false),
        ] {
            let formula = frontend::native::formula(text, &[], claim).expect("the formula is right");
            let property = Property::Temporal(model::Temporal::formula(formula));
            let mut states = Vec::new();
            let reduced = Liveness { emptiness: Emptiness::Nested, ..Liveness::default() };
            for (threads, engine) in (1..=4).flat_map(|threads| [(threads, NESTED), (threads, reduced)]) {
                let engine = Liveness { threads, ..engine };
                let problem = Problem { system: &system, property: &property };
                let outcome = engine.run(&problem, &evidence::Budget::unlimited(), &Silent);
                assert_eq!(matches!(outcome.verdict, evidence::Verdict::Holds(_)), holds, "{claim}, {threads} threads");
                outcome.verdict.trace().iter().for_each(|run| {
                    check::replay(&system, &property, run).expect("it is a run that breaks the claim");
                });
                states.push(outcome.statistics.states);
            }
            let same = |first: usize| states.iter().skip(first).step_by(2).all(|other| *other == states[first]);
            assert!(!holds || (same(0) && same(1) && states[1] <= states[0]), "{claim}: {states:?}");
        }
    }
}
