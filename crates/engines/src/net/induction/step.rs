//! The induction step: can markings without the goal lead to one with it?

use std::collections::{BTreeSet, HashMap};

use model::nets::Predicate;
use model::views::{NetTransitionId, PlaceId};
use solve::sat::{Answer, Literal};

use super::facts::Facts;
use super::patience::Patience;
use super::unrolling::{Direction, Step, Unrolling};
use crate::net::structural::marked_traps;

/// So many traps are taken from one marking.
const TRAPS: usize = 20;

/// The last steps of a shortest run to the goal, one more at a time.
pub(super) struct Induction<'a> {
    unrolling: Unrolling<'a>,
    /// True outside the goal.
    negated: Predicate,
    observed: Vec<PlaceId>,
    /// The transitions that each step may have, the last step first.
    cones: Vec<Vec<NetTransitionId>>,
    /// The step that was added last.
    earliest: Option<Step>,
    traps: Vec<Vec<PlaceId>>,
}

impl<'a> Induction<'a> {
    /// Only the goal itself; `None` if its numbers are too large.
    pub(super) fn new(facts: &'a Facts<'a>, goal: &Predicate) -> Option<Self> {
        let mut unrolling = Unrolling::new(facts, Direction::Backward);
        let reached = unrolling.predicate(0, goal);
        unrolling.cnf.clause(&[reached]);
        let (negated, observed) = (goal.negated()?, goal.places());
        unrolling.keep_flows(0, observed.iter().copied());
        Some(Self { unrolling, negated, observed, cones: Vec::new(), earliest: None, traps: Vec::new() })
    }

    /// How many steps there are.
    pub(super) fn depth(&self) -> usize {
        self.cones.len()
    }

    /// The transitions that each step may have, the last step first.
    pub(super) fn cones(&self) -> &[Vec<NetTransitionId>] {
        &self.cones
    }

    /// Adds a step before the others; `None` if patience ends.
    pub(super) fn deepen(&mut self, patience: &Patience<'_>) -> Option<()> {
        let cone = match &self.earliest {
            None => changers(self.unrolling.facts, &self.observed),
            Some(step) => dependents(self.unrolling.facts, step),
        };
        let step = self.unrolling.step(&cone, patience)?;
        let some: Vec<Literal> = step.fired.iter().map(|f| f.1).collect();
        self.unrolling.cnf.clause(&some);
        if let Some(later) = self.earliest.take() {
            self.support(&step, &later);
        }
        let marking = self.unrolling.last();
        let outside = self.unrolling.predicate(marking, &self.negated);
        self.unrolling.cnf.clause(&[outside]);
        self.unrolling.keep_flows(marking, step.users.keys().copied());
        for i in 0..self.traps.len() {
            self.keep_trap(marking, i);
        }
        self.cones.push(cone);
        self.earliest = Some(step);
        Some(())
    }

    /// Whether there are such steps.
    pub(super) fn ask(&mut self, patience: &Patience<'_>) -> Answer {
        loop {
            match self.unrolling.cnf.solve(&[], &mut |bytes| patience.is_over(bytes)) {
                Answer::Model if self.refine() => {}
                answer => return answer,
            }
        }
    }

    /// Each transition has one in the next step that it cannot change places with.
    fn support(&mut self, step: &Step, later: &Step) {
        let cnf = &mut self.unrolling.cnf;
        let mut name = |literals: Vec<Literal>| {
            let name = cnf.fresh();
            let clause: Vec<Literal> = std::iter::once(!name).chain(literals).collect();
            cnf.clause(&clause);
            name
        };
        let mut named = HashMap::new();
        for (&p, users) in later.users.iter().filter(|(p, _)| step.users.contains_key(p)) {
            let changers = users.changers.iter().map(|c| c.1);
            let changed = name(changers.clone().collect());
            named.insert(p, (changed, name(changers.chain(users.readers.iter().copied()).collect())));
        }
        for &(t, fires) in &step.fired {
            let touches = self.unrolling.facts.touches(t).iter();
            let reasons = touches.filter_map(|touch| {
                let &(changed, touched) = named.get(&touch.place)?;
                Some(if touch.change == 0 { changed } else { touched })
            });
            let clause: Vec<Literal> = std::iter::once(!fires).chain(reasons).collect();
            self.unrolling.cnf.clause(&clause);
        }
    }

    /// Excludes markings where a trap is empty that is marked in the beginning.
    fn refine(&mut self) -> bool {
        let net = self.unrolling.facts.net;
        let mut found = BTreeSet::new();
        for marking in 0..=self.unrolling.last() {
            let is_empty = |p| {
                let tokens = self.unrolling.seen(marking, p);
                tokens.is_some_and(|t| t.more_than.first().is_none_or(|&some| !self.unrolling.cnf.holds(some)))
            };
            found.extend(marked_traps(net, net.place_ids().map(is_empty).collect(), TRAPS));
        }
        let known = self.traps.len();
        self.traps.extend(found);
        for i in known..self.traps.len() {
            (0..=self.unrolling.last()).for_each(|marking| self.keep_trap(marking, i));
        }
        self.traps.len() > known
    }

    fn keep_trap(&mut self, marking: usize, trap: usize) {
        let some = |&p: &PlaceId| {
            let tokens = self.unrolling.tokens(marking, p);
            tokens.more_than.first().copied()
        };
        let clause: Vec<Literal> = self.traps[trap].iter().filter_map(some).collect();
        self.unrolling.cnf.clause(&clause);
    }
}

/// The transitions that change one of the places.
fn changers(facts: &Facts<'_>, places: &[PlaceId]) -> Vec<NetTransitionId> {
    let changers = places.iter().flat_map(|&p| facts.users(p)).filter(|user| user.1 != 0);
    let changers: BTreeSet<NetTransitionId> = changers.map(|user| user.0).collect();
    changers.into_iter().collect()
}

/// The transitions that depend on some that may be in a step: they touch a place, and one of both changes it.
fn dependents(facts: &Facts<'_>, step: &Step) -> Vec<NetTransitionId> {
    let users = step.users.iter().flat_map(|(&p, users)| facts.users(p).iter().map(move |user| (user, users)));
    let dependents = users.filter(|(user, users)| user.1 != 0 || !users.changers.is_empty());
    let dependents: BTreeSet<NetTransitionId> = dependents.map(|(user, _)| user.0).collect();
    dependents.into_iter().collect()
}
