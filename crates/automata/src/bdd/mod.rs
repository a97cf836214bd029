//! Boolean functions, canonical: reduced ordered binary decision diagrams, just as much as translating and reducing
//! automata needs. All work is metered, so that a formula that explodes ends in [`Exhausted`] at a point that depends
//! on nothing but the formula.

mod cubes;
mod leaves;
mod primes;

use std::fmt;

use crate::hash::Map;

/// A function of a [`Manager`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Bdd(u32);

/// A variable; smaller ones are decided first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Var(pub(crate) u32);

impl Bdd {
    pub(crate) const FALSE: Bdd = Bdd(0);
    pub(crate) const TRUE: Bdd = Bdd(1);
}

/// The work that was allowed is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhausted;

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the automaton grows too large")
    }
}

impl std::error::Error for Exhausted {}

/// What may run out of work.
pub(crate) type Metered<T> = Result<T, Exhausted>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Decision {
    var: Var,
    low: Bdd,
    high: Bdd,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Operation {
    And,
    Or,
    Without,
}

/// All functions made so far.
#[derive(Debug)]
pub(crate) struct Manager {
    decisions: Vec<Decision>,
    index: Map<Decision, Bdd>,
    results: Map<(Operation, Bdd, Bdd), Bdd>,
    work_left: u64,
}

/// Beyond every variable: where the constants stand.
const BOTTOM: Var = Var(u32::MAX);

impl Manager {
    /// A manager that may do so much work: roughly, make so many nodes.
    pub(crate) fn new(work: u64) -> Self {
        let constant = |b| Decision { var: BOTTOM, low: b, high: b };
        let decisions = vec![constant(Bdd::FALSE), constant(Bdd::TRUE)];
        Self { decisions, index: Map::default(), results: Map::default(), work_left: work }
    }

    /// Allows so much work from now on.
    pub(crate) fn refill(&mut self, work: u64) {
        self.work_left = work;
    }

    /// Counts units of work.
    pub(crate) fn spend(&mut self, units: u64) -> Metered<()> {
        self.work_left = self.work_left.checked_sub(units).ok_or(Exhausted)?;
        Ok(())
    }

    /// The variable that the function decides first.
    pub(crate) fn top(&self, f: Bdd) -> Var {
        self.decisions[f.0 as usize].var
    }

    /// The function with its first variable false, and true.
    pub(crate) fn branches(&self, f: Bdd) -> (Bdd, Bdd) {
        let Decision { low, high, .. } = self.decisions[f.0 as usize];
        (low, high)
    }

    /// The function with this variable, which comes no later than its own, false, and true.
    fn split(&self, f: Bdd, var: Var) -> (Bdd, Bdd) {
        if self.top(f) == var { self.branches(f) } else { (f, f) }
    }

    /// `var ? high : low`, of functions of later variables.
    fn decide(&mut self, var: Var, low: Bdd, high: Bdd) -> Metered<Bdd> {
        if low == high {
            return Ok(low);
        }
        let decision = Decision { var, low, high };
        if let Some(&known) = self.index.get(&decision) {
            return Ok(known);
        }
        self.spend(1)?;
        let made = Bdd(u32::try_from(self.decisions.len()).expect("work bounds the nodes"));
        self.decisions.push(decision);
        self.index.insert(decision, made);
        Ok(made)
    }

    /// The variable, or its negation.
    pub(crate) fn literal(&mut self, var: Var, positive: bool) -> Metered<Bdd> {
        let (low, high) = if positive { (Bdd::FALSE, Bdd::TRUE) } else { (Bdd::TRUE, Bdd::FALSE) };
        self.decide(var, low, high)
    }

    /// Both.
    pub(crate) fn and(&mut self, f: Bdd, g: Bdd) -> Metered<Bdd> {
        match (f, g) {
            (Bdd::FALSE, _) | (_, Bdd::FALSE) => Ok(Bdd::FALSE),
            (Bdd::TRUE, h) | (h, Bdd::TRUE) => Ok(h),
            _ if f == g => Ok(f),
            _ => self.apply(Operation::And, f.min(g), f.max(g)),
        }
    }

    /// One of them.
    pub(crate) fn or(&mut self, f: Bdd, g: Bdd) -> Metered<Bdd> {
        match (f, g) {
            (Bdd::TRUE, _) | (_, Bdd::TRUE) => Ok(Bdd::TRUE),
            (Bdd::FALSE, h) | (h, Bdd::FALSE) => Ok(h),
            _ if f == g => Ok(f),
            _ => self.apply(Operation::Or, f.min(g), f.max(g)),
        }
    }

    /// The first, but not the second.
    pub(crate) fn without(&mut self, f: Bdd, g: Bdd) -> Metered<Bdd> {
        match (f, g) {
            (Bdd::FALSE, _) | (_, Bdd::TRUE) => Ok(Bdd::FALSE),
            (_, Bdd::FALSE) => Ok(f),
            _ if f == g => Ok(Bdd::FALSE),
            _ => self.apply(Operation::Without, f, g),
        }
    }

    /// Whether the first implies the second.
    pub(crate) fn implies(&mut self, f: Bdd, g: Bdd) -> Metered<bool> {
        Ok(self.without(f, g)? == Bdd::FALSE)
    }

    fn apply(&mut self, operation: Operation, f: Bdd, g: Bdd) -> Metered<Bdd> {
        if let Some(&known) = self.results.get(&(operation, f, g)) {
            return Ok(known);
        }
        self.spend(1)?;
        let var = self.top(f).min(self.top(g));
        let ((f0, f1), (g0, g1)) = (self.split(f, var), self.split(g, var));
        let (low, high) = match operation {
            Operation::And => (self.and(f0, g0)?, self.and(f1, g1)?),
            Operation::Or => (self.or(f0, g0)?, self.or(f1, g1)?),
            Operation::Without => (self.without(f0, g0)?, self.without(f1, g1)?),
        };
        let result = self.decide(var, low, high)?;
        self.results.insert((operation, f, g), result);
        Ok(result)
    }
}
