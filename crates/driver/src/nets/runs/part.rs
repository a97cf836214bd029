//! A formula that all runs must satisfy: who looks for a run that refutes it, and on which net.
//!
//! The net is reduced for the atoms of the formula, more if the formula does not see how often something is repeated. Walks come
//! first, and then a search of the product. A run that was found is judged by the formula itself, on the
//! reduced net; and the run of the original net that it stands for must say the same of the atoms.
//!
//! If a run that refutes the formula does so from some position on whatever comes (safety), all that counts is what runs
//! begin with, and the net is reduced much further. For other formulas, that smaller net with runs that may stop anywhere
//! has all runs of the original, and others: if none of them refutes the formula it holds.

use automata::automaton::Strength;
use automata::{Ltl, Pool};
use check::{refutes, word_of_run};
use engines::net::runs::{Lasso, RunTask, Searched, Whole, search, walk};
use engines::refuter::Refuter;
use evidence::Budget;
use model::nets::{Goal, Predicate};
use model::views::Net;
use reduce::{Reduced, Steps, Unliftable, reduce_for_runs, unreduced};

use super::{NetContradiction, RunInquiry};

/// The part of the time of a round for walks, and what of the rest is for runs that stop anywhere.
const WALKS: usize = 4;
const LOOSE: usize = 3;
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
    exact: View,
    /// The smaller net, if runs that stop anywhere are to be looked at, too.
    loose: Option<View>,
}

/// A reduced net, and the atoms in its terms.
struct View {
    reduced: Reduced,
    atoms: Vec<Predicate>,
}

type Answer = (bool, &'static [&'static str]);

impl Part {
    pub(super) fn new(question: usize, formula: Ltl, atoms: Vec<Predicate>) -> Self {
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
        let answer = self.look(inquiry, budget)?;
        self.over |= answer.is_some();
        Ok(answer)
    }

    fn look(&self, inquiry: &RunInquiry, budget: &Budget) -> Result<Option<Answer>, NetContradiction> {
        let Some(Ready { refuter, exact: View { reduced, atoms }, loose }) = &self.ready else { return Ok(None) };
        let walks = budget.share(WALKS);
        let task = RunTask { net: &reduced.net, refuter, atoms, runs: Whole::Maximal, budget: &walks };
        if inquiry.engines.walk
            && let Ok(lasso) = walk(&task, self.round)
            && self.is_refuted(&inquiry.net, &lasso)?
        {
            return Ok(Some((false, &["EXPLICIT", "LTL", "WALK"])));
        }
        if !inquiry.engines.search {
            return Ok(None);
        }
        if let Some(View { reduced, atoms }) = loose {
            let some = budget.share(LOOSE);
            let loose = RunTask { net: &reduced.net, atoms, runs: Whole::Any, budget: &some, ..task };
            if search(&loose, self.round) == Ok(Searched::None) {
                return Ok(Some((true, &["EXPLICIT", "LTL", "STUBBORN_SETS", "SLICING"])));
            }
        }
        let holds = match search(&RunTask { budget, ..task }, self.round) {
            Ok(Searched::None) => true,
            Ok(Searched::Untold) => false,
            Ok(Searched::Run(lasso)) if self.is_refuted(&inquiry.net, &lasso)? => false,
            Ok(Searched::Run(lasso)) => return Err(self.contradiction(&format!("{lasso:?} refutes nothing"))),
            // Whatever ends a search without an answer, there will be more walks.
            Err(_) => return Ok(None),
        };
        Ok(Some((holds, &["EXPLICIT", "LTL", "STUBBORN_SETS"])))
    }

    /// Makes the automaton and reduces the net; false if the automaton is too large.
    fn prepare(&mut self, inquiry: &RunInquiry, budget: &Budget) -> bool {
        let mut pool = Pool::new();
        let formula = pool.add(&self.formula);
        let Ok(refuter) = Refuter::new(&mut pool, formula) else { return false };
        let is_safety = refuter.automaton().strength() == Strength::Terminal;
        let steps = match &refuter {
            Refuter::Any(_) => Steps::Each,
            Refuter::Blind(_) if is_safety => Steps::Begun,
            Refuter::Blind(_) => Steps::Seen,
        };
        let exact = self.view(inquiry, steps, budget);
        let mut loose = None;
        if inquiry.engines.reduce && steps == Steps::Seen {
            let view = self.view(inquiry, Steps::Begun, budget);
            let size = |view: &View| view.reduced.net.places().len() + view.reduced.net.transitions().len();
            loose = Some(view).filter(|view| size(view) < size(&exact));
        }
        self.ready = Some(Ready { refuter, exact, loose });
        true
    }

    fn view(&self, inquiry: &RunInquiry, steps: Steps, budget: &Budget) -> View {
        let stop = || budget.check(0).is_err();
        let reduced = match inquiry.engines.reduce {
            true => reduce_for_runs(&inquiry.net, self.atoms.clone(), steps, &stop),
            false => unreduced(&inquiry.net, &self.atoms.iter().cloned().map(Goal::Satisfies).collect::<Vec<_>>()),
        };
        let predicate = |goal: &Goal| match goal {
            Goal::Satisfies(predicate) => predicate.clone(),
            Goal::Dead | Goal::Maximum(_) => unreachable!("predicates stay predicates"),
        };
        View { atoms: reduced.goals.iter().map(predicate).collect(), reduced }
    }

    /// Whether a run of the reduced net refutes the formula. A run that walks only took for one does not.
    fn is_refuted(&self, net: &Net, lasso: &Lasso) -> Result<bool, NetContradiction> {
        let Some(Ready { exact: View { reduced, atoms }, .. }) = &self.ready else { return Ok(false) };
        if refutes(&reduced.net, &self.formula, atoms, (&lasso.stem, &lasso.cycle)).is_err() {
            return Ok(false);
        }
        let run = [&lasso.stem[..], &lasso.cycle].concat();
        let lifted = match reduced.lift(net, 0, &run) {
            Ok(lifted) => lifted,
            Err(Unliftable::TooLong) => return Ok(true),
            Err(why) => {
                return Err(self.contradiction(&format!("a run of the reduced net has no counterpart: {why:?}")));
            }
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
