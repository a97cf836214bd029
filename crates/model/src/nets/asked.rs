//! Questions about systems that are asked of nets instead.
//!
//! What is asked about a state becomes a predicate over the places of the net: a *tester*, a transition that is enabled
//! where the answer is yes, is turned into arcs like any other transition; the places that it reads are the predicate,
//! and it is not part of the net. The same is done with steps that are model errors.

use super::{Goal, Predicate};
use crate::views::{ArcSet, Limits, Net, NetTransitionId, ViewError};
use crate::{Expr, Property, System, TransitionId};

/// Nets with more transitions than this, made of data, are out of reach.
const MOST_TRANSITIONS: usize = 1 << 16;

/// What is asked of a net instead of a system.
#[derive(Clone, Debug)]
pub struct AskedNet {
    /// The net without testers and errors.
    pub net: Net,
    /// One for each property: reaching it violates the property, or shows it if it is reachability. A dead marking where
    /// all processes may stop is no deadlock.
    pub goals: Vec<Goal>,
    /// The steps that are model errors, with what they need.
    pub errors: Vec<(TransitionId, Predicate)>,
}

impl AskedNet {
    /// The questions about a net that properties of a system amount to.
    pub fn new(system: &System, properties: &[&Property]) -> Result<Self, ViewError> {
        Self::unless(system, properties, &|| false)
    }

    /// The same, unless somebody stops it.
    pub fn unless(system: &System, properties: &[&Property], stop: &dyn Fn() -> bool) -> Result<Self, ViewError> {
        let limits = &Limits { rules: MOST_TRANSITIONS, stop, ..Limits::default() };
        let watched = properties.iter().map(|p| p.watched()).collect::<Result<Vec<_>, _>>()?;
        let uncontrolled = system.uncontrolled().map_err(|e| e.because("it cannot be seen as a net"))?;
        let asked = watched.iter().flatten().map(|&(e, value)| (uncontrolled.asked(e, value), value));
        let asked: Vec<(Expr, bool)> = asked.collect();
        let predicates: Vec<(&Expr, bool)> = asked.iter().map(|(e, value)| (e, *value)).collect();
        // Which property each predicate is of.
        let owners: Vec<usize> = (0..watched.len()).filter(|&i| watched[i].is_some()).collect();
        let tested = uncontrolled.system.tested(&predicates)?;
        let full = view(&tested.system, limits)?;
        // Which property a transition of the net tests.
        let tests = |t: NetTransitionId| {
            let id = full.transition(t).transition.expect("the net is made of a system").index();
            id.checked_sub(system.transitions().len()).map(|tester| owners[tested.testers[tester]])
        };
        let kept = full.transition_ids().filter(|&t| tests(t).is_none() && !full.transition(t).fault);
        let arcs = |t| ArcSet {
            transition: full.transition(t).clone(),
            pre: full.pre(t).to_vec(),
            post: full.post(t).to_vec(),
        };
        let net = Net::new(full.name(), full.places().to_vec(), kept.map(arcs).collect());
        let net = net.expect("a part of a net is a net");
        let goal = |(i, property): (usize, &&Property)| match property {
            Property::DeadlockFree => Goal::Dead,
            _ => {
                let ways = full.transition_ids().filter(|&t| tests(t) == Some(i));
                Goal::Satisfies(Predicate::any(ways.map(|t| Predicate::fireable(&full, t)).collect::<Vec<_>>()))
            }
        };
        let goals = properties.iter().enumerate().map(goal).collect();
        let faulty = full.transition_ids().filter(|&t| tests(t).is_none() && full.transition(t).fault);
        let error = |t| Some((full.transition(t).transition?, Predicate::fireable(&full, t)));
        let errors = faulty.filter_map(error).collect();
        Ok(Self { net, goals, errors })
    }

    /// What must never be reached so that the answer to a question is what it is without a run.
    pub fn unwanted(&self, question: usize) -> [Goal; 2] {
        let goal = match &self.goals[question] {
            Goal::Dead if self.net.places().iter().any(|place| place.end) => {
                let going = self.net.place_ids().filter(|&p| !self.net.place(p).end);
                let going = Predicate::any(going.map(|p| Predicate::at_least(p, 1)).collect::<Vec<_>>());
                Goal::Satisfies(Predicate::all([Predicate::dead(&self.net), going]))
            }
            goal => goal.clone(),
        };
        [goal, self.error()]
    }

    /// The same without what is impossible by itself.
    pub fn possible(&self, question: usize) -> Vec<Goal> {
        let impossible = |goal: &Goal| matches!(goal, Goal::Satisfies(Predicate::Constant(false)));
        self.unwanted(question).into_iter().filter(|goal| !impossible(goal)).collect()
    }

    /// Some step is a model error.
    pub fn error(&self) -> Goal {
        Goal::Satisfies(Predicate::any(self.errors.iter().map(|(_, needs)| needs.clone()).collect::<Vec<_>>()))
    }

    /// The transitions of a run, and one more that is a model error, if there is one at its end.
    pub fn error_after(&self, run: &[NetTransitionId]) -> Option<Vec<TransitionId>> {
        let last = run.iter().fold(self.net.initial_marking(), |marking, &t| self.net.fire(t, &marking));
        let (step, _) = self.errors.iter().find(|(_, needs)| needs.holds(&last))?;
        Some(self.steps(run).into_iter().chain([*step]).collect())
    }

    /// The transitions of the system that a run of the net consists of.
    pub fn steps(&self, run: &[NetTransitionId]) -> Vec<TransitionId> {
        run.iter().map(|&t| self.net.transition(t).transition.expect("the net is made of a system")).collect()
    }
}

/// The system as a net: with its counters as places if it can be, else with a place for each value.
fn view(system: &System, limits: &Limits<'_>) -> Result<Net, ViewError> {
    let by_value = || system.network(limits).and_then(|network| network.net(limits));
    system.net(limits).or_else(|_| by_value()).map_err(|e| e.because("it cannot be seen as a net"))
}
