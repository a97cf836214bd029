//! Random small automata, and those of formulas.

use automata::automaton::{Cube, Edge, Label, Marks, State};
use automata::{Automaton, Options, Pool, translate};
use model::{Acceptor, Ltl, Proposition};

use crate::Rng;

/// An automaton with a few states and sets that reads these atoms.
pub(super) fn acceptor(rng: &mut Rng, atoms: Vec<Proposition>) -> Acceptor {
    let (states, sets) = (1 + rng.below(4), rng.below(3) as u32);
    let edge = |rng: &mut Rng| Edge {
        label: Label((0..1 + rng.below(2)).map(|_| cube(rng, atoms.len())).collect()),
        marks: (0..sets).filter(|_| rng.chance(35)).fold(Marks::default(), Marks::with),
        target: State(rng.below(states) as u32),
    };
    let edges = (0..states).map(|_| (0..1 + rng.below(4)).map(|_| edge(rng)).collect()).collect();
    let automaton = Automaton { atoms: atoms.len(), sets, initial: State(0), edges };
    Acceptor { atoms, automaton, places: Vec::new() }
}

/// The automaton of a formula, which counts no repetitions if the formula has no `next`; none if it is too large.
pub(super) fn translated(formula: &Ltl) -> Option<Acceptor> {
    let (mut atoms, mut pool) = (Vec::new(), Pool::new());
    let formula = pool.add(&formula.numbered(&mut atoms));
    let automaton = translate(&mut pool, formula, &Options::default()).ok()?;
    let automaton = Automaton { atoms: atoms.len(), ..automaton };
    Some(Acceptor { atoms: atoms.into_iter().cloned().collect(), automaton, places: Vec::new() })
}

/// A product in which an atom occurs as it is, negated, or, mostly, not at all.
fn cube(rng: &mut Rng, atoms: usize) -> Cube {
    (0..atoms).fold(Cube::TRUE, |cube, atom| match rng.below(4) {
        0 => Cube { positive: cube.positive | 1 << atom, ..cube },
        1 => Cube { negative: cube.negative | 1 << atom, ..cube },
        _ => cube,
    })
}
