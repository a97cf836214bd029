//! Translates every formula of the given lists, and its negation, and prints the sizes: one line a formula, then totals
//! a list; likewise for the blind automata of those that have one.
//!
//!     cargo run --release -p impasse-automata --example sizes -- LIST...

use std::time::{Duration, Instant};

use automata::syntax::{Ltl, Unary, parse};
use automata::{Automaton, Blind, Options, Pool, translate};

#[derive(Default)]
struct Total {
    formulas: usize,
    states: usize,
    edges: usize,
    time: Duration,
    slowest: Duration,
}

impl Total {
    fn add(&mut self, automaton: &Automaton, time: Duration) {
        self.formulas += 1;
        self.states += automaton.size();
        self.edges += automaton.edge_count();
        self.time += time;
        self.slowest = self.slowest.max(time);
    }

    fn print(&self, what: &str) {
        let Self { formulas, states, edges, time, slowest } = self;
        println!("{what}: {formulas} automata, {states} states, {edges} edges, {time:.2?}, slowest {slowest:.2?}");
    }
}

/// What a formula of a list came to.
#[derive(Default)]
struct Totals {
    plain: Total,
    /// Of the formulas that have blind automata: the plain ones, and those.
    invariant: Total,
    blind: Total,
}

impl Totals {
    fn print(&self, what: &str) {
        self.plain.print(what);
        self.invariant.print(&format!("{what}, stutter invariant"));
        self.blind.print(&format!("{what}, blind"));
    }
}

fn main() {
    let mut all = Totals::default();
    for path in std::env::args().skip(1) {
        let mut total = Totals::default();
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
        for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty() && !l.starts_with(['#', '/'])) {
            let formula = parse(line).unwrap_or_else(|e| panic!("{path}:{}: {e}", i + 1)).formula;
            for (polarity, formula) in [("+", formula.clone()), ("-", formula.under(Unary::Not))] {
                measure(&format!("{path}:{}:{polarity}", i + 1), &formula, &mut [&mut total, &mut all]);
            }
        }
        total.print(&path);
    }
    all.print("total");
}

fn measure(at: &str, formula: &Ltl, totals: &mut [&mut Totals]) {
    let mut pool = Pool::new();
    let f = pool.add(formula);
    let start = Instant::now();
    let Ok(plain) = translate(&mut pool, f, &Options::default()) else {
        println!("{at}: too large ({:.2?})", start.elapsed());
        return;
    };
    let time = start.elapsed();
    println!("{at}: {} states, {} edges, {} sets, {time:.2?}", plain.size(), plain.edge_count(), plain.sets);
    totals.iter_mut().for_each(|t| t.plain.add(&plain, time));
    let start = Instant::now();
    match Blind::of(&mut pool, f, &Options::default()) {
        Ok(Some(blind)) => {
            let (automaton, longer) = (blind.automaton(), start.elapsed());
            println!("{at}: blind: {} states, {:?}, {longer:.2?}", automaton.size(), blind.way());
            totals.iter_mut().for_each(|t| t.invariant.add(&plain, time));
            totals.iter_mut().for_each(|t| t.blind.add(automaton, longer));
        }
        Ok(None) => println!("{at}: not stutter invariant ({:.2?})", start.elapsed()),
        Err(_) => println!("{at}: blind: too large ({:.2?})", start.elapsed()),
    }
}
