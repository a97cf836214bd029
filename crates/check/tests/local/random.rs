//! Proofs of random networks, and of all networks of a tiny world.

use check::check_local_proof;
use testkit::networks::{Oracle, random, tiny};

use crate::producer::prove;
use crate::truth::is_true;

#[test]
fn what_is_proved_is_accepted_and_true() {
    let (mut proved, mut by_pairs, mut by_traps, mut sound) = (0, 0, 0, 0);
    for seed in 0..400 {
        let network = random(seed);
        let oracle = Oracle::new(&network, 20_000).expect("small");
        sound += usize::from(oracle.is_sound());
        let proofs = [prove(&network, 2, false), prove(&network, 2, true), prove(&network, 3, false)];
        by_pairs += usize::from(proofs[0].is_some());
        by_traps += usize::from(proofs[0].is_none() && proofs[1].is_some());
        for proof in proofs.iter().flatten() {
            assert_eq!(check_local_proof(&network, proof), Ok(()), "seed {seed}");
            assert!(oracle.is_sound(), "seed {seed}");
            proved += 1;
        }
        let small = network.components().iter().map(|c| c.states().len()).product::<usize>() < 300;
        if let Some(proof) = proofs.iter().flatten().next().filter(|_| small && seed % 4 == 0) {
            assert!(is_true(&network, proof), "seed {seed}");
        }
    }
    assert!(
        proved > 2 * by_pairs && by_pairs > 100 && by_traps > 5 && sound > by_pairs,
        "{proved} {by_pairs} {by_traps}"
    );
}

#[test]
fn all_components_together_decide_everything() {
    let mut sound = 0;
    for (number, network) in tiny().enumerate().filter(|(number, _)| number % 40 == 0) {
        let oracle = Oracle::new(&network, 8).expect("eight states at most");
        let proof = prove(&network, 3, false);
        assert_eq!(proof.is_some(), oracle.is_sound(), "network {number}");
        if let Some(proof) = proof {
            assert_eq!(check_local_proof(&network, &proof), Ok(()), "network {number}");
            sound += 1;
        }
    }
    assert!(sound > 500, "{sound}");
}
