//! What the ways to blind automata rely on: the closure alone is blind, and stays so when reduced forwards, not backwards;
//! the conditions by simulation are never too weak.

use super::{check, closure};
use crate::automaton::{Automaton, Symbolic, Word};
use crate::bdd::Manager;
use crate::formula::Pool;
use crate::reduce::simulation::Direction;
use crate::syntax::parse;
use crate::translate::{BOTH, Options, prepared, smaller, translate};

const FORMULAS: [&str; 24] = [
    "b W (F !a W G(F b | !a))",
    "F(G a W (F !b R F b))",
    "F(a R F b)",
    "!(a | (F !a W b))",
    "(F !b) R a",
    "b W (G a & b)",
    "!((a U G b) U (a & b))",
    "F(a <-> F(a xor b))",
    "F G a",
    "G F a & F G b",
    "F(a & G b)",
    "G(a | G b)",
    "G(a -> F b)",
    "F G a | G F b",
    "G(F a | G b)",
    "(F G a) U b",
    "F(a & F(b & G !a))",
    "G(a -> (a U b))",
    "(a U b) | G F (a & F b)",
    "G F(a & F(b & F !a))",
    "F G(a | F b) & F b",
    "F G (a | (b U a))",
    "F(G a | G b)",
    "G(!a | F G b)",
];

/// All words over two atoms with a stem and a cycle of at most two letters.
fn words() -> Vec<(Vec<u64>, Vec<u64>)> {
    let pieces: Vec<Vec<u64>> = (0..4).map(|a| vec![a]).chain((0..16).map(|ab| vec![ab / 4, ab % 4])).collect();
    let stems = pieces.iter().cloned().chain([Vec::new()]);
    stems.flat_map(|stem| pieces.iter().map(move |cycle| (stem.clone(), cycle.clone()))).collect()
}

fn accepting(automaton: &Automaton, stem: &[u64], cycle: &[u64]) -> Vec<bool> {
    automaton.accepting(&Word::new(stem, cycle).expect("there is a cycle"))
}

/// Whether the words show a state that is not blind.
fn sees(automaton: &Automaton) -> bool {
    let entered = |state: usize, letter: u64| {
        let mut edges = automaton.edges.iter().flatten();
        edges.any(|e| e.target.index() == state && e.label.holds(letter))
    };
    words().iter().any(|(stem, cycle)| {
        let doubled: Vec<u64> = cycle.iter().flat_map(|a| [*a, *a]).collect();
        let once = accepting(automaton, stem, cycle);
        once != accepting(automaton, stem, &doubled)
            || (0..4).any(|a| {
                let more = accepting(automaton, &[&[a], &stem[..]].concat(), cycle);
                automaton.states().any(|s| once[s.index()] != more[s.index()] && entered(s.index(), a))
            })
    })
}

fn plain(m: &mut Manager, text: &str) -> Symbolic {
    let mut pool = Pool::new();
    let formula = pool.add(&parse(text).expect("it is well-formed").formula);
    let automaton = translate(&mut pool, formula, &Options::default()).expect("it is small");
    prepared(&automaton.symbolic(m).expect("it is small"))
}

fn explicit(m: &mut Manager, automaton: &Symbolic) -> Automaton {
    automaton.explicit(m).expect("it is small")
}

#[test]
fn closures_are_blind_until_reduced_backwards() {
    let mut m = Manager::new(1 << 40);
    let mut broken = 0;
    for text in FORMULAS {
        let given = plain(&mut m, text);
        let closed = closure::closure(&mut m, &given).expect("it is small");
        let forward = smaller(&mut m, &prepared(&closed), &[Direction::Forward]);
        let both = smaller(&mut m, &prepared(&closed), &BOTH);
        let [given, closed, forward, both] = [given, closed, forward, both].map(|a| explicit(&mut m, &a));
        assert!(!sees(&closed) && !sees(&forward), "{text}");
        broken += usize::from(sees(&both));
        for (stem, cycle) in words() {
            let accepted = |a: &Automaton| accepting(a, &stem, &cycle)[a.initial.index()];
            assert_eq!(accepted(&given), accepted(&closed), "{text}: {stem:?} {cycle:?}");
            assert_eq!(accepted(&given), accepted(&forward), "{text}: {stem:?} {cycle:?}");
        }
    }
    assert!(broken > 0, "merging backwards must break some");
}

#[test]
fn what_simulation_shows_is_blind() {
    let mut m = Manager::new(1 << 40);
    let (mut shown, mut open) = (0, 0);
    for text in FORMULAS.into_iter().chain(["X a", "F(a & X a)", "G(a -> X b)", "G F(a & X a)", "F G(a | X a)"]) {
        let automaton = plain(&mut m, text);
        if check::is_shown(&mut m, &automaton).expect("it is small") {
            shown += 1;
            let automaton = explicit(&mut m, &automaton);
            assert!(!sees(&automaton), "{text}");
        } else {
            open += 1;
        }
    }
    assert!(shown > 5 && open >= 5, "{shown} {open}");
}

#[test]
fn closures_satisfy_the_conditions() {
    let mut m = Manager::new(1 << 40);
    for text in FORMULAS {
        let given = plain(&mut m, text);
        let closed = closure::closure(&mut m, &given).expect("it is small");
        assert!(check::is_shown(&mut m, &closed).expect("it is small"), "{text}");
    }
}
