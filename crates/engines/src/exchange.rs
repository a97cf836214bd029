//! What engines that work on the same question tell each other while they do, as parallel provers share lemmas.
//!
//! - *Lemmas* hold in every reachable state. Whoever learns one posts it with its reason; whoever takes it may rely on it,
//!   and repeats the reason where a certificate needs it.
//! - *Candidates* satisfy a goal, and nobody has excluded them (the invariants' word is suspects). They are where to look,
//!   and prove nothing.
//! - *Excluded goals* need not be looked at again. Who leaves one out has no certificate of its own for it.
//!
//! All of it is about one network: components and states have numbers that mean nothing in another one, so an exchange
//! refuses whoever comes with another network. What is taken is recorded, for the report.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use evidence::Goal;
use model::LocationId;
use model::views::{ComponentId, Network, Origin, PlaceMeaning, StateId};

use crate::lemma::Because;
pub use crate::lemma::Lemma;
use crate::net::Proof;

/// How many lemmas are kept: each costs whoever takes it.
const LEMMAS: usize = 1 << 14;
/// How many candidates are kept.
const CANDIDATES: usize = 64;

/// A state that satisfies a goal and that nobody has excluded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The goal.
    pub goal: Goal,
    /// One state for each component.
    pub states: Vec<StateId>,
}

/// What is known about one question.
#[derive(Debug, Default)]
pub struct Exchange(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    /// What it is about, once somebody has joined who knows.
    subject: Option<Subject>,
    lemmas: Vec<Posted<Lemma>>,
    candidates: Vec<Posted<Candidate>>,
    excluded: Vec<Posted<Goal>>,
    /// Parts of the question whose goals are all excluded.
    parts: Vec<(Part, &'static str)>,
    /// Who has looked at all that local reasons exclude.
    surveyed: Option<&'static str>,
    taken: BTreeMap<(&'static str, &'static str, What), usize>,
}

/// A network, as far as its numbers mean something elsewhere, and what is asked of it.
#[derive(Debug, PartialEq)]
struct Subject {
    /// By component, what it stands for and its number of states.
    components: Vec<(Origin, usize)>,
    rules: usize,
    asked: Vec<Goal>,
    errors: Vec<Goal>,
}

/// A part of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// What is asked for.
    Asked,
    /// Model errors.
    Errors,
}

/// Some components of a candidate, each with its state and what that means in the system.
pub type Described = Vec<(ComponentId, StateId, PlaceMeaning)>;

#[derive(Debug)]
struct Posted<T> {
    what: Arc<T>,
    by: &'static str,
}

/// A sort of knowledge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// A lemma.
    Lemma,
    /// A candidate.
    Candidate,
    /// A goal that is excluded.
    Goal,
    /// That local reasons do not suffice.
    Survey,
}

/// Something that one engine took from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taken {
    /// Whose it was.
    pub from: &'static str,
    /// Who took it.
    pub to: &'static str,
    /// What it is.
    pub what: What,
    /// How many.
    pub number: usize,
}

impl Exchange {
    /// The access of an engine that works on a network: what is asked of it, and model errors.
    pub(crate) fn member<'a>(
        &'a self,
        name: &'static str,
        network: &Network,
        (asked, errors): (&[Goal], &[Goal]),
    ) -> Member<'a> {
        let components = network.components().iter().map(|c| (c.origin().clone(), c.states().len())).collect();
        let (rules, asked, errors) = (network.rule_ids().count(), asked.to_vec(), errors.to_vec());
        let subject = Subject { components, rules, asked, errors };
        match &mut self.known().subject {
            Some(first) => assert_eq!(*first, subject, "an exchange is about one question of one network"),
            none => *none = Some(subject),
        }
        Member { exchange: self, name }
    }

    /// The access of an engine that sees the system in another way.
    pub fn outsider<'a>(&'a self, name: &'static str) -> Member<'a> {
        Member { exchange: self, name }
    }

    /// Everything that somebody took from somebody else.
    pub fn taken(&self) -> Vec<Taken> {
        let known = self.known();
        known.taken.iter().map(|(&(from, to, what), &number)| Taken { from, to, what, number }).collect()
    }

    /// A lock that is never held while an engine works.
    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The access of one engine: what it posts is its own, and it takes what others posted.
#[derive(Clone, Copy, Debug)]
pub struct Member<'a> {
    exchange: &'a Exchange,
    name: &'static str,
}

impl Member<'_> {
    /// Posts lemmas.
    pub(crate) fn learned(&self, lemmas: impl IntoIterator<Item = Lemma>) {
        let (mut known, by) = (self.exchange.known(), self.name);
        let room = LEMMAS.saturating_sub(known.lemmas.len());
        let new = lemmas.into_iter().take(room).map(|lemma| Posted { what: Arc::new(lemma), by });
        known.lemmas.extend(new);
    }

    /// Posts a candidate.
    pub(crate) fn suspects(&self, candidate: &Candidate) {
        let (mut known, by) = (self.exchange.known(), self.name);
        if known.candidates.len() < CANDIDATES && known.candidates.iter().all(|c| *c.what != *candidate) {
            known.candidates.push(Posted { what: Arc::new(candidate.clone()), by });
        }
    }

    /// Posts that no reachable state satisfies a goal.
    pub(crate) fn excluded(&self, goal: Goal) {
        let (mut known, by) = (self.exchange.known(), self.name);
        if known.excluded.iter().all(|g| *g.what != goal) {
            known.excluded.push(Posted { what: Arc::new(goal), by });
        }
    }

    /// Posts that all local reasons were tried, and leave candidates.
    pub(crate) fn surveyed(&self) {
        self.exchange.known().surveyed.get_or_insert(self.name);
    }

    /// The lemmas of others from a number on, which becomes that of the next.
    pub(crate) fn lemmas(&self, seen: &mut usize) -> Vec<Arc<Lemma>> {
        self.take(What::Lemma, seen, |known| &known.lemmas)
    }

    /// The candidates of others from a number on that no lemma excludes.
    pub(crate) fn candidates(&self, seen: &mut usize) -> Vec<Arc<Candidate>> {
        let mut candidates = self.take(What::Candidate, seen, |known| &known.candidates);
        let known = self.exchange.known();
        candidates.retain(|s| !known.lemmas.iter().any(|lemma| lemma.what.excludes(&s.states)));
        candidates
    }

    /// Posts that an engine for nets has a proof that no goal of a part is reached.
    pub fn excluded_part(&self, part: Part, _: &Proof) {
        self.exchange.known().parts.push((part, self.name));
    }

    /// Posts that an engine for nets has a proof that no reachable state has these components where it says.
    pub fn excluded_together(&self, described: &Described, _: &Proof) {
        let confined = described.iter().map(|(c, s, _)| (*c, vec![*s])).collect();
        self.learned([Lemma { confined, because: Because::Elsewhere }]);
    }

    /// Candidates of others, as far as they mean something elsewhere.
    pub fn described(&self, seen: &mut usize) -> Vec<Described> {
        let candidates = self.candidates(seen);
        let known = self.exchange.known();
        let Some(subject) = &known.subject else { return Vec::new() };
        let described =
            |(c, &s): (usize, &StateId)| Some((ComponentId::new(c), s, meaning(&subject.components[c].0, s)?));
        candidates.iter().map(|candidate| candidate.states.iter().enumerate().filter_map(described).collect()).collect()
    }

    /// Lemmas of others from a number on, as far as they mean something elsewhere: of what is listed, something is so, or is
    /// not so, in every reachable state.
    pub fn said(&self, seen: &mut usize) -> Vec<Vec<(PlaceMeaning, bool)>> {
        let lemmas = self.lemmas(seen);
        let known = self.exchange.known();
        let Some(subject) = &known.subject else { return Vec::new() };
        let clause = |lemma: &Arc<Lemma>| {
            let mut clause = Vec::new();
            for (c, states) in &lemma.confined {
                let (origin, all) = &subject.components[c.index()];
                // Not in the only state, or in one of the others.
                let others = (0..*all).map(StateId::new).filter(|s| states.binary_search(s).is_err());
                match states[..] {
                    [only] => clause.push((meaning(origin, only)?, false)),
                    _ => clause.extend(others.map(|s| Some((meaning(origin, s)?, true))).collect::<Option<Vec<_>>>()?),
                }
            }
            Some(clause)
        };
        lemmas.iter().filter_map(clause).collect()
    }

    /// Whether others exclude all goals of a part, among them one at least.
    pub fn is_part_excluded(&self, part: Part) -> bool {
        let goals = match (&self.exchange.known().subject, part) {
            (Some(subject), Part::Asked) => subject.asked.clone(),
            (Some(subject), Part::Errors) => subject.errors.clone(),
            (None, _) => return false,
        };
        !goals.is_empty() && goals.iter().all(|&goal| self.is_excluded(goal))
    }

    /// Whether somebody else excludes a goal.
    pub(crate) fn is_excluded(&self, goal: Goal) -> bool {
        let mut known = self.exchange.known();
        let part = |part: &Part| {
            known.subject.as_ref().is_some_and(|subject| match part {
                Part::Asked => subject.asked.contains(&goal),
                Part::Errors => subject.errors.contains(&goal),
            })
        };
        let alone = known.excluded.iter().filter(|g| *g.what == goal).map(|g| g.by);
        let mut all = alone.chain(known.parts.iter().filter(|(p, _)| part(p)).map(|(_, by)| *by));
        let by = all.find(|by| *by != self.name);
        self.note(&mut known, What::Goal, by)
    }

    /// Whether somebody else has tried all local reasons in vain.
    pub(crate) fn is_surveyed(&self) -> bool {
        let mut known = self.exchange.known();
        let by = known.surveyed.filter(|by| *by != self.name);
        self.note(&mut known, What::Survey, by)
    }

    fn note(&self, known: &mut Known, what: What, by: Option<&'static str>) -> bool {
        if let Some(by) = by {
            *known.taken.entry((by, self.name, what)).or_default() += 1;
        }
        by.is_some()
    }

    fn take<T>(&self, what: What, seen: &mut usize, list: impl Fn(&Known) -> &Vec<Posted<T>>) -> Vec<Arc<T>> {
        let mut known = self.exchange.known();
        let (new, all) = (std::mem::replace(seen, list(&known).len()), list(&known));
        let posted: Vec<(Arc<T>, &'static str)> = all[new.min(all.len())..]
            .iter()
            .filter(|posted| posted.by != self.name)
            .map(|posted| (Arc::clone(&posted.what), posted.by))
            .collect();
        for (_, by) in &posted {
            self.note(&mut known, what, Some(by));
        }
        posted.into_iter().map(|(what, _)| what).collect()
    }
}

/// What a state of a component is in the system.
fn meaning(origin: &Origin, s: StateId) -> Option<PlaceMeaning> {
    Some(match origin {
        Origin::Given => return None,
        Origin::Process(p) => PlaceMeaning::Location(*p, LocationId(s.0)),
        Origin::Object { object, values } => PlaceMeaning::Value(*object, values[s.index()].clone()),
    })
}

#[cfg(test)]
mod tests;
