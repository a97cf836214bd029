//! Contextual prefixes meet the naive oracle: they have every reachable marking, and an event for everything that is
//! enabled there.

use std::collections::{BTreeSet, HashMap, HashSet};

use evidence::{Budget, Reason};
use model::views::{ArcSet, Marking, Net, NetTransitionId, Place, PlaceId};
use testkit::nets::{Oracle, random, reading, tiny};

use super::unfolder::Planted;
use super::*;
use crate::unfold::ids::{ConditionId, EventId};

type Configuration = BTreeSet<EventId>;

/// A prefix as it is defined: events with arcs, and which histories are in it.
struct Naive<'a> {
    prefix: &'a ContextualPrefix,
    /// Every history as a set of events, and whether it is a cut-off.
    histories: HashMap<(EventId, Configuration), bool>,
}

impl<'a> Naive<'a> {
    /// Nothing if a history is there twice.
    fn new(prefix: &'a ContextualPrefix) -> Option<Self> {
        let mut sets: Vec<Configuration> = Vec::new();
        let mut histories = HashMap::new();
        for history in prefix.history_ids() {
            let event = prefix.event_of(history);
            let mut set: Configuration = prefix.parents(history).iter().flat_map(|h| sets[h.index()].clone()).collect();
            set.insert(event);
            assert_eq!(set.len(), prefix.size(history) as usize);
            if histories.insert((event, set.clone()), prefix.cutoff(history).is_some()).is_some() {
                return None;
            }
            sets.push(set);
        }
        Some(Self { prefix, histories })
    }

    /// Whether one event comes before another wherever both occur.
    fn precedes(&self, first: EventId, second: EventId) -> bool {
        let prefix = self.prefix;
        let uses = |c: &ConditionId| prefix.preset(second).contains(c) || prefix.context(second).contains(c);
        prefix.postset(first).any(|c| uses(&c))
            || prefix.context(first).iter().any(|c| prefix.preset(second).contains(c))
    }

    /// What must have occurred before an event, if all of a configuration has.
    fn history(&self, configuration: &Configuration, event: EventId) -> Configuration {
        let mut out = Configuration::from([event]);
        loop {
            let before = |e: &&EventId| !out.contains(e) && out.iter().any(|&later| self.precedes(**e, later));
            let more: Vec<EventId> = configuration.iter().filter(before).copied().collect();
            if more.is_empty() {
                return out;
            }
            out.extend(more);
        }
    }

    fn cut(&self, configuration: &Configuration) -> BTreeSet<ConditionId> {
        let prefix = self.prefix;
        let mut cut: BTreeSet<ConditionId> = prefix.initial().collect();
        configuration.iter().for_each(|&e| cut.extend(prefix.postset(e)));
        for c in configuration.iter().flat_map(|&e| prefix.preset(e)) {
            assert!(cut.remove(c), "used up once");
        }
        cut
    }

    /// The markings of all configurations without cut-offs, each with the transitions of the events that it enables.
    fn markings(&self, net: &Net) -> HashMap<Marking, HashSet<NetTransitionId>> {
        let prefix = self.prefix;
        let mut seen: HashSet<Configuration> = HashSet::from([Configuration::new()]);
        let mut waiting = vec![Configuration::new()];
        let mut out: HashMap<Marking, HashSet<NetTransitionId>> = HashMap::new();
        while let Some(configuration) = waiting.pop() {
            let cut = self.cut(&configuration);
            let tokens = |p| cut.iter().filter(|&&c| prefix.place(c) == p).count() as u64;
            let enables = out.entry(net.place_ids().map(tokens).collect()).or_default();
            for event in prefix.event_ids().filter(|e| !configuration.contains(e)) {
                if !prefix.preset(event).iter().chain(prefix.context(event)).all(|c| cut.contains(c)) {
                    continue;
                }
                let key = (event, self.history(&configuration, event));
                let is_cutoff = self.histories.get(&key).copied();
                let is_idle = prefix.histories_of(event).iter().any(|&h| prefix.cutoff(h) == Some(CutOff::Idle));
                if is_cutoff.is_some() || is_idle {
                    enables.insert(prefix.transition(event));
                }
                let mut next = configuration.clone();
                next.insert(event);
                if is_cutoff == Some(false) && seen.insert(next.clone()) {
                    waiting.push(next);
                }
            }
        }
        out
    }
}

fn is_right(net: &Net, oracle: &Oracle<'_>, prefix: &ContextualPrefix) -> bool {
    let enabled = |m: &Marking| net.transition_ids().filter(|&t| net.is_enabled(t, m)).collect::<HashSet<_>>();
    let expected: HashMap<Marking, HashSet<NetTransitionId>> =
        oracle.markings().iter().map(|m| (m.clone(), enabled(m))).collect();
    Naive::new(prefix).is_some_and(|naive| naive.markings(net) == expected)
}

const ORDERS: [AdequateOrder; 4] =
    [AdequateOrder::McMillan, AdequateOrder::Parikh, AdequateOrder::Total, AdequateOrder::Lexical];

/// How many nets were compared, and how many were found not to be safe.
#[derive(Debug, Default)]
struct Score {
    compared: usize,
    histories: usize,
    unsafe_nets: usize,
    too_large: usize,
}

fn is_safe(oracle: &Oracle<'_>) -> bool {
    oracle.markings().iter().all(|m| m.iter().all(|&tokens| tokens < 2))
}

impl Score {
    fn add(&mut self, net: &Net, name: &str) {
        let budget = Budget::unlimited().with_memory(2 << 20);
        let oracle = Oracle::new(net, 300);
        for order in ORDERS {
            match (ContextualPrefix::complete(net, order, &budget), &oracle) {
                (Ok(prefix), Some(oracle)) if prefix.histories() < 60 => {
                    assert!(is_safe(oracle), "{name}, {order:?} is not safe: {net:?}");
                    assert!(is_right(net, oracle, &prefix), "{name}, {order:?}: {net:?}");
                    self.compared += 1;
                    self.histories += usize::from(prefix.histories() > prefix.events());
                }
                (Err(Reason::Unsupported(_)), known) => {
                    assert!(known.as_ref().is_none_or(|oracle| !is_safe(oracle)), "{name}, {order:?} is safe: {net:?}");
                    self.unsafe_nets += 1;
                }
                (Err(Reason::Memory) | Ok(_), _) => self.too_large += 1,
                (Err(reason), _) => panic!("{name}: {reason}"),
            }
        }
    }
}

#[test]
fn nets_that_read_have_complete_prefixes() {
    let mut score = Score::default();
    (0..1500).for_each(|seed| score.add(&reading(seed), &format!("seed {seed}")));
    eprintln!("{score:?}");
    assert!(score.compared > 2000 && score.histories > 500 && score.unsafe_nets > 50, "{score:?}");
}

#[test]
fn random_nets_have_complete_prefixes_or_are_not_safe() {
    let mut score = Score::default();
    (0..300).for_each(|seed| score.add(&random(seed), &format!("seed {seed}")));
    eprintln!("{score:?}");
    assert!(score.compared > 100 && score.unsafe_nets > 300, "{score:?}");
}

#[test]
fn tiny_nets_have_complete_prefixes_or_are_not_safe() {
    let mut score = Score::default();
    tiny().step_by(41).enumerate().for_each(|(i, net)| score.add(&net, &format!("net {i}")));
    eprintln!("{score:?}");
    assert!(score.compared > 3000 && score.histories > 10 && score.unsafe_nets > 3000, "{score:?}");
}

/// A prefix by an unfolder with a bug in it.
fn planted(net: &Net, bug: Planted) -> Option<ContextualPrefix> {
    let budget = Budget::unlimited().with_memory(2 << 20);
    let mut unfolder = Unfolder::new(net, AdequateOrder::McMillan, &budget).ok()?;
    unfolder.planted = Some(bug);
    while unfolder.grow(&budget).ok()? {}
    Some(unfolder.into_prefix())
}

/// A net whose only dead marking is lost, for some orders of its transitions, if any equal marking makes a cut-off.
fn delicate(order: &[usize]) -> Net {
    let [a0, a1, a2, b0, b1, c0, c1] = [0, 1, 2, 3, 4, 5, 6];
    let transitions: [(&[usize], &[usize]); 6] = [
        (&[a1, c0], &[a2, c0]),
        (&[a0], &[a2]),
        (&[b0, c0], &[b1, c0]),
        (&[a2, b1], &[a1, b1]),
        (&[a2, c1], &[a0, c1]),
        (&[c0], &[c1]),
    ];
    let places = (0..7).map(|p| Place::new(format!("p{p}"), u32::from([a0, b0, c0].contains(&p)))).collect();
    let ids = |side: &[usize]| side.iter().map(|&p| (PlaceId::new(p), 1)).collect();
    let arcs = order.iter().map(|&t| ArcSet::new(format!("t{t}"), ids(transitions[t].0), ids(transitions[t].1)));
    Net::new("delicate", places, arcs.collect()).expect("the net is sound")
}

/// All orders of so many things.
fn orders(n: usize) -> Vec<Vec<usize>> {
    let Some(last) = n.checked_sub(1) else { return vec![Vec::new()] };
    let with = |order: &Vec<usize>, at| [&order[..at], &[last], &order[at..]].concat();
    orders(last).iter().flat_map(|order| (0..n).map(move |at| with(order, at))).collect()
}

#[test]
fn planted_bugs_are_found() {
    for bug in [Planted::LargestFirst, Planted::NoReaders, Planted::ReadersForgotten] {
        let nets = (0..500).map(reading).chain(orders(6).iter().map(|order| delicate(order)).collect::<Vec<_>>());
        let caught = nets.into_iter().any(|net| {
            let Some(oracle) = Oracle::new(&net, 300) else { return false };
            let prefix = planted(&net, bug).filter(|p| p.histories() < 60);
            prefix.is_some_and(|prefix| !is_right(&net, &oracle, &prefix))
        });
        assert!(caught, "{bug:?}");
    }
}

#[test]
fn the_order_of_transitions_does_not_matter() {
    let mut score = Score::default();
    orders(6).iter().for_each(|order| score.add(&delicate(order), &format!("{order:?}")));
    assert_eq!(score.compared, 4 * 720);
}
