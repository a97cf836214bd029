//! IC3 meets the naive oracle, its certificates the checker; no certificate, however it is changed, excludes what is
//! reached, and most changes are noticed.

use std::time::Duration;

use check::{check_exclusion, replay_net};
use engines::net::ic3::{Clause, Decision, decide, decide_with};
use evidence::{Atom, Budget, Exclusion};
use model::nets::Goal;
use model::views::{ArcSet, Net, NetTransitionId};
use testkit::Rng;
use testkit::nets::{Oracle, goals, random, tiny};

fn nets(step: usize) -> impl Iterator<Item = (u64, Net)> {
    let some = tiny().enumerate().step_by(step).map(|(number, net)| (number as u64, net));
    (0..400).map(|seed| (seed, random(seed))).chain(some)
}

fn asked(net: &Net, seed: u64) -> Vec<Goal> {
    goals(net, seed).into_iter().filter(|goal| !matches!(goal, Goal::Maximum(_))).collect()
}

fn decision(net: &Net, goal: &Goal) -> Option<Decision> {
    decide(net, goal, &Budget::unlimited().with_timeout(Duration::from_secs(1)), &|| false)
}

#[test]
fn decisions_are_right_and_their_evidence_is_accepted() {
    let (mut never, mut inductive, mut reached, mut open) = (0, 0, 0, 0);
    for (seed, net) in nets(211) {
        let Some(oracle) = Oracle::new(&net, 500) else { continue };
        for goal in asked(&net, seed) {
            match decision(&net, &goal) {
                None => open += 1,
                Some(Decision::Reached(run)) => {
                    reached += 1;
                    assert!(oracle.reaches(&goal), "{goal:?} {net:?}");
                    replay_net(&net, &goal, run).expect("the run shows it");
                }
                Some(Decision::Never(certificate)) => {
                    never += 1;
                    inductive += usize::from(!certificate.invariant.is_empty());
                    assert!(!oracle.reaches(&goal), "{goal:?} {net:?}");
                    let accepted = check_exclusion(&net, &goal, &certificate);
                    assert_eq!(accepted, Ok(()), "{goal:?} {net:?} {certificate:?}");
                }
            }
        }
    }
    assert!(never > 1500 && inductive > 400 && reached > 2000, "{never} {inductive} {reached}");
    // Without bounds it may go on for ever.
    assert!(open < 10, "{open}");
}

/// Clauses that somebody might say, right or wrong.
fn hearsay(net: &Net, rng: &mut Rng) -> Vec<Clause> {
    let places: Vec<_> = net.place_ids().collect();
    let literal = |rng: &mut Rng| (*rng.pick(&places), rng.chance(60));
    let clause = |rng: &mut Rng| (0..1 + rng.below(3)).map(|_| literal(rng)).collect();
    (0..8).map(|_| clause(rng)).collect()
}

/// Whatever others say, the answer is right; and what is right and inductive becomes part of the invariant.
#[test]
fn what_others_say_is_used_and_not_trusted() {
    let (mut rng, mut taken, mut wrong, mut open) = (Rng::new(3), 0, 0, 0);
    for (seed, net) in nets(997) {
        if net.places().is_empty() {
            continue;
        }
        let Some(oracle) = Oracle::new(&net, 500) else { continue };
        for goal in asked(&net, seed) {
            let said = hearsay(&net, &mut rng);
            let budget = Budget::unlimited().with_timeout(Duration::from_secs(1));
            match decide_with(&net, &goal, &said, &budget, &|| false) {
                None => open += 1,
                Some(Decision::Reached(run)) => {
                    assert!(oracle.reaches(&goal), "{goal:?} {net:?} {said:?}");
                    replay_net(&net, &goal, run).expect("the run shows it");
                    wrong += said.len();
                }
                Some(Decision::Never(certificate)) => {
                    assert!(!oracle.reaches(&goal), "{goal:?} {net:?} {said:?}");
                    assert_eq!(check_exclusion(&net, &goal, &certificate), Ok(()), "{goal:?} {net:?} {said:?}");
                    let alone = decision(&net, &goal);
                    let own = match alone {
                        Some(Decision::Never(own)) => own.invariant.len(),
                        _ => 0,
                    };
                    taken += usize::from(certificate.invariant.len() > own);
                }
            }
        }
    }
    assert!(taken > 50 && wrong > 1000, "{taken} {wrong}: the test shows little");
    // Who believes what is wrong has an invariant that cannot be written down.
    assert!(open < 10, "{open}");
}

/// The certificate with something else in one place.
fn changed(certificate: &Exclusion, rng: &mut Rng) -> Exclusion {
    let mut other = certificate.clone();
    let lists = [&mut other.invariant, &mut other.consequences, &mut other.learned];
    let [invariant, consequences, learned] = lists;
    let chosen = match rng.below(6) {
        0 | 1 => invariant,
        2 => consequences,
        3 => learned,
        4 => {
            if let Some(lemma) = pick(&mut other.lemmas, rng) {
                lemma.clause.pop();
            }
            return other;
        }
        _ => {
            if let Some(Atom::AtMost { bound, .. }) = pick(&mut other.atoms, rng) {
                *bound += rng.between(-1..=1);
            }
            return other;
        }
    };
    match (rng.below(3), pick(chosen, rng)) {
        (0, Some(clause)) => _ = clause.pop(),
        (1, Some(clause)) => clause.iter_mut().take(1).for_each(|sign| *sign = -*sign),
        (2, Some(clause)) => clause.iter_mut().take(1).for_each(|sign| *sign += 1),
        _ => chosen.push(Vec::new()),
    }
    other
}

fn pick<'a, T>(items: &'a mut [T], rng: &mut Rng) -> Option<&'a mut T> {
    if items.is_empty() { None } else { Some(&mut items[rng.below(items.len())]) }
}

/// The net with a transition that is turned round.
fn turned(net: &Net, rng: &mut Rng) -> Option<Net> {
    let turned = (!net.transitions().is_empty()).then(|| NetTransitionId::new(rng.below(net.transitions().len())))?;
    let arcs = net.transition_ids().map(|t| {
        let (pre, post) = (net.pre(t).to_vec(), net.post(t).to_vec());
        let (pre, post) = if t == turned { (post, pre) } else { (pre, post) };
        ArcSet::new(net.transition(t).name.clone(), pre, post)
    });
    Net::new("turned", net.places().to_vec(), arcs.collect()).ok()
}

#[test]
fn no_certificate_excludes_what_is_reached() {
    let (mut refused, mut noticed, mut mutants) = (0, 0, 0);
    for (seed, net) in nets(1009) {
        let Some(oracle) = Oracle::new(&net, 500) else { continue };
        let (reached, never): (Vec<Goal>, Vec<Goal>) =
            asked(&net, seed).into_iter().partition(|goal| oracle.reaches(goal));
        let mut rng = Rng::new(seed);
        for goal in never {
            let Some(Decision::Never(certificate)) = decision(&net, &goal) else { continue };
            for _ in 0..10 {
                let other = changed(&certificate, &mut rng);
                for goal in &reached {
                    assert!(check_exclusion(&net, goal, &other).is_err(), "{goal:?} {net:?} {other:?}");
                    refused += 1;
                }
                mutants += usize::from(other != *certificate);
                noticed += usize::from(check_exclusion(&net, &goal, &other).is_err());
            }
            let Some(other) = turned(&net, &mut rng) else { continue };
            let Some(oracle) = Oracle::new(&other, 500) else { continue };
            if oracle.reaches(&goal) {
                assert!(check_exclusion(&other, &goal, &certificate).is_err(), "{goal:?} {other:?} {certificate:?}");
                refused += 1;
            }
        }
    }
    assert!(refused > 20_000 && noticed * 2 > mutants, "{refused} refused, {noticed} of {mutants} noticed");
}
