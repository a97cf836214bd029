//! Symbolic model checking: sets of states as decision diagrams, forwards from the initial states or backwards from what
//! is asked for. No invariant helps; that makes it an independent check on everyone else.

use evidence::{Budget, Count, Evidence, Exhausted, Goal, Outcome, Progress, Statistics, Verdict};
use solve::bdd::Bdd;

use crate::diagrams::order::Heuristic;
use crate::diagrams::rings::{Decided, Pace, Rings, decide};
use crate::diagrams::{self, Space, Stop};
use crate::question::{Networks, Question};

/// Where a search starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// From the initial states: all reachable states are found, and counted.
    #[default]
    Forward,
    /// From the states that are asked for, whether reachable or not.
    Backward,
}

/// The engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Symbolic {
    /// Where the search starts.
    pub direction: Direction,
    /// How the components are ordered; the best of all ways unless one is named.
    pub order: Option<Heuristic>,
}

impl Networks for Symbolic {
    fn name(&self) -> &'static str {
        "symbolic"
    }

    fn decide(&self, question: &Question<'_>, budget: &Budget, _: &dyn Progress) -> Outcome {
        diagrams::answer(&question.network, self.order, budget, |space| {
            let search = Search { question, space };
            match self.direction {
                Direction::Forward => search.forward(),
                Direction::Backward => search.backward(),
            }
        })
    }
}

struct Search<'q, 's, 'a> {
    question: &'q Question<'q>,
    space: &'s Space<'a>,
}

impl Search<'_, '_, '_> {
    fn forward(&self) -> Result<Outcome, Stop> {
        let reachable = self.space.reachable(&self.space.initial()?)?;
        let run = self.first(|goals| {
            let found = self.space.wanted(goals, &reachable)?;
            self.nearest(&reachable, &found)
        })?;
        let verdict = match run {
            Some(verdict) => verdict,
            None => self.question.never(Evidence::Exhausted(Exhausted::FullStateSpace)),
        };
        let deadlocks = self.space.blocked_for(&reachable, |rule| !self.question.asks(rule))?;
        let (states, deadlocks) = (self.space.count(&self.settled(&reachable)?), self.space.count(&deadlocks));
        let statistics = Statistics {
            states: u64::try_from(&states).ok(),
            deadlocks: u64::try_from(&deadlocks).ok(),
            complete: Some(true),
            ..Statistics::default()
        };
        let counts = vec![Count::new("states", &states), Count::new("deadlocks", &deadlocks)];
        let techniques = vec![format!("all reachable states in a diagram of {} nodes", reachable.nodes())];
        Ok(Outcome { counts, techniques, ..Outcome::new(verdict, statistics) })
    }

    /// The states in which nobody has control: the others belong to nobody, and are not counted.
    fn settled(&self, states: &Bdd) -> Result<Bdd, Stop> {
        let network = self.space.network();
        match network.control(self.question.system()) {
            Some(c) => self.space.all_of([states.clone(), self.space.at(c, network.component(c).initial())?]),
            None => Ok(states.clone()),
        }
    }

    fn backward(&self) -> Result<Outcome, Stop> {
        let valid = self.space.valid()?;
        let mut wanted = self.space.manager().none();
        let run = self.first(|goals| {
            wanted = self.space.wanted(goals, &valid)?;
            self.nearest(&valid, &wanted)
        })?;
        let verdict = match run {
            Some(verdict) => verdict,
            None => self.question.never(Evidence::Exhausted(Exhausted::Backward)),
        };
        let suspects = self.space.count(&wanted);
        let statistics = Statistics { suspects: u64::try_from(&suspects).ok(), ..Statistics::default() };
        let counts = vec![Count::new("suspects", &suspects)];
        Ok(Outcome { counts, ..Outcome::new(verdict, statistics) })
    }

    /// What is asked for comes first, and then model errors: what is wished for may be reached though there are some.
    fn first(&self, mut run: impl FnMut(&[Goal]) -> Result<Decided, Stop>) -> Result<Option<Verdict>, Stop> {
        let asked = self.question.asked();
        for goals in [asked, &self.question.goals[asked.len()..]] {
            let decided = run(goals)?;
            if let Some((_, run)) = decided.runs.first() {
                return Ok(Some(self.question.reached(run)));
            }
            assert!(decided.excludes_all(), "without a run, nothing is reachable");
        }
        Ok(None)
    }

    /// A run to one of some states, inside a set that no step leaves. In chained passes: a run that is shortest for
    /// certain takes far longer.
    fn nearest(&self, within: &Bdd, states: &Bdd) -> Result<Decided, Stop> {
        let rings = Rings { pace: Pace::Chained, restrict: true, all: false, one_by_one: None };
        decide(self.space, within, states, &rings, 1)
    }
}
