//! Questions to unfoldings meet the naive oracle.

mod classic;
#[path = "../net_common/mod.rs"]
mod net_common;

use std::ops::Range;
use std::time::{Duration, Instant};

use check::replay;
use engines::unfold::{AdequateOrder, Reads, Unfolding};
use engines::{Engine, Problem};
use evidence::{Budget, Reason, Silent, Verdict};
use model::nets::{Goal, Linear, Predicate};
use model::views::{ArcSet, Net, Place, PlaceId};
use model::{Property, System};
use net_common::{philosophers, work};
use testkit::compare::Demand;
use testkit::describe;
use testkit::nets::{Oracle, goals, random, reading, targets, tiny};
use testkit::random::{Profile, chains, questions, sample};

const ORDERS: [AdequateOrder; 3] = [AdequateOrder::McMillan, AdequateOrder::Parikh, AdequateOrder::Total];

/// How many goals were settled each way, and what became of the nets.
#[derive(Debug, Default)]
struct Score {
    reached: usize,
    never: usize,
    maxima: usize,
    safe: usize,
    unbounded: usize,
    open: usize,
}

impl Score {
    /// Asks the unfolding; it must answer everything about a bounded net.
    fn add(&mut self, net: &Net, goals: &[Goal], unfolding: Unfolding, name: &str) {
        let budget = Budget::unlimited().with_memory(16 << 20).with_timeout(Duration::from_secs(10));
        let oracle = Oracle::new(net, 1000);
        let mut ended = Ok(());
        let known = work(net, goals, &budget, |task| ended = unfolding.settle(task).1);
        match (&ended, &oracle) {
            (Ok(()), Some(_)) => {}
            (Err(Reason::Unbounded(_)), None) => self.unbounded += 1,
            (Err(Reason::Memory | Reason::Timeout | Reason::Unsupported(_)) | Ok(()), _) => self.open += 1,
            (Err(reason), _) => panic!("{name}, {unfolding:?}: {reason} in {net:?}"),
        }
        let Some(oracle) = oracle else {
            return assert!(known.never.is_empty() || ended.is_ok(), "{name}: nothing is excluded without the whole");
        };
        self.safe += usize::from(oracle.markings().iter().all(|m| m.iter().all(|&tokens| tokens < 2)));
        for (i, goal) in goals.iter().enumerate() {
            let (reached, never) = (known.reached.contains(&i), known.never.contains(&i));
            match goal {
                Goal::Maximum(expression) => {
                    let value = |bounds: &[(usize, i64)]| bounds.iter().rfind(|(g, _)| *g == i).map(|(_, v)| *v);
                    let most = i64::try_from(oracle.maximum(expression)).ok();
                    assert!(
                        ended.is_err() || (value(&known.least), value(&known.most)) == (most, most),
                        "{name}: {net:?}"
                    );
                    self.maxima += 1;
                }
                _ if ended.is_err() => {}
                _ => assert_eq!(
                    (reached, never),
                    (oracle.reaches(goal), !oracle.reaches(goal)),
                    "{name}: {goal:?} in {net:?}"
                ),
            }
        }
        self.reached += known.reached.len();
        self.never += known.never.len();
    }
}

/// Nets by seed, each unfolded in one of some ways to treat reads.
fn seeded_nets(make: fn(u64) -> Net, ways: &[Reads], seeds: Range<u64>) -> Score {
    let mut score = Score::default();
    for seed in seeds {
        let (net, i) = (make(seed), seed as usize);
        let unfolding = Unfolding { order: ORDERS[i / 4 % 3], reads: ways[i % ways.len()] };
        score.add(&net, &goals(&net, seed), unfolding, &format!("seed {seed}"));
        score.add(&net, &targets(&net, seed), unfolding, &format!("targets of seed {seed}"));
    }
    eprintln!("{score:?}");
    score
}

fn random_nets(seeds: Range<u64>) -> Score {
    seeded_nets(random, &[Reads::Loops, Reads::Replicas], seeds)
}

fn reading_nets(seeds: Range<u64>) -> Score {
    seeded_nets(reading, &[Reads::Contexts, Reads::Contexts, Reads::Auto, Reads::Replicas], seeds)
}

#[test]
fn random_nets_agree_with_the_oracle() {
    let score = random_nets(0..700);
    assert!(score.reached > 2000 && score.never > 2000 && score.maxima > 300 && score.unbounded > 100, "{score:?}");
    assert!(score.safe > 300 && score.open < 30, "{score:?}");
}

fn tiny_nets(stride: usize) -> Score {
    let mut score = Score::default();
    for (i, net) in tiny().enumerate().step_by(stride) {
        let reads = if i % 2 == 0 { Reads::Loops } else { Reads::Contexts };
        let unfolding = Unfolding { order: ORDERS[i / 2 % 3], reads };
        score.add(&net, &goals(&net, i as u64), unfolding, &format!("net {i}"));
    }
    eprintln!("{score:?}");
    score
}

#[test]
fn the_tiny_world_agrees_with_the_oracle() {
    let score = tiny_nets(101);
    assert!(score.reached > 2000 && score.never > 2000, "{score:?}");
}

#[test]
fn nets_that_read_agree_with_the_oracle() {
    let score = reading_nets(0..900);
    assert!(score.reached > 2000 && score.never > 2000 && score.maxima > 500, "{score:?}");
    assert!(score.safe > 1000 && score.open == 0, "{score:?}");
}

#[test]
fn philosophers_get_stuck_unless_one_is_left_handed() {
    for (left, stuck) in [(false, true), (true, false)] {
        let net = philosophers(30, left);
        let known = work(&net, &[Goal::Dead], &Budget::unlimited(), |task| {
            Unfolding::default().settle(task).1.expect("no limits");
        });
        assert_eq!((known.reached.len(), known.never.len()), (usize::from(stuck), usize::from(!stuck)));
    }
}

/// How many questions were answered, and how many declined.
#[derive(Debug, Default)]
struct Tally {
    answered: usize,
    declined: usize,
}

impl Tally {
    fn ask(&mut self, system: &System, property: &Property, name: &str) {
        let reads = if self.answered.is_multiple_of(2) { Reads::Loops } else { Reads::Contexts };
        let (engine, problem) = (Unfolding { reads, ..Unfolding::default() }, Problem { system, property });
        let Some(oracle) = testkit::compare::Oracle::new(system, property, 500) else { return };
        if engine.supports(&problem).is_err() {
            self.declined += 1;
            return;
        }
        let outcome = Engine::run(&engine, &problem, &Budget::unlimited().with_memory(64 << 20), &Silent);
        if outcome.verdict == Verdict::Unknown(Reason::Memory) {
            self.declined += 1;
            return;
        }
        oracle.check(&outcome, Demand::default()).unwrap_or_else(|e| panic!("{name}: {e}\n{}", describe(system)));
        if let Some(trace) = outcome.verdict.trace() {
            replay(system, property, trace).expect("the run can be taken");
        }
        self.answered += 1;
    }
}

fn systems(seeds: Range<u64>) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        for (name, profile) in Profile::all() {
            let sample = sample(seed, &profile);
            for property in &sample.properties {
                tally.ask(&sample.system, property, &format!("{name}, seed {seed}"));
            }
        }
        let system = chains(seed);
        questions(&system, seed).iter().for_each(|q| tally.ask(&system, q, &format!("program {seed}")));
    }
    eprintln!("{tally:?}");
    tally
}

#[test]
fn systems_that_are_nets_agree_with_the_oracle() {
    let tally = systems(0..14);
    assert!(tally.answered > 400 && tally.answered > tally.declined, "{tally:?}");
}

#[test]
#[ignore = "takes minutes"]
fn campaign() {
    let scores = [random_nets(700..6_000), reading_nets(900..8_000), tiny_nets(11)];
    assert!(scores.iter().all(|s| s.reached > 10_000 && s.never > 10_000 && s.open < 200), "{scores:?}");
    let tally = systems(14..50);
    assert!(tally.answered > 1000, "{tally:?}");
}

/// A place with many tokens, of which a transition takes many; what is left goes round.
fn heavy(tokens: u32, weight: u32) -> Net {
    let places = vec![Place::new("many", tokens), Place::new("one", 0)];
    let (many, one) = (PlaceId::new(0), PlaceId::new(1));
    let take = ArcSet::new("take", vec![(many, weight)], vec![(one, 1)]);
    Net::new("heavy", places, vec![take, ArcSet::new("back", vec![(one, 1)], vec![(many, 1)])]).expect("a net")
}

#[test]
fn the_choice_among_many_tokens_ends_with_the_time() {
    let (net, start) = (heavy(1000, 500), Instant::now());
    let budget = Budget::unlimited().with_timeout(Duration::from_millis(200));
    let mut ended = Ok(());
    let known = work(&net, &[Goal::Dead], &budget, |task| ended = Unfolding::default().settle(task).1);
    assert_eq!((ended, known.never.len()), (Err(Reason::Timeout), 0));
    assert!(start.elapsed() < Duration::from_secs(2));
}

#[test]
fn tokens_without_number_are_refused() {
    let prefix = Unfolding::default().prefix(&heavy(u32::MAX, 3), &Budget::unlimited());
    assert!(matches!(prefix, Err(Reason::Unsupported(why)) if why.contains("4294967295 at once")));
}

/// A token that goes round while another place collects one of it each time, up to three; not safe, and with many more
/// conditions of each place than tokens.
fn collector() -> Net {
    let names = ["a", "b", "c", "room"];
    let places = names.iter().zip([2, 0, 0, 3]).map(|(name, tokens)| Place::new(*name, tokens)).collect();
    let arcs = |ids: &[usize]| ids.iter().map(|&p| (PlaceId::new(p), 1)).collect::<Vec<_>>();
    let sets = [("go", [0, 3], [1, 2]), ("back", [1, 2], [0, 3])];
    let sets = sets.map(|(name, pre, post)| ArcSet::new(name, arcs(&pre), arcs(&post)));
    Net::new("collector", places, sets.into()).expect("a net")
}

#[test]
fn tokens_are_counted_though_there_are_more_conditions() {
    let net = collector();
    let sum = |terms: &[(usize, i64)], constant| {
        let terms = terms.iter().map(|&(p, factor)| (PlaceId::new(p), factor)).collect();
        Goal::Satisfies(Predicate::linear(Linear::new(terms, constant).expect("small")))
    };
    // More than two tokens on `b` and `c` each, fewer than two on `a` and `b`: never. As many on `b` and `c`: at once.
    let goals = [sum(&[(1, -1), (2, -1)], 5), sum(&[(0, 1), (1, 1)], -1), sum(&[(1, 1), (2, -1)], 0)];
    let known = work(&net, &goals, &Budget::unlimited(), |task| {
        let unfolding = Unfolding { order: AdequateOrder::McMillan, reads: Reads::Loops };
        unfolding.settle(task).1.expect("tokens are few");
    });
    assert_eq!((known.never, known.reached), (vec![0, 1], vec![2]));
}
