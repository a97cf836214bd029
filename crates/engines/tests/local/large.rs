//! Sizes that nobody explores.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use engines::local::{Local, LocalVerdict};
use evidence::{Budget, Reason, Silent};
use model::views::Network;

use crate::models::{butler, milner, philosophers};

fn proved(what: &str, network: &Network) {
    let start = Instant::now();
    let analysis = Local { threads: 2, ..Local::default() }.analyse(network, &Budget::unlimited(), &Silent);
    eprintln!("{what}: {:?}, {:?}, {:?}", start.elapsed(), analysis.techniques, analysis.figures);
    let LocalVerdict::Proved(proof) = analysis.verdict else { panic!("{what}: {:?}", analysis.verdict) };
    let start = Instant::now();
    check::check_local_proof(network, &proof.expect("it is not too large")).expect("it is a proof");
    eprintln!("{what}: checked in {:?}", start.elapsed());
}

#[test]
fn large_networks_are_proved() {
    proved("philosophers 200", &philosophers(200, true));
    proved("scheduler 200", &milner(200));
    proved("butler 8", &butler(8, false));
    proved("counting butler 12", &butler(12, true));
}

/// Takes minutes without optimisation.
#[test]
#[ignore = "for optimised builds"]
fn very_large_networks_are_proved() {
    proved("philosophers 10000", &philosophers(10_000, true));
    proved("scheduler 10000", &milner(10_000));
    proved("butler 16", &butler(16, false));
    proved("counting butler 100", &butler(100, true));
}

/// The budget ends an analysis soon, wherever it is.
#[test]
fn limits_are_kept() {
    let network = butler(12, false);
    for limit in [1, 20, 100, 300] {
        let budget = Budget::unlimited().with_timeout(Duration::from_millis(limit));
        let start = Instant::now();
        let verdict = Local::default().analyse(&network, &budget, &Silent).verdict;
        assert!(matches!(verdict, LocalVerdict::Stopped(Reason::Timeout) | LocalVerdict::Proved(_)), "{verdict:?}");
        assert!(start.elapsed() < Duration::from_millis(limit + 2000), "{:?}", start.elapsed());
    }
    let cancelled = Budget::unlimited();
    cancelled.cancel_flag().store(true, Ordering::Relaxed);
    let verdict = Local::default().analyse(&network, &cancelled, &Silent).verdict;
    assert!(matches!(verdict, LocalVerdict::Stopped(Reason::Cancelled)), "{verdict:?}");
    let small = Budget::unlimited().with_memory(1 << 16);
    let verdict = Local::default().analyse(&network, &small, &Silent).verdict;
    assert!(matches!(verdict, LocalVerdict::Stopped(Reason::Memory)), "{verdict:?}");
}
