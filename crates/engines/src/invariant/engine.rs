//! Invariants first, then exactly: the engine.

use std::time::Duration;

use evidence::{Budget, Count, Evidence, Exhausted, Goal, Outcome, Progress, Reason, Trace, Verdict};
use solve::bdd::Bdd;

use super::{Strength, among, fed, show};
use crate::diagrams::order::Heuristic;
use crate::diagrams::rings::{Decided, Pace, Rings, decide};
use crate::diagrams::{self, Space, Stop};
use crate::question::{Networks, Question};

/// How long each direction is tried first.
const PATIENCE: Duration = Duration::from_millis(500);

/// How many suspects are shown.
const SHOWN: usize = 8;

/// How many deadlocks a run is shown to.
const RUNS: usize = 10_000;

/// What is done with suspects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exact {
    /// Nothing: they are shown.
    None,
    /// Backwards in passes and forwards in turn, each for longer, until one of them ends: each is hopeless where the
    /// other takes a moment.
    InTurn,
    /// Backwards from them, by distance or in passes over all rules.
    Rings(Pace),
    /// Forwards from the initial states, to all that is reachable.
    Forward,
}

/// The engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Invariants {
    /// Which invariants are used.
    pub strength: Strength,
    /// What is done with suspects.
    pub exact: Exact,
    /// Whether rings are replaced by smaller diagrams that agree with them inside the invariant.
    pub restrict: bool,
    /// The nodes of a ring beyond which suspects are taken one by one.
    pub one_by_one: Option<usize>,
    /// Whether every suspect is decided, and a run shown to each that is reachable.
    pub all: bool,
    /// How the components are ordered; the best of all ways unless one is named.
    pub order: Option<Heuristic>,
}

impl Default for Invariants {
    fn default() -> Self {
        Self {
            strength: Strength::default(),
            exact: Exact::InTurn,
            restrict: true,
            one_by_one: Some(1 << 20),
            all: false,
            order: None,
        }
    }
}

impl Networks for Invariants {
    fn name(&self) -> &'static str {
        "invariant"
    }

    fn decide(&self, question: &Question<'_>, budget: &Budget, _: &dyn Progress) -> Outcome {
        diagrams::answer(&question.network, self.order, budget, |space| {
            Phases { engine: self, question, space }.answer()
        })
    }
}

struct Phases<'q, 's, 'a> {
    engine: &'q Invariants,
    question: &'q Question<'q>,
    space: &'s Space<'a>,
}

/// What became of some goals.
enum Found {
    /// No suspect, or none that is reachable.
    Never(Evidence),
    /// Runs to suspects.
    Runs(Verdict, Vec<Trace>),
    /// So many suspects that nobody decided.
    Open(String),
}

impl Phases<'_, '_, '_> {
    /// What is asked for comes first, and then model errors: what is wished for may be reached though there are some.
    fn answer(&self) -> Result<Outcome, Stop> {
        let asked = self.question.asked();
        let mut outcome = Outcome::unknown(Reason::Candidates(Vec::new()));
        let mut evidence = None;
        for (goals, whose) in [(asked, "suspects"), (&self.question.goals[asked.len()..], "suspects of model errors")] {
            let open: Vec<Goal> = goals.iter().copied().filter(|&goal| !self.is_excluded(goal)).collect();
            if open.is_empty() {
                if !goals.is_empty() {
                    evidence.get_or_insert(Evidence::Structure("another engine excludes it".to_owned()));
                }
                continue;
            }
            match self.goals(&open, whose, &mut outcome)? {
                // What rests on a search somewhere rests on a search.
                Found::Never(_) if matches!(evidence, Some(Evidence::Exhausted(_))) => {}
                Found::Never(why) => evidence = Some(why),
                Found::Open(why) => {
                    return Ok(Outcome { verdict: Verdict::Unknown(Reason::Unsupported(why)), ..outcome });
                }
                Found::Runs(verdict, deadlocks) => return Ok(Outcome { verdict, deadlocks, ..outcome }),
            }
        }
        let evidence = evidence.unwrap_or_else(|| Evidence::Structure("nothing was asked for".to_owned()));
        Ok(Outcome { verdict: self.question.never(evidence), ..outcome })
    }

    fn goals(&self, goals: &[Goal], whose: &str, outcome: &mut Outcome) -> Result<Found, Stop> {
        let others = self.question.others;
        let (mut inv, mut suspects) = among(self.space, goals, &self.engine.strength, others)?;
        let mut heard = 0;
        self.feed(&mut heard, &mut inv.set, &mut suspects)?;
        let number = self.space.count(&suspects);
        let words = inv.used.words().into_iter().filter(|word| !outcome.techniques.contains(word));
        let words: Vec<String> = words.collect();
        outcome.techniques.extend(words);
        outcome.statistics.suspects = outcome.statistics.suspects.or(u64::try_from(&number).ok());
        outcome.counts.push(Count::new(whose, &number));
        if suspects.is_none() {
            self.exclude(goals);
            return Ok(Found::Never(Evidence::Structure("invariants leave no suspect".to_owned())));
        }
        if let Some(others) = others {
            fed::tell(self.space, goals, &suspects, others)?;
        }
        let decided = match self.engine.exact {
            Exact::None => {
                let shown = show(self.space, &suspects, SHOWN)?;
                outcome.techniques.extend(shown.iter().map(|suspect| format!("suspect: {suspect}")));
                return Ok(Found::Open(format!(
                    "{number} of the {whose} are left, and nobody was asked to decide them"
                )));
            }
            Exact::Rings(pace) => (self.rings(&inv.set, &suspects, pace)?, Exhausted::Backward),
            Exact::Forward => (self.forward(&suspects, outcome)?, Exhausted::Network),
            Exact::InTurn => self.in_turn(&mut heard, (inv.set, suspects), outcome)?,
        };
        let (decided, how) = decided;
        outcome.techniques.extend(decided.figures.words());
        if decided.excludes_all() {
            self.exclude(goals);
            return Ok(Found::Never(Evidence::Exhausted(how)));
        }
        self.reached(goals, &decided, outcome)
    }

    /// Leaves out what others have excluded since they were last asked.
    fn feed(&self, heard: &mut usize, inv: &mut Bdd, suspects: &mut Bdd) -> Result<(), Stop> {
        let lemmas = self.question.others.map(|others| others.lemmas(heard)).unwrap_or_default();
        (*inv, *suspects) = fed::trimmed(self.space, &lemmas, inv.clone(), suspects.clone())?;
        Ok(())
    }

    fn is_excluded(&self, goal: Goal) -> bool {
        self.question.others.is_some_and(|others| others.is_excluded(goal))
    }

    /// Tells others what is excluded.
    fn exclude(&self, goals: &[Goal]) {
        if let Some(others) = self.question.others {
            goals.iter().for_each(|&goal| others.excluded(goal));
        }
    }

    fn in_turn(
        &self,
        heard: &mut usize,
        (mut inv, mut suspects): (Bdd, Bdd),
        outcome: &mut Outcome,
    ) -> Result<(Decided, Exhausted), Stop> {
        let (mut patience, mut partly) = (PATIENCE, None);
        loop {
            self.feed(heard, &mut inv, &mut suspects)?;
            for how in [Exhausted::Backward, Exhausted::Network] {
                let tried = self.space.try_for(patience, || match how {
                    Exhausted::Backward => self.rings(&inv, &suspects, Pace::Chained),
                    _ => self.forward(&suspects, outcome),
                });
                match tried {
                    Ok(Some(decided)) if decided.stopped.is_none() => return Ok((decided, how)),
                    Ok(Some(decided)) => partly = Some((decided, how)),
                    Ok(None) => {}
                    Err(stop) => return partly.ok_or(stop),
                }
                if let (Err(_), Some(partly)) = (self.space.check(), &partly) {
                    return Ok(partly.clone());
                }
            }
            patience *= 4;
        }
    }

    fn rings(&self, inv: &Bdd, suspects: &Bdd, pace: Pace) -> Result<Decided, Stop> {
        let Invariants { restrict, one_by_one, all, .. } = *self.engine;
        let rings = Rings { pace, restrict, all, one_by_one };
        decide(self.space, inv, suspects, &rings, if all { RUNS } else { 1 })
    }

    /// All that is reachable, and inside it the way to each suspect.
    fn forward(&self, suspects: &Bdd, outcome: &mut Outcome) -> Result<Decided, Stop> {
        let reachable = self.space.reachable(&self.space.initial()?)?;
        // It may be tried again, with the same result.
        let states = Count::new("states", &self.space.count(&reachable));
        if !outcome.counts.contains(&states) {
            outcome.techniques.push(format!("all reachable states in a diagram of {} nodes", reachable.nodes()));
            outcome.counts.push(states);
        }
        self.rings(&reachable, &suspects.and(&reachable)?, Pace::Chained)
    }

    fn reached(&self, goals: &[Goal], decided: &Decided, outcome: &mut Outcome) -> Result<Found, Stop> {
        let (_, first) = decided.runs.first().expect("there is a run to what is reached");
        let verdict = self.question.reached(first);
        if !self.engine.all || goals != [Goal::Deadlock] {
            return Ok(Found::Runs(verdict, Vec::new()));
        }
        let number = self.space.count(&decided.reached);
        outcome.counts.push(Count::new("deadlocks", &number));
        let listed = decided.runs.iter().filter_map(|(_, run)| self.question.steps(run)).map(Trace::finite);
        let listed: Vec<Trace> = listed.collect();
        let all = decided.stopped.is_none() && u64::try_from(&number) == Ok(listed.len() as u64);
        let statistics = &mut outcome.statistics;
        (statistics.deadlocks, statistics.complete) =
            if all { (Some(listed.len() as u64), None) } else { (None, Some(false)) };
        if let Some(Stop(reason)) = &decided.stopped {
            outcome.warnings.push(format!("{reason}: there may be more deadlocks than these"));
        } else if !all {
            let shown = listed.len();
            outcome.warnings.push(format!("there are {number} deadlocks, and a run is shown to {shown} of them"));
        }
        Ok(Found::Runs(verdict, listed))
    }
}
