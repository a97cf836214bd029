//! Whether an automaton accepts the word of a run, by following it along the word.
//!
//! It is enough to know in which states it can be whenever the cycle begins, and with which marks it can go from one of
//! these to another in one round. A run can stay among some that lead to each other and meet all marks that are met
//! between them; the automaton accepts if for some these are all marks.

use std::collections::{BTreeMap, BTreeSet};

use automata::Automaton;
use automata::automaton::{Marks, State};

use super::word::Word;

/// From each state in which the automaton can be when the cycle begins: where one round leads, with which marks.
type Rounds = BTreeMap<State, BTreeMap<State, Marks>>;

/// Whether the automaton accepts the word.
pub(crate) fn accepts(automaton: &Automaton, word: &Word) -> bool {
    let cycle = word.shape.cycle_start();
    let entered = follow(automaton, word, 0..cycle, automaton.initial);
    let mut rounds = Rounds::new();
    let mut open: Vec<State> = entered.into_keys().collect();
    while let Some(state) = open.pop() {
        rounds.entry(state).or_insert_with(|| {
            let round = follow(automaton, word, cycle..word.shape.positions(), state);
            open.extend(round.keys());
            round
        });
    }
    rounds.keys().any(|state| stays(&rounds, *state).is_some_and(|marks| marks.contains(automaton.all_marks())))
}

/// The states to which a part of the word can lead from a state, each with the marks of all the ways there.
fn follow(
    automaton: &Automaton,
    word: &Word,
    positions: std::ops::Range<usize>,
    state: State,
) -> BTreeMap<State, Marks> {
    let mut reached = BTreeMap::from([(state, Marks::default())]);
    for position in positions {
        let letter = word.valuation(position);
        let mut next: BTreeMap<State, Marks> = BTreeMap::new();
        for (from, marks) in reached {
            for edge in automaton.from(from).iter().filter(|e| e.label.holds(letter)) {
                let met = next.entry(edge.target).or_default();
                *met = met.union(marks).union(edge.marks);
            }
        }
        reached = next;
    }
    reached
}

/// The marks that can be met again and again between visits to a state, if it can be visited again.
fn stays(rounds: &Rounds, state: State) -> Option<Marks> {
    let reached = reachable(state, |s| rounds[&s].keys().copied().collect());
    let back =
        reachable(state, |s| rounds.iter().filter(|(_, to)| to.contains_key(&s)).map(|(from, _)| *from).collect());
    let between = |s: &State| reached.contains(s) && back.contains(s);
    let inner = reached.iter().filter(|s| between(s)).flat_map(|s| rounds[s].iter().filter(|(to, _)| between(to)));
    inner.map(|(_, marks)| *marks).reduce(Marks::union)
}

/// The states that steps lead to, in any number.
fn reachable(start: State, steps: impl Fn(State) -> Vec<State>) -> BTreeSet<State> {
    let mut seen = BTreeSet::from([start]);
    let mut open = vec![start];
    while let Some(state) = open.pop() {
        for next in steps(state) {
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    seen
}
