//! The models of the literature: what each method proves of them.

use engines::local::sdd::{self, Cycles};
use engines::local::{Local, LocalVerdict};
use evidence::{Budget, Goal, Silent};
use model::views::{Network, StateId};

use crate::models::{alternating_bit, butler, example, milner, philosophers, three_way};

/// Pairs and nothing else.
pub fn pairs() -> Local {
    Local { sdd: false, linear: false, traps: false, groups: 0, confirm: false, ..Local::default() }
}

/// Pairs and linear invariants.
pub fn linear() -> Local {
    Local { linear: true, ..pairs() }
}

fn candidates(local: &Local, network: &Network) -> Vec<Vec<StateId>> {
    let found = local.candidates(network, &[Goal::Deadlock], 1000, &Budget::unlimited()).expect("no limit");
    let mut states: Vec<Vec<StateId>> = found.into_iter().map(|c| c.states).collect();
    states.sort_unstable();
    states
}

fn is_proved(local: &Local, network: &Network) -> bool {
    let analysis = local.analyse(network, &Budget::unlimited(), &Silent);
    if let LocalVerdict::Proved(proof) = &analysis.verdict {
        let proof = proof.as_ref().expect("it is not too large");
        assert_eq!(proof.refutations.len(), 1);
    }
    matches!(analysis.verdict, LocalVerdict::Proved(_))
}

fn cycles(network: &Network) -> Cycles {
    sdd::cycle(network, 2, &Budget::unlimited()).expect("no limit")
}

/// A cycle is one: each component waits for the next.
fn has_cycle(network: &Network) -> bool {
    match cycles(network) {
        Cycles::Cycle(cycle) => {
            assert!(cycle.len() > 1 && cycle.windows(2).all(|w| w[0].0 != w[1].0), "{cycle:?}");
            true
        }
        Cycles::Acyclic => false,
        Cycles::Inapplicable(why) => panic!("{why}"),
    }
}

#[test]
fn example_1_has_four_candidates_and_needs_a_linear_invariant() {
    let expected = [[0, 0, 1], [0, 0, 3], [1, 1, 0], [1, 1, 2]].map(|c| c.map(StateId).to_vec());
    assert_eq!(candidates(&pairs(), &example()), expected);
    assert!(candidates(&linear(), &example()).is_empty() && is_proved(&linear(), &example()));
}

#[test]
fn the_scheduler_needs_one_conserved_quantity() {
    for n in 3..=8 {
        let network = milner(n);
        assert!(has_cycle(&network), "{n}");
        assert_eq!(candidates(&pairs(), &network).len(), 2, "{n}");
        assert!(is_proved(&linear(), &network), "{n}");
        let analysis = linear().analyse(&network, &Budget::unlimited(), &Silent);
        let LocalVerdict::Proved(Some(proof)) = analysis.verdict else { panic!("{n}") };
        assert!(proof.inequalities.len() <= 2 && analysis.figures.inequalities == 0, "{n}");
    }
}

#[test]
fn philosophers() {
    for n in 3..=6 {
        let plain = philosophers_of(n, false);
        assert_eq!(candidates(&pairs(), &plain).len(), 1, "{n}");
        assert!(!is_proved(&linear(), &plain) && has_cycle(&plain), "{n}");
        let asymmetric = philosophers_of(n, true);
        assert!(is_proved(&pairs(), &asymmetric) && !has_cycle(&asymmetric), "{n}");
    }
}

fn philosophers_of(n: usize, asymmetric: bool) -> Network {
    philosophers_model(n, asymmetric)
}

use philosophers as philosophers_model;
