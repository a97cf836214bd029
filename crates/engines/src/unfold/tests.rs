//! Prefixes meet the naive oracle: they have every reachable marking, and an event for everything that is enabled there.

use std::collections::{BTreeSet, HashMap, HashSet};

use evidence::{Budget, Reason};
use model::views::{Marking, Net, NetTransitionId};
use testkit::nets::{Oracle, random, tiny};

use super::unfolder::Planted;
use super::*;

/// The markings of all configurations without cut-offs, each with the transitions of the events that it enables: by
/// the definitions, a configuration at a time.
fn markings(net: &Net, prepared: &Prepared<'_>, prefix: &Prefix) -> HashMap<Marking, HashSet<NetTransitionId>> {
    let mut seen: HashSet<BTreeSet<ConditionId>> = HashSet::from([prefix.initial().collect()]);
    let mut waiting: Vec<BTreeSet<ConditionId>> = seen.iter().cloned().collect();
    let mut out: HashMap<Marking, HashSet<NetTransitionId>> = HashMap::new();
    while let Some(cut) = waiting.pop() {
        let tokens = |p| cut.iter().filter(|&&c| prefix.place(c) == prepared.stand_in(p)).count() as u64;
        let enables = out.entry(net.place_ids().map(tokens).collect()).or_default();
        for event in prefix.event_ids() {
            if !prefix.preset(event).iter().all(|c| cut.contains(c)) {
                continue;
            }
            enables.insert(prefix.transition(event));
            let mut next = cut.clone();
            prefix.preset(event).iter().for_each(|c| assert!(next.remove(c)));
            next.extend(prefix.postset(event));
            if prefix.companion(event).is_none() && seen.insert(next.clone()) {
                waiting.push(next);
            }
        }
    }
    out
}

fn is_complete(net: &Net, oracle: &Oracle<'_>, prepared: &Prepared<'_>, prefix: &Prefix) -> bool {
    let found = markings(net, prepared, prefix);
    let enabled = |m: &Marking| net.transition_ids().filter(|&t| net.is_enabled(t, m)).collect::<HashSet<_>>();
    let expected: HashMap<Marking, HashSet<NetTransitionId>> =
        oracle.markings().iter().map(|m| (m.clone(), enabled(m))).collect();
    assert!(found.iter().all(|(m, ts)| expected.get(m).is_some_and(|all| ts.is_subset(all))), "nothing else is in it");
    found == expected
}

const ORDERS: [AdequateOrder; 3] = [AdequateOrder::McMillan, AdequateOrder::Parikh, AdequateOrder::Total];

/// How many nets were compared, and how many were found to be unbounded.
#[derive(Debug, Default)]
struct Score {
    compared: usize,
    safe: usize,
    unbounded: usize,
    too_large: usize,
}

impl Score {
    fn add(&mut self, net: &Net, name: &str) {
        let budget = Budget::unlimited().with_memory(2 << 20);
        let oracle = Oracle::new(net, 300);
        for order in ORDERS {
            for reads in [Reads::Loops, Reads::Replicas] {
                let unfolding = Unfolding { order, reads };
                match (unfolding.prefix(net, &budget), &oracle) {
                    (Ok(prefix), Some(oracle)) if prefix.events() < 60 => {
                        let prepared = Prepared::new(net, reads);
                        assert!(is_complete(net, oracle, &prepared, &prefix), "{name}, {unfolding:?}: {net:?}");
                        let safe = oracle.markings().iter().all(|m| m.iter().all(|&tokens| tokens < 2));
                        self.compared += 1;
                        self.safe += usize::from(safe);
                    }
                    (Err(Reason::Unbounded(_)), known) => {
                        assert!(known.is_none(), "{name}, {unfolding:?} is bounded: {net:?}");
                        self.unbounded += 1;
                    }
                    (Err(Reason::Memory) | Ok(_), _) => self.too_large += 1,
                    (Err(reason), _) => panic!("{name}: {reason}"),
                }
            }
        }
    }
}

#[test]
fn random_nets_have_complete_prefixes() {
    let mut score = Score::default();
    (0..400).for_each(|seed| score.add(&random(seed), &format!("seed {seed}")));
    eprintln!("{score:?}");
    assert!(score.compared > 1000 && score.unbounded > 300, "{score:?}");
}

#[test]
fn tiny_nets_have_complete_prefixes() {
    let mut score = Score::default();
    tiny().step_by(97).enumerate().for_each(|(i, net)| score.add(&net, &format!("net {i}")));
    eprintln!("{score:?}");
    assert!(score.compared > 1000 && score.safe > 500, "{score:?}");
}

/// A prefix by an unfolder with a bug in it.
fn planted(net: &Net, bug: Planted) -> Option<Prefix> {
    let budget = Budget::unlimited().with_memory(2 << 20);
    let mut unfolder = Unfolder::new(net, AdequateOrder::McMillan.into(), &budget).ok()?;
    unfolder.planted = Some(bug);
    while unfolder.grow(&budget).ok()? {}
    Some(unfolder.into_prefix())
}

#[test]
fn planted_bugs_are_found() {
    for bug in [Planted::FirstComeFirst, Planted::NothingLeft] {
        let caught = (0..3000).any(|seed| {
            let net = random(seed);
            let Some(oracle) = Oracle::new(&net, 300) else { return false };
            let prepared = Prepared::new(&net, Reads::Loops);
            let prefix = planted(&prepared.net, bug).filter(|p| p.events() < 60);
            prefix.is_some_and(|prefix| !is_complete(&net, &oracle, &prepared, &prefix))
        });
        assert!(caught, "{bug:?}");
    }
}
