//! The models of the literature: what each method proves of them.

use engines::local::sdd::{self, Cycles};
use engines::local::{Local, LocalVerdict};
use evidence::{Budget, Goal, Silent};
use model::views::{Network, StateId};

use crate::models::{alternating_bit, butler, example, milner, philosophers, three_way};

/// Pairs and nothing else.
pub(crate) fn pairs() -> Local {
    Local { sdd: false, linear: false, traps: false, groups: 0, confirm: false, ..Local::default() }
}

/// Pairs and linear invariants.
pub(crate) fn linear() -> Local {
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
        check::check_local_proof(network, proof).expect("the certificate is one");
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
fn philosophers_are_proved_if_one_of_them_is_different() {
    for n in 3..=6 {
        let plain = philosophers(n, false);
        assert_eq!(candidates(&pairs(), &plain).len(), 1, "{n}");
        assert!(!is_proved(&Local { confirm: false, ..Local::default() }, &plain) && has_cycle(&plain), "{n}");
        let asymmetric = philosophers(n, true);
        assert!(is_proved(&pairs(), &asymmetric) && !has_cycle(&asymmetric), "{n}");
    }
}

#[test]
fn a_butler_is_proved_by_pairs_or_by_a_linear_invariant() {
    for n in 3..=5 {
        let knows = butler(n, false);
        assert!(is_proved(&pairs(), &knows) && has_cycle(&knows), "{n}");
        let counts = butler(n, true);
        assert!(!candidates(&pairs(), &counts).is_empty() && is_proved(&linear(), &counts), "{n}");
    }
}

#[test]
fn the_alternating_bit_protocol_is_proved_by_both() {
    for k in 0..=4 {
        let network = alternating_bit(k);
        assert!(is_proved(&pairs(), &network) && !has_cycle(&network), "{k}");
    }
}

#[test]
fn a_rule_of_three_is_not_overlooked() {
    let network = three_way();
    assert!(!is_proved(&Local { confirm: false, ..Local::default() }, &network));
    assert!(candidates(&pairs(), &network).contains(&vec![StateId(0); 3]));
}
