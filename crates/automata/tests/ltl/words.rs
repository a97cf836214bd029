//! The automaton of a formula accepts exactly the words that satisfy it.

use automata::automaton::{Marks, Word};
use automata::lasso::satisfies;
use automata::syntax::{Ltl, parse};
use automata::{Automaton, Options, Pool, translate};
use testkit::Rng;

use crate::random;

pub(crate) fn holds(formula: &Ltl, word: &Word) -> bool {
    satisfies(formula, word.shape(), &|atom, position| word.letter(position) >> atom.0 & 1 == 1)
}

/// A word on which the automaton and the formula disagree, among so many random ones.
pub(crate) fn disagreement(rng: &mut Rng, formula: &Ltl, automaton: &Automaton, words: usize) -> Option<Word> {
    let atoms = (automaton.atoms as u32).clamp(1, 64);
    (0..words).map(|_| random::word(rng, atoms)).find(|w| automaton.accepts(w) != holds(formula, w))
}

fn automaton(formula: &Ltl, options: &Options) -> Option<Automaton> {
    let mut pool = Pool::new();
    let f = pool.add(formula);
    let automaton = translate(&mut pool, f, options).ok()?;
    // The formula may have lost atoms on the way; words have them all.
    Some(Automaton { atoms: pool.atoms(f), ..automaton })
}

#[test]
fn random_formulas_have_their_automata() {
    let all = Options::default();
    let ways = [all, Options { simplify: false, ..all }, Options { reduce: false, ..all }];
    for seed in 0..1500 {
        let mut rng = Rng::new(seed);
        let operators = 1 + rng.below(12);
        let formula = random::formula(&mut rng, 3, operators);
        let options = ways[seed as usize % ways.len()];
        let Some(automaton) = automaton(&formula, &options) else { continue };
        let wrong = disagreement(&mut rng, &formula, &automaton, 60);
        assert_eq!(wrong, None, "seed {seed}, {options:?}: {formula}");
    }
}

#[test]
fn random_formulas_keep_their_meaning_when_simplified() {
    let mut rewritten = 0;
    for seed in 0..20_000 {
        let mut rng = Rng::new(seed);
        let operators = 1 + rng.below(10);
        let formula = random::formula(&mut rng, 3, operators);
        let mut pool = Pool::new();
        let f = pool.add(&formula);
        let simple = pool.simplify(f);
        rewritten += usize::from(simple != f);
        let shown = parse(&pool.show(simple, &names()).to_string()).expect("formulas are shown as they are read");
        let back = |atom: u32| names().iter().position(|n| *n == shown.atoms[atom as usize]).expect("it is known");
        for _ in 0..20 {
            let word = random::word(&mut rng, 3);
            let now = satisfies(&shown.formula, word.shape(), &|a, i| word.letter(i) >> back(a.0) & 1 == 1);
            assert_eq!(now, holds(&formula, &word), "seed {seed}: {formula} to {}", shown.formula);
        }
    }
    assert!(rewritten > 5000, "{rewritten}");
}

fn names() -> Vec<String> {
    ["a", "b", "c"].map(str::to_owned).to_vec()
}

#[test]
fn implication_by_syntax_is_implication() {
    let mut shown = 0;
    for seed in 0..20_000 {
        let mut rng = Rng::new(seed);
        let (f, g) = (random::formula(&mut rng, 2, 3), random::formula(&mut rng, 2, 3));
        let mut pool = Pool::new();
        let (a, b) = (pool.add(&f), pool.add(&g));
        if a == b || !pool.implies(a, b) {
            continue;
        }
        shown += 1;
        for _ in 0..30 {
            let word = random::word(&mut rng, 2);
            assert!(!holds(&f, &word) || holds(&g, &word), "seed {seed}: {f} and {g}");
        }
    }
    assert!(shown > 500, "{shown}");
}

/// A translation that forgets that `U` must come: every acceptance set is dropped.
fn without_promises(automaton: &Automaton) -> Automaton {
    Automaton { sets: 0, ..automaton.clone() }
}

/// A translation in which one promise covers for another.
fn with_one_promise(automaton: &Automaton) -> Automaton {
    let mut other = Automaton { sets: automaton.sets.min(1), ..automaton.clone() };
    for edge in other.edges.iter_mut().flatten() {
        edge.marks = if edge.marks == Marks::default() { edge.marks } else { Marks::first(1) };
    }
    other
}

#[test]
fn planted_bugs_are_caught() {
    let caught = |text: &str, bug: fn(&Automaton) -> Automaton| {
        let formula = parse(text).expect("the formula is well-formed").formula;
        let right = automaton(&formula, &Options::default()).expect("it is small");
        let mut rng = Rng::new(7);
        assert_eq!(disagreement(&mut rng, &formula, &right, 500), None, "{text}");
        disagreement(&mut rng, &formula, &bug(&right), 500).is_some()
    };
    assert!(caught("a U b", without_promises));
    assert!(caught("G(a -> F b)", without_promises));
    assert!(caught("GF a & GF b", with_one_promise));
    assert!(!caught("GF a", with_one_promise), "one promise is enough there");
}
