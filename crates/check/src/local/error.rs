//! What can be wrong with a certificate.

use std::fmt;

use evidence::Goal;

/// What is wrong with a certificate; its parts are named by their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LocalError {
    /// There is no refutation of this goal.
    Missing(Goal),
    /// The set speaks of something that is not there, or is not in order.
    Set(usize),
    /// The table is not in order.
    Table(usize),
    /// The group speaks of something that is not there, is not in order or does not fit its table.
    Group(usize),
    /// The table of the group does not have the initial states of its members.
    GroupStart(usize),
    /// A rule leads out of the table of the group.
    GroupLeft {
        /// The group.
        group: usize,
        /// The joint state of its members, by number in the table, from which that happens.
        from: usize,
    },
    /// The inequality speaks of something that is not there, or is not in order.
    Inequality(usize),
    /// The inequality does not hold in the beginning.
    InequalityStart(usize),
    /// The rule increases the sum of the inequality.
    Increased {
        /// The inequality.
        inequality: usize,
        /// The rule.
        rule: usize,
    },
    /// The trap speaks of something that is not there.
    Trap(usize),
    /// No component is in a state of the trap in the beginning.
    TrapStart(usize),
    /// The rule can leave the trap.
    TrapLeft {
        /// The trap.
        trap: usize,
        /// The rule.
        rule: usize,
    },
    /// A refutation fails.
    Refutation {
        /// The refutation.
        refutation: usize,
        /// How.
        flaw: Flaw,
    },
}

/// What is wrong with a refutation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// Its goal speaks of a rule that is not there.
    Goal,
    /// The clause with this number has a literal of a variable that is not there.
    Literal(usize),
    /// The reason of the given clause is not there, or does not fit the goal.
    Reason(usize),
    /// The given clause does not hold for its reason.
    Given(usize),
    /// A hint of the step is not the number of an earlier clause.
    HintRange(usize),
    /// A hint of the step does not leave exactly one literal, or has none left before the last hint.
    Hint {
        /// The step.
        step: usize,
        /// The hint, by its place.
        hint: usize,
    },
    /// The hints of the step do not lead to a contradiction.
    NoConflict(usize),
    /// The last step is not the empty clause.
    NotEmpty,
}

impl fmt::Display for LocalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(Goal::Deadlock) => f.write_str("it does not exclude deadlocks"),
            Self::Missing(Goal::Enabled(rule)) => write!(f, "it does not exclude that rule {rule} is enabled"),
            Self::Set(set) => write!(f, "set {set} has an unknown component or state, or is not in order"),
            Self::Table(table) => write!(f, "table {table} is not in order"),
            Self::Group(group) => write!(f, "group {group} has an unknown member, or does not fit its table"),
            Self::GroupStart(group) => write!(f, "group {group} lacks the initial states"),
            Self::GroupLeft { group, from } => {
                write!(f, "a rule leads from joint state {from} of group {group} out of it")
            }
            Self::Inequality(number) => write!(f, "inequality {number} has an unknown state, or is not in order"),
            Self::InequalityStart(number) => write!(f, "inequality {number} does not hold in the beginning"),
            Self::Increased { inequality, rule } => {
                write!(f, "rule {rule} increases the sum of inequality {inequality}")
            }
            Self::Trap(trap) => write!(f, "trap {trap} has an unknown component or state"),
            Self::TrapStart(trap) => write!(f, "trap {trap} is empty in the beginning"),
            Self::TrapLeft { trap, rule } => write!(f, "rule {rule} can leave trap {trap}"),
            Self::Refutation { refutation, flaw } => write!(f, "in refutation {refutation}, {flaw}"),
        }
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Goal => f.write_str("the goal is an unknown rule"),
            Self::Literal(clause) => write!(f, "clause {clause} has an unknown variable"),
            Self::Reason(clause) => write!(f, "the reason of clause {clause} is unknown, or is none for this goal"),
            Self::Given(clause) => write!(f, "clause {clause} does not hold for its reason"),
            Self::HintRange(step) => write!(f, "step {step} uses a clause that does not come before it"),
            Self::Hint { step, hint } => write!(f, "hint {hint} of step {step} does not leave one literal"),
            Self::NoConflict(step) => write!(f, "step {step} does not follow from its hints"),
            Self::NotEmpty => f.write_str("the last step is not the empty clause"),
        }
    }
}

impl std::error::Error for LocalError {}
