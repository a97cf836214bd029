//! One question to the solver, again and again: each candidate is refuted by what every reachable state satisfies,
//! which then holds for all further candidates, or it is reached, or it survives.

use evidence::{Budget, Goal, Reason};
use model::views::{RuleId, StateId};
use solve::sat::{Answer, Literal};

use super::certificate::Certificate;
use super::conserved::Conserved;
use super::encoding::Formula;
use super::equation::Equation;
use super::lemma::{Because, Lemma};
use super::refine::{Hunt, Refiner};
use super::survey::Survey;
use super::traps::Traps;
use super::{Candidate, Figures, Local, inequality};
use crate::question::Run;

/// Looks for what the goals describe.
pub(super) struct Prover<'a> {
    options: &'a Local,
    survey: &'a Survey<'a>,
    goals: &'a [Goal],
    budget: &'a Budget,
    refiner: Refiner<'a>,
    lemmas: Vec<Lemma>,
    pub(super) figures: Figures,
    conserved: Lazy<Conserved>,
    equation: Lazy<Equation>,
    traps: Lazy<Traps>,
    /// Pairs whose clauses are added when a candidate breaks them.
    waiting: Vec<usize>,
    pub(super) survivors: Vec<Candidate>,
    /// How many candidates may survive.
    most: usize,
}

/// Made when it is needed, if it can be made.
enum Lazy<T> {
    Not,
    Made(Option<T>),
}

impl<T> Lazy<T> {
    fn get(&mut self, make: impl FnOnce() -> Option<T>) -> Option<&mut T> {
        if let Lazy::Not = self {
            *self = Lazy::Made(make());
        }
        match self {
            Lazy::Made(made) => made.as_mut(),
            Lazy::Not => None,
        }
    }
}

/// What became of a goal.
pub(super) enum Settled {
    /// Nothing reachable satisfies it.
    Excluded,
    /// Candidates survive.
    Open,
    /// A run.
    Reached(Run),
    /// Every reachable state was visited, and none satisfies a goal.
    Exhausted,
}

/// What became of a candidate.
enum Examined {
    /// It is not reachable, and what was learned.
    Refuted(Lemma),
    /// It survives.
    Survives,
    /// All goals are settled.
    Settled(Settled),
}

impl<'a> Prover<'a> {
    pub(super) fn new(
        options: &'a Local,
        survey: &'a Survey<'a>,
        goals: &'a [Goal],
        budget: &'a Budget,
        most: usize,
    ) -> Self {
        let pairs = 0..survey.kinds.pairs.len();
        let waiting = pairs.filter(|&p| survey.reach(p).is_some() && !survey.is_eager(p)).collect();
        Self {
            options,
            survey,
            goals,
            budget,
            refiner: Refiner::new(survey.network(), options.groups, goals),
            lemmas: Vec::new(),
            figures: Figures::default(),
            conserved: Lazy::Not,
            equation: Lazy::Not,
            traps: Lazy::Not,
            waiting,
            survivors: Vec::new(),
            most,
        }
    }

    /// The clauses of a question, with all that was learned already.
    fn formula(&self, deadlock: bool) -> Result<Formula, Reason> {
        let mut formula = Formula::new(self.survey, deadlock, self.budget)?;
        for (number, lemma) in self.lemmas.iter().enumerate() {
            formula.learn(self.survey, number, lemma);
        }
        Ok(formula)
    }

    /// Whether no more candidates are wanted.
    fn is_full(&self) -> bool {
        self.survivors.len() >= self.most
    }

    /// Settles one goal after the other, and gives up the certificate if it becomes too large.
    pub(super) fn settle_all(
        &mut self,
        mut certificate: Option<&mut Option<Certificate<'a>>>,
    ) -> Result<Settled, Reason> {
        // Questions about rules share their clauses.
        let mut shared: Option<Formula> = None;
        for &goal in self.goals {
            if self.settle_at_once(goal, &mut certificate)? {
                continue;
            }
            let mut own;
            let formula = match goal {
                Goal::Deadlock => {
                    own = self.formula(true)?;
                    &mut own
                }
                Goal::Enabled(_) => match &mut shared {
                    Some(shared) => shared,
                    None => shared.insert(self.formula(false)?),
                },
            };
            match self.settle(formula, goal)? {
                settled @ (Settled::Reached(_) | Settled::Exhausted) => return Ok(settled),
                Settled::Open if self.is_full() => break,
                Settled::Open => certificate = None,
                Settled::Excluded => {
                    if let Some(slot) = certificate.as_deref_mut() {
                        self.certify(slot, formula, goal)?;
                    }
                }
            }
        }
        Ok(if self.survivors.is_empty() { Settled::Excluded } else { Settled::Open })
    }

    /// Whether a goal is excluded by one participant of its rule, or by two: no question is needed then.
    fn settle_at_once(
        &self,
        goal: Goal,
        certificate: &mut Option<&mut Option<Certificate<'a>>>,
    ) -> Result<bool, Reason> {
        let Goal::Enabled(rule) = goal else { return Ok(false) };
        self.budget.check(0)?;
        let Some((cause, shown)) = self.survey.never_enabled(RuleId::new(rule)) else { return Ok(false) };
        if let Some(slot) = certificate.as_deref_mut()
            && let Some(made) = slot
            && made.refute_rule(rule, cause, &shown).is_none()
        {
            *slot = None;
        }
        Ok(true)
    }

    fn certify(&self, slot: &mut Option<Certificate<'a>>, formula: &mut Formula, goal: Goal) -> Result<(), Reason> {
        let Some(certificate) = slot else { return Ok(()) };
        if certificate.refute(goal, formula, &self.lemmas, &|| self.budget.check(0).is_err()).is_none() {
            self.budget.check(0)?;
            *slot = None;
        }
        Ok(())
    }

    /// Asks until no candidate is left, one is reached, or too many survive.
    fn settle(&mut self, formula: &mut Formula, goal: Goal) -> Result<Settled, Reason> {
        let assumed: Vec<Literal> = match goal {
            Goal::Deadlock => Vec::new(),
            Goal::Enabled(rule) => formula.enabling(self.survey, RuleId::new(rule)),
        };
        let survivors = self.survivors.len();
        loop {
            self.budget.check(formula.bytes())?;
            self.figures.questions += 1;
            match formula.solve(&assumed) {
                Answer::Impossible if self.survivors.len() == survivors => return Ok(Settled::Excluded),
                Answer::Impossible => return Ok(Settled::Open),
                Answer::Unknown => return Err(self.budget.check(0).err().unwrap_or(Reason::Cancelled)),
                Answer::Model => {}
            }
            self.figures.candidates += 1;
            let candidate = Candidate { goal, states: formula.candidate(self.survey, goal) };
            match self.examine(&candidate)? {
                Examined::Refuted(lemma) => {
                    formula.learn(self.survey, self.lemmas.len(), &lemma);
                    self.lemmas.push(lemma);
                }
                Examined::Settled(settled) => return Ok(settled),
                Examined::Survives => {
                    formula.pass(self.survey, &candidate.states);
                    self.survivors.push(candidate);
                    if self.is_full() {
                        return Ok(Settled::Open);
                    }
                }
            }
        }
    }

    /// Looks at a candidate with one method after the other, the cheap ones first.
    fn examine(&mut self, candidate: &Candidate) -> Result<Examined, Reason> {
        if let Some(lemma) = self.by_structure(&candidate.states) {
            return Ok(Examined::Refuted(lemma));
        }
        self.budget.check(0)?;
        if self.options.confirm {
            match self.refiner.hunt(candidate, self.budget)? {
                Hunt::Reached(run) => return Ok(Examined::Settled(Settled::Reached(run))),
                Hunt::Exhausted => return Ok(Examined::Settled(Settled::Exhausted)),
                Hunt::TooMany => {}
            }
        }
        Ok(self.by_groups(candidate)?.map_or(Examined::Survives, Examined::Refuted))
    }

    fn by_groups(&mut self, candidate: &Candidate) -> Result<Option<Lemma>, Reason> {
        if self.options.groups <= 2 {
            return Ok(None);
        }
        let lemma = self.refiner.refute(candidate, self.budget)?;
        self.figures.groups += usize::from(lemma.is_some());
        Ok(lemma)
    }

    /// A longer search for candidates that survive, as long as the budget allows.
    pub(super) fn hunt_survivors(&mut self, settled: Settled) -> Result<Settled, Reason> {
        if !self.options.confirm || !matches!(settled, Settled::Open) {
            return Ok(settled);
        }
        for candidate in &self.survivors {
            match self.refiner.hunt_long(candidate, self.budget) {
                Ok(Hunt::Reached(run)) => return Ok(Settled::Reached(run)),
                Ok(Hunt::Exhausted) => return Ok(Settled::Exhausted),
                Ok(Hunt::TooMany) | Err(Reason::Memory) => {}
                Err(Reason::Cancelled) => return Err(Reason::Cancelled),
                Err(_) => break,
            }
        }
        Ok(settled)
    }

    fn by_structure(&mut self, states: &[StateId]) -> Option<Lemma> {
        let mut found = self.by_pairs(states);
        if self.options.linear {
            found = found.or_else(|| self.by_conserved(states)).or_else(|| self.by_equation(states));
        }
        if self.options.traps {
            found = found.or_else(|| self.by_traps(states));
        }
        found
    }

    /// A pair whose clauses were not added in the beginning.
    fn by_pairs(&mut self, states: &[StateId]) -> Option<Lemma> {
        let survey = self.survey;
        self.waiting.iter().find_map(|&pair| {
            let (members, reach) = (survey.kinds.pairs[pair].members, survey.reach(pair)?);
            let class = |side: usize| survey.class(reach, pair, side, states[members[side].index()]);
            let (a, b) = (class(0), class(1));
            if reach.meets.has(a, b) {
                return None;
            }
            let first = survey.states_in(pair, 0, |class| class == a);
            let second = survey.states_in(pair, 1, |class| !reach.meets.has(a, class));
            let mut confined = vec![(members[0], first), (members[1], second)];
            confined.sort_unstable();
            Some(Lemma { confined, because: Because::Pair(pair) })
        })
    }

    fn by_conserved(&mut self, states: &[StateId]) -> Option<Lemma> {
        let (wiring, budget) = (&self.survey.wiring, self.budget);
        let conserved = self.conserved.get(|| Conserved::new(wiring, &|| budget.check(0).is_err()))?;
        let weights = conserved.violated(wiring, states)?;
        let lemma = inequality::against(wiring, &weights, states)?;
        self.figures.conserved += 1;
        Some(lemma)
    }

    fn by_equation(&mut self, states: &[StateId]) -> Option<Lemma> {
        let (wiring, budget) = (&self.survey.wiring, self.budget);
        let equation = self.equation.get(|| Equation::new(wiring))?;
        let weights = equation.refute(wiring, states, &|| budget.check(0).is_err())?;
        let lemma = inequality::against(wiring, &weights, states)?;
        self.figures.inequalities += 1;
        Some(lemma)
    }

    fn by_traps(&mut self, states: &[StateId]) -> Option<Lemma> {
        let wiring = &self.survey.wiring;
        let lemma = self.traps.get(|| Some(Traps::new(wiring)))?.without(wiring, states)?;
        self.figures.traps += 1;
        Some(lemma)
    }
}
