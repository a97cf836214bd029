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

    /// A new variable that is always tried as true.
    pub fn fresh_true(&mut self) -> Literal {
        let var = self.solver.new_var(lbool::TRUE, true);
        Literal::new(var.idx() as usize, true)
    }

    /// A new variable that is never tried: it gets a value only where one follows. The clauses must be such that all
    /// others decide whether there is an assignment.
    pub fn fresh_implied(&mut self) -> Literal {
        let var = self.solver.new_var(lbool::UNDEF, false);
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

    /// After an impossible question: literals that were assumed and that cannot hold together with the clauses.
    pub fn core(&self) -> Vec<Literal> {
        if !self.consistent {
            return Vec::new();
        }
        // The solver keeps the clause that follows, of their negations.
        let core = self.solver.unsat_core().iter();
        core.map(|l| Literal::new(l.var().idx() as usize, !l.sign())).collect()
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
        assert_eq!(sat.solve_with(&[a, !b]), Answer::Impossible);
        assert!(sat.core() == [!b] || sat.core() == [a, !b] || sat.core() == [!b, a]);
        assert_eq!(sat.solve_with(&[!a]), Answer::Model);
        sat.clause(&[!b]);
        assert_eq!(sat.solve(), Answer::Impossible);
    }

    #[test]
    fn variables_are_tried_as_they_were_made() {
        let mut sat = Sat::new(Box::new(|| false));
        let (yes, no, implied, idle) = (sat.fresh_true(), sat.fresh(), sat.fresh_implied(), sat.fresh_implied());
        sat.clause(&[!yes, implied]);
        assert_eq!(sat.solve(), Answer::Model);
        assert!(sat.holds(yes) && sat.holds(!no) && sat.holds(implied) && !sat.holds(idle) && !sat.holds(!idle));
        assert_eq!(sat.solve_with(&[!implied]), Answer::Model);
        assert!(!sat.holds(yes));
    }
}
