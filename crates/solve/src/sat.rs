//! Propositional satisfiability: clauses are added, questions are asked, in turn.

use std::fmt;
use std::ops::Not;

use batsat::clause::Kind;
use batsat::{Callbacks, Lit, Solver, SolverInterface, SolverOpts, Var, lbool};

/// A propositional variable or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal(u32);

impl Literal {
    /// The number of the variable.
    pub fn variable(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether it is the variable itself.
    pub fn is_positive(self) -> bool {
        self.0 & 1 == 1
    }

    /// The literal of a variable.
    pub fn new(variable: usize, positive: bool) -> Self {
        Self(u32::try_from(variable << 1).expect("fewer than 2^31 variables") | u32::from(positive))
    }

    /// Its place in a table with one for each literal.
    pub(crate) fn code(self) -> usize {
        self.0 as usize
    }

    fn inner(self) -> Lit {
        Lit::new(Var::unsafe_from_idx(self.0 >> 1), self.is_positive())
    }
}

impl Not for Literal {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// What became of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There is an assignment; ask for its values.
    Model,
    /// There is none.
    Impossible,
    /// It was stopped.
    Unknown,
}

/// Asked now and then whether to give up.
pub type Stop = Box<dyn Fn() -> bool + Send>;

/// A set of clauses that grows.
pub struct Sat {
    solver: Solver<Interrupt>,
    consistent: bool,
}

struct Interrupt {
    stop: Stop,
    learned: Option<Vec<Vec<Literal>>>,
}

impl Callbacks for Interrupt {
    fn stop(&self) -> bool {
        (self.stop)()
    }

    fn on_new_clause(&mut self, clause: &[Lit], kind: Kind) {
        if let (Some(learned), Kind::Learnt) = (&mut self.learned, kind) {
            learned.push(clause.iter().map(|l| Literal::new(l.var().idx() as usize, l.sign())).collect());
        }
    }
}

impl fmt::Debug for Sat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sat {{ variables: {}, clauses: {} }}", self.solver.num_vars(), self.solver.num_clauses())
    }
}

impl Sat {
    /// No clauses yet; `stop` is asked now and then whether to give up.
    pub fn new(stop: Stop) -> Self {
        Self { solver: Solver::new(SolverOpts::default(), Interrupt { stop, learned: None }), consistent: true }
    }

    /// Keeps what is learned from now on: each clause follows from those before it by unit propagation.
    pub fn keep_learned(&mut self) {
        self.solver.cb_mut().learned.get_or_insert_default();
    }

    /// What was learned, if it is kept.
    pub fn learned(&self) -> &[Vec<Literal>] {
        self.solver.cb().learned.as_deref().unwrap_or_default()
    }

    /// A new variable. It is tried as false first, later as it was last.
    pub fn fresh(&mut self) -> Literal {
        let var = self.solver.new_var(lbool::UNDEF, true);
        Literal::new(var.idx() as usize, true)
    }

    /// At least one of the literals holds.
    pub fn clause(&mut self, literals: &[Literal]) {
        let mut literals: Vec<Lit> = literals.iter().map(|l| l.inner()).collect();
        self.consistent &= self.solver.add_clause_reuse(&mut literals);
    }

    /// Whether all clauses can hold.
    pub fn solve(&mut self) -> Answer {
        self.solve_with(&[])
    }

    /// Whether all clauses can hold together with some literals, which are forgotten afterwards.
    pub fn solve_with(&mut self, assumed: &[Literal]) -> Answer {
        if !self.consistent {
            return Answer::Impossible;
        }
        let assumed: Vec<Lit> = assumed.iter().map(|l| l.inner()).collect();
        match self.solver.solve_limited(&assumed) {
            value if value == lbool::TRUE => Answer::Model,
            value if value == lbool::FALSE => Answer::Impossible,
            _ => Answer::Unknown,
        }
    }

    /// Whether a literal holds in the assignment that was found.
    pub fn holds(&self, literal: Literal) -> bool {
        self.solver.value_lit(literal.inner()) == lbool::TRUE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_add_up_to_a_contradiction() {
        let mut sat = Sat::new(Box::new(|| false));
        let (a, b) = (sat.fresh(), sat.fresh());
        assert_eq!((a.variable(), b.variable(), (!b).is_positive()), (0, 1, false));
        sat.clause(&[a, b]);
        sat.clause(&[!a, b]);
        assert_eq!(sat.solve(), Answer::Model);
        assert!(sat.holds(b) && !sat.holds(!b));
        assert_eq!(sat.solve_with(&[!b]), Answer::Impossible);
        assert_eq!(sat.solve_with(&[!a]), Answer::Model);
        sat.clause(&[!b]);
        assert_eq!(sat.solve(), Answer::Impossible);
    }
}
