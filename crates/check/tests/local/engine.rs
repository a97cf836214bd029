//! Proofs of the engine: with each of its methods alone and with all of them.

use check::check_local_proof;
use engines::local::{Local, LocalVerdict};
use evidence::{Budget, LocalProof, Silent};
use model::views::Network;
use testkit::Rng;
use testkit::networks::{Oracle, mutated, random, tiny};

use crate::truth::is_true;

/// Nothing but what the name says.
const NONE: Local =
    Local { sdd: false, pairs: false, linear: false, traps: false, groups: 0, confirm: false, threads: 1 };

/// Each with how many proofs it has at least, of 1500 networks.
fn methods() -> [(&'static str, Local, usize); 5] {
    [
        ("pairs", Local { pairs: true, ..NONE }, 700),
        ("linear", Local { linear: true, ..NONE }, 900),
        ("traps", Local { traps: true, ..NONE }, 800),
        ("groups", Local { groups: 3, ..NONE }, 400),
        ("all", Local::default(), 950),
    ]
}

/// The proof of a network, if there is one.
pub(crate) fn proof(network: &Network, local: &Local) -> Option<LocalProof> {
    match local.analyse(network, &Budget::unlimited(), &Silent).verdict {
        LocalVerdict::Proved(proof) => Some(*proof.expect("small networks have small certificates")),
        LocalVerdict::Reached(_) | LocalVerdict::Open(_) | LocalVerdict::Stopped(_) => None,
    }
}

#[test]
fn every_method_has_its_proofs() {
    for (name, local, least) in methods() {
        let mut proved = 0;
        for seed in 0..1500 {
            let network = random(seed);
            let Some(proof) = proof(&network, &local) else { continue };
            assert_eq!(check_local_proof(&network, &proof), Ok(()), "{name}, seed {seed}");
            let oracle = Oracle::new(&network, 20_000).expect("small");
            assert!(oracle.is_sound(), "{name}, seed {seed}");
            let small = network.components().iter().map(|c| c.states().len()).product::<usize>() < 200;
            assert!(!small || seed % 8 != 0 || is_true(&network, &proof), "{name}, seed {seed}");
            proved += 1;
        }
        assert!(proved > least, "{name}: {proved}");
    }
}

#[test]
fn a_tiny_world() {
    let mut proved = 0;
    for (number, network) in tiny().enumerate().filter(|(number, _)| number % 20 == 0) {
        let Some(proof) = proof(&network, &Local::default()) else { continue };
        assert_eq!(check_local_proof(&network, &proof), Ok(()), "network {number}");
        assert!(Oracle::new(&network, 8).expect("eight states at most").is_sound(), "network {number}");
        proved += 1;
    }
    assert!(proved > 1000, "{proved}");
}

#[test]
fn proofs_do_not_survive_the_network() {
    let (mut broken, mut sound) = (0, 0);
    for seed in 0..300 {
        let network = random(seed);
        let Some(old) = proof(&network, &Local::default()) else { continue };
        let mut rng = Rng::new(seed);
        for _ in 0..10 {
            let mutant = mutated(&network, &mut rng);
            let is_sound = Oracle::new(&mutant, 20_000).expect("small").is_sound();
            *(if is_sound { &mut sound } else { &mut broken }) += 1;
            assert!(is_sound || check_local_proof(&mutant, &old).is_err(), "seed {seed}: {mutant:?}");
            if let Some(new) = proof(&mutant, &Local::default()) {
                assert!(is_sound && check_local_proof(&mutant, &new) == Ok(()), "seed {seed}: {mutant:?}");
            }
        }
    }
    assert!(broken > 300 && sound > 300, "{broken} {sound}");
}
