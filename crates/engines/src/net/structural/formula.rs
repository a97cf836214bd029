//! Goals as propositional formulas over bounds of the state equation's variables.
//!
//! A variable of the formula says "this sum is at most so much"; its negation, as sums are integers, that it is at least
//! one more. Only the literals that make the formula true are asked of the state equation: formulas are positive.

use std::collections::{BTreeMap, HashMap};

use model::nets::{Goal, Predicate};
use model::views::PlaceId;
use solve::lp::{Side, Variable};
use solve::sat::{Literal, Sat, Stop};

use super::dead::Needs;
use super::equation::{Comparison, Equation, Sum};
use super::reason::{Reason, Reasoned};

/// A formula in negation normal form.
#[derive(Clone, Debug)]
pub(super) enum Formula {
    Constant(bool),
    Literal(Literal),
    All(Vec<Formula>),
    Any(Vec<Formula>),
}

/// A bound that a literal stands for, on the growth of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bound {
    pub(super) variable: Variable,
    pub(super) side: Side,
    pub(super) value: i64,
}

/// The propositional side of a question.
#[derive(Debug)]
pub(super) struct Atoms {
    pub(super) sat: Sat,
    /// By propositional variable.
    meaning: Vec<Meaning>,
    thresholds: HashMap<Variable, BTreeMap<i64, Literal>>,
    /// The clauses that do not come from the goal, with their reasons, if somebody wants them.
    log: Option<Vec<Reasoned>>,
}

/// What a propositional variable stands for.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    /// A part of the goal.
    Name,
    /// The variable is at most so much.
    AtMost(Variable, i64),
    /// Somebody brings the first token to a set of places.
    Fed(Vec<PlaceId>),
}

impl Atoms {
    pub(super) fn new(stop: Stop) -> Self {
        Self { sat: Sat::new(stop), meaning: Vec::new(), thresholds: HashMap::new(), log: None }
    }

    /// Keeps the reasons of clauses from now on.
    pub(super) fn keep_reasons(&mut self) {
        self.log = Some(Vec::new());
        self.sat.keep_learned();
    }

    /// The clauses that do not come from the goal, with their reasons.
    pub(super) fn reasons(&self) -> &[Reasoned] {
        self.log.as_deref().unwrap_or_default()
    }

    /// By propositional variable, what it stands for.
    pub(super) fn meanings(&self) -> &[Meaning] {
        &self.meaning
    }

    /// A new propositional variable.
    pub(super) fn fresh(&mut self, meaning: Meaning) -> Literal {
        self.meaning.push(meaning);
        self.sat.fresh()
    }

    /// Adds a clause that every run makes true; its reason is only made if it is kept.
    pub(super) fn lemma(&mut self, clause: &[Literal], reason: impl FnOnce() -> Reason) {
        self.sat.clause(clause);
        if let Some(log) = &mut self.log {
            log.push(Reasoned { clause: clause.to_vec(), reason: reason() });
        }
    }

    /// The literal of "the variable is at most this".
    pub(super) fn at_most(&mut self, variable: Variable, bound: i64) -> Literal {
        if let Some(known) = self.thresholds.get(&variable).and_then(|t| t.get(&bound)) {
            return *known;
        }
        let literal = self.fresh(Meaning::AtMost(variable, bound));
        let known = self.thresholds.entry(variable).or_default();
        let (below, above) = (known.range(..bound).next_back(), known.range(bound..).next());
        let (below, above) = (below.map(|e| *e.1), above.map(|e| *e.1));
        known.insert(bound, literal);
        for (less, more) in below.map(|below| (below, literal)).into_iter().chain(above.map(|above| (literal, above))) {
            self.lemma(&[!less, more], || Reason::order(less, more));
        }
        literal
    }

    /// The known literals about a variable: each says that it is at most the number.
    pub(super) fn thresholds(&self, variable: Variable) -> impl Iterator<Item = (i64, Literal)> + '_ {
        self.thresholds.get(&variable).into_iter().flatten().map(|(&bound, &literal)| (bound, literal))
    }

    /// The places that some literal is about, in increasing order.
    pub(super) fn places(&self, equation: &Equation<'_>) -> Vec<PlaceId> {
        let mut places: Vec<PlaceId> = self.thresholds.keys().filter_map(|&v| equation.place_of(v)).collect();
        places.sort_unstable();
        places
    }

    /// What a literal says about the state equation.
    pub(super) fn bound(&self, literal: Literal) -> Option<Bound> {
        let Meaning::AtMost(variable, most) = self.meaning[literal.variable()] else { return None };
        Some(match literal.is_positive() {
            true => Bound { variable, side: Side::Upper, value: most },
            false => Bound { variable, side: Side::Lower, value: most + 1 },
        })
    }

    fn literal(&mut self, sum: &Sum, side: Side, bound: i64) -> Option<Literal> {
        let growth = bound.checked_sub(sum.initial)?;
        if growth.abs() > solve::lp::GREATEST / 2 {
            return None;
        }
        Some(match side {
            Side::Upper => self.at_most(sum.variable, growth),
            Side::Lower => !self.at_most(sum.variable, growth - 1),
        })
    }

    fn predicate(&mut self, equation: &mut Equation<'_>, predicate: &Predicate) -> Option<Formula> {
        Some(match predicate {
            Predicate::Constant(value) => Formula::Constant(*value),
            Predicate::AtMostZero(expression) => {
                let comparison = Comparison::new(expression)?;
                let sum = match comparison.terms[..] {
                    [(p, 1)] => equation.place(p),
                    _ => equation.sum(&comparison.terms)?,
                };
                Formula::Literal(self.literal(&sum, comparison.side, comparison.bound)?)
            }
            Predicate::All(parts) => Formula::All(self.predicates(equation, parts)?),
            Predicate::Any(parts) => Formula::Any(self.predicates(equation, parts)?),
        })
    }

    fn predicates(&mut self, equation: &mut Equation<'_>, parts: &[Predicate]) -> Option<Vec<Formula>> {
        parts.iter().map(|part| self.predicate(equation, part)).collect()
    }

    /// The goal as a formula; `None` if its numbers are too large, or if it asks for a maximum.
    pub(super) fn goal(&mut self, equation: &mut Equation<'_>, goal: &Goal, needs: &Needs) -> Option<Formula> {
        match goal {
            Goal::Dead => {
                let mut blocked = Vec::new();
                for needs in needs.iter() {
                    let lacks = |&(p, weight): &(_, u32)| {
                        let sum = equation.place(p);
                        self.literal(&sum, Side::Upper, i64::from(weight) - 1).map(Formula::Literal)
                    };
                    blocked.push(Formula::Any(needs.iter().map(lacks).collect::<Option<_>>()?));
                }
                Some(Formula::All(blocked))
            }
            Goal::Satisfies(predicate) => self.predicate(equation, predicate),
            Goal::Maximum(_) => None,
        }
    }

    /// Adds the clauses that make the formula true.
    pub(super) fn require(&mut self, formula: &Formula) {
        match formula {
            Formula::Constant(true) => {}
            Formula::Constant(false) => self.sat.clause(&[]),
            Formula::All(parts) => parts.iter().for_each(|part| self.require(part)),
            Formula::Literal(literal) => self.sat.clause(&[*literal]),
            Formula::Any(parts) => {
                let clause: Vec<Literal> = parts.iter().filter_map(|part| self.name(part)).collect();
                if parts.iter().all(|part| !matches!(part, Formula::Constant(true))) {
                    self.sat.clause(&clause);
                }
            }
        }
    }

    /// A literal that implies the formula; `None` for a constant.
    fn name(&mut self, formula: &Formula) -> Option<Literal> {
        match formula {
            Formula::Constant(_) => None,
            Formula::Literal(literal) => Some(*literal),
            Formula::All(parts) => {
                let name = self.fresh(Meaning::Name);
                for part in parts {
                    if matches!(part, Formula::Constant(false)) {
                        self.sat.clause(&[!name]);
                    }
                    let part = self.name(part);
                    part.into_iter().for_each(|part| self.sat.clause(&[!name, part]));
                }
                Some(name)
            }
            Formula::Any(parts) => {
                let name = self.fresh(Meaning::Name);
                let mut clause: Vec<Literal> = parts.iter().filter_map(|part| self.name(part)).collect();
                clause.push(!name);
                if parts.iter().all(|part| !matches!(part, Formula::Constant(true))) {
                    self.sat.clause(&clause);
                }
                Some(name)
            }
        }
    }

    /// Literals that hold in the assignment found and make the formula true.
    pub(super) fn implicant(&self, formula: &Formula, chosen: &mut Vec<Literal>, seen: &mut [bool]) {
        match formula {
            Formula::Constant(_) => {}
            Formula::Literal(literal) => {
                if !std::mem::replace(&mut seen[literal.variable()], true) {
                    chosen.push(*literal);
                }
            }
            Formula::All(parts) => parts.iter().for_each(|part| self.implicant(part, chosen, seen)),
            Formula::Any(parts) => {
                let known =
                    |part: &&Formula| matches!(part, Formula::Literal(l) if seen[l.variable()] && self.sat.holds(*l));
                let part = parts.iter().find(known).or_else(|| parts.iter().find(|part| self.is_true(part)));
                self.implicant(part.expect("the assignment satisfies the formula"), chosen, seen);
            }
        }
    }

    fn is_true(&self, formula: &Formula) -> bool {
        match formula {
            Formula::Constant(value) => *value,
            Formula::Literal(literal) => self.sat.holds(*literal),
            Formula::All(parts) => parts.iter().all(|part| self.is_true(part)),
            Formula::Any(parts) => parts.iter().any(|part| self.is_true(part)),
        }
    }

    /// How many propositional variables there are.
    pub(super) fn len(&self) -> usize {
        self.meaning.len()
    }
}
