//! Random terms: the network must be strongly bisimilar to the term explored as one automaton.

use testkit::Rng;

use super::super::{Sync, Term, TermId};
use super::support::{Graph, Table};

const EVENTS: [&str; 4] = ["a", "b", "c", "d"];

struct Maker<'t> {
    rng: Rng,
    table: &'t mut Table,
    calls: Vec<TermId>,
}

impl Maker<'_> {
    fn some_events(&mut self) -> Vec<&'static str> {
        EVENTS.iter().copied().filter(|_| self.rng.chance(45)).collect()
    }

    /// A term without compositions on top; recursion only behind an event.
    fn sequential(&mut self, depth: usize) -> TermId {
        let choice = if depth == 0 { self.rng.below(3) } else { self.rng.below(13) };
        match choice {
            0 => self.table.stop(),
            1 => self.table.skip(),
            2 | 9..=12 => {
                let then = if depth == 0 || self.rng.chance(30) {
                    *self.rng.pick(&self.calls)
                } else {
                    self.sequential(depth - 1)
                };
                let event = *self.rng.pick(&EVENTS);
                self.table.prefix(event, then)
            }
            3 => {
                let (p, q) = (self.sequential(depth - 1), self.sequential(depth - 1));
                self.table.store.external([p, q])
            }
            4 => {
                let (p, q) = (self.sequential(depth - 1), self.sequential(depth - 1));
                self.table.store.internal(vec![p, q])
            }
            5 => self.binary(depth, Term::Sliding),
            6 => self.binary(depth, Term::Sequential),
            7 => self.binary(depth, Term::Interrupt),
            _ => {
                let (p, q, set) = (self.sequential(depth - 1), self.sequential(depth - 1), self.some_events());
                let set = self.table.set(&set);
                self.table.term(Term::Exception(p, set, q))
            }
        }
    }

    fn binary(&mut self, depth: usize, make: fn(TermId, TermId) -> Term) -> TermId {
        let (p, q) = (self.sequential(depth - 1), self.sequential(depth - 1));
        self.table.term(make(p, q))
    }

    /// Static operators over sequential terms.
    fn composed(&mut self, depth: usize) -> TermId {
        if depth == 0 || self.rng.chance(15) {
            return if self.rng.chance(50) { *self.rng.pick(&self.calls) } else { self.sequential(2) };
        }
        match self.rng.below(6) {
            0 => {
                let (p, set) = (self.composed(depth - 1), self.some_events());
                self.table.hide(p, &set)
            }
            1 => {
                let p = self.composed(depth - 1);
                let pairs: Vec<_> =
                    (0..1 + self.rng.below(4)).map(|_| (*self.rng.pick(&EVENTS), *self.rng.pick(&EVENTS))).collect();
                self.table.rename(p, &pairs)
            }
            2 | 3 => {
                let parts = self.parts(depth);
                let set = self.some_events();
                self.table.parallel(&parts, &set)
            }
            4 => {
                let parts = self.parts(depth);
                let sets: Vec<_> = parts
                    .iter()
                    .map(|_| {
                        let set = self.some_events();
                        self.table.set(&set)
                    })
                    .collect();
                self.table.store.parallel(parts, Sync::Alphabets(sets.into()))
            }
            _ => {
                let (p, q) = (self.composed(depth - 1), self.composed(depth - 1));
                let (a, b) = (self.table.event("a"), self.table.event("b"));
                self.table.store.linked(p, &[(a, b)], q)
            }
        }
    }

    fn parts(&mut self, depth: usize) -> Vec<TermId> {
        (0..1 + self.rng.below(3)).map(|_| self.composed(depth - 1)).collect()
    }
}

/// A random term with recursive definitions underneath.
fn random(table: &mut Table, seed: u64) -> TermId {
    let declared: Vec<_> = (0..3).map(|_| table.declare()).collect();
    let calls = declared.iter().map(|d| d.1).collect();
    let mut maker = Maker { rng: Rng::new(seed), table, calls };
    for (call, _) in declared {
        let event = *maker.rng.pick(&EVENTS);
        let then = maker.sequential(1);
        let body = maker.table.prefix(event, then);
        maker.table.bodies[call.0 as usize] = Some(body);
    }
    maker.composed(2)
}

#[test]
fn networks_behave_like_their_terms() {
    let (mut large, mut terminating) = (0, 0);
    let mut seen = 0;
    for seed in 0..4000 {
        let mut table = Table::new();
        let term = random(&mut table, seed);
        // A sequential process that starts itself again before it ends grows for ever.
        let limits = super::super::Limits { states: 1500, ..Default::default() };
        let subject = super::support::subject();
        if super::super::explore(&mut table, term, &subject, &limits).is_err() {
            continue;
        }
        let Ok(network) = super::super::network(&mut table, term, &subject, &limits) else { continue };
        seen += 1;
        let (explored, network) = (table.graph(term), Graph::of(&network));
        large += usize::from(network.end.len() > 20);
        terminating += usize::from(network.moves.iter().any(|m| m.1 == "tick"));
        assert!(explored.equivalent(&network), "seed {seed}: {explored:?}\n{network:?}");
    }
    assert!(seen > 2500 && large > 400 && terminating > 300, "{seen} {large} {terminating}");
}

/// A change of the rules.
type Bug = fn(&mut Vec<model::views::Rule>);

/// Plants a bug in rules: each of these must be noticed by the comparison above on some term.
#[test]
fn planted_bugs_are_caught() {
    let bugs: [(&str, Bug); 3] = [
        ("a rule is lost", |rules| drop(rules.pop())),
        ("a participant is forgotten", |rules| {
            if let Some(rule) = rules.iter_mut().find(|r| r.participants.len() > 1) {
                rule.participants.pop();
            }
        }),
        ("a hidden event stays visible", |rules| {
            if let Some(rule) = rules.iter_mut().find(|r| r.name != r.label) {
                rule.label = "a".into();
            }
        }),
    ];
    for (name, plant) in bugs {
        let caught = (0..200).filter(|seed| differs(*seed, plant)).count();
        assert!(caught > 10, "{name}: noticed {caught} times");
    }
}

fn differs(seed: u64, plant: Bug) -> bool {
    let mut table = Table::new();
    let term = random(&mut table, seed);
    let limits = super::super::Limits { states: 300, ..Default::default() };
    let subject = super::support::subject();
    if super::super::explore(&mut table, term, &subject, &limits).is_err() {
        return false;
    }
    let Ok(network) = super::super::network(&mut table, term, &subject, &limits) else { return false };
    let mut rules = network.rules().to_vec();
    plant(&mut rules);
    let automata = network.components().iter().map(|c| model::views::Automaton {
        name: c.name().to_owned(),
        origin: c.origin().clone(),
        states: c.states().to_vec(),
        initial: c.initial(),
        events: c.events().to_vec(),
        moves: (0..c.states().len())
            .map(model::views::StateId::new)
            .flat_map(|s| c.moves(s).iter().map(move |m| (s, m.event, m.to)))
            .collect(),
    });
    let wrong = model::views::Network::new("wrong", automata.collect(), rules).expect("still a network");
    !table.graph(term).equivalent(&Graph::of(&wrong))
}
