//! Thousands of proofs with a random change: what is accepted must still be true, and no proof may be accepted for a
//! network that has a deadlock or a model error.

use check::{CertificateError, check_local_proof};
use engines::local::Local;
use evidence::{LocalProof, Sign, Why};
use model::views::Network;
use testkit::Rng;
use testkit::networks::{Oracle, mutated, random, scheduler};

use crate::by_hand::scheduler_proof;
use crate::engine::proof;
use crate::producer::prove;
use crate::truth::is_true;

/// Small sound networks with their proofs, simple ones and those of the engine.
fn proofs(seeds: std::ops::Range<u64>) -> impl Iterator<Item = (Network, LocalProof)> {
    let by_hand = [(3, Why::Inequality(0)), (3, Why::Trap(0)), (2, Why::Inequality(0))];
    let by_hand = by_hand.map(|(n, why)| (scheduler(n), scheduler_proof(n, why)));
    let small = |network: &Network| network.components().iter().map(|c| c.states().len()).product::<usize>() < 150;
    by_hand.into_iter().chain(seeds.map(random).filter(small).flat_map(|network| {
        let simple = prove(&network, 2, true).or_else(|| prove(&network, 3, true));
        let proofs = simple.into_iter().chain(proof(&network, &Local::default()));
        proofs.map(|proof| (network.clone(), proof)).collect::<Vec<_>>()
    }))
}

/// One of the items of a list, if there are some.
fn any<'a, T>(items: &'a mut [T], rng: &mut Rng) -> Option<&'a mut T> {
    if items.is_empty() { None } else { Some(&mut items[rng.below(items.len())]) }
}

/// A number near another one, or far off.
fn near(rng: &mut Rng, number: usize) -> usize {
    *rng.pick(&[number.wrapping_add(1), number.wrapping_sub(1), number ^ 1, 0, usize::MAX])
}

fn near_sign(rng: &mut Rng, sign: Sign) -> Sign {
    let minus = sign.wrapping_neg();
    *rng.pick(&[minus, minus, sign.wrapping_add(1), sign.wrapping_sub(1), !sign, 0, i64::MIN, i64::MAX])
}

/// Takes something out of a list, or puts something in twice.
fn lose_or_double<T: Clone>(items: &mut Vec<T>, rng: &mut Rng) {
    if items.is_empty() {
        return;
    }
    let place = rng.below(items.len());
    let item = items.remove(place);
    if rng.chance(40) {
        let place = rng.below(items.len() + 1);
        items.insert(place, item.clone());
        items.insert(place, item);
    }
}

/// Changes a fact.
fn change_fact(rng: &mut Rng, proof: &mut LocalProof) -> Option<()> {
    match rng.below(10) {
        0 => {
            let table = any(&mut proof.tables, rng)?;
            let row = rng.below((table.states.len() / table.width).max(1)) * table.width;
            table.states.drain(row..(row + table.width).min(table.states.len()));
        }
        1 => {
            let state = any(&mut any(&mut proof.tables, rng)?.states, rng)?;
            *state = near(rng, *state);
        }
        2 => {
            let group = any(&mut proof.groups, rng)?;
            match rng.below(2) {
                0 => group.table = near(rng, group.table),
                _ => {
                    let member = any(&mut group.members, rng)?;
                    *member = near(rng, *member);
                }
            }
        }
        3 => {
            let trap = any(&mut proof.traps, rng)?;
            lose_or_double(trap, rng);
        }
        4 => {
            let (c, s) = any(any(&mut proof.traps, rng)?, rng)?;
            let number = if rng.chance(50) { c } else { s };
            *number = near(rng, *number);
        }
        5 => {
            let set = any(&mut proof.sets, rng)?;
            lose_or_double(&mut set.states, rng);
        }
        6 => {
            let inequality = any(&mut proof.inequalities, rng)?;
            inequality.bound = near_sign(rng, inequality.bound);
        }
        7 => {
            let weight = any(&mut any(&mut proof.inequalities, rng)?.weights, rng)?;
            weight.2 = near_sign(rng, weight.2);
        }
        8 => {
            let set = any(&mut proof.sets, rng)?;
            set.component = near(rng, set.component);
        }
        _ => {
            let state = any(&mut any(&mut proof.sets, rng)?.states, rng)?;
            *state = near(rng, *state);
        }
    }
    Some(())
}

/// Changes a refutation.
fn change_refutation(rng: &mut Rng, proof: &mut LocalProof) -> Option<()> {
    let refutation = any(&mut proof.refutations, rng)?;
    match rng.below(9) {
        0 => {
            let sign = any(&mut any(&mut refutation.given, rng)?.clause, rng)?;
            *sign = near_sign(rng, *sign);
        }
        1 => lose_or_double(&mut any(&mut refutation.given, rng)?.clause, rng),
        2 => {
            let why = &mut any(&mut refutation.given, rng)?.why;
            let number = rng.below(6);
            let all =
                [Why::Component, Why::Group(number), Why::Trap(number), Why::Rule(number), Why::End, Why::Disabled];
            *why = *rng.pick(&all);
        }
        3 => {
            let sign = any(&mut any(&mut refutation.steps, rng)?.clause, rng)?;
            *sign = near_sign(rng, *sign);
        }
        4 => lose_or_double(&mut any(&mut refutation.steps, rng)?.clause, rng),
        5 => lose_or_double(&mut any(&mut refutation.steps, rng)?.hints, rng),
        6 => {
            let hint = any(&mut any(&mut refutation.steps, rng)?.hints, rng)?;
            *hint = near(rng, *hint);
        }
        7 => lose_or_double(&mut refutation.steps, rng),
        _ => lose_or_double(&mut refutation.given, rng),
    }
    Some(())
}

/// Some changes, and how many; most often one.
fn change(rng: &mut Rng, proof: &mut LocalProof) -> usize {
    let changes = *rng.pick(&[1, 1, 1, 2, 3]);
    for _ in 0..changes {
        let done = if rng.chance(50) { change_fact(rng, proof) } else { change_refutation(rng, proof) };
        if done.is_none() {
            proof.refutations.pop();
        }
    }
    changes
}

/// Whether it is said that something is untrue, not that it is not there.
fn is_untrue(error: &CertificateError) -> bool {
    const UNTRUE: [&str; 7] = [
        "does not hold for its reason",
        "lacks the initial states",
        "a rule leads from joint state",
        "does not hold in the beginning",
        "increases the sum",
        "is empty in the beginning",
        "can leave trap",
    ];
    UNTRUE.iter().any(|text| error.to_string().contains(text))
}

#[test]
fn accepted_mutants_are_true() {
    let (mut accepted, mut refused, mut untrue) = (0, 0, 0);
    for (number, (network, proof)) in proofs(0..120).enumerate() {
        let mut rng = Rng::new(number as u64);
        for _ in 0..if number < 3 { 1000 } else { 60 } {
            let mut mutant = proof.clone();
            let changes = change(&mut rng, &mut mutant);
            match check_local_proof(&network, &mutant) {
                Ok(()) => {
                    assert!(mutant == proof || is_true(&network, &mutant), "network {number}: {mutant:?}");
                    accepted += usize::from(mutant != proof);
                }
                Err(error) => {
                    refused += 1;
                    untrue += usize::from(changes == 1 && is_untrue(&error) && !is_true(&network, &mutant));
                }
            }
        }
    }
    assert!(accepted > 300 && refused > 3000 && untrue > 500, "{accepted} {refused} {untrue}");
}

#[test]
fn proofs_do_not_fit_broken_networks() {
    let (mut broken, mut still, mut misfits) = (0, 0, 0);
    for (number, (network, proof)) in proofs(0..200).enumerate() {
        let mut rng = Rng::new(number as u64);
        for _ in 0..40 {
            let mutant = mutated(&network, &mut rng);
            let sound = Oracle::new(&mutant, 100_000).expect("small").is_sound();
            let answer = check_local_proof(&mutant, &proof);
            assert!(sound || answer.is_err(), "network {number}: {mutant:?}");
            broken += usize::from(!sound);
            still += usize::from(answer.is_ok());
            misfits += usize::from(sound && answer.is_err());
        }
    }
    assert!(broken > 500 && still > 200 && misfits > 200, "{broken} {still} {misfits}");
}

#[test]
fn broken_networks_refuse_every_proof() {
    let proofs: Vec<LocalProof> = proofs(0..60).map(|(_, proof)| proof).collect();
    let mut broken = 0;
    for seed in 0..300 {
        let network = random(seed);
        if Oracle::new(&network, 20_000).expect("small").is_sound() {
            continue;
        }
        broken += 1;
        assert!(proofs.iter().all(|proof| check_local_proof(&network, proof).is_err()), "seed {seed}");
    }
    assert!(broken > 50 && proofs.len() > 20, "{broken} {}", proofs.len());
}
