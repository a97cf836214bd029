//! Commoner's condition is no engine of its own: the state equation with traps proves whatever it proves.
//!
//! Ordinary nets: if every siphon contains a trap that is marked in the beginning, no dead marking is reachable, for the empty
//! places of a dead marking form a siphon (each transition lacks an input there). The empty places of a *solution* of the state
//! equation that blocks every transition form one too, whole numbers or not. So some marked trap excludes that solution,
//! and there are finitely many traps. A transition without inputs blocks every dead marking by itself; without any
//! transition there is nothing to prove.

use std::time::Duration;

use check::check_exclusion;
use engines::net::structural::{certify, run};
use engines::net::{Board, Finding, Settled, Task};
use evidence::{Budget, Exclusion, Source};
use model::nets::Goal;
use model::views::{ArcSet, Net, Place, PlaceId};
use testkit::Rng;
use testkit::nets::{Oracle, random, tiny};

/// Nets with more places have too many sets of them.
const PLACES: usize = 8;

/// A set of places, as bits.
type Set = u32;

fn set(arcs: &[(PlaceId, u32)]) -> Set {
    arcs.iter().map(|(p, _)| 1 << p.index()).sum()
}

/// Whether every siphon contains a trap that is marked in the beginning, by trying all sets.
fn commoner(net: &Net) -> bool {
    let arcs: Vec<(Set, Set)> = net.transition_ids().map(|t| (set(net.pre(t)), set(net.post(t)))).collect();
    let initial: Set = net.place_ids().filter(|&p| net.place(p).initial > 0).map(|p| 1 << p.index()).sum();
    let all = 1..1 << net.places().len();
    let is_siphon = |s: &Set| arcs.iter().all(|(pre, post)| post & s == 0 || pre & s != 0);
    let is_trap = |s: &Set| arcs.iter().all(|(pre, post)| pre & s == 0 || post & s != 0);
    let traps: Vec<Set> = all.clone().filter(|s| s & initial != 0 && is_trap(s)).collect();
    all.filter(is_siphon).all(|siphon| traps.iter().any(|trap| trap & !siphon == 0))
}

/// The net with all weights 1.
fn ordinary(net: &Net) -> Net {
    let light = |row: &[(PlaceId, u32)]| row.iter().map(|&(p, _)| (p, 1)).collect();
    let arcs =
        net.transition_ids().map(|t| ArcSet::new(format!("t{}", t.index()), light(net.pre(t)), light(net.post(t))));
    Net::new("ordinary", net.places().to_vec(), arcs.collect()).expect("the same arcs")
}

/// A net whose transitions tend to put more tokens than they take, so that invariants are rare and traps are not.
fn dense(seed: u64) -> Net {
    let mut rng = Rng::new(seed);
    let places = rng.size(&(4..=7));
    let side = |rng: &mut Rng, most: usize| -> Vec<(PlaceId, u32)> {
        let mut all: Vec<usize> = (0..places).collect();
        rng.shuffle(&mut all);
        all.into_iter().take(rng.size(&(1..=most))).map(|p| (PlaceId::new(p), 1)).collect()
    };
    let count = rng.size(&(3..=7));
    let arcs = (0..count).map(|i| ArcSet::new(format!("t{i}"), side(&mut rng, 2), side(&mut rng, 3))).collect();
    let tokens = (0..places).map(|i| Place::new(format!("p{i}"), u32::from(rng.chance(60)))).collect();
    Net::new("dense", tokens, arcs).expect("a sound net")
}

fn budget() -> Budget {
    Budget::unlimited().with_timeout(Duration::from_secs(20))
}

fn is_proved(net: &Net) -> bool {
    let (goals, budget, (board, findings)) = ([Goal::Dead], budget(), Board::new(1));
    run(&Task { net, goals: &goals, board: &board, budget: &budget }, &mut |_, _| {});
    drop(board);
    findings.iter().any(|Settled { finding, .. }| matches!(finding, Finding::Never(_)))
}

/// How many nets satisfy the condition, for how many of these traps are needed, and how many of the others can die.
#[derive(Debug, Default)]
struct Seen {
    satisfied: usize,
    trapped: usize,
    mortal: usize,
}

fn uses_traps(certificate: &Exclusion) -> bool {
    let mut used = certificate.lemmas.iter().flat_map(|lemma| &lemma.inequalities);
    used.any(|(source, _)| matches!(source, Source::Marked(_)))
}

fn check(nets: impl Iterator<Item = (String, Net)>) -> Seen {
    let mut seen = Seen::default();
    for (name, net) in nets.filter(|(_, net)| net.places().len() <= PLACES) {
        let dies = || Oracle::new(&net, 1000).is_some_and(|oracle| oracle.reaches(&Goal::Dead));
        if !commoner(&net) {
            seen.mortal += usize::from(dies());
            continue;
        }
        seen.satisfied += 1;
        assert!(!dies(), "{name}: the theorem");
        assert!(is_proved(&net), "{name}: {net:?}");
        let certificate = certify(&net, &Goal::Dead, &budget()).expect("traps alone exclude it");
        assert_eq!(check_exclusion(&net, &Goal::Dead, &certificate), Ok(()), "{name}: {net:?}");
        seen.trapped += usize::from(uses_traps(&certificate));
    }
    seen
}

#[test]
fn tiny_nets() {
    let seen = check(tiny().enumerate().step_by(61).map(|(i, net)| (format!("tiny {i}"), ordinary(&net))));
    assert!(seen.satisfied > 500 && seen.trapped > 10 && seen.mortal > 500, "{seen:?}");
}

#[test]
fn random_nets() {
    let seen = check((0..2000).map(|seed| (format!("seed {seed}"), ordinary(&random(seed)))));
    assert!(seen.satisfied > 300 && seen.trapped > 1 && seen.mortal > 300, "{seen:?}");
}

#[test]
fn dense_nets() {
    let seen = check((0..5000).map(|seed| (format!("seed {seed}"), dense(seed))));
    assert!(seen.satisfied > 500 && seen.trapped > 50 && seen.mortal > 500, "{seen:?}");
}
