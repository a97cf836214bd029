//! Formulas about all runs of a net.
//!
//! First what never changes: an atom that has its first value in every reachable marking is a constant, and with it
//! the formula may become one, or say no more than what must always be true. What is left is asked of the system that the
//! net is, with counters that are small at first: a run beyond them says nothing, and larger ones are tried.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use automata::formula::Node;
use automata::{Formula, Pool};
use check::{Finding, replay};
use engines::liveness::Liveness;
use engines::{Engine, Problem};
use evidence::{Budget, Evidence, Reason, Silent, Verdict};
use model::nets::{Goal, Predicate};
use model::views::{Net, PlaceId};
use model::{Ltl, Property, Proposition, System, Temporal};

use super::{NetContradiction, NetEngines, NetInquiry, NetVerdict, answer_net};

/// The part of the time for what never changes, and the most of it.
const BEFORE: usize = 6;
const BEFORE_MOST: Duration = Duration::from_secs(60);
/// The time of a search in the first round; each round has so many times more.
const FIRST: Duration = Duration::from_secs(1);
const MORE: u32 = 4;
/// How far counters go, one after the other.
const COUNTERS: [u32; 4] = [1, 7, 255, u32::MAX];

/// A formula about all runs, over numbered atoms.
#[derive(Clone, Debug)]
pub struct RunQuestion {
    /// The formula.
    pub formula: automata::Ltl,
    /// Its atoms, as one says them of the system that the net is and of the net itself.
    pub atoms: Vec<(Proposition, Predicate)>,
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

/// Answers what it can within the budget; `told` hears the number of a question, its answer, and how that was found.
pub fn answer_runs(
    inquiry: &RunInquiry,
    budget: &Budget,
    told: &(dyn Fn(usize, bool, &[&'static str]) + Sync),
) -> Result<(), NetContradiction> {
    let mut desk = Desk { inquiry, budget, told, pool: Pool::new(), open: Vec::new() };
    desk.never_change()?;
    desk.markings()?;
    desk.search()
}

struct Desk<'a> {
    inquiry: &'a RunInquiry,
    budget: &'a Budget,
    told: &'a (dyn Fn(usize, bool, &[&'static str]) + Sync),
    pool: Pool,
    /// What is still to be answered, simplified.
    open: Vec<(usize, Formula)>,
}

impl Desk<'_> {
    /// Finds the atoms that never change, and simplifies all formulas.
    fn never_change(&mut self) -> Result<(), NetContradiction> {
        let initial = self.inquiry.net.initial_marking();
        let mut asked: Vec<&Predicate> = Vec::new();
        let mut goals = Vec::new();
        for (_, predicate) in self.inquiry.questions.iter().flat_map(|q| &q.atoms) {
            let other = if predicate.holds(&initial) { predicate.negated() } else { Some(predicate.clone()) };
            if let Some(other) = other.filter(|_| !asked.contains(&predicate)) {
                asked.push(predicate);
                goals.push(Goal::Satisfies(other));
            }
        }
        let budget = self.budget.share(BEFORE).narrowed(BEFORE_MOST, u64::MAX);
        let found = self.ask_net(goals, &budget)?;
        for (i, question) in self.inquiry.questions.iter().enumerate() {
            let constant = |n: usize| -> Option<bool> {
                let predicate = &question.atoms[n].1;
                let at = asked.iter().position(|p| *p == predicate)?;
                (found[at] == Some(false)).then(|| predicate.holds(&initial))
            };
            let formula = self.pool.add(&fixed(&question.formula, &constant));
            let formula = self.pool.simplify(formula);
            self.open.push((i, formula));
        }
        Ok(())
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
                (self.told)(i, here.holds(&initial), &["TOPOLOGICAL"]);
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
                Some(reached) => (self.told)(i, !reached, &["REACHABILITY"]),
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
        let inquiry =
            NetInquiry { net: Arc::clone(net), goals, claims: claims.clone(), threads: *threads, engines: *engines };
        let answers = answer_net(inquiry, budget, Box::new(|_, _| ControlFlow::Continue(())))?;
        let reached = |verdict: NetVerdict| !matches!(verdict, NetVerdict::Never(_));
        Ok(answers.into_iter().map(|answer| answer.ok().map(|a| reached(a.verdict))).collect())
    }

    /// A formula without temporal operators as a predicate.
    fn predicate(&self, formula: Formula, atoms: &[(Proposition, Predicate)]) -> Option<Predicate> {
        let all = |parts: &[Formula]| parts.iter().map(|f| self.predicate(*f, atoms)).collect::<Option<Vec<_>>>();
        match self.pool.node(formula) {
            Node::True => Some(Predicate::Constant(true)),
            Node::False => Some(Predicate::Constant(false)),
            Node::Literal(atom, true) => Some(atoms[atom.index()].1.clone()),
            Node::Literal(atom, false) => atoms[atom.index()].1.negated(),
            Node::And(parts) => all(parts).map(Predicate::all),
            Node::Or(parts) => all(parts).map(Predicate::any),
            _ => None,
        }
    }

    /// Searches for runs, in rounds of more and more time, several formulas side by side.
    fn search(&self) -> Result<(), NetContradiction> {
        let systems: [OnceLock<Option<System>>; COUNTERS.len()] = [const { OnceLock::new() }; COUNTERS.len()];
        let jobs = self.open.iter().map(|&(i, formula)| {
            let atoms = &self.inquiry.questions[i].atoms;
            let property = Property::Temporal(Temporal::formula(self.written(formula, atoms)));
            Mutex::new(Job { question: i, property, counters: Some(0), done: false })
        });
        let jobs: Vec<Mutex<Job>> = jobs.collect();
        let contradiction = Mutex::new(None);
        let budget = self.budget.memory_share(self.inquiry.threads);
        let mut time = FIRST;
        while budget.check(0).is_ok() && jobs.iter().any(|job| lock(job).is_open()) {
            let next = AtomicUsize::new(0);
            std::thread::scope(|scope| {
                for _ in 0..self.inquiry.threads.max(1) {
                    scope.spawn(|| {
                        while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                            let narrow = budget.narrowed(time, u64::MAX);
                            if let Err(why) = self.work(&mut lock(job), &systems, &narrow) {
                                *lock(&contradiction) = Some(why);
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

    fn work(
        &self,
        job: &mut Job,
        systems: &[OnceLock<Option<System>>],
        budget: &Budget,
    ) -> Result<(), NetContradiction> {
        while let Some(counters) = job.counters.filter(|_| !job.done && budget.check(0).is_ok()) {
            let made = || self.inquiry.net.to_system(|_| COUNTERS[counters]).ok();
            let Some(system) = systems[counters].get_or_init(made) else {
                job.counters = Some(counters + 1).filter(|c| *c < COUNTERS.len());
                continue;
            };
            let outcome = Liveness::default().run(&Problem { system, property: &job.property }, budget, &Silent);
            let answer = match &outcome.verdict {
                Verdict::Holds(_) => true,
                Verdict::Violated(Evidence::Run(trace)) => match replay(system, &job.property, trace) {
                    // More tokens than the counters go.
                    Ok(run) if matches!(run.finding(), Finding::Fault(_)) => {
                        job.counters = Some(counters + 1).filter(|c| *c < COUNTERS.len());
                        continue;
                    }
                    Ok(_) => false,
                    Err(e) => return Err(NetContradiction { goal: job.question, what: e.to_string() }),
                },
                Verdict::Violated(_) => false,
                Verdict::Unknown(Reason::Timeout | Reason::Memory | Reason::Cancelled) => return Ok(()),
                Verdict::Unknown(_) => {
                    job.counters = None;
                    return Ok(());
                }
            };
            job.done = true;
            (self.told)(job.question, answer, &["EXPLICIT", "LTL", "STUBBORN_SETS"]);
        }
        Ok(())
    }

    /// A simplified formula as one of the system.
    fn written(&self, formula: Formula, atoms: &[(Proposition, Predicate)]) -> Ltl {
        let one = |f: &Formula| Box::new(self.written(*f, atoms));
        let all = |parts: &[Formula], op: fn(Box<Ltl>, Box<Ltl>) -> Ltl| {
            let mut parts = parts.iter().map(|f| self.written(*f, atoms));
            let first = parts.next().expect("there are at least two");
            parts.fold(first, |a, b| op(Box::new(a), Box::new(b)))
        };
        match self.pool.node(formula) {
            Node::True => Ltl::state(true.into()),
            Node::False => Ltl::state(false.into()),
            Node::Literal(atom, true) => Ltl::Atom(atoms[atom.index()].0.clone()),
            Node::Literal(atom, false) => Ltl::Atom(atoms[atom.index()].0.clone()).negate(),
            Node::And(parts) => all(parts, Ltl::And),
            Node::Or(parts) => all(parts, Ltl::Or),
            Node::Next(a) => Ltl::Next(one(a)),
            Node::Eventually(a) => Ltl::Eventually(one(a)),
            Node::Always(a) => Ltl::Always(one(a)),
            Node::Until(a, b) => Ltl::Until(one(a), one(b)),
            Node::Release(a, b) => Ltl::Release(one(a), one(b)),
            Node::WeakUntil(a, b) => Ltl::Release(one(b), Box::new(Ltl::Or(one(a), one(b)))),
            Node::StrongRelease(a, b) => Ltl::Until(one(b), Box::new(Ltl::And(one(a), one(b)))),
        }
    }
}

/// A formula on its way.
struct Job {
    question: usize,
    property: Property,
    /// Which counters are tried; none if the formula cannot be answered.
    counters: Option<usize>,
    done: bool,
}

impl Job {
    fn is_open(&self) -> bool {
        !self.done && self.counters.is_some()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A formula with what is known of its atoms.
fn fixed(formula: &automata::Ltl, constant: &dyn Fn(usize) -> Option<bool>) -> automata::Ltl {
    match formula {
        automata::Ltl::Atom(atom) => constant(atom.index()).map_or(automata::Ltl::Atom(*atom), automata::Ltl::Constant),
        automata::Ltl::Constant(value) => automata::Ltl::Constant(*value),
        automata::Ltl::Unary(op, a) => fixed(a, constant).under(*op),
        automata::Ltl::Binary(op, a, b) => fixed(a, constant).with(*op, fixed(b, constant)),
    }
}
