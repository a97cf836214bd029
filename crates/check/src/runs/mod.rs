//! Whole runs, and what is claimed of them: whether a stem and a cycle that were replayed, or a run that ends, counts
//! and breaks the claim.
//!
//! Everything is decided by definition on the run itself: fairness from the states of its cycle ([`fair`]), formulas by
//! their evaluation on lassos, automata by following them along the word ([`acceptance`]).

mod acceptance;
mod ending;
mod fair;
mod ranks;
mod word;

use automata::lasso;
use evidence::Trace;
use model::{Claim, Proposition, System, Temporal};

use crate::replay::{Finding, ReplayError, UNREMARKABLE, nothing};
pub use ending::ended;
pub(crate) use ranks::check_ranks;
use word::Word;
pub(crate) use word::states;

/// What a run shows whose steps are possible and lead to `last`, and whose cycle, if it has one, is closed.
pub(crate) fn whole_run(
    system: &System,
    temporal: &Temporal,
    trace: &Trace,
    last: &[u64],
) -> Result<Finding, ReplayError> {
    if trace.cycle.is_empty() && ended(system, temporal, trace, trace.steps()) == Some(trace.steps()) {
        return Ok(Finding::Ended);
    }
    let mut atoms: Vec<&Proposition> = Vec::new();
    let formula = match &temporal.claim {
        Claim::Always(formula) => Some(formula.numbered(&mut atoms)),
        Claim::Never(acceptor) => {
            atoms.extend(&acceptor.atoms);
            None
        }
    };
    let word = match Word::of(system, &atoms, trace)? {
        Ok(word) => word,
        Err(fault) => return Ok(Finding::Fault(fault)),
    };
    if trace.cycle.is_empty() && system.enabled(last).next().is_some() {
        return nothing("the run does not end where it stops: something is enabled there");
    }
    if word.has_last && !temporal.finite {
        return nothing("the run ends for who looks on, and only runs that go on for ever count");
    }
    if !trace.cycle.is_empty() {
        fair::fair(system, &temporal.fairness, trace)?;
    }
    match (&temporal.claim, formula) {
        (Claim::Always(_), Some(formula)) if !lasso::satisfies(&formula, word.shape, &|a, i| word.holds(a, i)) => {
            Ok(Finding::FormulaFalse)
        }
        (Claim::Never(acceptor), _) if acceptance::accepts(&acceptor.automaton, &word) => Ok(Finding::Accepted),
        _ => nothing(UNREMARKABLE),
    }
}
