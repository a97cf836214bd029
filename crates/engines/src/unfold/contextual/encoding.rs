//! The configurations of a contextual prefix as clauses, linear in the events and conditions; histories do not count.
//!
//! A variable for each event that has a history which is no cut-off says whether it has occurred. A set of events is a
//! configuration if the causes of its events are in it, no two of them use up one condition, and asymmetric conflict
//! has no cycle in it. Cycles are rare, so they are excluded only when they are found: what is then found is looked at
//! again. Of a cycle, an event that is a cause of the next one need not be named.
//!
//! Every marking that can be reached is that of such a configuration, if the prefix is complete. The other direction
//! holds for all configurations, whatever their histories: so cut-offs need not be excluded further. If a marking is
//! dead, each event lacks a condition, whether it is in the prefix or waits to be added. But behind a cut-off there are
//! no events: so what is found is looked at, and if a transition is enabled there, it is added that the *transition*
//! lacks a token.

use std::collections::{BTreeSet, HashMap};

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
    /// What events that wait to be added would use up and read.
    waiting: Waiting,
    /// The literal that implies that the marking is dead, if that was asked for.
    dead: Option<Literal>,
}

/// Conditions that events need.
pub(super) type Waiting = BTreeSet<Box<[ConditionId]>>;

impl<'a> Encoding<'a> {
    pub(super) fn new(net: &'a Net, prefix: &'a ContextualPrefix, waiting: Waiting) -> Self {
        let mut cnf = Cnf::new();
        let never = cnf.constant(false);
        let variable = |e| if prefix.is_cutoff(e) { never } else { cnf.fresh() };
        let occurred: Vec<Literal> = prefix.event_ids().map(variable).collect();
        let mut tokens = vec![Vec::new(); net.places().len()];
        for c in prefix.condition_ids().filter(|&c| prefix.producer(c).is_none_or(|e| !prefix.is_cutoff(e))) {
            tokens[prefix.place(c).index()].push(c);
        }
        let used = vec![never; prefix.conditions()];
        let (marked, dead) = (HashMap::new(), None);
        let mut encoding = Self { net, prefix, cnf, occurred, used, tokens, marked, waiting, dead };
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
            if !users.is_empty() {
                self.cnf.at_most_one(users);
                self.used[condition] = self.cnf.any(users);
            }
        }
    }

    /// Whether a place has a token.
    fn marked(&mut self, p: PlaceId) -> Literal {
        if let Some(&known) = self.marked.get(&p) {
            return known;
        }
        let conditions = std::mem::take(&mut self.tokens[p.index()]);
        let left: Vec<Literal> = conditions.into_iter().map(|c| self.left(c)).collect();
        let name = if left.is_empty() { self.cnf.constant(false) } else { self.cnf.any(&left) };
        self.marked.insert(p, name);
        name
    }

    fn made(&self, condition: ConditionId) -> Literal {
        let producer = self.prefix.producer(condition);
        producer.map_or(self.cnf.constant(true), |event| self.occurred[event.index()])
    }

    /// Whether a condition is made and not used up.
    fn left(&mut self, condition: ConditionId) -> Literal {
        let (made, used, name) = (self.made(condition), self.used[condition.index()], self.cnf.fresh());
        self.cnf.clause(&[!name, made]);
        self.cnf.clause(&[!name, !used]);
        self.cnf.clause(&[name, !made, used]);
        name
    }

    /// The events of a cycle do not all occur.
    fn exclude(&mut self, cycles: &BTreeSet<Vec<EventId>>) {
        for cycle in cycles {
            let clause: Vec<Literal> = cycle.iter().map(|e| !self.occurred[e.index()]).collect();
            self.cnf.clause(&clause);
        }
    }

    /// A literal implies that the transitions which are enabled after a run lack a token. Whether there are any.
    fn refine(&mut self, dead: Literal, run: &[NetTransitionId]) -> bool {
        let marking = run.iter().fold(self.net.initial_marking(), |marking, &t| self.net.fire(t, &marking));
        let enabled: Vec<NetTransitionId> =
            self.net.transition_ids().filter(|&t| self.net.is_enabled(t, &marking)).collect();
        for &t in &enabled {
            let mut clause: Vec<Literal> = self.net.pre(t).iter().map(|&(p, _)| !self.marked(p)).collect();
            clause.push(!dead);
            self.cnf.clause(&clause);
        }
        !enabled.is_empty()
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
        let (prefix, name) = (self.prefix, self.cnf.fresh());
        let added = prefix.event_ids().map(|e| [prefix.preset(e), prefix.context(e)].concat());
        for needed in added.chain(self.waiting.iter().map(|needed| needed.to_vec())) {
            let mut clause: Vec<Literal> = needed.iter().flat_map(|&c| [!self.made(c), self.used[c.index()]]).collect();
            clause.push(!name);
            self.cnf.clause(&clause);
        }
        if self.net.places().iter().any(|p| p.end) {
            self.no_end(name);
        }
        self.dead = Some(name);
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
                Err(core) => self.exclude(&precedence.cycles(&core)),
                Ok(events) => {
                    let run: Vec<NetTransitionId> = events.into_iter().map(|e| self.prefix.transition(e)).collect();
                    if self.dead != Some(goal) || !self.refine(goal, &run) {
                        return Found::Run(run);
                    }
                }
            }
        }
    }
}
