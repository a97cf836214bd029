//! What components reach alone and in pairs, and which of their states are left for what is looked for.

use evidence::{Budget, Reason};
use model::views::{ComponentId, EventId, Network, RuleId, StateId};

use super::kinds::{Classes, Kinds};
use super::pairs::{Reach, reach_all};
use crate::structure::wiring::Wiring;
use crate::tokens::rows::Rows;

/// The most combinations of classes of one pair, and of all pairs, whose clauses are there from the beginning.
const EAGER: usize = 1 << 22;
const ALL_EAGER: usize = 1 << 25;

/// All that is known of single components and of pairs.
#[derive(Debug)]
pub(super) struct Survey<'a> {
    pub(super) wiring: Wiring<'a>,
    pub(super) classes: Classes,
    pub(super) kinds: Kinds,
    /// By kind of pair; nothing if it was too large.
    reach: Vec<Option<Reach>>,
    /// By pair, whether its clauses are there from the beginning, or come when a candidate breaks them.
    eager: Vec<bool>,
    /// By component, the pairs with it, and the side on which it is.
    pairs_of: Rows<(usize, usize)>,
}

/// Why a clause holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// A component is in one of its states.
    Component,
    /// A component does not reach some states even if all others are ignored.
    Alone(ComponentId),
    /// A pair, by number, does not reach some states together.
    Pair(usize),
    /// What was learned, by number.
    Lemma(usize),
    /// The rule is not enabled in a deadlock.
    Rule(RuleId),
    /// Not all components are where they may stop.
    End,
    /// The rule that is asked about is enabled.
    Enabled,
}

/// The states of a component that are left, and the others in parts, each with the reason why it is out of question.
#[derive(Clone, Debug, Default)]
pub(super) struct Left {
    pub(super) alive: Vec<StateId>,
    pub(super) excluded: Vec<(Vec<StateId>, Cause)>,
}

impl<'a> Survey<'a> {
    /// Looks at single components, and at pairs if wanted.
    pub(super) fn new(network: &'a Network, pairs: bool, threads: usize, budget: &Budget) -> Result<Self, Reason> {
        let wiring = Wiring::new(network);
        budget.check(0)?;
        let classes = Classes::new(&wiring, budget)?;
        let kinds = if pairs { Kinds::new(&wiring, &classes, budget)? } else { Kinds::default() };
        let reach = reach_all(&kinds.kinds, &classes, threads, budget)?;
        let sides = |(number, pair): (usize, &super::kinds::Pair)| {
            [0, 1].map(|side| (pair.members[side].index(), (number, side)))
        };
        let sides: Vec<_> = kinds.pairs.iter().enumerate().flat_map(sides).collect();
        let pairs_of = Rows::bucket(network.components().len(), &sides);
        let eager = eager(&kinds, &reach);
        Ok(Self { wiring, classes, kinds, reach, eager, pairs_of })
    }

    pub(super) fn network(&self) -> &'a Network {
        self.wiring.network()
    }

    /// What a pair reaches, if that is known.
    pub(super) fn reach(&self, pair: usize) -> Option<&Reach> {
        self.reach[self.kinds.pairs[pair].kind].as_ref()
    }

    /// Whether the clauses of a pair are there from the beginning.
    pub(super) fn is_eager(&self, pair: usize) -> bool {
        self.eager[pair]
    }

    /// What the kinds of pairs reach, where it is known.
    pub(super) fn reaches(&self) -> impl Iterator<Item = Option<&Reach>> {
        self.reach.iter().map(Option::as_ref)
    }

    /// The class of a state in a pair.
    pub(super) fn class(&self, reach: &Reach, pair: usize, side: usize, state: StateId) -> usize {
        let numbering = self.classes.numbering(self.kinds.pairs[pair].members[side]);
        reach.class[side][numbering.states[state.index()] as usize] as usize
    }

    /// The states of one side of a pair that are in classes for which something holds.
    pub(super) fn states_in(&self, pair: usize, side: usize, wanted: impl Fn(usize) -> bool) -> Vec<StateId> {
        let Some(reach) = self.reach(pair) else { return Vec::new() };
        let numbering = self.classes.numbering(self.kinds.pairs[pair].members[side]);
        let class = |s: &usize| reach.class[side][numbering.states[*s] as usize] as usize;
        (0..numbering.states.len()).filter(|s| wanted(class(s))).map(StateId::new).collect()
    }

    /// The pairs with a component, and the side on which it is.
    pub(super) fn pairs_of(&self, c: ComponentId) -> &[(usize, usize)] {
        self.pairs_of.row(c.index())
    }

    /// Why a rule is never enabled, where one participant or two show it: with who they are, and their events.
    pub(super) fn never_enabled(&self, rule: RuleId) -> Option<(Cause, Vec<(ComponentId, EventId)>)> {
        let participants = &self.network().rule(rule).participants;
        for &(c, e) in participants {
            let (reached, numbering) = (&self.classes.reached[self.classes.class(c)], self.classes.numbering(c));
            if !self.wiring.offering(c, e).iter().any(|s| reached[numbering.states[s.index()] as usize]) {
                return Some((Cause::Alone(c), vec![(c, e)]));
            }
        }
        for &(c, e) in participants {
            for &(pair, side) in self.pairs_of(c) {
                let other = self.kinds.pairs[pair].members[1 - side];
                let with = participants.iter().find(|p| p.0 == other && c < other);
                let (Some(&(_, d)), Some(reach)) = (with, self.reach(pair)) else { continue };
                let classes = |c, e, side| {
                    let mut classes: Vec<usize> =
                        self.wiring.offering(c, e).into_iter().map(|s| self.class(reach, pair, side, s)).collect();
                    classes.sort_unstable();
                    classes.dedup();
                    classes
                };
                let (mine, others) = (classes(c, e, side), classes(other, d, 1 - side));
                let meets = |a: usize, b: usize| if side == 0 { reach.meets.has(a, b) } else { reach.meets.has(b, a) };
                if !mine.iter().any(|&a| others.iter().any(|&b| meets(a, b))) {
                    return Some((Cause::Pair(pair), vec![(c, e), (other, d)]));
                }
            }
        }
        None
    }

    /// The states of a component that it can be in; in a deadlock, if that is looked for.
    pub(super) fn left(&self, c: ComponentId, deadlock: bool) -> Left {
        let states = self.network().component(c).states().len();
        let mut sieve = Sieve { alive: vec![true; states], excluded: Vec::new() };
        let (reached, numbering) = (&self.classes.reached[self.classes.class(c)], self.classes.numbering(c));
        sieve.exclude((0..states).map(StateId::new), Cause::Alone(c), |s| {
            !reached[numbering.states[s.index()] as usize]
        });
        for &(pair, side) in self.pairs_of(c) {
            let Some(reach) = self.reach(pair) else { continue };
            let met = reach.is_reached(side);
            if met.iter().any(|met| !met) {
                let unmet = |s: StateId| !met[self.class(reach, pair, side, s)];
                sieve.exclude((0..states).map(StateId::new), Cause::Pair(pair), unmet);
            }
        }
        let alone = self.wiring.taken(c).iter().filter(|_| deadlock);
        for &(r, e) in alone.filter(|t| self.network().rule(t.0).participants.len() == 1) {
            sieve.exclude(self.wiring.offering(c, e).into_iter(), Cause::Rule(r), |_| true);
        }
        sieve.left()
    }
}

/// The pairs with few combinations of classes, as long as all together are not too many.
fn eager(kinds: &Kinds, reach: &[Option<Reach>]) -> Vec<bool> {
    let cost = |pair: usize| reach[kinds.pairs[pair].kind].as_ref().map(|r| r.classes[0] * r.classes[1]);
    let mut order: Vec<(usize, usize)> = (0..kinds.pairs.len()).filter_map(|p| Some((cost(p)?, p))).collect();
    order.sort_unstable();
    let (mut eager, mut total) = (vec![false; kinds.pairs.len()], 0);
    for (cost, pair) in order {
        total += cost;
        eager[pair] = cost <= EAGER && total <= ALL_EAGER;
    }
    eager
}

struct Sieve {
    alive: Vec<bool>,
    excluded: Vec<(Vec<StateId>, Cause)>,
}

impl Sieve {
    fn exclude(&mut self, of: impl Iterator<Item = StateId>, cause: Cause, out: impl Fn(StateId) -> bool) {
        let gone: Vec<StateId> = of.filter(|&s| self.alive[s.index()] && out(s)).collect();
        gone.iter().for_each(|s| self.alive[s.index()] = false);
        if !gone.is_empty() {
            self.excluded.push((gone, cause));
        }
    }

    fn left(self) -> Left {
        let alive = (0..self.alive.len()).filter(|&s| self.alive[s]).map(StateId::new).collect();
        Left { alive, excluded: self.excluded }
    }
}
