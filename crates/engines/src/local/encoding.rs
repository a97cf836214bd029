//! The clauses of the question "is there a candidate?", each with its reason.
//!
//! A variable says that a component is in a set of its states. It is *implied* by the states of the set, and all other
//! clauses deny that components are in some sets, except that each component is in one of its states at least. So nothing
//! has to say that a component is in one state at most: of several states that a model makes true, any one will do. A
//! trap, too, is said to be marked by denying that all components are outside.
//!
//! States that are out of question for a reason of their own get no variable: they are denied as a set.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use evidence::{Budget, Goal, Reason};
use model::views::{ComponentId, EventId, RuleId, StateId};
use solve::sat::{Answer, Literal, Sat, Stop};

use super::survey::{Cause, Left, Survey};
use crate::lemma::Lemma;

/// Clauses, and the solver that has them.
#[derive(Debug)]
pub(super) struct Formula {
    sat: Sat,
    /// By component.
    left: Vec<Left>,
    /// By variable: what it means.
    sets: Vec<(ComponentId, Vec<StateId>)>,
    /// By local state: the number of its variable, plus one.
    single: Vec<u32>,
    /// By hash, the larger sets.
    known: HashMap<u64, Vec<u32>>,
    literals: Vec<Literal>,
    /// Where each clause ends, and why it holds; `None` for a candidate that is passed over.
    clauses: Vec<(usize, Option<Cause>)>,
}

/// The solver asks at every decision: between two of them there can be seconds, if sets are large.
fn stop(budget: &Budget) -> Stop {
    let budget = budget.clone();
    Box::new(move || budget.check(0).is_err())
}

impl Formula {
    /// The clauses that hold in every reachable state: of a deadlock, if that is looked for.
    pub(super) fn new(survey: &Survey<'_>, deadlock: bool, budget: &Budget) -> Result<Self, Reason> {
        let mut sat = Sat::new(stop(budget));
        sat.keep_learned();
        let mut formula = Self {
            sat,
            left: survey.network().component_ids().map(|c| survey.left(c, deadlock)).collect(),
            sets: Vec::new(),
            single: vec![0; survey.wiring.states()],
            known: HashMap::new(),
            literals: Vec::new(),
            clauses: Vec::new(),
        };
        formula.states(survey);
        if deadlock {
            formula.blocked(survey);
            formula.end(survey);
        }
        for pair in 0..survey.kinds.pairs.len() {
            budget.check(formula.bytes())?;
            formula.pair(survey, pair);
        }
        Ok(formula)
    }

    /// Each component is in one of its states.
    fn states(&mut self, survey: &Survey<'_>) {
        for c in survey.network().component_ids() {
            let left = std::mem::take(&mut self.left[c.index()]);
            let mut some = Vec::new();
            for (states, cause) in &left.excluded {
                let out = self.set(survey, c, states);
                self.clause(vec![!out], Some(*cause));
                some.push(out);
            }
            some.extend(left.alive.iter().map(|s| self.set(survey, c, &[*s])));
            self.left[c.index()] = left;
            self.clause(some, Some(Cause::Component));
        }
    }

    /// Some participant of each rule refuses.
    fn blocked(&mut self, survey: &Survey<'_>) {
        let mut ports: Vec<Option<Option<Literal>>> = vec![None; survey.wiring.ports()];
        let mut seen = HashSet::new();
        for r in survey.network().rule_ids() {
            let participants = &survey.network().rule(r).participants;
            if participants.len() == 1 {
                continue;
            }
            let offers = participants.iter().map(|&(c, e)| {
                let port = survey.wiring.port(c, e);
                *ports[port].get_or_insert_with(|| self.confining(survey, c, &survey.wiring.offering(c, e)))
            });
            if let Some(offers) = offers.collect::<Option<Vec<Literal>>>()
                && seen.insert(offers.clone())
            {
                self.clause(offers.into_iter().map(|o| !o).collect(), Some(Cause::Rule(r)));
            }
        }
    }

    /// Not all components are where they may stop.
    fn end(&mut self, survey: &Survey<'_>) {
        let network = survey.network();
        let ends = network.component_ids().map(|c| {
            let states = network.component(c).states();
            let ends: Vec<StateId> = (0..states.len()).filter(|&s| states[s].end).map(StateId::new).collect();
            self.confining(survey, c, &ends)
        });
        if let Some(ends) = ends.collect::<Option<Vec<Literal>>>()
            && !ends.is_empty()
        {
            self.clause(ends.into_iter().map(|e| !e).collect(), Some(Cause::End));
        }
    }

    /// Two components are in states that they reach together.
    fn pair(&mut self, survey: &Survey<'_>, number: usize) {
        let Some(reach) = survey.reach(number).filter(|_| survey.is_eager(number)) else { return };
        let members = survey.kinds.pairs[number].members;
        let mut by_class = [0, 1].map(|side| vec![Vec::new(); reach.classes[side]]);
        for side in [0, 1] {
            for &s in &self.left[members[side].index()].alive {
                by_class[side][survey.class(reach, number, side, s)].push(s);
            }
        }
        let mut seconds: Vec<Option<Literal>> = vec![None; reach.classes[1]];
        for (a, first) in by_class[0].iter().enumerate().filter(|(_, states)| !states.is_empty()) {
            let mut literal = None;
            for (b, second) in by_class[1].iter().enumerate() {
                if second.is_empty() || reach.meets.has(a, b) {
                    continue;
                }
                let x = *literal.get_or_insert_with(|| self.set(survey, members[0], first));
                let y = *seconds[b].get_or_insert_with(|| self.set(survey, members[1], second));
                self.clause(vec![!x, !y], Some(Cause::Pair(number)));
            }
        }
    }

    /// Adds what was learned, by its number.
    pub(super) fn learn(&mut self, survey: &Survey<'_>, number: usize, lemma: &Lemma) {
        let confined = lemma.confined.iter().map(|(c, states)| self.confining(survey, *c, states));
        // A component that has none of the states left satisfies the clause.
        if let Some(confined) = confined.collect::<Option<Vec<Literal>>>() {
            self.clause(confined.into_iter().map(|l| !l).collect(), Some(Cause::Lemma(number)));
        }
    }

    /// Passes over a candidate from now on.
    pub(super) fn pass(&mut self, survey: &Survey<'_>, states: &[StateId]) {
        let single = |(c, s): (usize, &StateId)| !self.set(survey, ComponentId::new(c), &[*s]);
        let clause = states.iter().enumerate().map(single).collect();
        self.clause(clause, None);
    }

    /// What has to be assumed so that a rule is enabled.
    pub(super) fn enabling(&mut self, survey: &Survey<'_>, rule: RuleId) -> Vec<Literal> {
        let participants = &survey.network().rule(rule).participants;
        participants.iter().map(|&(c, e)| self.offer(survey, c, e)).collect()
    }

    /// A variable that makes a component offer an event.
    fn offer(&mut self, survey: &Survey<'_>, c: ComponentId, e: EventId) -> Literal {
        let states = survey.wiring.offering(c, e);
        let offer = self.set(survey, c, &states);
        if states.len() != 1 || !self.left[c.index()].alive.contains(&states[0]) {
            let mut clause = vec![!offer];
            let excluded: Vec<Vec<StateId>> = self.left[c.index()].excluded.iter().map(|x| x.0.clone()).collect();
            clause.extend(excluded.iter().map(|x| self.set(survey, c, x)));
            let alive: Vec<StateId> = self.alive(c, &states);
            clause.extend(alive.iter().map(|s| self.set(survey, c, &[*s])));
            self.clause(clause, Some(Cause::Component));
        }
        offer
    }

    /// Asks for a model.
    pub(super) fn solve(&mut self, assumed: &[Literal]) -> Answer {
        self.sat.solve_with(assumed)
    }

    /// A candidate of the model: for each component one of the states that are true, one that the goal wants.
    pub(super) fn candidate(&self, survey: &Survey<'_>, goal: Goal) -> Vec<StateId> {
        let network = survey.network();
        let mut wanted: HashMap<ComponentId, EventId> = HashMap::new();
        if let Goal::Enabled(rule) = goal {
            wanted.extend(network.rule(RuleId::new(rule)).participants.iter().copied());
        }
        let choose = |c: ComponentId| {
            let holds = |s: &StateId| {
                let variable = self.single[survey.wiring.state(c, *s)];
                variable > 0 && self.sat.holds(Literal::new(variable as usize - 1, true))
            };
            let offers =
                |s: &StateId| wanted.get(&c).is_none_or(|e| !network.component(c).moves_with(*s, *e).is_empty());
            *self.left[c.index()]
                .alive
                .iter()
                .find(|s| holds(s) && offers(s))
                .expect("a state of each component is true")
        };
        network.component_ids().map(choose).collect()
    }

    /// The literal that a component is in one of these states, of those that are left; `None` if there are none.
    fn confining(&mut self, survey: &Survey<'_>, c: ComponentId, states: &[StateId]) -> Option<Literal> {
        let alive = self.alive(c, states);
        if alive.is_empty() { None } else { Some(self.set(survey, c, &alive)) }
    }

    /// Those of some states, in increasing order, that are left.
    fn alive(&self, c: ComponentId, states: &[StateId]) -> Vec<StateId> {
        let alive = &self.left[c.index()].alive;
        states.iter().copied().filter(|s| alive.binary_search(s).is_ok()).collect()
    }

    /// The literal that a component is in one of these states.
    fn set(&mut self, survey: &Survey<'_>, c: ComponentId, states: &[StateId]) -> Literal {
        if let [s] = states {
            let state = survey.wiring.state(c, *s);
            if self.single[state] == 0 {
                self.single[state] = self.fresh(c, states) + 1;
            }
            return Literal::new(self.single[state] as usize - 1, true);
        }
        let mut hasher = DefaultHasher::new();
        (c, states).hash(&mut hasher);
        let same = self.known.entry(hasher.finish()).or_default();
        let known = same.iter().find(|&&v| self.sets[v as usize].0 == c && self.sets[v as usize].1 == states);
        if let Some(&variable) = known {
            return Literal::new(variable as usize, true);
        }
        let variable = self.fresh(c, states);
        self.known.entry(hasher.finish()).or_default().push(variable);
        let set = Literal::new(variable as usize, true);
        for s in self.alive(c, states) {
            let single = self.set(survey, c, &[s]);
            self.clause(vec![!single, set], Some(Cause::Component));
        }
        set
    }

    fn fresh(&mut self, c: ComponentId, states: &[StateId]) -> u32 {
        // States are tried as true: much follows. Sets follow from states, and nothing else has to be known of them.
        let literal = if states.len() == 1 { self.sat.fresh_true() } else { self.sat.fresh_implied() };
        self.sets.push((c, states.to_vec()));
        literal.variable() as u32
    }

    fn clause(&mut self, mut clause: Vec<Literal>, cause: Option<Cause>) {
        clause.sort_unstable();
        clause.dedup();
        self.sat.clause(&clause);
        self.literals.extend(clause);
        self.clauses.push((self.literals.len(), cause));
    }

    /// The clauses with their causes, in order.
    pub(super) fn clauses(&self) -> impl ExactSizeIterator<Item = (&[Literal], Option<Cause>)> {
        (0..self.clauses.len()).map(|k| {
            let start = k.checked_sub(1).map_or(0, |before| self.clauses[before].0);
            (&self.literals[start..self.clauses[k].0], self.clauses[k].1)
        })
    }

    /// What each variable means.
    pub(super) fn sets(&self) -> &[(ComponentId, Vec<StateId>)] {
        &self.sets
    }

    /// Clauses that the solver learned.
    pub(super) fn learned(&self) -> &[Vec<Literal>] {
        self.sat.learned()
    }

    /// About how much memory it takes.
    pub(super) fn bytes(&self) -> u64 {
        // The solver has each clause once more, and what it learned.
        let sets: usize = self.sets.len() * 64 + self.single.len() * 4;
        let learned: usize = self.sat.learned().len() * 64;
        (self.literals.len() * 12 + self.clauses.len() * 72 + sets + learned) as u64
    }
}
