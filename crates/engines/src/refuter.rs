//! The automaton of the runs that refute a formula, which products are searched with.

use automata::{Automaton, Blind, Exhausted, Formula, Options, Pool, translate};

/// An automaton, and whether it is known to be blind to stuttering in every state.
#[derive(Clone, Debug)]
pub enum Refuter {
    /// Products with it may be reduced.
    Blind(Blind),
    /// Every step may count.
    Any(Automaton),
}

impl Refuter {
    /// The automaton of what refutes a formula, blind if we see that it can be.
    pub fn new(pool: &mut Pool, formula: Formula) -> Result<Self, Exhausted> {
        let negation = pool.not(formula);
        match Blind::of(pool, negation, &Options::default()) {
            Ok(Some(blind)) => Ok(Refuter::Blind(blind)),
            _ => Self::any(pool, formula),
        }
    }

    /// The same for products that are not reduced.
    pub fn any(pool: &mut Pool, formula: Formula) -> Result<Self, Exhausted> {
        let negation = pool.not(formula);
        translate(pool, negation, &Options::default()).map(Refuter::Any)
    }

    /// The automaton.
    pub fn automaton(&self) -> &Automaton {
        match self {
            Refuter::Blind(blind) => blind.automaton(),
            Refuter::Any(automaton) => automaton,
        }
    }
}

/// By state, whether the automaton accepts whatever comes, as far as one sees it in one state.
pub(crate) fn accepts_whatever(automaton: &Automaton) -> Vec<bool> {
    let all = automaton.all_marks();
    let stays = |s| automaton.from(s).iter().any(|e| e.target == s && e.label.is_always() && e.marks.contains(all));
    automaton.states().map(stays).collect()
}
