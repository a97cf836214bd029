//! Random runs that may still be accepted: each walk keeps the set of states that the automaton may be in, and takes no
//! step after which there is none. Where a marking repeats, or nothing is enabled, one asks whether the automaton accepts.
//!
//! Some walks are *determined*: once the automaton may be where it accepts, they forget where it may be as well, and go on only as
//! it likes it there. The way to such a place is kept, and later walks begin with it.
//!
//! Equal markings are recognised by a hash that each step updates; whoever replays the run will notice if they were not.

use std::collections::HashMap;

use automata::Automaton;
use automata::automaton::{Components, State, Word};
use evidence::Reason;
use model::views::NetTransitionId;

use super::position::Position;
use super::{Lasso, RunTask};
use crate::net::random::Random;
use crate::net::record::changed_hash;
use crate::refuter::accepts_whatever;
use crate::tokens::wiring::Wiring;

/// The steps of the first walk, and the most.
const FIRST: usize = 64;
const LONGEST: usize = 1 << 14;
/// Longer cycles are not looked at.
const CYCLE: usize = 1 << 12;
/// How many enabled transitions are tried before a walk is given up.
const TRIES: usize = 8;
/// Steps between two looks at the budget.
const BREATH: usize = 256;

/// How many ways to places where the automaton accepts are kept.
const KEPT: usize = 32;

/// Walks until an accepted run is found, or the budget is used up.
pub fn walk(task: &RunTask<'_>, seed: u64) -> Result<Lasso, Reason> {
    let wiring = Wiring::new(task.net);
    let start = Position::new(&wiring, task.atoms);
    let mut walker = Walker {
        task,
        components: Components::of(task.refuter.automaton()),
        determined: false,
        ways: Vec::new(),
        whatever: accepts_whatever(task.refuter.automaton()),
        position: start.clone(),
        random: Random::new(seed),
        run: Vec::new(),
        letters: Vec::new(),
        places: Vec::new(),
        met: HashMap::new(),
        for_ever: HashMap::new(),
        steps: 0,
    };
    let mut length = FIRST;
    loop {
        let follow = walker.random.below(4);
        walker.determined = walker.random.once_in(2);
        if let Some(lasso) = walker.walk(&start, length, follow)? {
            return Ok(lasso);
        }
        task.budget.check(0)?;
        length = (length + length / 8).min(LONGEST);
    }
}

struct Walker<'a> {
    task: &'a RunTask<'a>,
    components: Components,
    /// Whether this walk stays where the automaton accepts, once it is there.
    determined: bool,
    /// Ways to places where the automaton accepts.
    ways: Vec<Vec<NetTransitionId>>,
    whatever: Vec<bool>,
    position: Position<'a>,
    random: Random,
    run: Vec<NetTransitionId>,
    /// By position: what is read there, and where the automaton may be afterwards.
    letters: Vec<u64>,
    places: Vec<Vec<State>>,
    /// By hash of a marking, the first and the last position that has it.
    met: HashMap<u64, (usize, usize)>,
    /// By letter, whether the automaton accepts it for ever, by where it is.
    for_ever: HashMap<u64, Vec<bool>>,
    steps: usize,
}

impl<'a> Walker<'a> {
    fn automaton(&self) -> &Automaton {
        self.task.refuter.automaton()
    }

    /// One walk; the less `follow` is, the more often it goes on with what the last step enabled.
    fn walk(&mut self, start: &Position<'a>, length: usize, follow: usize) -> Result<Option<Lasso>, Reason> {
        self.position.copy_from(start);
        self.run.clear();
        self.letters.clear();
        self.places.clear();
        self.met.clear();
        let letter = self.position.letter();
        let first = after(self.automaton(), &[self.automaton().initial], letter);
        self.arrive(letter, first);
        let mut hash = self.begin()?;
        let length = length + self.run.len();
        while !self.here().is_empty() && self.run.len() < length {
            self.steps += 1;
            if self.steps.is_multiple_of(BREATH) {
                self.task.budget.check(0)?;
            }
            if self.here().iter().any(|s| self.whatever[s.index()]) {
                return Ok(self.on_and_on(hash));
            }
            if self.position.live.enabled().is_empty() {
                let stem = self.run.clone();
                return Ok(self.accepts_end().then_some(Lasso { stem, cycle: Vec::new() }));
            }
            if let Some(lasso) = self.round(hash) {
                return Ok(Some(lasso));
            }
            let Some(t) = self.step(follow)? else { return Ok(None) };
            hash = changed_hash(hash, self.position.wiring.effect(t));
        }
        Ok(None)
    }

    /// Goes a way that was kept, now and then; the hash of where it leads.
    fn begin(&mut self) -> Result<u64, Reason> {
        let mut hash = 0;
        if !self.determined || self.ways.is_empty() || self.random.once_in(4) {
            return Ok(hash);
        }
        let way = self.ways[self.random.below(self.ways.len())].clone();
        for t in way {
            self.position.fire(t)?;
            let letter = self.position.letter();
            let places = after(self.automaton(), self.here(), letter);
            self.run.push(t);
            self.arrive(letter, places);
            hash = changed_hash(hash, self.position.wiring.effect(t));
        }
        Ok(hash)
    }

    /// Of the states that the automaton may be in, those where it can stay and accept; all if there are none, or if it
    /// may be in no others.
    fn determine(&mut self, places: Vec<State>) -> Vec<State> {
        let accepting: Vec<State> = places.iter().copied().filter(|s| self.components.is_accepting_at(*s)).collect();
        if accepting.is_empty() || accepting.len() == places.len() {
            return places;
        }
        if self.ways.len() < KEPT {
            self.ways.push(self.run.clone());
        } else if self.random.once_in(8) {
            let at = self.random.below(KEPT);
            self.ways[at].clone_from(&self.run);
        }
        accepting
    }

    fn here(&self) -> &[State] {
        self.places.last().expect("a walk has a first position")
    }

    fn arrive(&mut self, letter: u64, places: Vec<State>) {
        self.letters.push(letter);
        self.places.push(places);
    }

    /// Takes a random step after which the automaton is somewhere.
    fn step(&mut self, follow: usize) -> Result<Option<NetTransitionId>, Reason> {
        for _ in 0..TRIES {
            let t = self.pick(follow);
            self.position.fire(t)?;
            let letter = self.position.letter();
            let places = after(self.automaton(), self.here(), letter);
            if !places.is_empty() {
                self.run.push(t);
                let places = if self.determined { self.determine(places) } else { places };
                self.arrive(letter, places);
                return Ok(Some(t));
            }
            self.position.unfire(t)?;
        }
        Ok(None)
    }

    fn pick(&mut self, follow: usize) -> NetTransitionId {
        let (live, random) = (&self.position.live, &mut self.random);
        if follow < 2 && !live.fresh.is_empty() && !random.once_in(if follow == 0 { 16 } else { 4 }) {
            let t = random.pick(&live.fresh);
            if live.is_enabled(t) {
                return t;
            }
        }
        random.pick(live.enabled())
    }

    /// Whether the run that ends here is accepted.
    fn accepts_end(&mut self) -> bool {
        let letter = *self.letters.last().expect("a walk has a first position");
        let automaton = self.task.refuter.automaton();
        let word = || Word::new(&[], &[letter]).expect("it has a cycle");
        let accepts = self.for_ever.entry(letter).or_insert_with(|| automaton.accepting(&word()));
        self.places.last().is_some_and(|places| places.iter().any(|s| accepts[s.index()]))
    }

    /// If the marking was met before: an accepted run that goes round from there.
    fn round(&mut self, hash: u64) -> Option<Lasso> {
        let here = self.run.len();
        let met = self.met.entry(hash).or_insert((here, here));
        let (first, last) = std::mem::replace(met, (met.0, here));
        let mut starts = vec![last];
        starts.extend((first != last).then_some(first));
        for start in starts {
            if start == here || here - start > CYCLE {
                continue;
            }
            let word = Word::new(&[], &self.letters[start + 1..=here]).expect("it has a cycle");
            let accepts = self.automaton().accepting(&word);
            if self.places[start].iter().any(|s| accepts[s.index()]) {
                return Some(Lasso { stem: self.run[..start].to_vec(), cycle: self.run[start..].to_vec() });
            }
        }
        None
    }

    /// On from here, where every run is accepted, until a marking repeats or nothing is enabled.
    fn on_and_on(&mut self, mut hash: u64) -> Option<Lasso> {
        let mut met = HashMap::from([(hash, self.run.len())]);
        let mut run = self.run.clone();
        for i in 0..LONGEST {
            if self.position.live.enabled().is_empty() {
                return Some(Lasso { stem: run, cycle: Vec::new() });
            }
            let t = self.pick(i / (LONGEST / 4));
            self.position.fire(t).ok()?;
            run.push(t);
            hash = changed_hash(hash, self.position.wiring.effect(t));
            if let Some(start) = met.insert(hash, run.len()) {
                let cycle = run.split_off(start);
                return Some(Lasso { stem: run, cycle });
            }
        }
        None
    }
}

/// Where an automaton may be after a letter.
fn after(automaton: &Automaton, places: &[State], letter: u64) -> Vec<State> {
    let edges = places.iter().flat_map(|s| automaton.from(*s));
    let mut out: Vec<State> = edges.filter(|e| e.label.holds(letter)).map(|e| e.target).collect();
    out.sort_unstable();
    out.dedup();
    out
}
