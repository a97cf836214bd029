//! Bugs that are easy to make, planted by changing the network before it is analysed: the oracle catches each.

use engines::local::{Local, LocalVerdict};
use evidence::{Budget, Goal, Silent};
use model::views::{Automaton, EventId, Network, Origin, Rule, StateId};
use testkit::networks::{Oracle, random};

use crate::literature::pairs;
use crate::models::three_way;
use crate::naive;

/// The components as they were given, each changed.
fn components(network: &Network, change: impl Fn(&mut Automaton)) -> Vec<Automaton> {
    let plain = network.components().iter().map(|c| {
        let mut automaton = Automaton {
            name: c.name().to_owned(),
            origin: Origin::Given,
            states: c.states().to_vec(),
            initial: c.initial(),
            events: c.events().to_vec(),
            moves: Vec::new(),
        };
        for from in (0..c.states().len()).map(StateId::new) {
            automaton.moves.extend(c.moves(from).iter().map(|m| (from, m.event, m.to)));
        }
        change(&mut automaton);
        automaton
    });
    plain.collect()
}

fn rebuilt(components: Vec<Automaton>, rules: Vec<Rule>) -> Network {
    Network::new("changed", components, rules).expect("the changes are sound")
}

/// Rules of three or more are taken apart into their pairs, as the paper's clauses over pairs would have it.
fn in_pairs(network: &Network) -> Network {
    let mut rules = Vec::new();
    for rule in network.rules() {
        let participants = &rule.participants;
        if participants.len() < 3 {
            rules.push(rule.clone());
        }
        for (k, &a) in participants.iter().enumerate().filter(|_| participants.len() > 2) {
            rules.extend(participants[k + 1..].iter().map(|&b| Rule { participants: vec![a, b], ..rule.clone() }));
        }
    }
    rebuilt(components(network, |_| ()), rules)
}

/// A component may stop wherever it offers nothing.
fn stopping(network: &Network) -> Network {
    let stop = |a: &mut Automaton| {
        for s in 0..a.states.len() {
            a.states[s].end |= !a.moves.iter().any(|m| m.0.index() == s);
        }
    };
    rebuilt(components(network, stop), network.rules().to_vec())
}

/// Of several moves with one event only the first is taken.
fn determined(network: &Network) -> Network {
    let first = |a: &mut Automaton| {
        let mut seen: Vec<(StateId, EventId)> = Vec::new();
        a.moves.retain(|m| {
            let new = !seen.contains(&(m.0, m.1));
            seen.push((m.0, m.1));
            new
        });
    };
    rebuilt(components(network, first), network.rules().to_vec())
}

/// Model errors are forgotten.
fn faultless(network: &Network) -> Network {
    let rules = network.rules().iter().map(|r| Rule { fault: false, ..r.clone() });
    rebuilt(components(network, |_| ()), rules.collect())
}

/// A bug.
type Change = fn(&Network) -> Network;

fn candidates(network: &Network) -> Vec<Vec<StateId>> {
    let found = pairs().candidates(network, &[Goal::Deadlock], usize::MAX, &Budget::unlimited()).expect("no limit");
    found.into_iter().map(|c| c.states).collect()
}

fn is_proved(network: &Network) -> bool {
    let local = Local { groups: 0, confirm: false, ..Local::default() };
    matches!(local.analyse(network, &Budget::unlimited(), &Silent).verdict, LocalVerdict::Proved(_))
}

#[test]
fn every_planted_bug_proves_something_wrong() {
    let bugs: [(&str, Change); 4] =
        [("in pairs", in_pairs), ("stopping", stopping), ("determined", determined), ("faultless", faultless)];
    for (name, bug) in bugs {
        let caught = (0..1500).filter(|&seed| {
            let network = random(seed);
            Oracle::new(&network, 2000).is_some_and(|oracle| !oracle.is_sound() && is_proved(&bug(&network)))
        });
        assert!(caught.count() > 2, "{name}");
    }
    // The deadlock of the beginning is overlooked.
    let initial = three_way().initial_state();
    assert!(candidates(&three_way()).contains(&initial) && !candidates(&in_pairs(&three_way())).contains(&initial));
}

/// A rule that is forgotten changes the candidates of many networks.
#[test]
fn candidates_depend_on_every_rule() {
    let caught = (0..600).map(random).filter(|network| network.rules().len() > 1).filter(|network| {
        let rules = network.rules()[1..].to_vec();
        let wrong = candidates(&rebuilt(components(network, |_| ()), rules));
        wrong.len() != naive::candidates(network, Goal::Deadlock).len()
    });
    let caught = caught.count();
    assert!(caught > 100, "{caught}");
}
