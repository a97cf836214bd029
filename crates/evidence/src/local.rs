//! A certificate that no reachable state of a network satisfies a goal, checkable without search and without a solver.
//!
//! Propositional variables say that a component is in a set of its local states. The clauses that are *given* hold in
//! every reachable state that satisfies the goal, each for a reason that is checked by itself: because a component is
//! in exactly one of its states, because some components never reach the states concerned together even if all others
//! are ignored, because of a linear inequality or a trap that every rule keeps, or because of the goal. The steps of an
//! LRAT proof then lead from these clauses to the empty one.

use model::views::{AskedNetwork, RuleId};
use serde::{Deserialize, Serialize};

use crate::Sign;

/// The certificate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LocalProof {
    /// What the propositional variables mean: variable `n` is the set number `n - 1`.
    pub sets: Vec<StateSet>,
    /// Sets of joint states; several groups of components can share one.
    pub tables: Vec<Table>,
    /// What groups of components reach together.
    pub groups: Vec<Group>,
    /// Inequalities that hold in every reachable state.
    pub inequalities: Vec<Inequality>,
    /// Traps: some component is always in one of these states, given as component and state.
    pub traps: Vec<Vec<(usize, usize)>>,
    /// One refutation for each goal.
    pub refutations: Vec<Refutation>,
}

/// The component is in one of the states.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct StateSet {
    /// The component, by number.
    pub component: usize,
    /// Its states, by number, in increasing order.
    pub states: Vec<usize>,
}

/// Joint states of a group, one after the other, each with one state for each member of the group, in increasing order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Table {
    /// The number of members.
    pub width: usize,
    /// The states, `width` for each joint state.
    pub states: Vec<usize>,
}

/// Components that reach no other joint states than those of the table: it has the initial one, and every rule in which
/// a member takes part, the other participants ignored, leads from the table into the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// The components, by number, in increasing order.
    pub members: Vec<usize>,
    /// The number of the table.
    pub table: usize,
}

/// The weights of the current local states add up to no more than the bound: they do in the beginning, and no rule
/// increases the sum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inequality {
    /// Component, state and weight, in increasing order; states that are not listed weigh nothing.
    pub weights: Vec<(usize, usize, i64)>,
    /// The bound.
    pub bound: i64,
}

/// What is excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Goal {
    /// No rule is enabled, and some component is not where it may stop for good.
    Deadlock,
    /// The rule with this number is enabled.
    Enabled(usize),
}

impl Goal {
    /// What must be excluded to answer a question without a run: what is asked for, and then model errors.
    pub fn of(question: &AskedNetwork<'_>) -> Vec<Self> {
        let enabled = |rules: &[RuleId]| rules.iter().map(|r| Goal::Enabled(r.index())).collect::<Vec<_>>();
        let deadlock = question.deadlock.then_some(Goal::Deadlock);
        enabled(&question.tests).into_iter().chain(deadlock).chain(enabled(&question.errors)).collect()
    }
}

/// A goal, and why no reachable state satisfies it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refutation {
    /// The goal.
    pub goal: Goal,
    /// The clauses that it starts from.
    pub given: Vec<Given>,
    /// The proof: clauses that follow, the last one empty. Clauses are numbered from zero, the given ones first.
    pub steps: Vec<LratStep>,
}

/// A clause with the reason why it holds in every reachable state that satisfies the goal. The negation of a clause
/// confines each component to some of its states; the reason says why that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Given {
    /// The clause.
    pub clause: Vec<Sign>,
    /// The reason.
    pub why: Why,
}

/// Why components cannot be confined to some of their states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Why {
    /// One component has no state left.
    Component,
    /// No joint state of this group is left.
    Group(usize),
    /// Even the least sum of this inequality is more than its bound.
    Inequality(usize),
    /// No state of this trap is left.
    Trap(usize),
    /// The goal is a deadlock, and this rule is enabled whatever is left.
    Rule(usize),
    /// The goal is a deadlock, and all that is left is where components may stop for good.
    End,
    /// The goal is that a rule is enabled, and a participant has no state left in which it offers its event.
    Disabled,
}

/// A clause that follows by unit propagation from the clauses named, taken in this order: each leaves one literal that
/// is not false, and the last one none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LratStep {
    /// The clause.
    pub clause: Vec<Sign>,
    /// The numbers of earlier clauses.
    pub hints: Vec<usize>,
}
