//! Structural proofs meet the naive oracle: what they exclude is not reachable, and they exclude enough.

use std::time::{Duration, Instant};

use engines::net::structural::run;
use engines::net::{Board, Finding, Settled, Task};
use evidence::Budget;
use model::nets::Goal;
use model::views::{ArcSet, Net, Place, PlaceId};
use testkit::nets::{Oracle, goals, random, tiny};

/// What is found about goals within a generous time.
fn findings(net: &Net, goals: &[Goal]) -> Vec<Settled> {
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(20));
    let (board, receiver) = Board::new(goals.len());
    run(&Task { net, goals, board: &board, budget: &budget }, &mut |_, _| {});
    drop(board);
    receiver.iter().collect()
}

/// Of the goals that are not reached, and of the maxima: how many there are, and how many were proved.
#[derive(Default)]
struct Score {
    unreachable: usize,
    proved: usize,
    maxima: usize,
    exact: usize,
}

impl Score {
    /// Compares with the oracle; `None` if the net is too large for it.
    fn add(&mut self, net: &Net, goals: &[Goal], name: &str) -> Option<()> {
        let oracle = Oracle::new(net, 2000)?;
        let mut least = vec![i64::MAX; goals.len()];
        for Settled { goal, finding, .. } in findings(net, goals) {
            match (finding, &goals[goal]) {
                (Finding::Never(_), asked) => {
                    assert!(!oracle.reaches(asked), "{name}: {asked:?} is reached in {net:?}");
                    self.proved += 1;
                }
                (Finding::AtMost(bound, _), Goal::Maximum(expression)) => {
                    assert!(oracle.maximum(expression) <= i128::from(bound), "{name}: {expression:?} in {net:?}");
                    least[goal] = bound;
                }
                other => panic!("{name}: nothing else is found here: {other:?}"),
            }
        }
        for (goal, bound) in goals.iter().zip(least) {
            match goal {
                Goal::Maximum(expression) => {
                    self.maxima += 1;
                    self.exact += usize::from(oracle.maximum(expression) == i128::from(bound));
                }
                goal => self.unreachable += usize::from(!oracle.reaches(goal)),
            }
        }
        Some(())
    }

    fn shares(&self) -> (f64, f64) {
        (self.proved as f64 / self.unreachable as f64, self.exact as f64 / self.maxima as f64)
    }
}

#[test]
fn random_nets_agree_with_the_oracle() {
    let mut score = Score::default();
    for seed in 0..1500 {
        let net = random(seed);
        let _ = score.add(&net, &goals(&net, seed), &format!("seed {seed}"));
    }
    let (proved, exact) = score.shares();
    eprintln!("{} of {}, {} of {}", score.proved, score.unreachable, score.exact, score.maxima);
    assert!(proved > 0.97 && exact > 0.97, "{proved} {exact}");
}

#[test]
fn the_tiny_world_agrees_with_the_oracle() {
    let mut score = Score::default();
    for (number, net) in tiny().enumerate().step_by(61) {
        let _ = score.add(&net, &goals(&net, number as u64), &format!("net {number}"));
    }
    let (proved, exact) = score.shares();
    eprintln!("{} of {}, {} of {}", score.proved, score.unreachable, score.exact, score.maxima);
    assert!(proved > 0.97 && exact > 0.97, "{proved} {exact}");
}

/// Philosophers that take the left fork first, but for the last one; or none but.
fn philosophers(n: usize, alike: bool) -> Net {
    let fork = |i: usize| PlaceId::new(4 * (i % n));
    let at = |i: usize, k: usize| PlaceId::new(4 * i + 1 + k);
    let mut places = Vec::new();
    let mut arcs = Vec::new();
    for i in 0..n {
        places.push(Place::new(format!("fork{i}"), 1));
        for (k, name) in ["thinks", "waits", "eats"].iter().enumerate() {
            places.push(Place::new(format!("{name}{i}"), u32::from(k == 0)));
        }
        let (first, second) = if alike || i + 1 < n { (fork(i), fork(i + 1)) } else { (fork(i + 1), fork(i)) };
        let one = |ps: &[PlaceId]| ps.iter().map(|&p| (p, 1)).collect::<Vec<_>>();
        arcs.push(ArcSet::new(format!("first{i}"), one(&[at(i, 0), first]), one(&[at(i, 1)])));
        arcs.push(ArcSet::new(format!("second{i}"), one(&[at(i, 1), second]), one(&[at(i, 2)])));
        arcs.push(ArcSet::new(format!("leave{i}"), one(&[at(i, 2)]), one(&[at(i, 0), first, second])));
    }
    Net::new("philosophers", places, arcs).expect("a sound net")
}

#[test]
fn asymmetric_philosophers_never_stop() {
    for n in [2, 10, 100, 1000, 10_000] {
        let start = Instant::now();
        let found = findings(&philosophers(n, false), &[Goal::Dead]);
        assert!(matches!(found[..], [Settled { finding: Finding::Never(_), .. }]), "{n}: {found:?}");
        eprintln!("{n}: {:?}", start.elapsed());
    }
    assert!(findings(&philosophers(10, true), &[Goal::Dead]).is_empty());
}
