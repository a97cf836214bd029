//! Sizes that nobody explores.

use std::time::Instant;

use engines::local::{Local, LocalVerdict};
use evidence::{Budget, Silent};
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
