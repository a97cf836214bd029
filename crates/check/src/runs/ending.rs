//! Where an automaton has seen enough of a run: it is in a state from which it accepts whatever follows.

use std::collections::BTreeSet;

use automata::Automaton;
use automata::automaton::State;
use evidence::Trace;
use model::{Claim, System, Temporal};

use super::word::{Letters, states};

/// The number of steps of a run, of which so many fired when it was replayed, after which the automaton of a claim accepts
/// whatever follows, be it a model error: the least one. There is none for formulas, and where a run counts only if it goes
/// on for ever.
pub fn ended(system: &System, temporal: &Temporal, trace: &Trace, fired: usize) -> Option<usize> {
    let Claim::Never(acceptor) = &temporal.claim else { return None };
    if !temporal.finite {
        return None;
    }
    let (automaton, letters) = (&acceptor.automaton, Letters::new(system, acceptor.atoms.iter()));
    let mut reached = BTreeSet::from([automaton.initial]);
    let mut looks = |taken, state: &[u64]| {
        let letter = letters.valuation(taken, state).ok()?;
        let leaving = reached.iter().flat_map(|from| automaton.from(*from)).filter(|e| e.label.holds(letter));
        reached = leaving.map(|e| e.target).collect();
        Some(reached.iter().any(|state| accepts_all(automaton, *state)))
    };
    let mut last = Vec::new();
    for (step, (taken, state)) in states(system, trace, fired).enumerate() {
        if system.control(&state).is_none() && looks(taken, &state)? {
            return Some(step);
        }
        last = state;
    }
    // Where nothing can happen any more, the last state is seen again and again.
    let stops = trace.cycle.is_empty() && system.control(&last).is_none() && system.enabled(&last).next().is_none();
    let again = (0..automaton.size()).filter(|_| stops).find_map(|_| looks(None, &last).filter(|ended| *ended));
    again.map(|_| fired)
}

fn accepts_all(automaton: &Automaton, state: State) -> bool {
    let all = automaton.all_marks();
    automaton.from(state).iter().any(|e| e.target == state && e.label.is_always() && e.marks.contains(all))
}
