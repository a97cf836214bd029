//! The configurations of a contextual prefix as clauses, linear in the events and conditions; histories do not count.
//!
//! A variable for each event that has a history which is no cut-off says whether it has occurred. A set of events is a
//! configuration if the causes of its events are in it, no two of them use up one condition, and asymmetric conflict
//! has no cycle in it. Cycles are rare, so they are excluded only when they are found: what is then found is looked at
//! again. Of a cycle, an event that is a cause of the next one need not be named.
//!
//! Every marking that can be reached is that of such a configuration, if the prefix is complete. The other direction
//! holds for all configurations, whatever their histories: so cut-offs need not be excluded further. But an event that
//! is enabled need not be in the prefix then, so a marking is dead if each *transition* lacks a token.

use std::collections::HashMap;

use model::nets::Predicate;
use model::views::{Net, NetTransitionId, PlaceId};
use solve::sat::{Answer, Literal};

use super::cycles::Precedence;
use super::prefix::ContextualPrefix;
use crate::net::cnf::{Cnf, Tokens};
use crate::unfold::encoding::Found;
use crate::unfold::ids::{ConditionId, EventId};
use crate::unfold::questions::Configurations;

/// The clauses, and the literals that have a meaning.
#[derive(Debug)]
pub(super) struct Encoding<'a> {
    net: &'a Net,
    prefix: &'a ContextualPrefix,
    cnf: Cnf,
    /// By event, whether it has occurred: never, if it has only cut-offs.
    occurred: Vec<Literal>,
    /// By condition, whether it is used up.
    used: Vec<Literal>,
    /// Of each place, its conditions that can be made.
    tokens: Vec<Vec<ConditionId>>,
    /// Of places, whether there is a token: made when asked for.
    marked: HashMap<PlaceId, Literal>,
}

impl<'a> Encoding<'a> {
    pub(super) fn new(net: &'a Net, prefix: &'a ContextualPrefix) -> Self {
        let mut cnf = Cnf::new();
        let never = cnf.constant(false);
        let variable = |e| if prefix.is_cutoff(e) { never } else { cnf.fresh() };
        let occurred: Vec<Literal> = prefix.event_ids().map(variable).collect();
        let mut tokens = vec![Vec::new(); net.places().len()];
        for c in prefix.condition_ids().filter(|&c| prefix.producer(c).is_none_or(|e| !prefix.is_cutoff(e))) {
            tokens[prefix.place(c).index()].push(c);
        }
        let used = vec![never; prefix.conditions()];
        let mut encoding = Self { net, prefix, cnf, occurred, used, tokens, marked: HashMap::new() };
        encoding.causes();
        encoding.conflicts();
        encoding
    }

    fn possible(&self) -> impl Iterator<Item = EventId> + use<'a> {
        let prefix = self.prefix;
        prefix.event_ids().filter(|&e| !prefix.is_cutoff(e))
    }

    /// Events come after those who made what they use up or read.
    fn causes(&mut self) {
        for event in self.possible() {
            let needed = self.prefix.preset(event).iter().chain(self.prefix.context(event));
            let mut causes: Vec<EventId> = needed.filter_map(|&c| self.prefix.producer(c)).collect();
            causes.sort_unstable();
            causes.dedup();
            for cause in causes {
                self.cnf.clause(&[!self.occurred[event.index()], self.occurred[cause.index()]]);
            }
        }
    }

    /// A condition is used up once.
    fn conflicts(&mut self) {
        let mut users: Vec<Vec<Literal>> = vec![Vec::new(); self.prefix.conditions()];
        for event in self.possible() {
            self.prefix.preset(event).iter().for_each(|c| users[c.index()].push(self.occurred[event.index()]));
        }
        for (condition, users) in users.iter().enumerate() {
            self.used[condition] = match users[..] {
                [] => continue,
                [one] => one,
                _ => {
                    self.cnf.at_most_one(users);
                    self.any(users)
                }
            };
        }
    }

    /// Whether one of the literals holds.
    fn any(&mut self, literals: &[Literal]) -> Literal {
        let name = self.cnf.fresh();
        literals.iter().for_each(|&l| self.cnf.clause(&[!l, name]));
        let clause: Vec<Literal> = literals.iter().copied().chain([!name]).collect();
        self.cnf.clause(&clause);
        name
    }

    /// Whether a place has a token.
    fn marked(&mut self, p: PlaceId) -> Literal {
        if let Some(&known) = self.marked.get(&p) {
            return known;
        }
        let conditions = std::mem::take(&mut self.tokens[p.index()]);
        let left: Vec<Literal> = conditions.into_iter().map(|c| self.left(c)).collect();
        let name = if left.is_empty() { self.cnf.constant(false) } else { self.any(&left) };
        self.marked.insert(p, name);
        name
    }

    /// Whether a condition is made and not used up.
    fn left(&mut self, condition: ConditionId) -> Literal {
        let always = self.cnf.constant(true);
        let made = self.prefix.producer(condition).map_or(always, |e| self.occurred[e.index()]);
        let (used, name) = (self.used[condition.index()], self.cnf.fresh());
        self.cnf.clause(&[!name, made]);
        self.cnf.clause(&[!name, !used]);
        self.cnf.clause(&[name, !made, used]);
        name
    }

    /// A literal implies that tokens are left where they may not stay for good, or that there are none.
    fn no_end(&mut self, name: Literal) {
        let empty = self.cnf.fresh();
        let mut left = vec![!name, empty];
        for p in self.net.place_ids() {
            let marked = self.marked(p);
            self.cnf.clause(&[!empty, !marked]);
            left.extend((!self.net.place(p).end).then_some(marked));
        }
        self.cnf.clause(&left);
    }
}

impl Configurations for Encoding<'_> {
    fn dead(&mut self) -> Literal {
        let name = self.cnf.fresh();
        let can_occur = |t: &NetTransitionId| self.net.pre(*t).iter().all(|&(_, weight)| weight == 1);
        for t in self.net.transition_ids().filter(can_occur) {
            let mut clause: Vec<Literal> = self.net.pre(t).iter().map(|&(p, _)| !self.marked(p)).collect();
            clause.push(!name);
            self.cnf.clause(&clause);
        }
        if self.net.places().iter().any(|p| p.end) {
            self.no_end(name);
        }
        name
    }

    fn predicate(&mut self, predicate: &Predicate) -> Literal {
        predicate.places().into_iter().for_each(|p| _ = self.marked(p));
        let marked = &self.marked;
        let tokens = |p: PlaceId| Tokens { more_than: [marked[&p]].into(), exact: true };
        self.cnf.predicate(predicate, &mut |_, p| tokens(p))
    }

    fn run_to(&mut self, goal: Literal, is_over: &mut dyn FnMut(u64) -> bool) -> Found {
        loop {
            match self.cnf.solve(&[goal], is_over) {
                Answer::Unknown => return Found::Unknown,
                Answer::Impossible => return Found::Nothing,
                Answer::Model => {}
            }
            let occurred = self.possible().filter(|e| self.cnf.holds(self.occurred[e.index()])).collect();
            let precedence = Precedence::new(self.prefix, occurred);
            match precedence.linearise() {
                Ok(events) => return Found::Run(events.into_iter().map(|e| self.prefix.transition(e)).collect()),
                Err(core) => {
                    for cycle in precedence.cycles(&core) {
                        let clause: Vec<Literal> = cycle.iter().map(|e| !self.occurred[e.index()]).collect();
                        self.cnf.clause(&clause);
                    }
                }
            }
        }
    }
}
