//! One question to the solver, again and again: each candidate is refuted by what every reachable state satisfies,
//! which then holds for all further candidates, or it is reached, or it survives.

use evidence::{Budget, Goal, Reason};
use model::views::{ComponentId, EventId, RuleId, StateId};
use solve::sat::{Answer, Literal};

use super::certificate::Certificate;
use super::encoding::Formula;
use super::equation::Equation;
use super::quantities::Quantities;
use super::refine::{Hunt, Refiner};
use super::survey::{Cause, Survey};
use super::{Candidate, Figures, Local, inequality};
use crate::exchange::Member;
use crate::lemma::{Because, Lemma};
use crate::question::Run;
use crate::structure::conserved::{Conserved, Quantity};
use crate::structure::traps::Traps;
use crate::structure::weights::Weights;
use crate::structure::wiring::Wiring;

/// All quantities and traps of no more local states than this that exclude a candidate are learned at once.
const SMALL: usize = 64;
/// How many larger quantities are compared to find a small one among them.
const TRIES: usize = 8;

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
    quantities: Lazy<Quantities>,
    equation: Lazy<Equation>,
    traps: Lazy<Traps>,
    /// Pairs whose clauses are added when a candidate breaks them.
    waiting: Vec<usize>,
    pub(super) survivors: Vec<Candidate>,
    /// How many candidates may survive.
    most: usize,
    /// Who else works on it, and how many of their lemmas and candidates were looked at.
    others: Option<Member<'a>>,
    heard: (usize, usize),
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
    Refuted(Vec<Lemma>),
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
            quantities: Lazy::Not,
            equation: Lazy::Not,
            traps: Lazy::Not,
            waiting,
            survivors: Vec::new(),
            most,
            others: None,
            heard: (0, 0),
        }
    }

    /// The same, with others who tell what they know and are told.
    pub(super) fn fed_by(mut self, others: Option<Member<'a>>) -> Self {
        self.others = others;
        self.lemmas = self.lemmas_of_others();
        self
    }

    /// What others have learned since they were last asked. Their numbers of pairs are their own, and pairs are looked at
    /// here as well.
    fn lemmas_of_others(&mut self) -> Vec<Lemma> {
        let Some(others) = self.others else { return Vec::new() };
        let learned = others.lemmas(&mut self.heard.0);
        let lemmas = learned.iter().filter(|lemma| !matches!(lemma.because, Because::Pair(_)));
        let lemmas: Vec<Lemma> = lemmas.map(|lemma| Lemma::clone(lemma)).collect();
        for lemma in &lemmas {
            if let Because::Group(group) = &lemma.because {
                self.refiner.know(group);
            }
        }
        lemmas
    }

    fn learn(&mut self, formula: &mut Formula, lemmas: Vec<Lemma>) {
        for lemma in lemmas {
            formula.learn(self.survey, self.lemmas.len(), &lemma);
            self.lemmas.push(lemma);
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
            if self.others.is_some_and(|others| others.is_excluded(goal)) {
                // The proof is somebody else's.
                if let Some(slot) = certificate.take() {
                    *slot = None;
                }
                continue;
            }
            if self.settle_at_once(goal, &mut certificate)? {
                self.tell(|others| others.excluded(goal));
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
                    // What survives for one goal is passed over for the next.
                    if self.survivors.is_empty() {
                        self.tell(|others| others.excluded(goal));
                    }
                    if let Some(slot) = certificate.as_deref_mut() {
                        self.certify(slot, formula, goal)?;
                    }
                }
            }
        }
        if self.survivors.is_empty() {
            return Ok(Settled::Excluded);
        }
        if self.options.pairs && self.options.linear && self.options.traps {
            self.tell(|others| others.surveyed());
        }
        Ok(Settled::Open)
    }

    fn tell(&self, what: impl FnOnce(Member<'_>)) {
        if let Some(others) = self.others {
            what(others);
        }
    }

    /// Whether a goal is excluded by one participant of its rule, by two, or by a small quantity: no question is needed
    /// then.
    fn settle_at_once(
        &mut self,
        goal: Goal,
        certificate: &mut Option<&mut Option<Certificate<'a>>>,
    ) -> Result<bool, Reason> {
        let Goal::Enabled(rule) = goal else { return Ok(false) };
        self.budget.check(0)?;
        let shown = self.survey.never_enabled(RuleId::new(rule));
        let Some((cause, shown)) = shown.or_else(|| self.never_enabled(RuleId::new(rule))) else { return Ok(false) };
        if let Some(slot) = certificate.as_deref_mut()
            && let Some(made) = slot
            && made.refute_rule(rule, (cause, &shown), &self.lemmas).is_none()
        {
            *slot = None;
        }
        Ok(true)
    }

    /// A small quantity that denies that a rule is ever enabled.
    fn never_enabled(&mut self, rule: RuleId) -> Option<(Cause, Vec<(ComponentId, EventId)>)> {
        if !self.options.linear {
            return None;
        }
        let (wiring, budget) = (&self.survey.wiring, self.budget);
        let conserved = self.conserved.get(|| Conserved::new(wiring, &|| budget.check(0).is_err()))?;
        let quantities = self.quantities.get(|| Some(Quantities::new(wiring, conserved, SMALL)))?;
        let (lemma, shown) = quantities.never_enabled(wiring, rule)?;
        self.figures.conserved += 1;
        self.lemmas.push(lemma);
        Some((Cause::Lemma(self.lemmas.len() - 1), shown))
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
            let learned = self.lemmas_of_others();
            self.learn(formula, learned);
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
                Examined::Refuted(lemmas) => {
                    self.tell(|others| others.learned(lemmas.iter().cloned()));
                    self.learn(formula, lemmas);
                }
                Examined::Settled(settled) => return Ok(settled),
                Examined::Survives => {
                    formula.pass(self.survey, &candidate.states);
                    self.tell(|others| others.suspects(&candidate));
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
        let lemmas = self.by_structure(&candidate.states);
        if !lemmas.is_empty() {
            return Ok(Examined::Refuted(lemmas));
        }
        self.budget.check(0)?;
        if self.options.confirm {
            match self.refiner.hunt(candidate, self.budget)? {
                Hunt::Reached(run) => return Ok(Examined::Settled(Settled::Reached(run))),
                Hunt::Exhausted => return Ok(Examined::Settled(Settled::Exhausted)),
                Hunt::TooMany => {}
            }
        }
        Ok(self.by_groups(candidate)?.map_or(Examined::Survives, |lemma| Examined::Refuted(vec![lemma])))
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
        if !matches!(settled, Settled::Open) {
            return Ok(settled);
        }
        if let Some(settled) = self.candidates_of_others()? {
            return Ok(settled);
        }
        if !self.options.confirm {
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

    /// Looks where others suspect something: within stronger invariants than the candidates that survive here.
    fn candidates_of_others(&mut self) -> Result<Option<Settled>, Reason> {
        let Some(others) = self.others else { return Ok(None) };
        let mut survivors = Vec::new();
        for candidate in others.candidates(&mut self.heard.1) {
            if !self.goals.contains(&candidate.goal) || self.survivors.contains(&candidate) {
                continue;
            }
            match self.examine(&candidate)? {
                Examined::Refuted(lemmas) => others.learned(lemmas),
                Examined::Settled(settled) => return Ok(Some(settled)),
                Examined::Survives => survivors.push(Candidate::clone(&candidate)),
            }
        }
        self.survivors.splice(..0, survivors);
        Ok(None)
    }

    /// What the first method that knows something says against a candidate.
    fn by_structure(&mut self, states: &[StateId]) -> Vec<Lemma> {
        let mut found: Vec<Lemma> = self.by_pairs(states).into_iter().collect();
        if self.options.linear {
            found = or_else(found, || self.by_conserved(states));
            found = or_else(found, || self.by_equation(states).into_iter().collect());
        }
        if self.options.traps {
            found = or_else(found, || self.by_traps(states));
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

    fn by_conserved(&mut self, states: &[StateId]) -> Vec<Lemma> {
        let (wiring, budget) = (&self.survey.wiring, self.budget);
        let Some(conserved) = self.conserved.get(|| Conserved::new(wiring, &|| budget.check(0).is_err())) else {
            return Vec::new();
        };
        let violated = conserved.violated(wiring, states).unwrap_or_default();
        let weights = sparse(wiring, conserved, &violated);
        let lemmas = weights.iter().map(|w| inequality::all_against(wiring, w, states)).filter(|l| !l.is_empty());
        let lemmas: Vec<Vec<Lemma>> = lemmas.collect();
        self.figures.conserved += lemmas.len();
        lemmas.into_iter().flatten().collect()
    }

    fn by_equation(&mut self, states: &[StateId]) -> Option<Lemma> {
        let (wiring, budget) = (&self.survey.wiring, self.budget);
        let equation = self.equation.get(|| Equation::new(wiring))?;
        let weights = equation.refute(wiring, states, &|| budget.check(0).is_err())?;
        let lemma = inequality::against(wiring, &weights, states)?;
        self.figures.inequalities += 1;
        Some(lemma)
    }

    fn by_traps(&mut self, states: &[StateId]) -> Vec<Lemma> {
        let wiring = &self.survey.wiring;
        let starts =
            || -> Vec<Vec<StateId>> { wiring.network().initial_state().into_iter().map(|s| vec![s]).collect() };
        let Some(traps) = self.traps.get(|| Some(Traps::new(wiring, &starts()))) else { return Vec::new() };
        let mut traps = traps.without(wiring, states);
        few(&mut traps, Vec::len);
        self.figures.traps += traps.len();
        traps.iter().map(|trap| Lemma::marked(wiring, trap)).collect()
    }
}

fn or_else(found: Vec<Lemma>, next: impl FnOnce() -> Vec<Lemma>) -> Vec<Lemma> {
    if found.is_empty() { next() } else { found }
}

/// Quantities, the small ones first; of larger ones, a few.
fn sparse(wiring: &Wiring<'_>, conserved: &Conserved, quantities: &[Quantity]) -> Vec<Weights> {
    let (mut sparse, mut dense) = (Vec::new(), 0);
    for &quantity in quantities {
        match conserved.weights(wiring, quantity, SMALL) {
            Some(weights) => sparse.push(weights),
            None if sparse.is_empty() && dense < TRIES => {
                dense += 1;
                sparse.extend(conserved.weights(wiring, quantity, usize::MAX));
            }
            None => {}
        }
    }
    sparse.sort_by_key(Weights::len);
    few(&mut sparse, Weights::len);
    sparse
}

/// Keeps those, in increasing order of size, that are small, and the first.
fn few<T>(sorted: &mut Vec<T>, size: impl Fn(&T) -> usize) {
    let keep = sorted.iter().take_while(|x| size(x) <= SMALL).count();
    sorted.truncate(keep.max(1));
}
