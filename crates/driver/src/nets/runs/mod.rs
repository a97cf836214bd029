//! Formulas about all runs of a net.
//!
//! First what never changes: a condition that has its first value in every reachable marking is a constant, and with it
//! the formula may become one. Then each formula falls apart into conjuncts. Those that say no more than what must always be
//! true are asked of the engines for reachable markings; for each of the others one looks for a run that refutes it,
//! in rounds of more and more time (`part`).

mod facts;
mod part;
mod written;

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use automata::formula::Node;
use automata::{Atom, Formula, Pool};
use engines::net::runs::always_ends;
use evidence::Budget;
use model::nets::{Goal, Predicate};
use model::views::{Net, PlaceId};

use super::{NetContradiction, NetEngines, NetInquiry, NetVerdict, answer_net};
use part::Part;

/// The part of the time for what never changes, and the most of it.
const BEFORE: usize = 6;
const BEFORE_MOST: Duration = Duration::from_secs(60);
/// The time of a part in the first round; each round has so many times more.
const FIRST: Duration = Duration::from_millis(500);
const MORE: u32 = 3;

/// A formula about all runs, over numbered atoms.
#[derive(Clone, Debug)]
pub struct RunQuestion {
    /// The formula.
    pub formula: automata::Ltl,
    /// What its atoms mean.
    pub atoms: Vec<Predicate>,
}

/// What formulas about runs are asked of.
#[derive(Debug)]
pub struct RunInquiry {
    /// The net.
    pub net: Arc<Net>,
    /// The formulas.
    pub questions: Vec<RunQuestion>,
    /// Sets of places that somebody says hold at most one token together.
    pub claims: Vec<Vec<PlaceId>>,
    /// How many threads work.
    pub threads: usize,
    /// What may be used.
    pub engines: NetEngines,
}

/// Hears the number of a question, its answer, and how that was found.
type Told<'a> = &'a (dyn Fn(usize, bool, &[&'static str]) + Sync);

/// Answers what it can within the budget.
pub fn answer_runs(inquiry: &RunInquiry, budget: &Budget, told: Told<'_>) -> Result<(), NetContradiction> {
    let left = Mutex::new(vec![Some(1); inquiry.questions.len()]);
    let mut desk = Desk { inquiry, budget, told, pool: Pool::new(), open: Vec::new(), left };
    desk.never_change()?;
    desk.fall_apart();
    desk.markings()?;
    desk.search()
}

struct Desk<'a> {
    inquiry: &'a RunInquiry,
    budget: &'a Budget,
    told: Told<'a>,
    pool: Pool,
    /// What is still to be shown, simplified. All that belong to a question must hold.
    open: Vec<(usize, Formula)>,
    /// By question, how many formulas are still to be shown; none if there is an answer.
    left: Mutex<Vec<Option<usize>>>,
}

impl Desk<'_> {
    /// Finds the conditions that never change, and simplifies all formulas.
    fn never_change(&mut self) -> Result<(), NetContradiction> {
        let initial = self.inquiry.net.initial_marking();
        let fireable = self.fireable_if_all_ends();
        let simple = |q: &RunQuestion| {
            let formula = self.pool.add(&q.formula);
            let formula = self.pool.simplify(formula);
            let Some(fireable) = &fireable else { return formula };
            let is_over = |atom: Atom| match &q.atoms[atom.index()] {
                Predicate::Any(parts) => parts.iter().all(|part| fireable.contains(part)),
                atom => fireable.contains(atom),
            };
            let formula = facts::of_ending_runs(&mut self.pool, formula, &is_over);
            self.pool.simplify(formula)
        };
        let formulas: Vec<Formula> = self.inquiry.questions.iter().map(simple).collect();
        let (mut asked, mut goals): (Vec<Predicate>, Vec<Goal>) = (Vec::new(), Vec::new());
        let mut about: Vec<Vec<(Formula, usize)>> = Vec::new();
        for (question, &formula) in self.inquiry.questions.iter().zip(&formulas) {
            let mut of_question = Vec::new();
            for condition in facts::conditions(&mut self.pool, formula) {
                let Some(predicate) = self.predicate(condition, &question.atoms) else { continue };
                let other = if predicate.holds(&initial) { predicate.negated() } else { Some(predicate) };
                let Some(other) = other else { continue };
                let known = asked.iter().position(|p| *p == other);
                of_question.push((condition, known.unwrap_or(asked.len())));
                if known.is_none() {
                    goals.push(Goal::Satisfies(other.clone()));
                    asked.push(other);
                }
            }
            about.push(of_question);
        }
        let budget = self.budget.share(BEFORE).narrowed(BEFORE_MOST, u64::MAX);
        let found = self.ask_net(goals, &budget)?;
        for (i, formula) in formulas.into_iter().enumerate() {
            let atoms = &self.inquiry.questions[i].atoms;
            let value = |f: Formula| self.predicate(f, atoms).is_some_and(|p| p.holds(&initial));
            let never = about[i].iter().filter(|&&(_, goal)| found[goal] == Some(false));
            let constants = never.map(|&(condition, _)| (condition, value(condition))).collect();
            let formula = facts::with_constants(&mut self.pool, formula, &constants);
            let formula = self.pool.simplify(formula);
            self.open.push((i, formula));
        }
        Ok(())
    }

    /// That a transition is enabled, for each transition, if every run of the net ends: then it will be false for ever.
    fn fireable_if_all_ends(&self) -> Option<HashSet<Predicate>> {
        let net = &self.inquiry.net;
        let fireable = || net.transition_ids().map(|t| Predicate::fireable(net, t)).collect();
        (self.inquiry.engines.structural && always_ends(net)).then(fireable)
    }

    /// Each formula as its conjuncts.
    fn fall_apart(&mut self) {
        for (i, formula) in std::mem::take(&mut self.open) {
            let parts = match self.pool.node(formula) {
                Node::And(parts) if self.predicate(formula, &self.inquiry.questions[i].atoms).is_none() => {
                    parts.to_vec()
                }
                _ => vec![formula],
            };
            lock(&self.left)[i] = Some(parts.len());
            self.open.extend(parts.into_iter().map(|part| (i, part)));
        }
    }

    /// Notes that a formula of a question holds, or does not.
    fn settle(&self, question: usize, holds: bool, how: &[&'static str]) {
        let mut left = lock(&self.left);
        let Some(open) = &mut left[question] else { return };
        *open -= 1;
        if !holds || *open == 0 {
            left[question] = None;
            (self.told)(question, holds, how);
        }
    }

    fn is_open(&self, question: usize) -> bool {
        lock(&self.left)[question].is_some()
    }

    /// Answers what is about the first marking only, or about all markings.
    fn markings(&mut self) -> Result<(), NetContradiction> {
        let initial = self.inquiry.net.initial_marking();
        let (mut goals, mut about) = (Vec::new(), Vec::new());
        for (i, formula) in std::mem::take(&mut self.open) {
            let atoms = &self.inquiry.questions[i].atoms;
            let always = match *self.pool.node(formula) {
                Node::Always(inner) => self.predicate(inner, atoms),
                _ => None,
            };
            if let Some(here) = self.predicate(formula, atoms) {
                self.settle(i, here.holds(&initial), &["TOPOLOGICAL"]);
            } else if let Some(wrong) = always.and_then(|p| p.negated()) {
                goals.push(Goal::Satisfies(wrong));
                about.push((i, formula));
            } else {
                self.open.push((i, formula));
            }
        }
        let parts = goals.len() + self.open.len();
        let found = self.ask_net(goals.clone(), &self.budget.shares(goals.len(), parts))?;
        for ((i, formula), reached) in about.into_iter().zip(found) {
            match reached {
                Some(reached) => self.settle(i, !reached, &["REACHABILITY"]),
                None => self.open.push((i, formula)),
            }
        }
        Ok(())
    }

    /// Whether each goal can be reached, where that is found out.
    fn ask_net(&self, goals: Vec<Goal>, budget: &Budget) -> Result<Vec<Option<bool>>, NetContradiction> {
        if goals.is_empty() {
            return Ok(Vec::new());
        }
        let RunInquiry { net, claims, threads, engines, .. } = self.inquiry;
        let inquiry = NetInquiry {
            net: Arc::clone(net),
            goals,
            claims: claims.clone(),
            others: None,
            threads: *threads,
            engines: *engines,
        };
        let answers = answer_net(inquiry, budget, Box::new(|_, _| ControlFlow::Continue(())))?;
        let reached = |verdict: NetVerdict| !matches!(verdict, NetVerdict::Never(_));
        Ok(answers.into_iter().map(|answer| answer.ok().map(|a| reached(a.verdict))).collect())
    }

    /// A formula without temporal operators as a predicate.
    fn predicate(&self, formula: Formula, atoms: &[Predicate]) -> Option<Predicate> {
        let all = |parts: &[Formula]| parts.iter().map(|f| self.predicate(*f, atoms)).collect::<Option<Vec<_>>>();
        match self.pool.node(formula) {
            Node::True => Some(Predicate::Constant(true)),
            Node::False => Some(Predicate::Constant(false)),
            Node::Literal(atom, true) => Some(atoms[atom.index()].clone()),
            Node::Literal(atom, false) => atoms[atom.index()].negated(),
            Node::And(parts) => all(parts).map(Predicate::all),
            Node::Or(parts) => all(parts).map(Predicate::any),
            _ => None,
        }
    }

    /// Searches for runs, in rounds of more and more time, several formulas side by side.
    fn search(&mut self) -> Result<(), NetContradiction> {
        let mut parts = Vec::new();
        for (i, formula) in std::mem::take(&mut self.open) {
            let (formula, conditions) = written::written(&mut self.pool, formula);
            let atoms = &self.inquiry.questions[i].atoms;
            let meaning = conditions.into_iter().map(|f| self.predicate(f, atoms)).collect::<Option<Vec<_>>>();
            parts.extend(meaning.map(|atoms| Mutex::new(Part::new(i, formula, atoms))));
        }
        self.rounds(&parts)
    }

    fn rounds(&self, parts: &[Mutex<Part>]) -> Result<(), NetContradiction> {
        let contradiction = Mutex::new(None);
        let budget = self.budget.memory_share(self.inquiry.threads);
        let mut time = FIRST;
        let goes_on = |part: &Mutex<Part>| {
            let part = lock(part);
            part.is_open() && self.is_open(part.question)
        };
        while budget.check(0).is_ok() && parts.iter().any(goes_on) {
            let next = AtomicUsize::new(0);
            std::thread::scope(|scope| {
                for _ in 0..self.inquiry.threads.max(1) {
                    scope.spawn(|| {
                        while let Some(part) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
                            let mut part = lock(part);
                            if !part.is_open() || !self.is_open(part.question) {
                                continue;
                            }
                            match part.work(self.inquiry, &budget.narrowed(time, u64::MAX)) {
                                Ok(Some((holds, how))) => self.settle(part.question, holds, how),
                                Ok(None) => {}
                                Err(why) => *lock(&contradiction) = Some(why),
                            }
                        }
                    });
                }
            });
            if let Some(why) = lock(&contradiction).take() {
                return Err(why);
            }
            time = time.saturating_mul(MORE);
        }
        Ok(())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
