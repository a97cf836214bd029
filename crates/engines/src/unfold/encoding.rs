//! The configurations of a prefix as clauses, linear in its size.
//!
//! A variable for each event that is no cut-off says whether it has occurred. A set of events is a configuration if the
//! causes of its events are in it and no two of them use up one condition. A condition is *used* if an event that uses
//! it up is in the configuration, and *marked* if its producer is and it is not used.
//!
//! Every marking that can be reached is that of such a configuration, if the prefix is complete; and if it is not, every
//! marking of a configuration can be reached all the same. A transition is enabled exactly if an event for it could be
//! added, a cut-off perhaps, or one that waits to be added: a marking is dead if each of these lacks a condition.

use std::collections::HashMap;
use std::time::Duration;

use evidence::Budget;
use model::nets::Predicate;
use model::views::{Net, NetTransitionId, PlaceId};
use solve::sat::{Answer, Literal};

use super::ids::{ConditionId, EventId};
use super::prefix::Prefix;
use super::prepared::Prepared;
use super::questions::Configurations;
use crate::net::cnf::{Cnf, Tokens};

/// The most tokens of one place that are counted, at first and if there can be more.
const COUNTED: [usize; 2] = [4, 32];

/// The time to find out whether a place can have as many tokens as are counted.
const MOMENT: Duration = Duration::from_millis(500);

/// The most partial sums of one place.
const COUNTERS: usize = 1 << 17;

/// What is unfolded so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unfolded<'a> {
    /// The net that was given.
    pub(super) net: &'a Net,
    pub(super) prepared: &'a Prepared<'a>,
    pub(super) prefix: &'a Prefix,
    /// Whether no place has two tokens in any marking of a configuration.
    pub(super) is_safe: bool,
    pub(super) budget: &'a Budget,
}

/// The clauses, and the literals that have a meaning.
#[derive(Debug)]
pub(super) struct Encoding<'a> {
    unfolded: Unfolded<'a>,
    waiting: Vec<&'a [ConditionId]>,
    cnf: Cnf,
    /// By event, whether it has occurred: never, if it is a cut-off.
    occurred: Vec<Literal>,
    /// By condition, whether it is used.
    used: Vec<Literal>,
    /// By condition, whether it is marked: made when asked for.
    marked: HashMap<ConditionId, Literal>,
    /// Of each place of the unfolded net, its conditions that are not behind cut-offs.
    tokens: Vec<Vec<ConditionId>>,
    counted: HashMap<PlaceId, Tokens>,
}

impl<'a> Encoding<'a> {
    /// Of a prefix, and the presets of what waits to be added to it.
    pub(super) fn new(unfolded: Unfolded<'a>, waiting: Vec<&'a [ConditionId]>) -> Self {
        let prefix = unfolded.prefix;
        let mut cnf = Cnf::new();
        let never = cnf.constant(false);
        let variable = |e| if prefix.companion(e).is_none() { cnf.fresh() } else { never };
        let occurred: Vec<Literal> = prefix.event_ids().map(variable).collect();
        let mut tokens = vec![Vec::new(); unfolded.prepared.net.places().len()];
        for c in prefix.condition_ids().filter(|&c| prefix.producer(c).is_none_or(|e| prefix.companion(e).is_none())) {
            tokens[prefix.place(c).index()].push(c);
        }
        let (marked, counted) = (HashMap::new(), HashMap::new());
        let used = vec![never; prefix.conditions()];
        let mut encoding = Self { unfolded, waiting, cnf, occurred, used, marked, tokens, counted };
        encoding.causes();
        encoding.conflicts();
        encoding
    }

    /// Events come after their causes.
    fn causes(&mut self) {
        let prefix = self.unfolded.prefix;
        for event in prefix.event_ids().filter(|&e| prefix.companion(e).is_none()) {
            let mut causes: Vec<EventId> = prefix.preset(event).iter().filter_map(|&c| prefix.producer(c)).collect();
            causes.sort_unstable();
            causes.dedup();
            for cause in causes {
                self.cnf.clause(&[!self.occurred[event.index()], self.occurred[cause.index()]]);
            }
        }
    }

    /// A condition is used up once.
    fn conflicts(&mut self) {
        let prefix = self.unfolded.prefix;
        let mut users: Vec<Vec<Literal>> = vec![Vec::new(); prefix.conditions()];
        for event in prefix.event_ids().filter(|&e| prefix.companion(e).is_none()) {
            prefix.preset(event).iter().for_each(|c| users[c.index()].push(self.occurred[event.index()]));
        }
        for (condition, users) in users.iter().enumerate() {
            if !users.is_empty() {
                self.cnf.at_most_one(users);
                self.used[condition] = self.cnf.any(users);
            }
        }
    }

    fn made(&self, condition: ConditionId) -> Literal {
        let producer = self.unfolded.prefix.producer(condition);
        producer.map_or(self.cnf.constant(true), |event| self.occurred[event.index()])
    }

    fn marked(&mut self, condition: ConditionId) -> Literal {
        if let Some(&known) = self.marked.get(&condition) {
            return known;
        }
        let (made, used, name) = (self.made(condition), self.used[condition.index()], self.cnf.fresh());
        self.cnf.clause(&[!name, made]);
        self.cnf.clause(&[!name, !used]);
        self.cnf.clause(&[name, !made, used]);
        self.marked.insert(condition, name);
        name
    }

    /// A literal that implies that tokens are left where they may not stay for good, or that there are none.
    fn no_end(&mut self) -> Literal {
        let Unfolded { net, prepared, prefix, .. } = self.unfolded;
        let mut left = Vec::new();
        let (name, empty) = (self.cnf.fresh(), self.cnf.fresh());
        for c in self.tokens.iter().flatten().copied().collect::<Vec<_>>() {
            let Some(place) = prepared.origin(prefix.place(c)) else { continue };
            let marked = self.marked(c);
            self.cnf.clause(&[!empty, !marked]);
            left.extend((!net.place(place).end).then_some(marked));
        }
        left.extend([!name, empty]);
        self.cnf.clause(&left);
        name
    }

    /// The tokens of a place of the given net.
    fn count(&mut self, p: PlaceId) -> Tokens {
        if let Some(known) = self.counted.get(&p) {
            return known.clone();
        }
        let place = self.unfolded.prepared.stand_in(p);
        let conditions = self.tokens[place.index()].clone();
        let marked: Vec<Literal> = conditions.into_iter().map(|c| self.marked(c)).collect();
        if self.unfolded.is_safe || marked.len() < 2 {
            let more_than = if marked.is_empty() { Vec::new() } else { vec![self.cnf.any(&marked)] };
            return Tokens { more_than: more_than.into(), exact: true };
        }
        let [few, many] = COUNTED;
        let tokens = self.bounded_sum(&marked, few);
        if tokens.exact { tokens } else { self.bounded_sum(&marked, many) }
    }

    /// How many of the literals hold, counted to a limit; exact if there never are as many.
    fn bounded_sum(&mut self, literals: &[Literal], most: usize) -> Tokens {
        let tokens = self.sum(literals, most);
        let (Some(&full), false) = (tokens.more_than.last(), tokens.exact) else { return tokens };
        let budget = self.unfolded.budget.narrowed(MOMENT, u64::MAX);
        let reached = self.cnf.solve(&[full], &mut |bytes| budget.check(bytes).is_err());
        Tokens { exact: reached == Answer::Impossible, ..tokens }
    }

    /// How many of the literals hold, counted to a limit.
    fn sum(&mut self, literals: &[Literal], most: usize) -> Tokens {
        let most = literals.len().min(most).min((COUNTERS / literals.len()).max(1));
        // At `j`, whether more than `j` of the literals so far hold.
        let mut sums: Vec<Literal> = Vec::new();
        for &literal in literals {
            let (yes, no) = (self.cnf.constant(true), self.cnf.constant(false));
            let count = (sums.len() + 1).min(most);
            let next: Vec<Literal> = (0..count).map(|_| self.cnf.fresh()).collect();
            for (j, &name) in next.iter().enumerate() {
                let already = sums.get(j).copied().unwrap_or(no);
                let one_less = j.checked_sub(1).map_or(yes, |i| sums[i]);
                self.cnf.clause(&[!already, name]);
                self.cnf.clause(&[!one_less, !literal, name]);
                self.cnf.clause(&[already, one_less, !name]);
                self.cnf.clause(&[already, literal, !name]);
            }
            sums = next;
        }
        Tokens { more_than: sums.into(), exact: literals.len() <= most }
    }
}

impl Configurations for Encoding<'_> {
    /// That each extension lacks a condition, whether it was added or is one of those that wait.
    fn dead(&mut self) -> Literal {
        let (prefix, name) = (self.unfolded.prefix, self.cnf.fresh());
        let mut clause = Vec::new();
        for preset in prefix.event_ids().map(|e| prefix.preset(e)).chain(self.waiting.clone()) {
            clause.clear();
            clause.push(!name);
            clause.extend(preset.iter().flat_map(|&c| [!self.made(c), self.used[c.index()]]));
            self.cnf.clause(&clause);
        }
        if self.unfolded.net.places().iter().any(|p| p.end) {
            let no_end = self.no_end();
            self.cnf.clause(&[!name, no_end]);
        }
        name
    }

    fn predicate(&mut self, predicate: &Predicate) -> Literal {
        for p in predicate.places() {
            let tokens = self.count(p);
            self.counted.insert(p, tokens);
        }
        let counted = &self.counted;
        self.cnf.predicate(predicate, &mut |_, p| counted[&p].clone())
    }

    fn run_to(&mut self, goal: Literal, is_over: &mut dyn FnMut(u64) -> bool) -> Found {
        match self.cnf.solve(&[goal], is_over) {
            Answer::Unknown => Found::Unknown,
            Answer::Impossible => Found::Nothing,
            Answer::Model => {
                let occurred = |e: &EventId| self.cnf.holds(self.occurred[e.index()]);
                let prefix = self.unfolded.prefix;
                // Causes come first in the order of events.
                Found::Run(prefix.event_ids().filter(occurred).map(|e| prefix.transition(e)).collect())
            }
        }
    }
}

/// What was found in a prefix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// No configuration of it is what is searched for.
    Nothing,
    /// A run to one that is, as far as tokens were counted.
    Run(Vec<NetTransitionId>),
    /// The time is up.
    Unknown,
}
