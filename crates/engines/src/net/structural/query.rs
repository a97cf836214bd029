//! One question to the state equation: is there a solution that satisfies a formula?
//!
//! The propositional solver picks literals that make the formula true, the linear program decides whether the state
//! equation has a solution within their bounds. If not, its refutation names the literals that it used, and these do not
//! hold together: a clause. A solution that cannot be reached, because it empties a marked trap or because its
//! transitions cannot begin, is excluded by a fact about all runs, and the question goes on.

use std::collections::HashMap;

use evidence::Budget;
use model::nets::Goal;
use model::views::NetTransitionId;
use solve::lp::{Check, Refutation, Side, Variable};
use solve::sat::{Answer, Literal};

use super::Facts;
use super::causality::starved;
use super::equation::{Equation, column, place_row};
use super::formula::{Atoms, Bound, Formula, Meaning};
use super::prune::prune;
use super::reason::Reason;
use super::trap::marked_traps;

/// Values closer to zero than this are zero.
const ZERO: f64 = 1e-6;
/// So many traps are taken from one solution.
const TRAPS: usize = 20;

/// Values farther than this from a whole number are between two of them.
const WHOLE: f64 = 1e-4;
/// So many variables are split at most.
const SPLITS: usize = 200;

/// How far a question is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Progress {
    /// No solution: the goal is never reached.
    Impossible,
    /// A solution that nothing here excludes: how often each transition fires.
    Candidate(Vec<(NetTransitionId, u64)>),
    /// Out of time.
    Open,
    /// The numbers are too large or too crooked.
    Refused,
}

/// A question and what was learned about it.
#[derive(Debug)]
pub(super) struct Query {
    atoms: Atoms,
    formula: Formula,
    /// Choices that every assignment makes: what a literal being true, or false, asks for.
    choices: Vec<Choice>,
    /// Bounds that every assignment takes a side on, because numbers of tokens and firings are whole.
    splits: Vec<Literal>,
}

/// Either some of the feeders fire, or none of the takers does.
#[derive(Debug)]
struct Choice {
    fed: Literal,
    feeders: Variable,
    takers: Vec<NetTransitionId>,
}

/// The reasons of the bounds that were assumed.
type Reasons = HashMap<(Variable, Side), (i64, Literal)>;

impl Query {
    /// Asks for a marking that satisfies a goal; `None` if its numbers are too large, or if it asks for a maximum.
    pub(super) fn new(equation: &mut Equation<'_>, goal: &Goal, facts: &Facts, budget: &Budget) -> Option<Self> {
        let budget = budget.clone();
        let mut atoms = Atoms::new(Box::new(move || budget.check(0).is_err()));
        if facts.reasons {
            atoms.keep_reasons();
        }
        let formula = atoms.goal(equation, goal, &facts.needs)?;
        atoms.require(&formula);
        prune(&mut atoms, equation, &facts.invariants);
        Some(Self { atoms, formula, choices: Vec::new(), splits: Vec::new() })
    }

    pub(super) fn atoms(&self) -> &Atoms {
        &self.atoms
    }

    /// Whether the clauses that are known exclude the goal already.
    pub(super) fn is_impossible(&mut self) -> bool {
        self.atoms.sat.solve() == Answer::Impossible
    }

    /// Goes on until there is an answer or `stop` says so.
    pub(super) fn go_on(&mut self, equation: &mut Equation<'_>, stop: &mut dyn FnMut() -> bool) -> Progress {
        loop {
            if stop() {
                return Progress::Open;
            }
            match self.atoms.sat.solve() {
                Answer::Impossible => return Progress::Impossible,
                Answer::Unknown => return Progress::Open,
                Answer::Model => {}
            }
            let reasons = self.assume(equation);
            let check = equation.check(stop);
            equation.release();
            match check {
                Check::Infeasible(refutation) => {
                    if !self.learn(equation, &refutation, &reasons) {
                        return Progress::Impossible;
                    }
                }
                Check::Unknown if stop() => return Progress::Open,
                Check::Unknown => return Progress::Refused,
                Check::Feasible => {
                    if !self.refine(equation) {
                        return Progress::Candidate(counts(equation));
                    }
                }
            }
        }
    }

    /// Gives the state equation the bounds of literals that make the formula true.
    fn assume(&self, equation: &mut Equation<'_>) -> Reasons {
        let mut chosen = Vec::new();
        self.atoms.implicant(&self.formula, &mut chosen, &mut vec![false; self.atoms.len()]);
        let mut reasons = Reasons::new();
        for literal in chosen {
            let bound = self.atoms.bound(literal).expect("formulas are over bounds");
            note(&mut reasons, bound, literal);
        }
        for &split in &self.splits {
            let literal = if self.atoms.sat.holds(split) { split } else { !split };
            let bound = self.atoms.bound(literal).expect("splits are bounds");
            note(&mut reasons, bound, literal);
        }
        for choice in &self.choices {
            if self.atoms.sat.holds(choice.fed) {
                note(&mut reasons, Bound { variable: choice.feeders, side: Side::Lower, value: 1 }, choice.fed);
            } else {
                for &t in &choice.takers {
                    let variable = Variable::Column(column(t));
                    note(&mut reasons, Bound { variable, side: Side::Upper, value: 0 }, !choice.fed);
                }
            }
        }
        narrow(equation, &mut reasons);
        reasons
    }

    /// The literals behind a refutation do not hold together. False if it needs none.
    fn learn(&mut self, equation: &Equation<'_>, refutation: &Refutation, reasons: &Reasons) -> bool {
        let assumed = |variable, side| reasons.get(&(variable, side)).map(|&(_, literal)| literal);
        let used = refutation.bounds.iter().filter_map(|&(variable, side, _)| assumed(variable, side));
        let mut clause: Vec<Literal> = used.map(|literal| !literal).collect();
        clause.sort_unstable();
        clause.dedup();
        self.atoms.lemma(&clause, || Reason::refuted(equation, refutation, assumed));
        !clause.is_empty()
    }

    /// Excludes the solution if it is unreachable for a reason that is seen.
    fn refine(&mut self, equation: &mut Equation<'_>) -> bool {
        let net = equation.net();
        let empty = net.place_ids().map(|p| equation.tokens(p) < ZERO).collect();
        let traps = marked_traps(net, empty, TRAPS);
        if !traps.is_empty() {
            return traps.into_iter().fold(false, |news, trap| equation.hold_trap(trap) | news);
        }
        let support: Vec<NetTransitionId> = net.transition_ids().filter(|&t| equation.count(t) > ZERO).collect();
        let Some(starved) = starved(net, &support) else { return self.split(equation) };
        let feeders = equation.firings(&starved.feeders);
        let fed = self.atoms.fresh(Meaning::Fed(starved.set));
        self.choices.push(Choice { fed, feeders, takers: starved.takers });
        true
    }
}

impl Query {
    /// Asks for a whole number where the solution has none: of tokens if possible, else of firings.
    fn split(&mut self, equation: &Equation<'_>) -> bool {
        if self.splits.len() >= SPLITS {
            return false;
        }
        let rows = equation.net().place_ids().map(place_row);
        let columns = equation.net().transition_ids().map(|t| Variable::Column(column(t)));
        let between = |&variable: &Variable| {
            let value = equation.program.value(variable);
            (value - value.round()).abs() > WHOLE
        };
        let Some(variable) = rows.chain(columns).find(between) else { return false };
        let literal = self.atoms.at_most(variable, equation.program.value(variable).floor() as i64);
        if self.splits.contains(&literal) {
            return false;
        }
        self.splits.push(literal);
        true
    }
}

/// Keeps the tightest bound of a variable and the literal that it is due to.
fn note(reasons: &mut Reasons, bound: Bound, literal: Literal) {
    let tighter = |old: i64| match bound.side {
        Side::Lower => bound.value > old,
        Side::Upper => bound.value < old,
    };
    let entry = reasons.entry((bound.variable, bound.side)).or_insert((bound.value, literal));
    if tighter(entry.0) {
        *entry = (bound.value, literal);
    }
}

/// Sets the bounds, where they are tighter than those that hold always.
fn narrow(equation: &mut Equation<'_>, reasons: &mut Reasons) {
    reasons.retain(|&(variable, side), &mut (value, _)| {
        let (lower, upper) = equation.held(variable);
        match side {
            Side::Lower => lower.is_none_or(|always| value > always),
            Side::Upper => upper.is_none_or(|always| value < always),
        }
    });
    let mut variables: Vec<Variable> = reasons.keys().map(|key| key.0).collect();
    variables.sort_unstable();
    variables.dedup();
    for variable in variables {
        let (lower, upper) = equation.held(variable);
        let assumed = |side| reasons.get(&(variable, side)).map(|r| r.0);
        equation.assume(variable, assumed(Side::Lower).or(lower), assumed(Side::Upper).or(upper));
    }
}

/// How often each transition fires in the last point, rounded up.
fn counts(equation: &Equation<'_>) -> Vec<(NetTransitionId, u64)> {
    let count = |t| (t, (equation.count(t) - ZERO).ceil().max(0.0) as u64);
    equation.net().transition_ids().map(count).filter(|&(_, n)| n > 0).collect()
}
