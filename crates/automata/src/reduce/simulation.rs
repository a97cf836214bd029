//! Direct simulation, forwards and backwards, by signatures (Babiak, Badie, Duret-Lutz, Křetínský and Strejček,
//! SPIN'13).
//!
//! The signature of a state is the function that says under which atoms which edges can be taken: a sum over its edges
//! of the label, a variable for every acceptance set that the edge is *not* in, and variables for all classes that
//! simulate its target's. A state simulates another exactly if its signature is implied; starting from one class and
//! computing signatures until classes and their order stay gives the greatest simulation. The signature's prime
//! implicants are the edges that no other edge of the state dominates, so the quotient is read off them.

use std::collections::BTreeMap;

use crate::automaton::{Automaton, Edge, Marks, State, Symbolic};
use crate::bdd::{Bdd, Manager, Metered, Var};
use crate::hash::Map;
use crate::translate::BEYOND_ATOMS;

/// The variable that marks the initial state, in backward signatures.
const INITIAL: Var = Var(BEYOND_ATOMS.0 + Marks::MOST);
const FIRST_CLASS: Var = Var(INITIAL.0 + 1);

/// Reads edges forwards or backwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// A state simulates another if it can do all that the other can.
    Forward,
    /// ... if it can be reached in all ways that the other can.
    Backward,
}

/// What may be merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Precision {
    /// States that simulate each other.
    Simulation,
    /// Bisimilar states only: much cheaper, for large automata.
    Bisimulation,
}

/// The quotient by simulation equivalence, without dominated edges.
pub(crate) fn quotient(
    m: &mut Manager,
    automaton: &Symbolic,
    direction: Direction,
    precision: Precision,
) -> Metered<Symbolic> {
    match direction {
        Direction::Forward => merged(m, automaton, None, precision),
        Direction::Backward => {
            let reversed = reverse(automaton);
            Ok(reverse(&merged(m, &reversed, Some(automaton.initial), precision)?))
        }
    }
}

fn reverse(automaton: &Symbolic) -> Symbolic {
    let mut edges = vec![Vec::new(); automaton.size()];
    for source in automaton.states() {
        for e in automaton.from(source) {
            edges[e.target.index()].push(Edge { target: source, ..e.clone() });
        }
    }
    Automaton { edges, ..*automaton }
}

/// The classes of states and, for each class, those that simulate it, in order.
#[derive(Debug, PartialEq, Eq)]
struct Classes {
    of: Vec<usize>,
    above: Vec<Vec<usize>>,
}

/// Which states simulate which, forwards.
#[derive(Debug)]
pub(crate) struct Order(Classes);

impl Order {
    /// The greatest simulation on the automaton's states.
    pub(crate) fn of(m: &mut Manager, automaton: &Symbolic) -> Metered<Self> {
        greatest(m, automaton, None, Precision::Simulation).map(|(classes, _)| Self(classes))
    }

    /// Whether the first state can do all that the second can.
    pub(crate) fn simulates(&self, above: State, below: State) -> bool {
        let Classes { of, above: order } = &self.0;
        order[of[below.index()]].binary_search(&of[above.index()]).is_ok()
    }
}

fn merged(m: &mut Manager, automaton: &Symbolic, marked: Option<State>, precision: Precision) -> Metered<Symbolic> {
    let (classes, signatures) = greatest(m, automaton, marked, precision)?;
    rebuild(m, automaton, &classes, &signatures)
}

/// The classes of the greatest simulation, and the signatures of the states.
fn greatest(
    m: &mut Manager,
    automaton: &Symbolic,
    marked: Option<State>,
    precision: Precision,
) -> Metered<(Classes, Vec<Bdd>)> {
    let mut classes = Classes { of: vec![0; automaton.size()], above: vec![Vec::new()] };
    loop {
        let signatures = signatures(m, automaton, &classes, marked)?;
        let refined = classify(m, &signatures, precision)?;
        if refined == classes {
            return Ok((classes, signatures));
        }
        classes = refined;
    }
}

fn signatures(m: &mut Manager, automaton: &Symbolic, classes: &Classes, marked: Option<State>) -> Metered<Vec<Bdd>> {
    let mut of_class = Vec::new();
    for above in &classes.above {
        let mut all = Bdd::TRUE;
        for class in above.iter().rev() {
            let var = m.literal(Var(FIRST_CLASS.0 + *class as u32), true)?;
            all = m.and(var, all)?;
        }
        of_class.push(all);
    }
    let mut signatures = Vec::new();
    for state in automaton.states() {
        let mut sum = if marked == Some(state) { m.literal(INITIAL, true)? } else { Bdd::FALSE };
        for edge in automaton.from(state) {
            let mut product = of_class[classes.of[edge.target.index()]];
            for set in (0..automaton.sets).rev().filter(|set| !edge.marks.has(*set)) {
                let missing = m.literal(Var(BEYOND_ATOMS.0 + set), true)?;
                product = m.and(missing, product)?;
            }
            product = m.and(edge.label, product)?;
            sum = m.or(sum, product)?;
        }
        signatures.push(sum);
    }
    Ok(signatures)
}

fn classify(m: &mut Manager, signatures: &[Bdd], precision: Precision) -> Metered<Classes> {
    let mut number: Map<Bdd, usize> = Map::default();
    let mut distinct = Vec::new();
    let of = signatures
        .iter()
        .map(|s| {
            *number.entry(*s).or_insert_with(|| {
                distinct.push(*s);
                distinct.len() - 1
            })
        })
        .collect();
    let mut above = Vec::new();
    for (own, f) in distinct.iter().enumerate() {
        if precision == Precision::Bisimulation {
            above.push(vec![own]);
            continue;
        }
        let mut simulating = Vec::new();
        for (class, g) in distinct.iter().enumerate() {
            if m.implies(*f, *g)? {
                simulating.push(class);
            }
        }
        above.push(simulating);
    }
    Ok(Classes { of, above })
}

/// One state a class, with the undominated edges of its signature.
fn rebuild(m: &mut Manager, automaton: &Symbolic, classes: &Classes, signatures: &[Bdd]) -> Metered<Symbolic> {
    let by_above: BTreeMap<&[usize], usize> = classes.above.iter().enumerate().map(|(c, a)| (&a[..], c)).collect();
    let mut edges = Vec::new();
    for class in 0..classes.above.len() {
        let member = classes.of.iter().position(|c| *c == class).expect("classes have members");
        let mut labels: BTreeMap<(usize, Marks), Bdd> = BTreeMap::new();
        for (leaf, condition) in m.leaves(signatures[member], BEYOND_ATOMS)? {
            for prime in m.primes(leaf)? {
                let missing = prime.iter().filter(|v| **v < INITIAL);
                let missing = missing.fold(Marks::default(), |marks, v| marks.with(v.0 - BEYOND_ATOMS.0));
                let above: Vec<usize> =
                    prime.iter().filter(|v| **v >= FIRST_CLASS).map(|v| (v.0 - FIRST_CLASS.0) as usize).collect();
                if above.is_empty() {
                    continue;
                }
                let target = by_above[&above[..]];
                let marks = Marks(automaton.all_marks().0 & !missing.0);
                let label = labels.entry((target, marks)).or_insert(Bdd::FALSE);
                *label = m.or(*label, condition)?;
            }
        }
        let edge = |((target, marks), label)| Edge { label, marks, target: State(target as u32) };
        edges.push(labels.into_iter().map(edge).collect());
    }
    let initial = State(classes.of[automaton.initial.index()] as u32);
    Ok(Automaton { initial, edges, ..*automaton })
}
