//! Markings one step apart from each other, as clauses.
//!
//! A step is a set of transitions of which no two touch a place that one of them changes: they can fire in any order.
//! A place that nobody in a step can change has the same literals on both sides of it, so only what takes part in the
//! steps is encoded.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use model::nets::{Linear, Predicate};
use model::views::{NetTransitionId, PlaceId};
use solve::sat::Literal;

use super::facts::Facts;
use super::patience::Patience;
use crate::net::cnf::{Cnf, Tokens};
use crate::net::touch::Touch;

/// The clauses for the invariants of one marking take about so much.
const FLOW_BYTES: u64 = 4 << 20;
/// So many transitions are encoded before patience is asked.
const OFTEN: usize = 256;

/// Where the markings begin, and which way they go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// From the initial marking, in time.
    Forward,
    /// From any marking, against time.
    Backward,
}

/// Who touches a place in a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Users {
    pub(super) changers: Vec<(i64, Literal)>,
    pub(super) readers: Vec<Literal>,
}

/// A step: which transitions may be in it.
#[derive(Clone, Debug, Default)]
pub(super) struct Step {
    pub(super) fired: Vec<(NetTransitionId, Literal)>,
    pub(super) users: BTreeMap<PlaceId, Users>,
}

/// A sequence of markings.
#[derive(Debug)]
pub(super) struct Unrolling<'a> {
    pub(super) facts: &'a Facts<'a>,
    pub(super) cnf: Cnf,
    direction: Direction,
    /// What differs from the marking before it; the first one is filled as places are needed.
    markings: Vec<HashMap<PlaceId, Tokens>>,
}

impl<'a> Unrolling<'a> {
    pub(super) fn new(facts: &'a Facts<'a>, direction: Direction) -> Self {
        Self { facts, cnf: Cnf::new(), direction, markings: vec![HashMap::new()] }
    }

    /// The number of the last marking.
    pub(super) fn last(&self) -> usize {
        self.markings.len() - 1
    }

    /// The tokens of a place in a marking.
    pub(super) fn tokens(&mut self, marking: usize, p: PlaceId) -> Tokens {
        if let Some(known) = self.seen(marking, p) {
            return known.clone();
        }
        let tokens = first(&mut self.cnf, self.facts, self.direction, p);
        self.markings[0].insert(p, tokens.clone());
        tokens
    }

    /// The tokens of a place in a marking, if they are encoded.
    pub(super) fn seen(&self, marking: usize, p: PlaceId) -> Option<&Tokens> {
        self.markings[..=marking].iter().rev().find_map(|m| m.get(&p))
    }

    /// A literal that implies what is known of a predicate of a marking.
    pub(super) fn predicate(&mut self, marking: usize, predicate: &Predicate) -> Literal {
        let (facts, direction, markings) = (self.facts, self.direction, &mut self.markings);
        let mut tokens = |cnf: &mut Cnf, p| {
            if let Some(known) = markings[..=marking].iter().rev().find_map(|m| m.get(&p)) {
                return known.clone();
            }
            markings[0].entry(p).or_insert_with(|| first(cnf, facts, direction, p)).clone()
        };
        self.cnf.predicate(predicate, &mut tokens)
    }

    /// A marking keeps the invariants with any of the places: the shortest ones, as they are only a help.
    pub(super) fn keep_flows(&mut self, marking: usize, places: impl Iterator<Item = PlaceId>) {
        let full = self.cnf.bytes() + FLOW_BYTES;
        let facts = self.facts;
        let numbers: BTreeSet<u32> = places.flat_map(|p| facts.flows_of(p).iter().copied()).collect();
        for number in numbers {
            if self.cnf.bytes() > full {
                return;
            }
            let flow = facts.flow(number);
            let counted = |&&(p, _): &&(PlaceId, i64)| facts.range(p).1;
            let weights: Vec<(PlaceId, i64)> = flow.weights.iter().filter(counted).copied().collect();
            let complete = weights.len() == flow.weights.len();
            let negated = weights.iter().map(|&(p, weight)| (p, -weight)).collect();
            let at_least = Linear::new(negated, flow.total).filter(|_| flow.constant && complete);
            let at_most = Linear::new(weights, -flow.total);
            for sum in at_most.into_iter().chain(at_least) {
                let keeps = self.predicate(marking, &Predicate::linear(sum));
                self.cnf.clause(&[keeps]);
            }
        }
    }

    /// Adds a marking that is one step, of some of the transitions, away from the last one; `None` if patience ends.
    pub(super) fn step(&mut self, transitions: &[NetTransitionId], patience: &Patience<'_>) -> Option<Step> {
        let mut step = Step::default();
        for &t in transitions {
            let fires = self.cnf.fresh();
            step.fired.push((t, fires));
            for touch in self.facts.touches(t) {
                let users = step.users.entry(touch.place).or_default();
                match touch.change {
                    0 => users.readers.push(fires),
                    change => users.changers.push((change, fires)),
                }
            }
        }
        self.add_marking(&step);
        let (before, after) = match self.direction {
            Direction::Forward => (self.last() - 1, self.last()),
            Direction::Backward => (self.last(), self.last() - 1),
        };
        for (number, &(t, fires)) in step.fired.iter().enumerate() {
            if number % OFTEN == 0 && patience.is_over(self.cnf.bytes()) {
                return None;
            }
            for &touch in self.facts.touches(t) {
                self.fire(fires, touch, (before, after));
            }
        }
        for (&p, users) in &step.users {
            self.frame(p, users, (before, after));
            self.exclude(users);
        }
        Some(step)
    }

    fn add_marking(&mut self, step: &Step) {
        let mut changed = HashMap::new();
        for (&p, _) in step.users.iter().filter(|(_, users)| !users.changers.is_empty()) {
            self.tokens(self.last(), p);
            let (most, exact) = self.facts.range(p);
            changed.insert(p, self.cnf.number(most, exact));
        }
        self.markings.push(changed);
    }

    /// What a transition that fires needs of a place and does to it. Beyond the numbers that are counted, an exact
    /// place never has so many, and nothing is said about others.
    fn fire(&mut self, fires: Literal, touch: Touch, (before, after): (usize, usize)) {
        let old = self.tokens(before, touch.place);
        // Of a place that is not exact, as much as can be told is asked for.
        let needs = if old.exact { touch.needs as usize } else { (touch.needs as usize).min(old.more_than.len()) };
        let enough = self.cnf.reaches(&old, needs as i128).expect("the number is counted");
        self.cnf.clause(&[!fires, enough]);
        if touch.change == 0 {
            return;
        }
        let new = self.tokens(after, touch.place);
        let (counted, change) = (new.more_than.len() as i128, i128::from(touch.change));
        let others = (1 + change..=counted + change).filter(|v| !(1..=counted).contains(v));
        for value in (1..=counted).chain(others) {
            let (was, is) = (self.cnf.reaches(&old, value - change), self.cnf.reaches(&new, value));
            if let (Some(was), Some(is)) = (was, is) {
                self.cnf.clause(&[!fires, !was, is]);
                self.cnf.clause(&[!fires, was, !is]);
            }
        }
    }

    /// A place changes only if somebody changes it.
    fn frame(&mut self, p: PlaceId, users: &Users, (before, after): (usize, usize)) {
        if users.changers.is_empty() {
            return;
        }
        let (old, new) = (self.tokens(before, p), self.tokens(after, p));
        let who = |more: bool| users.changers.iter().filter(move |c| (c.0 > 0) == more).map(|c| c.1);
        for (&was, &is) in old.more_than.iter().zip(new.more_than.iter()) {
            let grows: Vec<Literal> = [was, !is].into_iter().chain(who(true)).collect();
            self.cnf.clause(&grows);
            let shrinks: Vec<Literal> = [!was, is].into_iter().chain(who(false)).collect();
            self.cnf.clause(&shrinks);
        }
    }

    /// Who changes a place is alone with it.
    fn exclude(&mut self, users: &Users) {
        let changers: Vec<Literal> = users.changers.iter().map(|c| c.1).collect();
        self.cnf.at_most_one(&changers);
        if changers.is_empty() || users.readers.is_empty() {
            return;
        }
        let changed = self.cnf.fresh();
        changers.iter().for_each(|&fires| self.cnf.clause(&[!fires, changed]));
        users.readers.iter().for_each(|&fires| self.cnf.clause(&[!fires, !changed]));
    }
}

fn first(cnf: &mut Cnf, facts: &Facts<'_>, direction: Direction, p: PlaceId) -> Tokens {
    let (most, exact) = facts.range(p);
    match direction {
        Direction::Backward => cnf.number(most, exact),
        Direction::Forward => cnf.known(facts.net.place(p).initial.into(), most, exact),
    }
}
