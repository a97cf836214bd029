//! Symbolic model checking: sets of states as decision diagrams, forwards from the initial states or backwards from what
//! is asked for.

use std::time::Instant;

use evidence::{Budget, Count, Evidence, Exhausted, Outcome, Progress, Reason, Snapshot, Statistics, Verdict};
use model::views::{ComponentId, Network};
use solve::bdd::{Bdd, deep};

use crate::diagrams::{Forward, Setting, Space, Stop};
use crate::question::Question;
use crate::{Engine, Problem};

/// The most nodes of a set whose states are counted only to show how far the search is.
const COUNTED: usize = 20_000;

/// Where a search starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// From the initial states; all reachable states are counted if nothing ends it early.
    #[default]
    Forward,
    /// From the states that are asked for.
    Backward,
}

/// The engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Symbolic {
    /// Where the search starts.
    pub direction: Direction,
    /// Whether a forward search goes on after it found what was asked for, so that all states are counted.
    pub all: bool,
}

impl Engine for Symbolic {
    fn name(&self) -> &'static str {
        "symbolic"
    }

    fn supports(&self, problem: &Problem<'_>) -> Result<(), String> {
        Question::new(problem).map(|_| ())
    }

    fn run(&self, problem: &Problem<'_>, budget: &Budget, progress: &dyn Progress) -> Outcome {
        match Question::new(problem) {
            Ok(question) => self.decide(&question, budget, progress),
            Err(why) => Outcome::unknown(Reason::Unsupported(why)),
        }
    }
}

impl Symbolic {
    /// The answer to a question.
    pub fn decide(&self, question: &Question<'_>, budget: &Budget, progress: &dyn Progress) -> Outcome {
        let start = Instant::now();
        let network: &Network = &question.network;
        let mut outcome = deep(Space::variables(network), || {
            let order: Vec<ComponentId> = network.component_ids().collect();
            let space = Space::new(network, Setting { order, budget })?;
            Search { question, space: &space, progress, all: self.all }.forward()
        })
        .unwrap_or_else(|Stop(reason)| Outcome::unknown(reason));
        outcome.statistics.seconds = start.elapsed().as_secs_f64();
        outcome
    }
}

struct Search<'q, 's, 'a> {
    question: &'q Question<'q>,
    space: &'s Space<'a>,
    progress: &'q dyn Progress,
    all: bool,
}

impl Search<'_, '_, '_> {
    fn forward(&self) -> Result<Outcome, Stop> {
        let mut forward = Forward::new(self.space)?;
        let mut fresh = forward.known().clone();
        // What is wished for may be reached though there are model errors: those come last.
        let early = if self.question.is_wish() { self.question.asked() } else { &self.question.goals };
        let mut found = self.space.manager().none();
        while !fresh.is_none() {
            found = found.or(&self.space.wanted(early, &fresh)?)?;
            if !found.is_none() && !self.all {
                return self.reached(&forward, &found, false);
            }
            self.report(&forward);
            fresh = forward.pass()?;
        }
        if found.is_none() && early.len() < self.question.goals.len() {
            found = self.space.wanted(&self.question.goals, forward.known())?;
        }
        if !found.is_none() {
            return self.reached(&forward, &found, true);
        }
        let verdict = self.question.never(Evidence::Exhausted(Exhausted::FullStateSpace));
        self.outcome(verdict, &forward, true)
    }
}

impl Search<'_, '_, '_> {
    /// A run to one of the states that were found.
    fn reached(&self, forward: &Forward<'_, '_>, found: &Bdd, complete: bool) -> Result<Outcome, Stop> {
        let state = self.space.pick(found).expect("some were found");
        let (_, run) = forward.run(&state)?;
        self.outcome(self.question.reached(&run), forward, complete)
    }

    fn outcome(&self, verdict: Verdict, forward: &Forward<'_, '_>, complete: bool) -> Result<Outcome, Stop> {
        let states = self.space.count(forward.known());
        let mut statistics = Statistics {
            states: u64::try_from(&states).ok(),
            complete: Some(complete),
            peak_bytes: self.space.manager().bytes(),
            ..Statistics::default()
        };
        let mut counts = vec![Count::new("states", &states)];
        if complete {
            let blocked = self.space.blocked_for(forward.known(), |rule| !self.question.asks(rule))?;
            let deadlocks = self.space.count(&blocked);
            statistics.deadlocks = u64::try_from(&deadlocks).ok();
            counts.push(Count::new("deadlocks", &deadlocks));
        }
        let (passes, nodes) = (forward.passes(), forward.known().nodes());
        let techniques = vec![format!("{passes} passes over all rules, all states in a diagram of {nodes} nodes")];
        Ok(Outcome { counts, techniques, ..Outcome::new(verdict, statistics) })
    }

    fn report(&self, forward: &Forward<'_, '_>) {
        // Large numbers take their time.
        if forward.known().nodes() > COUNTED {
            return;
        }
        let states = u64::try_from(&self.space.count(forward.known())).unwrap_or(u64::MAX);
        let bytes = self.space.manager().bytes();
        self.progress.update(&Snapshot { states, transitions: 0, waiting: 0, bytes });
    }
}
