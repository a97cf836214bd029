//! Bounded model checking meets the naive oracle: what it reaches is reached, what it excludes is not, nothing is nearer
//! than it says, and it ends with its budget.

mod net_common;

use std::time::{Duration, Instant};

use engines::net::bmc::{Covered, run};
use evidence::Budget;
use model::nets::{Goal, Predicate};
use model::views::{ArcSet, Net, Place, PlaceId};
use net_common::{philosophers, work};
use testkit::nets::{Oracle, goals, random, targets, tiny};

#[derive(Debug, Default)]
struct Score {
    reachable: usize,
    reached: usize,
    never: usize,
    covered: usize,
}

impl Score {
    /// Compares with the oracle, unless the net is too large for it. Runs are replayed by `work`.
    fn add(&mut self, net: &Net, goals: &[Goal], name: &str) {
        let Some(oracle) = Oracle::new(net, 500) else { return };
        let budget = Budget::unlimited().with_timeout(Duration::from_millis(100));
        let mut covered = Covered::default();
        let known = work(net, goals, &budget, |task| covered = run(task));
        for &goal in &known.never {
            assert!(!oracle.reaches(&goals[goal]), "{name}: {:?} is reached in {net:?}", goals[goal]);
        }
        let asked = goals.iter().filter(|goal| !matches!(goal, Goal::Maximum(_)));
        self.reachable += asked.filter(|goal| oracle.reaches(goal)).count();
        self.reached += known.reached.len();
        self.never += known.never.len();
        self.covered += covered.steps().count();
    }
}

#[test]
fn random_and_tiny_nets_agree_with_the_oracle() {
    let mut score = Score::default();
    for seed in 0..150 {
        let net = random(seed);
        score.add(&net, &goals(&net, seed), &format!("seed {seed}"));
        score.add(&net, &targets(&net, seed), &format!("targets of seed {seed}"));
    }
    for (number, net) in tiny().enumerate().step_by(397) {
        score.add(&net, &goals(&net, number as u64), &format!("net {number}"));
    }
    eprintln!("{score:?}");
    assert!(score.reached * 100 >= score.reachable * 99 && score.reachable > 1000, "{score:?}");
    assert!(score.never > 100 && score.covered > 500, "{score:?}");
}

#[test]
fn philosophers_get_stuck() {
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(20));
    let reached = work(&philosophers(200, false), &[Goal::Dead], &budget, |task| _ = run(task));
    assert_eq!(reached.reached, [0]);
}

/// Tokens beyond any bound, and numbers far from zero.
#[test]
fn places_need_no_bounds() {
    let [a, b] = [0, 1].map(PlaceId::new);
    let places = vec![Place::new("a", 1000), Place::new("b", 0)];
    let arcs =
        vec![ArcSet::new("move", vec![(a, 2)], vec![(b, 1)]), ArcSet::new("more", vec![(b, 1)], vec![(b, 3), (a, 1)])];
    let net = Net::new("grows", places, arcs).expect("a net");
    let few = Goal::Satisfies(Predicate::all([Predicate::at_most(a, 995), Predicate::at_least(b, 9)]));
    let far = Goal::Satisfies(Predicate::at_least(a, 100_000));
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(10));
    assert_eq!(work(&net, &[few, far], &budget, |task| _ = run(task)).reached, [0]);
}

#[test]
fn work_ends_with_the_budget() {
    for net in [philosophers(10_000, true), philosophers(60, true)] {
        let budget = Budget::unlimited().with_timeout(Duration::from_millis(400));
        let start = Instant::now();
        assert!(work(&net, &[Goal::Dead], &budget, |task| _ = run(task)).reached.is_empty());
        assert!(start.elapsed() < Duration::from_millis(1400), "{:?}", start.elapsed());
    }
    let (budget, start) = (Budget::unlimited().with_memory(1 << 20), Instant::now());
    work(&philosophers(2000, true), &[Goal::Dead], &budget, |task| _ = run(task));
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    let budget = Budget::unlimited();
    budget.cancel_flag().store(true, std::sync::atomic::Ordering::Relaxed);
    assert!(work(&philosophers(60, false), &[Goal::Dead], &budget, |task| _ = run(task)).reached.is_empty());
}
