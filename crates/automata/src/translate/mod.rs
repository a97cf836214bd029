//! From formulas to small automata.

mod recurring;
mod tableau;

pub(crate) use tableau::BEYOND_ATOMS;
use tableau::tableau;

use crate::automaton::{Automaton, Symbolic, product};
use crate::bdd::{Bdd, Exhausted, Manager, Metered};
use crate::formula::{Formula, Kind, Pool};
use crate::reduce::marks::trimmed;
use crate::reduce::simulation::{Direction, Precision, quotient};
use crate::reduce::weak;

/// How much a translation may cost, and how hard it tries to make the automaton small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Units of work for the tableau; each reduction gets a fraction. A million takes about a second at most.
    pub work: u64,
    /// Whether to simplify the formula first.
    pub simplify: bool,
    /// Whether to reduce the automaton.
    pub reduce: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { work: 4_000_000, simplify: true, reduce: true }
    }
}

/// Automata of so many states are reduced by bisimulation first.
const LARGE: usize = 50;

/// Larger automata are not determinised.
const MOST_SUBSETS: usize = 2000;

/// An automaton for the words of the formula, whose atoms must be numbered below 64.
pub fn translate(pool: &mut Pool, formula: Formula, options: &Options) -> Result<Automaton, Exhausted> {
    let mut m = Manager::new(options.work);
    let formula = if options.simplify { pool.simplify(formula) } else { formula };
    let automaton = if options.reduce {
        small(pool, &mut m, formula, options.work)?
    } else {
        prepared(&tableau(pool, &mut m, formula)?)
    };
    m.refill(options.work);
    automaton.explicit(&mut m)
}

/// Automata of the formula among which one may be better than the smallest, which comes first: one that was never
/// reduced backwards, so that its states still mean formulas, and a deterministic one, if there is a weak one.
pub(crate) fn alternatives(
    pool: &mut Pool,
    m: &mut Manager,
    formula: Formula,
    options: &Options,
) -> Metered<Vec<Symbolic>> {
    m.refill(options.work);
    let formula = if options.simplify { pool.simplify(formula) } else { formula };
    let plain = prepared(&tableau(pool, m, formula)?);
    if !options.reduce {
        return Ok(vec![plain]);
    }
    let smallest = small(pool, m, formula, options.work)?;
    m.refill(options.work / 4);
    let forward = smaller(m, &plain, &[Direction::Forward]);
    m.refill(options.work / 16);
    let weak = deterministic(pool, m, formula, &forward).ok().flatten();
    Ok([smallest, forward].into_iter().chain(weak).collect())
}

/// The smallest automaton that we find. Only the tableau must succeed: a reduction that runs out of work is left out.
fn small(pool: &mut Pool, m: &mut Manager, formula: Formula, work: u64) -> Metered<Symbolic> {
    m.refill(work);
    let mut best = prepared(&tableau(pool, m, formula)?);
    m.refill(work / 4);
    best = smaller(m, &best, &BOTH);
    m.refill(work / 4);
    if let Ok(Some(other)) = recurring::in_rounds(pool, m, formula) {
        best = if (other.size(), other.edge_count()) < (best.size(), best.edge_count()) { other } else { best };
    }
    m.refill(work / if pool.kind(formula).is(Kind::OBLIGATION) { 4 } else { 16 });
    if let Ok(Some(other)) = deterministic(pool, m, formula, &best) {
        best = if other.size() <= best.size() { other } else { best };
    }
    Ok(best)
}

/// Without useless states and marks.
pub(crate) fn prepared(automaton: &Symbolic) -> Symbolic {
    trimmed(&automaton.pruned())
}

/// The directions in which a translation reduces.
pub(crate) const BOTH: [Direction; 2] = [Direction::Forward, Direction::Backward];

/// Reduced by simulation in these directions, as long as that helps and work is left; large automata by bisimulation
/// first.
pub(crate) fn smaller(m: &mut Manager, automaton: &Symbolic, directions: &[Direction]) -> Symbolic {
    if automaton.size() < LARGE {
        return coarsened(m, automaton, directions, Precision::Simulation);
    }
    let bisimilar = coarsened(m, automaton, directions, Precision::Bisimulation);
    coarsened(m, &bisimilar, directions, Precision::Simulation)
}

fn coarsened(m: &mut Manager, automaton: &Symbolic, directions: &[Direction], precision: Precision) -> Symbolic {
    let measure = |a: &Symbolic| (a.size(), a.edge_count(), a.sets);
    let mut best = automaton.clone();
    // Directions tried in vain since the last success.
    let mut vain = 0;
    for direction in directions.iter().cycle() {
        let Ok(next) = quotient(m, &best, *direction, precision) else { return best };
        let next = prepared(&next);
        vain = if measure(&next) < measure(&best) { 0 } else { vain + 1 };
        best = if vain == 0 { next } else { best };
        if vain == directions.len() {
            break;
        }
    }
    best
}

/// The minimal weak deterministic automaton, if the formula is an obligation.
fn deterministic(
    pool: &mut Pool,
    m: &mut Manager,
    formula: Formula,
    automaton: &Symbolic,
) -> Metered<Option<Symbolic>> {
    let Some(weak) = weak::minimal(m, automaton, MOST_SUBSETS)? else { return Ok(None) };
    let known = pool.kind(formula).is(Kind::OBLIGATION);
    let sound = known || same_words(pool, m, formula, automaton, &weak)?;
    Ok(sound.then(|| prepared(&weak.automaton())))
}

/// Whether the weak automaton accepts the formula's words and no others.
fn same_words(
    pool: &mut Pool,
    m: &mut Manager,
    formula: Formula,
    automaton: &Symbolic,
    weak: &weak::Weak,
) -> Metered<bool> {
    let complement = weak.complement(m)?;
    if !disjoint(m, &complement, automaton)? {
        return Ok(false);
    }
    let negation = pool.not(formula);
    let opposite = prepared(&tableau(pool, m, negation)?);
    disjoint(m, &weak.automaton(), &opposite)
}

fn disjoint(m: &mut Manager, a: &Symbolic, b: &Symbolic) -> Metered<bool> {
    let both = product(a, b, |x: &Bdd, y: &Bdd| {
        m.spend(1)?;
        let both = m.and(*x, *y)?;
        Ok((both != Bdd::FALSE).then_some(()))
    })?;
    Ok(both.is_empty())
}
