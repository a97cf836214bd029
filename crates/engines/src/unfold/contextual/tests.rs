//! Contextual prefixes meet the naive oracle: they have every reachable marking, and an event for everything that is
//! enabled there.

use std::collections::{BTreeSet, HashMap, HashSet};

use evidence::{Budget, Reason};
use model::nets::{Goal, Predicate};
use model::views::{ArcSet, Marking, Net, NetTransitionId, Place, PlaceId};
use testkit::nets::{Oracle, random, reading, tiny};

use super::unfolder::Planted;
use super::*;
use crate::net::{Board, Finding, Task};
use crate::unfold::ids::{ConditionId, EventId};
use crate::unfold::{Reads, Unfolding};

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

const ORDERS: [AdequateOrder; 3] = [AdequateOrder::McMillan, AdequateOrder::Parikh, AdequateOrder::Total];

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
    let [a0, b0, c0, a1, a2, b1, c1] = [0, 1, 2, 3, 4, 5, 6];
    let transitions: [[&[usize]; 3]; 6] = [
        [&[a1], &[c0], &[a2]],
        [&[a0], &[], &[a2]],
        [&[b0], &[c0], &[b1]],
        [&[a2], &[b1], &[a1]],
        [&[a2], &[c1], &[a0]],
        [&[c0], &[], &[c1]],
    ];
    net_of(7, 3, &order.iter().map(|&t| transitions[t]).collect::<Vec<_>>())
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
    assert_eq!(score.compared, ORDERS.len() * 720);
}

/// Places, the first of them with a token each, and transitions of what they consume, read and produce.
fn net_of(places: usize, marked: usize, transitions: &[[&[usize]; 3]]) -> Net {
    let places = (0..places).map(|p| Place::new(format!("p{p}"), u32::from(p < marked))).collect();
    let ids = |sides: [&[usize]; 2]| sides.concat().into_iter().map(|p| (PlaceId::new(p), 1)).collect();
    let arcs = transitions.iter().enumerate().map(|(t, &[consumed, read, produced])| {
        ArcSet::new(format!("t{t}"), ids([consumed, read]), ids([read, produced]))
    });
    Net::new("net", places, arcs.collect()).expect("the net is sound")
}

#[test]
fn readers_are_concurrent_and_their_consumer_has_a_history_for_each_set_of_them() {
    let readers: [[&[usize]; 3]; 4] = [[&[1], &[0], &[6]], [&[2], &[0], &[7]], [&[3], &[0], &[8]], [&[4], &[0], &[9]]];
    let transitions = [&readers[..], &[[&[0], &[], &[5]]]].concat();
    let net = net_of(10, 5, &transitions);
    let budget = Budget::unlimited();
    let prefix = ContextualPrefix::complete(&net, AdequateOrder::Total, &budget).expect("the net is safe");
    assert_eq!((prefix.events(), prefix.conditions(), prefix.histories(), prefix.cutoffs()), (5, 10, 4 + 16, 0));
    let loops = Unfolding { reads: Reads::Loops, ..Unfolding::default() }.prefix(&net, &budget).expect("bounded");
    assert!(loops.events() > 20, "readers exclude one another: {}", loops.events());
}

#[test]
fn the_histories_are_the_events_of_the_unfolding_with_replicas() {
    let budget = Budget::unlimited().with_memory(8 << 20);
    let is_idle = |net: &Net| net.transition_ids().any(|t| net.pre(t) == net.post(t));
    let (mut compared, mut several) = (0, 0);
    for net in (0..1500).map(reading).filter(|net| !is_idle(net)) {
        for order in ORDERS {
            let Ok(contextual) = ContextualPrefix::complete(&net, order, &budget) else { continue };
            let unfolding = Unfolding { order, reads: Reads::Replicas };
            let Ok(replicas) = unfolding.prefix(&net, &budget) else { continue };
            let sizes = (contextual.histories(), contextual.cutoffs());
            assert_eq!(sizes, (replicas.events(), replicas.cutoffs()), "{order:?}: {net:?}");
            compared += 1;
            several += usize::from(contextual.histories() > contextual.events());
        }
    }
    eprintln!("{compared} {several}");
    assert!(compared > 2000 && several > 500, "{compared} {several}");
}

#[test]
fn who_only_reads_is_there_and_does_no_harm() {
    let net = net_of(3, 2, &[[&[], &[0, 1], &[]], [&[], &[], &[]], [&[0], &[], &[2]]]);
    let prefix = ContextualPrefix::complete(&net, AdequateOrder::Total, &Budget::unlimited()).expect("the net is safe");
    assert_eq!((prefix.events(), prefix.histories(), prefix.cutoffs()), (3, 3, 2));
    assert!(is_right(&net, &Oracle::new(&net, 10).expect("small"), &prefix));
    let makes = net_of(3, 1, &[[&[], &[0], &[1]]]);
    let refused = ContextualPrefix::complete(&makes, AdequateOrder::Total, &Budget::unlimited());
    assert!(matches!(refused, Err(Reason::Unsupported(_))), "a reader that makes tokens never ends");
}

#[test]
fn cycles_of_asymmetric_conflict_are_no_configurations() {
    // Each reads what the next one consumes: of n, at most n - 1 occur.
    for n in 2..6 {
        let sides: Vec<[Vec<usize>; 3]> = (0..n).map(|i| [vec![i], vec![(i + 1) % n], vec![n + i]]).collect();
        let transitions: Vec<[&[usize]; 3]> = sides.iter().map(|[a, b, c]| [&a[..], &b[..], &c[..]]).collect();
        let net = net_of(2 * n, n, &transitions);
        let tokens = |p: usize| Predicate::at_least(PlaceId::new(p), 1);
        let all = Goal::Satisfies(Predicate::all((n..2 * n).map(tokens)));
        let but_one = Goal::Satisfies(Predicate::all((n..2 * n - 1).map(tokens)));
        let goals = [all, but_one, Goal::Dead];
        let (board, findings) = Board::new(3);
        let task = Task { net: &net, goals: &goals, board: &board, budget: &Budget::unlimited() };
        Unfolding { reads: Reads::Contexts, ..Unfolding::default() }.settle(&task).1.expect("no limits");
        drop(board);
        let reached: BTreeSet<usize> =
            findings.iter().filter(|s| matches!(s.finding, Finding::Reached(_))).map(|s| s.goal).collect();
        assert_eq!(reached, BTreeSet::from([1, 2]), "{n}");
    }
}
