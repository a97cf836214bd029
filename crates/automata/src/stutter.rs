//! Whether a formula is blind to stuttering: repeating letters, or dropping repetitions, never changes its truth.
//!
//! A formula without `X` is. For others we ask the automata (after Michaud and Duret-Lutz, SPIN'15): two words that
//! differ by stuttering have a common word that repeats the letters of either, so the formula is blind exactly if no
//! word comes both from one that satisfies it and from one that does not, by repeating letters finitely often.
//! Valuations that no label tells apart count as one letter.

use crate::automaton::{Automaton, Edge, Marks, State, Symbolic, product};
use crate::bdd::{Bdd, Exhausted, Manager, Metered};
use crate::formula::{Formula, Kind, Pool};
use crate::hash::Map;
use crate::translate::{Options, translate};

/// Letters told apart at most.
const MOST_LETTERS: usize = 1024;

/// Whether repeating or dropping repeated letters never changes the truth of the formula.
pub fn is_stutter_invariant(pool: &mut Pool, formula: Formula, options: &Options) -> Result<bool, Exhausted> {
    let simple = pool.simplify(formula);
    if pool.kind(formula).is(Kind::STUTTER_INVARIANT) || pool.kind(simple).is(Kind::STUTTER_INVARIANT) {
        return Ok(true);
    }
    let negation = pool.not(simple);
    let (yes, no) = (translate(pool, simple, options)?, translate(pool, negation, options)?);
    let mut m = Manager::new(options.work);
    let (yes, no) = (yes.symbolic(&mut m)?, no.symbolic(&mut m)?);
    let letters = letters(&mut m, &[&yes, &no], MOST_LETTERS)?;
    let (yes, no) = (repeating(&mut m, &yes, &letters)?, repeating(&mut m, &no, &letters)?);
    let both = product(&yes, &no, |x: &usize, y: &usize| {
        m.spend(1)?;
        Ok((x == y).then_some(()))
    })?;
    Ok(both.is_empty())
}

/// The coarsest partition of the valuations that all labels respect, if it has at most so many parts.
pub(crate) fn letters(m: &mut Manager, automata: &[&Symbolic], most: usize) -> Metered<Vec<Bdd>> {
    let mut letters = vec![Bdd::TRUE];
    for edge in automata.iter().flat_map(|a| a.edges.iter().flatten()) {
        let mut refined = Vec::new();
        for letter in letters {
            refined.extend([m.and(letter, edge.label)?, m.without(letter, edge.label)?]);
        }
        refined.retain(|l| *l != Bdd::FALSE);
        letters = refined;
        if letters.len() > most {
            return Err(Exhausted);
        }
    }
    Ok(letters)
}

/// The words of the automaton with letters repeated finitely often. A letter is repeated in a state of its own, whose
/// loop is in no acceptance set: nobody may stay there.
fn repeating(m: &mut Manager, automaton: &Symbolic, letters: &[Bdd]) -> Metered<Automaton<usize>> {
    let sets = automaton.sets.max(1);
    // Without acceptance sets every edge of the automaton is good enough.
    let marks = |edge: &Edge<Bdd>| if automaton.sets == 0 { Marks::first(1) } else { edge.marks };
    let mut waiting: Map<(State, usize), State> = Map::default();
    let mut edges: Vec<Vec<Edge<usize>>> = vec![Vec::new(); automaton.size()];
    for state in automaton.states() {
        for edge in automaton.from(state) {
            for (letter, valuations) in letters.iter().enumerate() {
                if m.and(*valuations, edge.label)? == Bdd::FALSE {
                    continue;
                }
                let wait = *waiting.entry((edge.target, letter)).or_insert_with(|| {
                    let wait = State(edges.len() as u32);
                    let step = |target| Edge { label: letter, marks: Marks::default(), target };
                    edges.push(vec![step(wait), step(edge.target)]);
                    wait
                });
                let enter = |target| Edge { label: letter, marks: marks(edge), target };
                edges[state.index()].extend([enter(edge.target), enter(wait)]);
            }
        }
    }
    Ok(Automaton { atoms: automaton.atoms, sets, initial: automaton.initial, edges })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::parse;

    fn blind(text: &str) -> bool {
        let mut pool = Pool::new();
        let formula = pool.add(&parse(text).expect("the formula is well-formed").formula);
        is_stutter_invariant(&mut pool, formula, &Options::default()).expect("it is small")
    }

    #[test]
    fn harmless_next_is_recognised() {
        assert!(blind("a U b"));
        assert!(blind("F(a & X(!a & Fb))"), "a changes, then b comes");
        assert!(blind("G(a -> X F b) | F(a & b) | !F a"));
        assert!(blind("F(a & X F a) <-> F(a & X F a)"));
        assert!(blind("X G F a"));
        assert!(blind("F(a & X !a)"));
    }

    #[test]
    fn next_that_counts_is_recognised() {
        assert!(!blind("X a"));
        assert!(!blind("G(a -> X b)"));
        assert!(!blind("F(a & X a)"));
        assert!(!blind("F(a & X X !a)"));
    }
}
