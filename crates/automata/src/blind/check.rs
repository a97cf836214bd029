//! Whether direct simulation shows an automaton to be blind.
//!
//! Write `q ≥ t` if `q` simulates `t`. The conditions, for all states and valuations `a`:
//!
//! 1. *A letter may come again*: if an edge with `a` leads into `q`, one with `a` leads from `q` to some `r ≥ q`.
//! 2. *It need not have come again*: if an edge with `a` leads into `q`, and one with `a` from `q` to `t`, then `q ≥ t`.
//! 3. *Two may be one*: if edges with `a` and marks `m` lead from `p` to `q`, and with `a` and `n` on to `t`, one with `a`
//!    and at least the marks `m ∪ n` leads from `p` to some `r ≥ t`.
//!
//! By 1, `w` in `L(q)` has `a·w` in `L(q)`; by 2, the other way round. That `L(q)` is stutter invariant: two stutter
//! equivalent words have a common one that repeats the letters of either finitely often, so look at repeating and dropping
//! only, perhaps at infinitely many places. *Repeating*: follow the accepting run in a state that simulates its state; the
//! state that was entered with `a` can be left with `a`, by 1, for one that simulates it, as often as wanted. All marks of
//! the run are seen. *Dropping*: the state that simulates the run's has a path with the same letters and at least its
//! marks; its steps for the repetitions of one letter are one step with all their marks, by 3. So it is for the whole
//! run, and no mark is lost.
//!
//! Edges between components have no influence on acceptance: the conditions are tried with all marks on them as well.

use crate::automaton::{Components, Edge, Marks, State, Symbolic};
use crate::bdd::{Bdd, Manager, Metered};
use crate::reduce::simulation::Order;

use super::Way;

/// Why the automaton, whose language is stutter invariant, is blind, if we see that it is.
pub(super) fn why(m: &mut Manager, automaton: &Symbolic) -> Metered<Option<Way>> {
    if is_deterministic(m, automaton)? {
        return Ok(Some(Way::Deterministic));
    }
    Ok(is_shown(m, automaton)?.then_some(Way::Simulation))
}

pub(super) fn is_deterministic(m: &mut Manager, automaton: &Symbolic) -> Metered<bool> {
    for edges in &automaton.edges {
        let mut taken = Bdd::FALSE;
        for edge in edges {
            if m.and(taken, edge.label)? != Bdd::FALSE {
                return Ok(false);
            }
            taken = m.or(taken, edge.label)?;
        }
    }
    Ok(true)
}

/// Whether the conditions hold. All states must be reachable.
pub(super) fn is_shown(m: &mut Manager, automaton: &Symbolic) -> Metered<bool> {
    Ok(holds(m, automaton)? || holds(m, &marked_between_components(automaton))?)
}

fn marked_between_components(automaton: &Symbolic) -> Symbolic {
    let components = Components::of(automaton);
    let mut marked = automaton.clone();
    for state in automaton.states() {
        for edge in &mut marked.edges[state.index()] {
            if components.at(edge.target) != components.at(state) {
                edge.marks = automaton.all_marks();
            }
        }
    }
    marked
}

fn holds(m: &mut Manager, automaton: &Symbolic) -> Metered<bool> {
    let order = Order::of(m, automaton)?;
    for state in automaton.states() {
        for edge in automaton.from(state) {
            let shown = may_come_again(m, automaton, &order, edge)?
                && need_not_have_come_again(m, automaton, &order, edge)?
                && two_may_be_one(m, automaton, &order, (state, edge))?;
            if !shown {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

fn may_come_again(m: &mut Manager, automaton: &Symbolic, order: &Order, entering: &Edge<Bdd>) -> Metered<bool> {
    let again = |e: &Edge<Bdd>| order.simulates(e.target, entering.target);
    covered(m, entering.label, automaton.from(entering.target), again)
}

fn need_not_have_come_again(
    m: &mut Manager,
    automaton: &Symbolic,
    order: &Order,
    entering: &Edge<Bdd>,
) -> Metered<bool> {
    for next in automaton.from(entering.target) {
        m.spend(1)?;
        if !order.simulates(entering.target, next.target) && m.and(entering.label, next.label)? != Bdd::FALSE {
            return Ok(false);
        }
    }
    Ok(true)
}

fn two_may_be_one(
    m: &mut Manager,
    automaton: &Symbolic,
    order: &Order,
    (state, first): (State, &Edge<Bdd>),
) -> Metered<bool> {
    for second in automaton.from(first.target) {
        let twice = m.and(first.label, second.label)?;
        let marks: Marks = first.marks.union(second.marks);
        let at_once = |e: &Edge<Bdd>| e.marks.contains(marks) && order.simulates(e.target, second.target);
        if !covered(m, twice, automaton.from(state), at_once)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether each of the valuations is on a suitable edge.
fn covered(m: &mut Manager, valuations: Bdd, edges: &[Edge<Bdd>], suits: impl Fn(&Edge<Bdd>) -> bool) -> Metered<bool> {
    let mut missing = valuations;
    for edge in edges.iter().filter(|e| suits(e)) {
        m.spend(1)?;
        missing = m.without(missing, edge.label)?;
    }
    Ok(missing == Bdd::FALSE)
}
