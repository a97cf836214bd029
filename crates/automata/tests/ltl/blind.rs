//! Blind automata are blind in every state, accept what their formulas say, and stay small.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use automata::automaton::{State, Word};
use automata::formula::Kind;
use automata::syntax::{Ltl, Unary, parse};
use automata::{Automaton, Blind, Exhausted, Options, Pool, Way, translate};
use testkit::Rng;

use crate::data;
use crate::random;
use crate::words::{all_formulas, all_words, holds};

/// The word with a letter before it.
fn prefixed(letter: u64, word: &Word) -> Word {
    let letters: Vec<u64> = (0..word.shape().positions()).map(|i| word.letter(i)).collect();
    let (stem, cycle) = letters.split_at(word.shape().cycle_start());
    Word::new(&[&[letter], stem].concat(), cycle).expect("there is a cycle")
}

/// For every reachable state the valuations of so many atoms with which it can be entered, as a bit set.
fn entering(automaton: &Automaton, atoms: u32) -> Vec<u64> {
    let mut letters = vec![0; automaton.size()];
    let reachable = automaton.reachable();
    for state in automaton.states().filter(|s| reachable[s.index()]) {
        for edge in automaton.from(state) {
            let with = (0..1 << atoms).filter(|v| edge.label.holds(*v));
            letters[edge.target.index()] |= with.fold(0u64, |set, v| set | 1 << v);
        }
    }
    letters
}

/// A state that sees, in one of the words or its stuttered variant, how often a letter is repeated.
fn seeing(automaton: &Automaton, atoms: u32, words: &[(Word, Word)]) -> Option<(State, Word)> {
    let entering = entering(automaton, atoms);
    for (word, stuttered) in words {
        let accepting = automaton.accepting(word);
        let reachable = automaton.reachable();
        let repeated = automaton.accepting(stuttered);
        let once_more: Vec<Vec<bool>> = (0..1 << atoms).map(|a| automaton.accepting(&prefixed(a, word))).collect();
        for state in automaton.states().filter(|s| reachable[s.index()]) {
            let (i, mut entered) =
                (state.index(), (0..1usize << atoms).filter(|a| entering[state.index()] >> a & 1 == 1));
            if accepting[i] != repeated[i] || entered.any(|a| once_more[a][i] != accepting[i]) {
                return Some((state, word.clone()));
            }
        }
    }
    None
}

fn words(rng: &mut Rng, atoms: u32, count: usize) -> Vec<(Word, Word)> {
    let pair = |rng: &mut Rng| {
        let word = random::word(rng, atoms);
        let stuttered = random::stuttered(rng, &word);
        (word, stuttered)
    };
    (0..count).map(|_| pair(rng)).collect()
}

fn blind(formula: &Ltl) -> Result<Option<Blind>, Exhausted> {
    let mut pool = Pool::new();
    let f = pool.add(formula);
    Blind::of(&mut pool, f, &Options::default())
}

fn plain(formula: &Ltl, options: &Options) -> Automaton {
    let mut pool = Pool::new();
    let f = pool.add(formula);
    translate(&mut pool, f, options).expect("it is small")
}

/// That the automaton is the formula's and blind, as far as the words show.
fn inspect(formula: &Ltl, automaton: &Automaton, atoms: u32, words: &[(Word, Word)]) {
    assert_eq!(seeing(automaton, atoms, words), None, "{formula}");
    for (word, _) in words {
        assert_eq!(automaton.accepts(word), holds(formula, word), "{formula} and {word:?}");
    }
}

/// The formula with `X` left out.
fn without_next(formula: Ltl) -> Ltl {
    match formula {
        Ltl::Unary(Unary::Next, f) => without_next(*f),
        Ltl::Unary(op, f) => without_next(*f).under(op),
        Ltl::Binary(op, f, g) => without_next(*f).with(op, without_next(*g)),
        leaf => leaf,
    }
}

#[test]
fn formulas_without_next_have_blind_automata() {
    let mut ways = BTreeMap::new();
    for seed in 0..800 {
        let mut rng = Rng::new(seed);
        let operators = 2 + rng.below(9);
        let formula = without_next(random::formula(&mut rng, 3, operators));
        let blind = blind(&formula).expect("it is small").expect("it has no X");
        *ways.entry(blind.way()).or_insert(0) += 1;
        inspect(&formula, blind.automaton(), 3, &words(&mut rng, 3, 25));
    }
    for way in [Way::Deterministic, Way::Simulation, Way::Closure] {
        assert!(ways.get(&way).is_some_and(|count| *count > 20), "{ways:?}");
    }
}

#[test]
fn formulas_with_harmless_next_have_blind_automata() {
    let (mut harmless, mut refused) = (BTreeMap::new(), 0);
    for seed in 0..1500 {
        let mut rng = Rng::new(seed);
        let operators = 3 + rng.below(5);
        // An eventuality more often forgets how long something took.
        let formula = random::formula(&mut rng, 2, operators).under(Unary::Eventually);
        let formula = if rng.chance(50) { formula.under(Unary::Always) } else { formula };
        let mut pool = Pool::new();
        let f = pool.add(&formula);
        if pool.kind(f).is(Kind::STUTTER_INVARIANT) {
            continue;
        }
        match blind(&formula).expect("it is small") {
            Some(blind) => {
                *harmless.entry(blind.way()).or_insert(0) += 1;
                inspect(&formula, blind.automaton(), 2, &words(&mut rng, 2, 25));
            }
            None => refused += 1,
        }
    }
    assert!(refused > 100 && harmless.values().sum::<usize>() > 100, "{harmless:?} {refused}");
    assert!(harmless.contains_key(&Way::Closure), "{harmless:?}");
}

#[test]
fn all_small_formulas_are_blind_or_refused() {
    let mut rng = Rng::new(1);
    let words: Vec<_> = all_words().into_iter().map(|w| (random::stuttered(&mut rng, &w), w)).collect();
    let (mut made, mut refused) = (0, 0);
    for formula in (0..=2).flat_map(all_formulas) {
        let Some(blind) = blind(&formula).expect("it is small") else {
            refused += 1;
            continue;
        };
        made += 1;
        inspect(&formula, blind.automaton(), 2, &words);
    }
    assert!(made > 1000 && refused > 100, "{made} {refused}");
}

#[test]
fn automata_of_others_are_made_blind() {
    let mut ways = BTreeMap::new();
    for seed in 0..600 {
        let mut rng = Rng::new(seed);
        let operators = 2 + rng.below(7);
        let formula = without_next(random::formula(&mut rng, 3, operators));
        let given = plain(&formula, &Options { reduce: seed % 2 == 0, ..Options::default() });
        let Ok(blind) = Blind::assume(&given, &Options::default()) else {
            *ways.entry(None).or_insert(0) += 1;
            continue;
        };
        *ways.entry(Some(blind.way())).or_insert(0) += 1;
        inspect(&formula, blind.automaton(), 3, &words(&mut rng, 3, 25));
    }
    assert!(ways.get(&None).is_none_or(|count| *count < 5), "{ways:?}");
    assert!(ways.get(&Some(Way::Closure)).is_some_and(|count| *count > 20), "{ways:?}");
}

#[test]
fn what_is_seen_to_be_blind_is_so() {
    let (mut seen, mut sighted) = (0, 0);
    for seed in 0..1500 {
        let mut rng = Rng::new(seed);
        let operators = 2 + rng.below(5);
        let formula = random::formula(&mut rng, 2, operators);
        let automaton = plain(&formula, &Options { reduce: seed % 2 == 0, ..Options::default() });
        let words = words(&mut rng, 2, 25);
        if Blind::is_seen(&automaton, &Options::default()).expect("it is small") {
            seen += 1;
            inspect(&formula, &automaton.pruned(), 2, &words);
        } else {
            sighted += usize::from(seeing(&automaton, 2, &words).is_some());
        }
    }
    assert!(seen > 300 && sighted > 300, "{seen} {sighted}");
}

#[test]
fn small_automata_need_not_be_blind() {
    let mut seen = Vec::new();
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let formula = without_next(random::formula(&mut rng, 2, 5));
        let automaton = plain(&formula, &Options::default());
        if seeing(&automaton, 2, &words(&mut rng, 2, 40)).is_some() {
            assert!(!automaton.is_deterministic(), "{formula}");
            seen.push(formula.to_string());
        }
    }
    assert!(seen.len() > 3, "{seen:?}");
}

/// Sizes and times of a set of formulas.
#[derive(Debug, Default)]
struct Tally {
    ways: BTreeMap<Way, usize>,
    sighted: usize,
    exhausted: usize,
    states: usize,
    plain_states: usize,
    slowest: Duration,
}

impl Tally {
    fn add(&mut self, formula: &Ltl, rng: &mut Rng) {
        let start = Instant::now();
        match blind(formula) {
            Ok(Some(blind)) => {
                self.slowest = self.slowest.max(start.elapsed());
                *self.ways.entry(blind.way()).or_default() += 1;
                self.states += blind.automaton().size();
                self.plain_states += plain(formula, &Options::default()).size();
                let atoms = (blind.automaton().atoms as u32).max(1);
                if atoms <= 4 {
                    inspect(formula, blind.automaton(), atoms, &words(rng, atoms, 2));
                }
            }
            Ok(None) => self.sighted += 1,
            Err(Exhausted) => self.exhausted += 1,
        }
    }
}

#[test]
fn formulas_of_the_literature_stay_small() {
    let Some(folder) = data::folder() else { return };
    let mut tally = Tally::default();
    // The formulas of the synthesis competition are large, and few of them are stutter invariant.
    for list in data::lists(&folder).iter().filter(|l| !l.ends_with("syntcomp-selection.ltl")) {
        for line in data::formulas(list) {
            let formula = parse(&line.text).expect("lists hold formulas").formula;
            for formula in [formula.clone(), formula.under(Unary::Not)] {
                tally.add(&formula, &mut Rng::new(line.number as u64));
            }
        }
    }
    eprintln!("{tally:?}");
    assert!(tally.ways.values().sum::<usize>() >= 650 && tally.exhausted <= 5, "{tally:?}");
    assert!(tally.states * 100 <= tally.plain_states * 110, "{tally:?}");
    // A few hundredths of a second each; the bound leaves room for slow and busy machines.
    assert!(tally.slowest < Duration::from_secs(5), "{tally:?}");
}
