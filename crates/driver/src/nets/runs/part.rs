//! A formula that all runs must satisfy: who looks for a run that refutes it, and on which net.
//!
//! The net is reduced for the atoms of the formula, more if the formula does not see how often something is repeated. Walks come
//! first, and then a search of the product. A run that was found is judged by the formula itself, on the
//! reduced net; and the run of the original net that it stands for must say the same of the atoms.

use automata::formula::Node;
use automata::syntax::{Atom, Binary, Unary};
use automata::{Formula, Ltl, Pool};
use check::{refutes, word_of_run};
use engines::net::runs::{Lasso, RunTask, Searched, search, walk};
use engines::refuter::Refuter;
use evidence::{Budget, Reason};
use model::nets::{Goal, Predicate};
use model::views::Net;
use reduce::{Reduced, Steps, Unliftable, reduce_for_runs, unreduced};

use super::{NetContradiction, RunInquiry};

/// The part of the time of a round for walks.
const WALKS: usize = 4;
/// A letter has no place for more atoms.
const MOST_ATOMS: usize = 64;

/// A formula on its way.
pub(super) struct Part {
    pub(super) question: usize,
    formula: Ltl,
    atoms: Vec<Predicate>,
    ready: Option<Ready>,
    round: u64,
    /// Whether there is an answer, or none can be found.
    over: bool,
}

/// What searches need.
struct Ready {
    refuter: Refuter,
    reduced: Reduced,
    atoms: Vec<Predicate>,
}

type Answer = (bool, &'static [&'static str]);

impl Part {
    pub(super) fn new(pool: &Pool, formula: Formula, (question, atoms): (usize, &[Predicate])) -> Self {
        let mut numbers = Numbers { pool, of: Vec::new() };
        let formula = numbers.written(formula);
        let atoms = numbers.of.iter().map(|atom: &Atom| atoms[atom.index()].clone()).collect::<Vec<_>>();
        let over = atoms.len() > MOST_ATOMS;
        Self { question, formula, atoms, ready: None, round: 0, over }
    }

    pub(super) fn is_open(&self) -> bool {
        !self.over
    }

    /// Looks for a run that refutes the formula; whether it holds, if that becomes known.
    pub(super) fn work(&mut self, inquiry: &RunInquiry, budget: &Budget) -> Result<Option<Answer>, NetContradiction> {
        self.round += 1;
        if self.ready.is_none() && !self.prepare(inquiry, budget) {
            self.over = true;
            return Ok(None);
        }
        let Some(Ready { refuter, reduced, atoms }) = &self.ready else { return Ok(None) };
        let walks = budget.share(WALKS);
        let task = RunTask { net: &reduced.net, refuter, atoms, budget: &walks };
        if inquiry.engines.walk
            && let Ok(lasso) = walk(&task, self.round)
            && self.is_refuted(&inquiry.net, &lasso)?
        {
            self.over = true;
            return Ok(Some((false, &["EXPLICIT", "LTL", "WALK"])));
        }
        if !inquiry.engines.search {
            return Ok(None);
        }
        let how = &["EXPLICIT", "LTL", "STUBBORN_SETS"];
        let holds = match search(&RunTask { budget, ..task }, self.round) {
            Ok(Searched::None) => true,
            Ok(Searched::Untold) => false,
            Ok(Searched::Run(lasso)) if self.is_refuted(&inquiry.net, &lasso)? => false,
            Ok(Searched::Run(lasso)) => return Err(self.contradiction(&format!("{lasso:?} refutes nothing"))),
            Err(Reason::Timeout | Reason::Memory | Reason::Cancelled) => return Ok(None),
            Err(_) => {
                self.over = !inquiry.engines.walk;
                return Ok(None);
            }
        };
        self.over = true;
        Ok(Some((holds, how)))
    }

    /// Makes the automaton and reduces the net; false if the automaton is too large.
    fn prepare(&mut self, inquiry: &RunInquiry, budget: &Budget) -> bool {
        let mut pool = Pool::new();
        let formula = pool.add(&self.formula);
        let Ok(refuter) = Refuter::new(&mut pool, formula) else { return false };
        let steps = if matches!(refuter, Refuter::Blind(_)) { Steps::Seen } else { Steps::Each };
        let stop = || budget.check(0).is_err();
        let reduced = match inquiry.engines.reduce {
            true => reduce_for_runs(&inquiry.net, self.atoms.clone(), steps, &stop),
            false => unreduced(&inquiry.net, &self.atoms.iter().cloned().map(Goal::Satisfies).collect::<Vec<_>>()),
        };
        let predicate = |goal: &Goal| match goal {
            Goal::Satisfies(predicate) => Some(predicate.clone()),
            Goal::Dead | Goal::Maximum(_) => None,
        };
        let Some(atoms) = reduced.goals.iter().map(predicate).collect::<Option<Vec<_>>>() else { return false };
        self.ready = Some(Ready { refuter, reduced, atoms });
        true
    }

    /// Whether a run of the reduced net refutes the formula. A run that walks only took for one does not.
    fn is_refuted(&self, net: &Net, lasso: &Lasso) -> Result<bool, NetContradiction> {
        let Some(Ready { reduced, atoms, .. }) = &self.ready else { return Ok(false) };
        if refutes(&reduced.net, &self.formula, atoms, (&lasso.stem, &lasso.cycle)).is_err() {
            return Ok(false);
        }
        let run = [&lasso.stem[..], &lasso.cycle].concat();
        let lifted = match reduced.lift(net, 0, &run) {
            Ok(lifted) => lifted,
            Err(Unliftable::TooLong) => return Ok(true),
            Err(why) => return Err(self.contradiction(&format!("a run of the reduced net has no counterpart: {why:?}"))),
        };
        let (here, there) = (word_of_run(&reduced.net, atoms, &run), word_of_run(net, &self.atoms, &lifted));
        let (Ok((mut here, _)), Ok((mut there, _))) = (here, there) else {
            return Err(self.contradiction("a lifted run is none"));
        };
        here.dedup();
        there.dedup();
        match here == there {
            true => Ok(true),
            false => Err(self.contradiction("a lifted run looks different")),
        }
    }

    fn contradiction(&self, what: &str) -> NetContradiction {
        NetContradiction { goal: self.question, what: what.to_owned() }
    }
}

/// Numbers the atoms of a formula anew.
struct Numbers<'p> {
    pool: &'p Pool,
    of: Vec<Atom>,
}

impl Numbers<'_> {
    fn atom(&mut self, atom: Atom) -> Ltl {
        let known = self.of.iter().position(|a| *a == atom);
        if known.is_none() {
            self.of.push(atom);
        }
        Ltl::Atom(Atom(known.unwrap_or(self.of.len() - 1) as u32))
    }

    /// A formula as written.
    fn written(&mut self, formula: Formula) -> Ltl {
        match self.pool.node(formula).clone() {
            Node::True => Ltl::Constant(true),
            Node::False => Ltl::Constant(false),
            Node::Literal(atom, true) => self.atom(atom),
            Node::Literal(atom, false) => self.atom(atom).under(Unary::Not),
            Node::And(parts) => self.joined(&parts, Binary::And),
            Node::Or(parts) => self.joined(&parts, Binary::Or),
            Node::Next(a) => self.written(a).under(Unary::Next),
            Node::Eventually(a) => self.written(a).under(Unary::Eventually),
            Node::Always(a) => self.written(a).under(Unary::Always),
            Node::Until(a, b) => self.both(a, Binary::Until, b),
            Node::Release(a, b) => self.both(a, Binary::Release, b),
            Node::WeakUntil(a, b) => self.both(a, Binary::WeakUntil, b),
            Node::StrongRelease(a, b) => self.both(a, Binary::StrongRelease, b),
        }
    }

    fn both(&mut self, a: Formula, op: Binary, b: Formula) -> Ltl {
        let a = self.written(a);
        a.with(op, self.written(b))
    }

    fn joined(&mut self, parts: &[Formula], op: Binary) -> Ltl {
        let parts = parts.iter().map(|f| self.written(*f)).collect::<Vec<_>>();
        parts.into_iter().reduce(|a, b| a.with(op, b)).expect("there are at least two")
    }
}
