//! What is done with automata keeps, or joins, their words; and stuttering is what it should be.

use automata::automaton::{Strength, intersection};
use automata::syntax::{Binary, Ltl, Unary, parse};
use automata::{Automaton, Options, Pool, is_stutter_invariant, translate};
use testkit::Rng;

use crate::random;
use crate::words::holds;

fn automaton(formula: &Ltl) -> Option<Automaton> {
    let mut pool = Pool::new();
    let f = pool.add(formula);
    translate(&mut pool, f, &Options::default()).ok()
}

#[test]
fn one_acceptance_set_is_enough() {
    let mut generalised = 0;
    for seed in 0..2000 {
        let mut rng = Rng::new(seed);
        let parts: Vec<Ltl> = (0..3).map(|_| random::formula(&mut rng, 3, 2)).collect();
        let recurring = parts.into_iter().map(|p| p.under(Unary::Eventually).under(Unary::Always));
        let formula = recurring.reduce(|a, b| a.with(Binary::And, b)).expect("parts");
        let Some(automaton) = automaton(&formula) else { continue };
        let single = automaton.degeneralised();
        assert!(single.sets <= 1);
        generalised += usize::from(automaton.sets > 1);
        for _ in 0..20 {
            let word = random::word(&mut rng, 3);
            assert_eq!(single.accepts(&word), holds(&formula, &word), "seed {seed}: {formula}");
        }
    }
    assert!(generalised > 100, "{generalised}");
}

#[test]
fn witnesses_satisfy_the_formula() {
    let mut found = 0;
    for seed in 0..1000 {
        let mut rng = Rng::new(seed);
        let operators = 1 + rng.below(9);
        let formula = random::formula(&mut rng, 3, operators);
        let Some(automaton) = automaton(&formula) else { continue };
        let witness = automaton.witness();
        assert_eq!(witness.is_none(), automaton.is_empty(), "seed {seed}: {formula}");
        if let Some(word) = witness {
            assert!(automaton.accepts(&word) && holds(&formula, &word), "seed {seed}: {formula} and {word:?}");
            found += 1;
        }
    }
    assert!(found > 700, "{found}");
}

#[test]
fn strength_is_that_of_the_property() {
    let strength = |text| automaton(&parse(text).expect("a formula").formula).expect("it is small").strength();
    assert_eq!(strength("a U b"), Strength::Terminal);
    assert_eq!(strength("!G(a -> X b)"), Strength::Terminal);
    assert_eq!(strength("G a"), Strength::Weak);
    assert_eq!(strength("F G a"), Strength::Weak);
    assert_eq!(strength("G F a"), Strength::Strong);
}

#[test]
fn what_is_observed_shrinks_along_runs() {
    let automaton = automaton(&parse("a U (b & X(c U d))").expect("a formula").formula).expect("it is small");
    let observed = automaton.observed();
    assert_eq!(observed[automaton.initial.index()], 0b1111);
    assert!(observed.contains(&0b1100), "once b came, only c and d count: {observed:?}");
    assert!(observed.contains(&0), "once d came, nothing counts: {observed:?}");
}

#[test]
fn intersections_accept_what_both_accept() {
    let mut empty = 0;
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let (f, g) = (random::formula(&mut rng, 2, 4), random::formula(&mut rng, 2, 4));
        let (Some(a), Some(b)) = (automaton(&f), automaton(&g)) else { continue };
        let both = intersection(&a, &b).expect("few acceptance sets");
        let mut seen = false;
        for _ in 0..30 {
            let word = random::word(&mut rng, 2);
            let expected = holds(&f, &word) && holds(&g, &word);
            seen |= expected;
            assert_eq!(both.accepts(&word), expected, "seed {seed}: {f} and {g}");
        }
        assert!(!(both.is_empty() && seen), "seed {seed}: {f} and {g}");
        empty += usize::from(both.is_empty());
    }
    assert!((10..390).contains(&empty), "{empty}");
}

#[test]
fn stutter_invariance_is_what_words_show() {
    let (mut blind, mut seeing) = (0, 0);
    for seed in 0..1500 {
        let mut rng = Rng::new(seed);
        let operators = 2 + rng.below(5);
        let formula = random::formula(&mut rng, 2, operators);
        let mut pool = Pool::new();
        let f = pool.add(&formula);
        if pool.kind(f).is(automata::formula::Kind::STUTTER_INVARIANT) {
            continue;
        }
        let Ok(invariant) = is_stutter_invariant(&mut pool, f, &Options::default()) else { continue };
        let changed = (0..400).any(|_| {
            let word = random::word(&mut rng, 2);
            holds(&formula, &word) != holds(&formula, &random::stuttered(&mut rng, &word))
        });
        // Random words need not find every difference, but what they find is one.
        assert!(!(invariant && changed), "seed {seed}: {formula}");
        blind += usize::from(invariant);
        seeing += usize::from(changed);
        if !invariant && !changed {
            eprintln!("not shown by words: {formula}");
        }
    }
    assert!(blind > 100 && seeing > 100, "{blind} {seeing}");
}
