//! Certificates of structural proofs meet the independent checker, and broken ones do not pass.

use std::time::Duration;

use check::{CertificateError, check_exclusion};
use engines::net::structural::{certify, run};
use engines::net::{Board, Finding, Settled, Task};
use evidence::{Atom, Budget, Exclusion, Fact, Source};
use model::nets::{Goal, Linear, Predicate};
use model::views::{ArcSet, Net, Place, PlaceId};
use testkit::nets::{Oracle, goals, random, targets};

fn budget() -> Budget {
    Budget::unlimited().with_timeout(Duration::from_secs(20))
}

/// The certificates of random goals that are not reached, with their nets.
fn certificates(seeds: std::ops::Range<u64>) -> impl Iterator<Item = (Net, Goal, Exclusion)> {
    seeds.flat_map(|seed| {
        let net = random(seed);
        let asked = goals(&net, seed).into_iter().filter(|goal| !matches!(goal, Goal::Maximum(_)));
        let found: Vec<_> = asked.filter_map(|g| certify(&net, &g, &budget()).map(|c| (g, c))).collect();
        found.into_iter().map(move |(goal, certificate)| (net.clone(), goal, certificate))
    })
}

#[test]
fn certificates_pass_the_checker() {
    let (mut passed, mut traps, mut fed) = (0, 0, 0);
    for (net, goal, certificate) in certificates(0..600) {
        assert_eq!(check_exclusion(&net, &goal, &certificate), Ok(()), "{goal:?} {certificate:?} {net:?}");
        let used = |wanted: fn(&Source) -> bool| {
            certificate.lemmas.iter().any(|lemma| lemma.inequalities.iter().any(|(source, _)| wanted(source)))
        };
        passed += 1;
        traps += usize::from(used(|source| matches!(source, Source::Marked(_))));
        fed += usize::from(used(|source| matches!(source, Source::Idle(..) | Source::Starved(..))));
    }
    eprintln!("{passed} {traps} {fed}");
    assert!(passed > 1000 && traps > 3 && fed > 100, "{passed} {traps} {fed}");
}

#[test]
fn a_certificate_excludes_nothing_that_is_reached() {
    let mut refused = 0;
    for (net, _, certificate) in certificates(0..300) {
        let Some(oracle) = Oracle::new(&net, 2000) else { continue };
        for goal in goals(&net, 77).into_iter().filter(|g| !matches!(g, Goal::Maximum(_)) && oracle.reaches(g)) {
            assert_ne!(check_exclusion(&net, &goal, &certificate), Ok(()), "{goal:?} {net:?}");
            refused += 1;
        }
    }
    assert!(refused > 200, "{refused}");
}

/// What the engine proves about goals.
fn findings(net: &Net, goals: &[Goal]) -> Vec<Settled> {
    let (budget, (board, found)) = (budget(), Board::new(goals.len()));
    run(&Task { net, goals, board: &board, budget: &budget }, &mut |_, _| {});
    drop(board);
    found.iter().collect()
}

/// Certificates whose lemmas count firings, with their nets and goals. What is proved by places that are never marked
/// together has none, which is rare.
fn counting(seeds: std::ops::Range<u64>) -> Vec<(Net, Goal, Exclusion)> {
    let (mut out, mut proved, mut certified) = (Vec::new(), 0, 0);
    for seed in seeds {
        let net = random(seed);
        let goals = targets(&net, seed);
        for Settled { goal, .. } in findings(&net, &goals) {
            proved += 1;
            let Some(certificate) = certify(&net, &goals[goal], &budget()) else { continue };
            certified += 1;
            if certificate.atoms.iter().any(|atom| matches!(atom, Atom::Firings { .. })) {
                out.push((net.clone(), goals[goal].clone(), certificate));
            }
        }
    }
    assert!(certified * 100 >= proved * 98, "{certified} of {proved}");
    out
}

#[test]
fn whole_numbers_of_firings_are_certified() {
    let all = counting(0..600);
    assert!(all.len() > 50, "{}", all.len());
    let mut refused = 0;
    for (net, goal, certificate) in all {
        assert_eq!(check_exclusion(&net, &goal, &certificate), Ok(()), "{goal:?} {net:?}");
        let mut shifted = certificate;
        for atom in &mut shifted.atoms {
            if let Atom::Firings { bound, .. } = atom {
                *bound -= 1;
            }
        }
        refused += usize::from(check_exclusion(&net, &goal, &shifted).is_err());
        shifted.atoms.iter_mut().for_each(|atom| {
            if let Atom::Firings { transition, .. } = atom {
                *transition = net.transitions().len();
            }
        });
        assert!(check_exclusion(&net, &goal, &shifted).is_err(), "it speaks of no transition");
    }
    assert!(refused > 20, "{refused}");
}

/// The least bound that is proved.
fn bound(net: &Net, expression: &Linear) -> Option<i64> {
    let bound = |settled: Settled| match settled.finding {
        Finding::AtMost(bound, _) => Some(bound),
        _ => None,
    };
    findings(net, &[Goal::Maximum(expression.clone())]).into_iter().filter_map(bound).min()
}

#[test]
fn bounds_of_expressions_are_certified() {
    let (mut certified, mut exact, mut open) = (0, 0, 0);
    for seed in 0..600 {
        let net = random(seed);
        let asked = goals(&net, seed).into_iter().find_map(|goal| match goal {
            Goal::Maximum(expression) => Some(expression),
            _ => None,
        });
        let expression = asked.expect("one is among them");
        let Some(bound) = bound(&net, &expression) else { continue };
        let exceeding = |value| Goal::Satisfies(Predicate::exceeds(&expression, value).expect("small numbers"));
        let Some(certificate) = certify(&net, &exceeding(bound), &budget()) else {
            open += 1;
            continue;
        };
        assert_eq!(check_exclusion(&net, &exceeding(bound), &certificate), Ok(()), "seed {seed}");
        certified += 1;
        let Some(oracle) = Oracle::new(&net, 2000) else { continue };
        if oracle.maximum(&expression) == i128::from(bound) {
            assert!(check_exclusion(&net, &exceeding(bound - 1), &certificate).is_err(), "seed {seed}");
            exact += 1;
        }
    }
    assert!(certified > 300 && exact > 200 && open * 50 < certified, "{certified} {exact} {open}");
}

/// A token that moves between two places, and a third that it never reaches.
fn shuttle() -> Net {
    let places = ["a", "b", "c"].iter().enumerate().map(|(i, name)| Place::new(*name, u32::from(i == 0))).collect();
    let one = |p: usize| vec![(PlaceId::new(p), 1)];
    Net::new("shuttle", places, vec![ArcSet::new("go", one(0), one(1)), ArcSet::new("back", one(1), one(0))])
        .expect("a sound net")
}

/// Both places of the shuttle are empty.
fn empty() -> Goal {
    Goal::Satisfies(Predicate::all([0, 1].map(|p| Predicate::at_most(PlaceId::new(p), 0))))
}

#[test]
fn a_wrong_factor_is_noticed() {
    let (net, goal) = (shuttle(), empty());
    let sound = certify(&net, &goal, &budget()).expect("the invariant excludes it");
    assert_eq!(check_exclusion(&net, &goal, &sound), Ok(()));
    let number = sound.lemmas.iter().position(|lemma| !lemma.equation.is_empty()).expect("one uses the equation");
    let mut turned = sound.clone();
    turned.lemmas[number].equation[0].1 *= -1;
    assert_eq!(
        check_exclusion(&net, &goal, &turned),
        Err(CertificateError::Wrong(format!("its lemma number {number} does not follow")))
    );
    let mut negative = sound.clone();
    negative.lemmas[number].inequalities[0].1 *= -1;
    assert_eq!(
        check_exclusion(&net, &goal, &negative),
        Err(CertificateError::Wrong(format!("its lemma number {number} does not follow")))
    );
    let mut lacking = sound;
    lacking.lemmas.clear();
    assert!(check_exclusion(&net, &goal, &lacking).is_err());
}

#[test]
fn a_set_that_is_no_trap_is_noticed() {
    let (net, goal) = (shuttle(), empty());
    let mut certificate = certify(&net, &goal, &budget()).expect("the invariant excludes it");
    let none = || CertificateError::Wrong("its fact number 0 is none of the net".to_owned());
    for (places, sound) in [(vec![0, 1], true), (vec![0], false), (vec![2], false), (vec![7], false)] {
        certificate.facts = vec![Fact::Trap(places.clone())];
        let expected = if sound { Ok(()) } else { Err(none()) };
        assert_eq!(check_exclusion(&net, &goal, &certificate), expected, "{places:?}");
    }
    certificate.facts = vec![Fact::Siphon(vec![0])];
    assert_eq!(check_exclusion(&net, &goal, &certificate), Err(none()));
}

#[test]
fn a_forgotten_disjunct_is_noticed() {
    let (net, goal) = (shuttle(), empty());
    let certificate = certify(&net, &goal, &budget()).expect("the invariant excludes it");
    let Goal::Satisfies(excluded) = &goal else { panic!("it is a predicate") };
    let more = Goal::Satisfies(Predicate::any([excluded.clone(), Predicate::at_least(PlaceId::new(1), 1)]));
    assert!(check_exclusion(&net, &more, &certificate).is_err());
}
