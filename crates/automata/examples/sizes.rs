//! Translates every formula of the given lists, and its negation, and prints the sizes: one line a formula, then totals
//! a list.
//!
//!     cargo run --release -p impasse-automata --example sizes -- LIST...

use std::time::{Duration, Instant};

use automata::syntax::parse;
use automata::{Automaton, Options, Pool, translate};

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

fn main() {
    let mut all = Total::default();
    for path in std::env::args().skip(1) {
        let mut total = Total::default();
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
        for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty() && !l.starts_with(['#', '/'])) {
            let parsed = parse(line).unwrap_or_else(|e| panic!("{path}:{}: {e}", i + 1));
            let mut pool = Pool::new();
            let f = pool.add(&parsed.formula);
            for (polarity, f) in [("+", f), ("-", pool.not(f))] {
                let start = Instant::now();
                let Ok(automaton) = translate(&mut pool, f, &Options::default()) else {
                    println!("{path}:{}:{polarity}: too large ({:.2?})", i + 1, start.elapsed());
                    continue;
                };
                let time = start.elapsed();
                let Automaton { sets, .. } = automaton;
                println!(
                    "{path}:{}:{polarity}: {} states, {} edges, {sets} sets, {time:.2?}",
                    i + 1,
                    automaton.size(),
                    automaton.edge_count(),
                );
                total.add(&automaton, time);
                all.add(&automaton, time);
            }
        }
        total.print(&path);
    }
    all.print("total");
}
