//! Candidates that pairs, inequalities and traps leave are refuted by larger groups of components, or confirmed by a run.
//!
//! A group grows around each component in turn. If its members cannot be where the candidate has them, even with all
//! other components ignored, the candidate is refuted and the reason learned. Otherwise the run that leads them there
//! says which component to add: the first that cannot follow it by itself, or the one that takes part most often.

use std::collections::HashSet;
use std::sync::Arc;

use evidence::{Budget, Goal, Reason};
use model::views::{ComponentId, EventId, Network, RuleId, StateId};

use super::Candidate;
use super::guided::{Found, distances, search};
use super::projection::{JointStep, Projection};
use crate::lemma::{Because, JointStates, Lemma};
use crate::question::Run;

/// What a search of the whole network found.
#[derive(Debug)]
pub(super) enum Hunt {
    /// A run to what a goal describes, not necessarily that of the candidate.
    Reached(Run),
    /// Every reachable state was visited, and no goal was met.
    Exhausted,
    /// There are more states than may be visited.
    TooMany,
}

/// The most joint states of a group: its table is part of the certificate.
const TABLE: usize = 1 << 16;
/// The most components around which groups grow.
const SEEDS: usize = 128;
/// The states that the first search of the whole network may visit; later ones twice as many as the one before.
const FIRST: usize = 1 << 13;
/// The most states that such a search may visit while there are other candidates to look at.
const MOST: usize = 1 << 17;
/// The most states that the last search may visit.
const LONG: usize = 1 << 23;

/// Refutes and confirms candidates, and remembers what it learned.
#[derive(Debug)]
pub(super) struct Refiner<'a> {
    network: &'a Network,
    /// By component: the rules that it takes part in.
    rules: Vec<Vec<RuleId>>,
    /// What must not be met: rules that are enabled, and deadlocks.
    watched: Vec<RuleId>,
    deadlock: bool,
    /// The rules that change nothing, and are left out of projections.
    faults: Vec<RuleId>,
    known: Vec<Arc<JointStates>>,
    /// The most members of a group.
    groups: usize,
    allowance: usize,
}

impl<'a> Refiner<'a> {
    /// Groups have at most so many members; searches end where a goal is met.
    pub(super) fn new(network: &'a Network, groups: usize, goals: &[Goal]) -> Self {
        let mut rules = vec![Vec::new(); network.components().len()];
        for id in network.rule_ids() {
            network.rule(id).participants.iter().for_each(|(c, _)| rules[c.index()].push(id));
        }
        let enabled = |goal: &Goal| if let Goal::Enabled(rule) = goal { Some(RuleId::new(*rule)) } else { None };
        let watched = goals.iter().filter_map(enabled).collect();
        let idle = |r: &RuleId| network.rule(*r).fault || network.rule(*r).participants.is_empty();
        let faults = network.rule_ids().filter(idle).collect();
        let deadlock = goals.contains(&Goal::Deadlock);
        Self { network, rules, watched, deadlock, faults, known: Vec::new(), groups, allowance: FIRST }
    }

    /// Takes over what somebody else found out about a group.
    pub(super) fn know(&mut self, group: &Arc<JointStates>) {
        if !self.known.iter().any(|known| Arc::ptr_eq(known, group)) {
            self.known.push(Arc::clone(group));
        }
    }

    /// Groups around a candidate; an error if the budget is used up.
    pub(super) fn refute(&mut self, candidate: &Candidate, budget: &Budget) -> Result<Option<Lemma>, Reason> {
        for group in &self.known {
            if let Some(lemma) = lemma(self.network, group, &candidate.states) {
                return Ok(Some(lemma));
            }
        }
        let mut seeds: Vec<Vec<ComponentId>> = self.seeds(candidate);
        let mut tried = HashSet::new();
        while !seeds.is_empty() {
            let mut grown = Vec::new();
            for members in seeds {
                if !tried.insert(members.clone()) {
                    continue;
                }
                match self.attempt(&members, candidate, budget)? {
                    Attempt::Refuted(lemma) => return Ok(Some(lemma)),
                    Attempt::Next(c) if members.len() < self.groups => grown.push(with(&members, c)),
                    Attempt::Next(_) | Attempt::Nothing => {}
                }
            }
            seeds = grown;
        }
        Ok(None)
    }

    /// Searches the whole network for what a goal describes, near the candidate first.
    pub(super) fn hunt(&mut self, candidate: &Candidate, budget: &Budget) -> Result<Hunt, Reason> {
        let hunt = self.search(candidate, self.allowance, budget)?;
        if let Hunt::TooMany = hunt {
            self.allowance = (2 * self.allowance).min(MOST);
        }
        Ok(hunt)
    }

    /// The same, with all the patience that there is.
    pub(super) fn hunt_long(&self, candidate: &Candidate, budget: &Budget) -> Result<Hunt, Reason> {
        self.search(candidate, LONG, budget)
    }

    fn search(&self, candidate: &Candidate, most: usize, budget: &Budget) -> Result<Hunt, Reason> {
        let components = self.network.components();
        let all: Vec<ComponentId> = self.network.component_ids().collect();
        let projection = Projection::new(self.network, all, self.network.rule_ids());
        let distance: Vec<Vec<u32>> = components.iter().zip(&candidate.states).map(|(c, &s)| distances(c, s)).collect();
        match search(&projection, &distance, most, budget, |states, moves| self.is_met(states, moves)) {
            Found::Run(run) => {
                let rule = |(step, states): (u32, Vec<StateId>)| (projection.step(step).rules[0], states);
                Ok(Hunt::Reached(run.into_iter().map(rule).collect()))
            }
            Found::Exhausted(_) => Ok(Hunt::Exhausted),
            Found::TooMany => Ok(Hunt::TooMany),
            Found::Stopped(reason) => Err(reason),
        }
    }

    /// Whether a goal is met in a state that `moves`, faults apart.
    fn is_met(&self, states: &[StateId], moves: bool) -> bool {
        let any = |rules: &[RuleId]| rules.iter().any(|&rule| self.network.is_enabled(rule, states));
        let stuck = || !moves && !self.network.at_end(states) && !any(&self.faults);
        any(&self.watched) || (self.deadlock && stuck())
    }

    /// Components around which groups grow: those of the goal, and those that have moved, first.
    fn seeds(&self, candidate: &Candidate) -> Vec<Vec<ComponentId>> {
        let goal: Vec<ComponentId> = match candidate.goal {
            Goal::Enabled(rule) => self.network.rules()[rule].participants.iter().map(|(c, _)| *c).collect(),
            Goal::Deadlock => Vec::new(),
        };
        let mut all: Vec<ComponentId> = self.network.component_ids().collect();
        let moved = |c: ComponentId| self.network.component(c).initial() != candidate.states[c.index()];
        all.sort_by_key(|&c| (!goal.contains(&c), !moved(c)));
        all.truncate(SEEDS);
        all.into_iter().map(|c| vec![c]).collect()
    }

    fn attempt(&mut self, members: &[ComponentId], candidate: &Candidate, budget: &Budget) -> Result<Attempt, Reason> {
        let mut rules: Vec<RuleId> = members.iter().flat_map(|c| &self.rules[c.index()]).copied().collect();
        rules.sort_unstable();
        rules.dedup();
        let projection = Projection::new(self.network, members.to_vec(), rules.into_iter());
        let target: Vec<StateId> = members.iter().map(|c| candidate.states[c.index()]).collect();
        let distance = members.iter().zip(&target).map(|(&c, &s)| distances(self.network.component(c), s));
        let distance: Vec<Vec<u32>> = distance.collect();
        match search(&projection, &distance, TABLE, budget, |states, _| states == target) {
            Found::Run(run) => {
                let next = self.next(&projection, &run, candidate, budget)?;
                Ok(next.map_or(Attempt::Nothing, Attempt::Next))
            }
            Found::Exhausted(store) => {
                let states = |index: usize| {
                    let mut states = Vec::new();
                    projection.unpack(store.get(index as u32), &mut states);
                    states
                };
                let mut rows: Vec<Vec<StateId>> = (0..store.len()).map(states).collect();
                rows.sort_unstable();
                let group = Arc::new(JointStates { members: members.to_vec(), table: rows.concat() });
                self.known.push(Arc::clone(&group));
                let lemma = lemma(self.network, &group, &candidate.states);
                Ok(Attempt::Refuted(lemma.expect("the candidate's states are not in the table")))
            }
            Found::TooMany => Ok(Attempt::Nothing),
            Found::Stopped(reason) => Err(reason),
        }
    }

    /// The component that should join the members of a projection, after a run of theirs to the candidate.
    fn next(
        &self,
        projection: &Projection<'_>,
        run: &[(u32, Vec<StateId>)],
        candidate: &Candidate,
        budget: &Budget,
    ) -> Result<Option<ComponentId>, Reason> {
        let members: HashSet<ComponentId> = projection.members().iter().copied().collect();
        let steps: Vec<&JointStep> = run.iter().map(|(step, _)| projection.step(*step)).collect();
        let mut neighbours: Vec<ComponentId> = Vec::new();
        for c in projection.members() {
            for rule in &self.rules[c.index()] {
                let others = self.network.rule(*rule).participants.iter().map(|(c, _)| *c);
                neighbours.extend(others.filter(|c| !members.contains(c)));
            }
        }
        neighbours.sort_unstable();
        neighbours.dedup();
        let merit = |c: &ComponentId| {
            let failure = self.fails_to_follow(*c, &members, &steps, candidate.states[c.index()]);
            let takes_part = |s: &&&JointStep| s.rules.iter().any(|&r| self.event(r, *c).is_some());
            (failure.unwrap_or(usize::MAX), usize::MAX - steps.iter().filter(takes_part).count())
        };
        let mut best = None;
        for c in neighbours {
            budget.check(0)?;
            let merit = merit(&c);
            if best.is_none_or(|(least, _)| merit < least) {
                best = Some((merit, c));
            }
        }
        Ok(best.map(|(_, c)| c))
    }

    /// The first step of a run that a component cannot take part in, whatever it does between the steps without the
    /// members of the group; the number of steps if it can, but not be in `last` afterwards.
    fn fails_to_follow(
        &self,
        c: ComponentId,
        members: &HashSet<ComponentId>,
        steps: &[&JointStep],
        last: StateId,
    ) -> Option<usize> {
        let component = self.network.component(c);
        let free: HashSet<EventId> = self.rules[c.index()]
            .iter()
            .filter(|&&r| self.network.rule(r).participants.iter().all(|(other, _)| !members.contains(other)))
            .filter_map(|&r| self.event(r, c))
            .collect();
        let roam = |mut states: Vec<StateId>| {
            let mut seen: HashSet<StateId> = states.iter().copied().collect();
            let mut next = 0;
            while let Some(&state) = states.get(next) {
                let moves = component.moves(state).iter().filter(|m| free.contains(&m.event));
                states.extend(moves.map(|m| m.to).filter(|to| seen.insert(*to)).collect::<Vec<_>>());
                next += 1;
            }
            states
        };
        let mut states = roam(vec![component.initial()]);
        for (number, step) in steps.iter().enumerate() {
            let mut after = HashSet::new();
            // Many rules mean the same for one component.
            let events: HashSet<Option<EventId>> = step.rules.iter().map(|&rule| self.event(rule, c)).collect();
            for event in events {
                match event {
                    None => after.extend(states.iter().copied()),
                    Some(e) => after.extend(states.iter().flat_map(|&s| component.moves_with(s, e)).map(|m| m.to)),
                }
            }
            if after.is_empty() {
                return Some(number);
            }
            states = roam(after.into_iter().collect());
        }
        (!states.contains(&last)).then_some(steps.len())
    }

    /// The event with which a component takes part in a rule.
    fn event(&self, rule: RuleId, c: ComponentId) -> Option<EventId> {
        let participants = &self.network.rule(rule).participants;
        participants.binary_search_by_key(&c, |(c, _)| *c).ok().map(|i| participants[i].1)
    }
}

enum Attempt {
    Refuted(Lemma),
    /// The members reach the candidate; this component should join them.
    Next(ComponentId),
    Nothing,
}

/// The members and one more.
fn with(members: &[ComponentId], c: ComponentId) -> Vec<ComponentId> {
    let mut members = members.to_vec();
    members.push(c);
    members.sort_unstable();
    members
}

/// If a group does not reach what a candidate has: as much as possible that it does not reach either.
fn lemma(network: &Network, group: &Arc<JointStates>, states: &[StateId]) -> Option<Lemma> {
    let target: Vec<StateId> = group.members.iter().map(|c| states[c.index()]).collect();
    if group.rows().any(|row| row == target) {
        return None;
    }
    let mut inside: Vec<Vec<bool>> = Vec::new();
    for (c, s) in group.members.iter().zip(&target) {
        let mut states = vec![false; network.component(*c).states().len()];
        states[s.index()] = true;
        inside.push(states);
    }
    for member in 0..target.len() {
        // What the member is in while all others are confined is what it cannot be allowed.
        let mut allowed = vec![true; inside[member].len()];
        for row in group.rows() {
            if row.iter().enumerate().all(|(other, s)| other == member || inside[other][s.index()]) {
                allowed[row[member].index()] = false;
            }
        }
        inside[member] = allowed;
    }
    // Who may be anywhere does not matter.
    let confined = group.members.iter().zip(&inside).filter(|(_, set)| set.contains(&false));
    let states = |set: &Vec<bool>| (0..set.len()).filter(|&s| set[s]).map(StateId::new).collect();
    let confined = confined.map(|(&c, set)| (c, states(set))).collect();
    Some(Lemma { confined, because: Because::Group(Arc::clone(group)) })
}

#[cfg(test)]
mod tests;
