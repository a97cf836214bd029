//! What can be asked of whole runs: a formula of linear temporal logic that every run must satisfy, or an automaton that
//! must accept none; of all runs, or of those that are fair.
//!
//! A run is maximal: it goes on for ever, or ends where nothing is enabled. Its *positions* are the states in which
//! nobody has control (see [`System::control`](crate::System::control)): the initial state, and those that its steps
//! lead to. A run may have a last one: if it ends, or if somebody keeps control for ever. Then this is repeated for ever,
//! by no step.

use automata::{Automaton, Reader};

use crate::{Expr, Span, TransitionId};

/// What must be true of every run that counts.
#[derive(Clone, Debug)]
pub struct Temporal {
    /// What is claimed.
    pub claim: Claim,
    /// The runs that count: those that are fair in all these ways.
    pub fairness: Vec<Fairness>,
    /// Whether runs count that have a last position.
    pub finite: bool,
}

/// What is claimed of runs.
#[derive(Clone, Debug)]
pub enum Claim {
    /// The formula is true at the first position of every run.
    Always(Ltl),
    /// The automaton accepts no run.
    Never(Acceptor),
}

/// An automaton that reads the positions of a run.
#[derive(Clone, Debug)]
pub struct Acceptor {
    /// What its atoms mean, by number.
    pub atoms: Vec<Proposition>,
    /// The automaton.
    pub automaton: Automaton,
    /// What its states are in the text that it was made of; nothing if it was made of none.
    pub places: Vec<ClaimPlace>,
}

/// A place in the text of a claim.
#[derive(Clone, Debug)]
pub struct ClaimPlace {
    /// What to call it.
    pub name: String,
    /// Where it is.
    pub span: Span,
}

/// A formula of linear temporal logic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ltl {
    /// What is true of the current position.
    Atom(Proposition),
    /// Negation.
    Not(Box<Ltl>),
    /// Conjunction.
    And(Box<Ltl>, Box<Ltl>),
    /// Disjunction.
    Or(Box<Ltl>, Box<Ltl>),
    /// At the next position.
    Next(Box<Ltl>),
    /// At every position from now on.
    Always(Box<Ltl>),
    /// At some position, now or later.
    Eventually(Box<Ltl>),
    /// The first until the second, which must come.
    Until(Box<Ltl>, Box<Ltl>),
    /// The second until and including the first, which need not come.
    Release(Box<Ltl>, Box<Ltl>),
}

/// What can be true of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proposition {
    /// A predicate is true of its state.
    State(Expr),
    /// One of these transitions is enabled in its state.
    Enabled(Box<[TransitionId]>),
    /// The step that led to it was one of these transitions; never at the first position.
    Taken(Box<[TransitionId]>),
}

/// A way to be fair to some transitions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fairness {
    /// Whom a run is fair to: a process or a label.
    pub name: String,
    /// How.
    pub strength: Strength,
    /// The transitions.
    pub to: Box<[TransitionId]>,
}

/// When transitions must be taken again and again. What is enabled is asked at positions only; after the last one, of a
/// run that goes on, wherever it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strength {
    /// If from some point on there is always one of them enabled.
    Weak,
    /// If again and again there is one of them enabled.
    Strong,
}

impl Temporal {
    /// The formula is true of every maximal run.
    pub fn formula(formula: Ltl) -> Self {
        Self { claim: Claim::Always(formula), fairness: Vec::new(), finite: true }
    }

    /// What reads runs for one that breaks the claim, with what its atoms mean; `None` if it would be too large.
    pub fn reader(&self) -> Option<(Reader<'_>, Vec<&Proposition>)> {
        let mut atoms = Vec::new();
        let reader = match &self.claim {
            Claim::Always(formula) => Reader::against(&formula.numbered(&mut atoms))?,
            Claim::Never(acceptor) => {
                atoms.extend(&acceptor.atoms);
                Reader::Automaton(&acceptor.automaton)
            }
        };
        (atoms.len() <= u64::BITS as usize).then_some((reader, atoms))
    }

    /// What its atoms mean, in the order in which they are met.
    pub fn propositions(&self) -> Vec<&Proposition> {
        match &self.claim {
            Claim::Never(acceptor) => acceptor.atoms.iter().collect(),
            Claim::Always(formula) => {
                let mut all = Vec::new();
                formula.walk(&mut |p| all.push(p));
                all
            }
        }
    }
}

impl Ltl {
    /// A predicate on the state of the current position.
    pub fn state(predicate: Expr) -> Self {
        Ltl::Atom(Proposition::State(predicate))
    }

    /// Its negation.
    #[must_use]
    pub fn negate(self) -> Self {
        Ltl::Not(Box::new(self))
    }

    /// Calls `f` with every atom, from left to right.
    pub fn walk<'a>(&'a self, f: &mut impl FnMut(&'a Proposition)) {
        match self {
            Ltl::Atom(p) => f(p),
            Ltl::Not(a) | Ltl::Next(a) | Ltl::Always(a) | Ltl::Eventually(a) => a.walk(f),
            Ltl::And(a, b) | Ltl::Or(a, b) | Ltl::Until(a, b) | Ltl::Release(a, b) => {
                a.walk(f);
                b.walk(f);
            }
        }
    }

    /// The formula over numbered atoms: equal ones have one number, that of their place in `atoms`.
    pub fn numbered<'a>(&'a self, atoms: &mut Vec<&'a Proposition>) -> automata::Ltl {
        use automata::syntax::{Binary, Unary};
        let mut under = |op: Unary, a: &'a Ltl| a.numbered(atoms).under(op);
        match self {
            Ltl::Not(a) => under(Unary::Not, a),
            Ltl::Next(a) => under(Unary::Next, a),
            Ltl::Always(a) => under(Unary::Always, a),
            Ltl::Eventually(a) => under(Unary::Eventually, a),
            Ltl::And(a, b) => a.numbered(atoms).with(Binary::And, b.numbered(atoms)),
            Ltl::Or(a, b) => a.numbered(atoms).with(Binary::Or, b.numbered(atoms)),
            Ltl::Until(a, b) => a.numbered(atoms).with(Binary::Until, b.numbered(atoms)),
            Ltl::Release(a, b) => a.numbered(atoms).with(Binary::Release, b.numbered(atoms)),
            Ltl::Atom(Proposition::State(Expr::Const(value))) => automata::Ltl::Constant(*value != 0),
            Ltl::Atom(p) => {
                let number = atoms.iter().position(|q| *q == p).unwrap_or_else(|| {
                    atoms.push(p);
                    atoms.len() - 1
                });
                automata::Ltl::Atom(automata::Atom(number as u32))
            }
        }
    }
}
