//! k-induction meets the naive oracle: what it excludes is not reachable, what it reaches is, and it does enough of both.

mod net_common;

use std::time::{Duration, Instant};

use engines::net::induction::run;
use evidence::Budget;
use model::nets::{Goal, Predicate};
use model::views::{ArcSet, Net, Place, PlaceId};
use net_common::{philosophers, work};
use testkit::nets::{Oracle, goals, random, targets, tiny};

/// How many goals there are, and how many were settled.
#[derive(Debug, Default)]
struct Score {
    unreachable: usize,
    proved: usize,
    reachable: usize,
    reached: usize,
}

impl Score {
    /// Compares with the oracle, unless the net is too large for it. Runs are replayed by `work`.
    fn add(&mut self, net: &Net, goals: &[Goal], name: &str) {
        let Some(oracle) = Oracle::new(net, 2000) else { return };
        let budget = Budget::unlimited().with_timeout(Duration::from_millis(150));
        let known = work(net, goals, &budget, run);
        for &goal in &known.never {
            assert!(!oracle.reaches(&goals[goal]), "{name}: {:?} is reached in {net:?}", goals[goal]);
        }
        let asked = goals.iter().filter(|goal| !matches!(goal, Goal::Maximum(_)));
        let reachable = asked.clone().filter(|goal| oracle.reaches(goal)).count();
        self.unreachable += asked.count() - reachable;
        self.reachable += reachable;
        self.proved += known.never.len();
        self.reached += known.reached.len();
    }

    fn shares(&self) -> (f64, f64) {
        (self.proved as f64 / self.unreachable as f64, self.reached as f64 / self.reachable as f64)
    }
}

#[test]
fn random_nets_agree_with_the_oracle() {
    let mut score = Score::default();
    for seed in 0..300 {
        let net = random(seed);
        score.add(&net, &goals(&net, seed), &format!("seed {seed}"));
        score.add(&net, &targets(&net, seed), &format!("targets of seed {seed}"));
    }
    eprintln!("{score:?}");
    let (proved, reached) = score.shares();
    assert!(proved > 0.93 && reached > 0.95, "{score:?}");
}

#[test]
fn the_tiny_world_agrees_with_the_oracle() {
    let mut score = Score::default();
    for (number, net) in tiny().enumerate().step_by(193) {
        score.add(&net, &goals(&net, number as u64), &format!("net {number}"));
    }
    eprintln!("{score:?}");
    let (proved, reached) = score.shares();
    assert!(proved > 0.88 && reached > 0.95, "{score:?}");
}

#[test]
fn philosophers_are_judged() {
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(10));
    let never = work(&philosophers(30, true), &[Goal::Dead], &budget, run);
    assert_eq!((never.never.len(), never.reached.len()), (1, 0));
    let reached = work(&philosophers(30, false), &[Goal::Dead], &budget, run);
    assert_eq!((reached.never.len(), reached.reached.len()), (0, 1), "all take the left fork in one step");
}

/// A ring of places in which a token goes around, `n` of them marked in the beginning.
fn ring(length: usize, marked: usize) -> Net {
    let places = (0..length).map(|i| Place::new(format!("p{i}"), u32::from(i < marked))).collect();
    let arc = |i: usize| vec![(PlaceId::new(i % length), 1)];
    let arcs = (0..length).map(|i| ArcSet::new(format!("t{i}"), arc(i), arc(i + 1))).collect();
    Net::new("ring", places, arcs).expect("a sound net")
}

#[test]
fn work_ends_with_the_budget() {
    let net = ring(400, 200);
    let last = (0..400).filter(|i| i % 2 == 1).map(|i| Predicate::at_least(PlaceId::new(i), 1));
    let many = Goal::Satisfies(Predicate::all(last));
    for (net, goal) in [(net, many), (philosophers(10_000, true), Goal::Dead)] {
        let budget = Budget::unlimited().with_timeout(Duration::from_millis(400));
        let start = Instant::now();
        work(&net, &[goal], &budget, run);
        eprintln!("{:?}", start.elapsed());
        assert!(start.elapsed() < Duration::from_millis(1200), "{:?}", start.elapsed());
    }
}
