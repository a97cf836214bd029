//! The automaton of a formula accepts exactly the words that satisfy it.

use automata::automaton::{Marks, State, Word};
use automata::lasso::satisfies;
use automata::syntax::{Atom, Ltl, parse};
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

/// All formulas with so many operators over two atoms.
pub(crate) fn all_formulas(operators: usize) -> Vec<Ltl> {
    if operators == 0 {
        return (0..2).map(|a| Ltl::Atom(Atom(a))).collect();
    }
    let mut all = Vec::new();
    for f in all_formulas(operators - 1) {
        all.extend(random::UNARY.map(|op| f.clone().under(op)));
    }
    for left in 0..operators {
        let right = all_formulas(operators - 1 - left);
        for f in all_formulas(left) {
            all.extend(right.iter().flat_map(|g| random::BINARY.map(|op| f.clone().with(op, g.clone()))));
        }
    }
    all
}

/// All words over two atoms with a stem of at most one letter and a cycle of at most two.
pub(crate) fn all_words() -> Vec<Word> {
    let stems: Vec<Vec<u64>> = std::iter::once(Vec::new()).chain((0..4).map(|a| vec![a])).collect();
    let cycles: Vec<Vec<u64>> = (0..4).map(|a| vec![a]).chain((0..16).map(|ab| vec![ab / 4, ab % 4])).collect();
    stems.iter().flat_map(|s| cycles.iter().map(|c| Word::new(s, c).expect("there is a cycle"))).collect()
}

#[test]
fn all_small_formulas_have_their_automata() {
    let words = all_words();
    for formula in (0..=2).flat_map(all_formulas) {
        let automaton = automaton(&formula, &Options::default()).expect("it is small");
        for word in &words {
            assert_eq!(automaton.accepts(word), holds(&formula, word), "{formula} and {word:?}");
        }
    }
}

/// The automaton with one thing changed.
fn mutant(rng: &mut Rng, automaton: &Automaton) -> Option<Automaton> {
    let mut mutant = automaton.clone();
    let state = rng.below(mutant.size());
    let edges = mutant.edges[state].len();
    let edge = (edges > 0).then(|| rng.below(edges))?;
    match rng.below(3) {
        0 => drop(mutant.edges[state].remove(edge)),
        1 => mutant.edges[state][edge].target = State(rng.below(automaton.size()) as u32),
        _ => mutant.edges[state][edge].marks = Marks(!mutant.edges[state][edge].marks.0 & automaton.all_marks().0),
    }
    (mutant != *automaton).then_some(mutant)
}

#[test]
fn most_mutants_are_caught() {
    let (mut caught, mut all) = (0, 0);
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let formula = random::formula(&mut rng, 2, 4);
        let right = automaton(&formula, &Options::default()).expect("it is small");
        let Some(wrong) = mutant(&mut rng, &right) else { continue };
        all += 1;
        caught += usize::from(disagreement(&mut rng, &formula, &wrong, 300).is_some());
    }
    // The others accept the same words: marks on edges of no cycle, targets that accept alike.
    assert!(all > 200 && caught * 100 > all * 75, "{caught} of {all}");
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
