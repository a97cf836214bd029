//! Automata that are blind in every state: none of their states sees how often a letter is repeated.
//!
//! Let `L(q)` be the words accepted from the state `q`. An automaton is *blind* if for each reachable state `q` and each
//! valuation `a` with which an edge leads into `q`
//!
//! - `w` is in `L(q)` exactly if `a·w` is, and
//! - `L(q)` is stutter invariant: repeating letters, or dropping repetitions, changes nothing.
//!
//! A search that reduces the product with a system relies on both, and the language being stutter invariant as a whole is
//! not enough: a state may have guessed how long a letter stays. Hence a type. There are three ways to it, each with a
//! proof; of the automata that they give the smallest is taken, among those of one size the one with most states in
//! components of their own.
//!
//! **Deterministic.** If `u·a` leads to `q` in a deterministic automaton for the language `L`, `L(q)` is what may follow
//! `u·a` in `L`. If `L` is stutter invariant, `u·a·w` and `u·a·a·w` are both in it or neither; likewise `u·a·w` and
//! `u·a·v` for stutter equivalent `w` and `v`.
//!
//! **By simulation.** Most automata of formulas without `X` are blind as they are. It is enough to see it by direct
//! simulation: see the conditions of `check`.
//!
//! **Closure.** Any automaton for a stutter invariant language can be closed such that it becomes blind: see `closure`.
//!
//! Reductions that keep the language of every state and let no new letters into it keep an automaton blind: removing
//! useless states and dominated edges, merging states that simulate each other, renaming acceptance sets. Reducing
//! backwards, by how states are *reached*, does not: an edge goes if another state that is reached in more ways has it
//! too, and the state that had it is left with fewer words. It is tried nevertheless, and taken if simulation shows the
//! result to be blind.

mod check;
mod choice;
mod closure;
#[cfg(test)]
mod tests;

use choice::Choice;

use crate::automaton::Automaton;
use crate::bdd::{Exhausted, Manager};
use crate::formula::{Formula, Pool};
use crate::reduce::simulation::Direction;
use crate::stutter::is_stutter_invariant;
use crate::translate::{BOTH, Options, alternatives, prepared, smaller, symbolic};

/// An automaton that is blind in every state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blind {
    automaton: Automaton,
    way: Way,
}

/// Why an automaton is blind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Way {
    /// It is deterministic and its language stutter invariant.
    Deterministic,
    /// Direct simulation shows it.
    Simulation,
    /// It was closed.
    Closure,
}

impl Blind {
    /// A small blind automaton for the formula; none if the formula is not stutter invariant.
    pub fn of(pool: &mut Pool, formula: Formula, options: &Options) -> Result<Option<Self>, Exhausted> {
        if !is_stutter_invariant(pool, formula, options)? {
            return Ok(None);
        }
        let mut m = Manager::new(options.work);
        let smallest = symbolic(pool, &mut m, formula, options)?;
        let mut choice = Choice::among(smallest, &mut m, options.work);
        if !choice.is_settled() {
            for other in alternatives(pool, &mut m, formula, options)? {
                choice.offer(&mut m, other);
            }
        }
        choice.best(&mut m).map(Some)
    }

    /// A blind automaton for the words of the given one. The caller vouches that these words are stutter invariant, as
    /// are those of claims that come from formulas without `X`: if they are not, nothing is promised.
    pub fn assume(automaton: &Automaton, options: &Options) -> Result<Self, Exhausted> {
        let mut m = Manager::new(options.work);
        let given = prepared(&automaton.symbolic(&mut m)?);
        let smallest = smaller(&mut m, &given, &BOTH);
        let mut choice = Choice::among(smallest, &mut m, options.work);
        if !choice.is_settled() {
            m.refill(options.work / 4);
            let forward = smaller(&mut m, &given, &[Direction::Forward]);
            choice.offer(&mut m, forward);
        }
        choice.best(&mut m)
    }

    /// Whether simulation shows the automaton, without useless states and marks, to be blind; nothing is assumed.
    pub fn is_seen(automaton: &Automaton, options: &Options) -> Result<bool, Exhausted> {
        let mut m = Manager::new(options.work);
        let given = prepared(&automaton.symbolic(&mut m)?);
        check::is_shown(&mut m, &given)
    }

    /// The automaton.
    pub fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    /// Why it is blind.
    pub fn way(&self) -> Way {
        self.way
    }
}
