//! The closure of an automaton under stuttering, blind in every state.
//!
//! Valuations that no label tells apart are one letter: a language that does not tell them apart and is stutter invariant
//! is so with them as one. Let `B` be an automaton for such a language. The states of the closure are the initial one of
//! `B`, and pairs of a state `q` of `B` and the letter `a` that was read last. From `(q, a)`
//!
//! - `a` stays, without marks, or leads to `(t, a)` if a path of one or more `a` in `B` leads from `q` to `t`;
//! - another letter `b` leads to `(t, b)` if a path of `a`s, perhaps none, and then one or more `b`s leads from `q` to `t`;
//!
//! with all marks of the path. Then
//!
//!     L(q, a) = { w : some x in L_B(q) has a·w ~ a·x }.
//!
//! A run of the closure is a run of `B` over blocks of the same letters in the same order: a block is changed only for the
//! next one, of which at least one letter is read, and the last one, if there is a last, is infinite since staying has no
//! marks (if `B` has no acceptance sets we give it one). Conversely, to read `w` instead of `x` stay, and where the next
//! block begins take all that `x` has of the old one and of the next at once; in a last block go letter by letter.
//!
//! Since `a·w ~ a·a·w`, and `v ~ w` gives `a·v ~ a·w`, the closure is blind, and it accepts what is stutter equivalent to
//! a word of `B`: the words of `B`.
//!
//! Of edges of one state with one letter those go that another dominates: with more marks to a state that simulates. If
//! `t` simulates `s` in `B`, `(t, b)` simulates `(s, b)`.

use crate::automaton::{Automaton, Edge, Marks, State, Symbolic};
use crate::bdd::{Bdd, Exhausted, Manager, Metered};
use crate::hash::Map;
use crate::reduce::simulation::Order;
use crate::stutter::letters;

/// Letters told apart at most.
const MOST_LETTERS: usize = 64;

/// States at most, before reduction.
const MOST_STATES: usize = 2000;

/// A number of a letter.
type Letter = usize;

/// Where a path leads, with which marks.
type Path = (State, Marks);

/// A state, and the letter read last.
type Pair = (State, Option<Letter>);

/// The closure; no state of the automaton may be useless.
pub(super) fn closure(m: &mut Manager, automaton: &Symbolic) -> Metered<Symbolic> {
    let automaton = &with_acceptance(automaton);
    let letters = letters(m, &[automaton], MOST_LETTERS)?;
    let mut paths = Paths { order: Order::of(m, automaton)?, repeated: Vec::new() };
    for letter in &letters {
        let steps = steps(m, automaton, *letter)?;
        let mut repeated = Vec::with_capacity(steps.len());
        for state in automaton.states() {
            repeated.push(paths.repeated(m, &steps, state)?);
        }
        paths.repeated.push(repeated);
    }
    unfold(m, automaton, &letters, &paths)
}

/// Without acceptance sets every edge of the automaton is good enough, but staying is not.
fn with_acceptance(automaton: &Symbolic) -> Symbolic {
    let mut accepting = automaton.clone();
    if automaton.sets == 0 {
        accepting.sets = 1;
        accepting.edges.iter_mut().flatten().for_each(|e| e.marks = Marks::first(1));
    }
    accepting
}

/// The edges that can be taken with the letter.
fn steps(m: &mut Manager, automaton: &Symbolic, letter: Bdd) -> Metered<Vec<Vec<Path>>> {
    let mut steps = Vec::with_capacity(automaton.size());
    for edges in &automaton.edges {
        let mut taken = Vec::new();
        for edge in edges {
            if m.and(letter, edge.label)? != Bdd::FALSE {
                taken.push((edge.target, edge.marks));
            }
        }
        steps.push(taken);
    }
    Ok(steps)
}

struct Paths {
    order: Order,
    /// For every letter and state, the undominated paths of one or more such letters.
    repeated: Vec<Vec<Vec<Path>>>,
}

impl Paths {
    fn repeated(&self, m: &mut Manager, steps: &[Vec<Path>], start: State) -> Metered<Vec<Path>> {
        let mut known: Vec<Path> = Vec::new();
        let mut open: Vec<Path> = steps[start.index()].clone();
        while let Some((state, marks)) = open.pop() {
            m.spend(1)?;
            if self.add(&mut known, (state, marks)) {
                open.extend(steps[state.index()].iter().map(|(target, more)| (*target, marks.union(*more))));
            }
        }
        known.sort_unstable();
        Ok(known)
    }

    /// Adds a path, instead of those that it dominates, unless it is dominated itself.
    fn add(&self, known: &mut Vec<Path>, path: Path) -> bool {
        let dominates = |p: &Path, q: &Path| p.1.contains(q.1) && self.order.simulates(p.0, q.0);
        if known.iter().any(|p| dominates(p, &path)) {
            return false;
        }
        known.retain(|p| !dominates(&path, p));
        known.push(path);
        true
    }

    /// Where the letter leads from a pair.
    fn successors(&self, m: &mut Manager, (state, last): Pair, letter: Letter) -> Metered<Vec<Path>> {
        let mut found = self.repeated[letter][state.index()].clone();
        if last == Some(letter) {
            self.add(&mut found, (state, Marks::default()));
        } else if let Some(last) = last {
            for (middle, marks) in &self.repeated[last][state.index()] {
                for (target, more) in &self.repeated[letter][middle.index()] {
                    m.spend(1)?;
                    self.add(&mut found, (*target, marks.union(*more)));
                }
            }
        }
        Ok(found)
    }
}

/// The reachable pairs.
fn unfold(m: &mut Manager, automaton: &Symbolic, letters: &[Bdd], paths: &Paths) -> Metered<Symbolic> {
    let first: Pair = (automaton.initial, None);
    let mut number: Map<Pair, State> = Map::default();
    number.insert(first, State(0));
    let mut pairs = vec![first];
    let mut edges = Vec::new();
    while edges.len() < pairs.len() {
        let pair = pairs[edges.len()];
        let mut row = Vec::new();
        for (letter, label) in letters.iter().enumerate() {
            for (state, marks) in paths.successors(m, pair, letter)? {
                m.spend(1)?;
                let target = *number.entry((state, Some(letter))).or_insert_with(|| {
                    pairs.push((state, Some(letter)));
                    State(pairs.len() as u32 - 1)
                });
                row.push(Edge { label: *label, marks, target });
            }
        }
        edges.push(row);
        if pairs.len() > MOST_STATES {
            return Err(Exhausted);
        }
    }
    Ok(Automaton { atoms: automaton.atoms, sets: automaton.sets, initial: State(0), edges })
}
