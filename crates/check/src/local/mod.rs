//! Decides whether a certificate shows that no reachable state of a network satisfies a goal. No solver, no search.
//!
//! What the certificate says about the network is checked piece by piece: sets, tables and groups, inequalities, traps.
//! Then each refutation: its given clauses by their reasons, and its steps by their hints.

mod clause;
mod index;
mod invariants;
mod refutation;
mod tables;

use evidence::{Goal, LocalProof, StateSet};
use model::views::{ComponentId, Network};

use crate::certificate::{CertificateError, ensure};
use clause::Checker;
use index::Index;
use invariants::{Inequalities, Traps};
use tables::Groups;

/// Checks that no reachable state of the network is a deadlock, and that no reachable state enables a model error.
pub fn check_local_proof(network: &Network, proof: &LocalProof) -> Result<(), CertificateError> {
    let faults = network.rule_ids().filter(|&r| network.rule(r).fault);
    let goals: Vec<Goal> = faults.map(|r| Goal::Enabled(r.index())).chain([Goal::Deadlock]).collect();
    check_local_goals(network, &goals, proof)
}

/// Checks that no reachable state of the network satisfies any of the goals.
pub fn check_local_goals(network: &Network, goals: &[Goal], proof: &LocalProof) -> Result<(), CertificateError> {
    for goal in goals {
        let what = || match goal {
            Goal::Deadlock => "it does not exclude deadlocks".to_owned(),
            Goal::Enabled(rule) => format!("it does not exclude that rule {rule} is enabled"),
        };
        ensure(proof.refutations.iter().any(|r| r.goal == *goal), what)?;
    }
    for (number, set) in proof.sets.iter().enumerate() {
        let unsound = || format!("set {number} has an unknown component or state, or is not in order");
        ensure(is_sound(network, set), unsound)?;
    }
    let index = Index::new(network);
    let checker = Checker {
        network,
        sets: &proof.sets,
        groups: Groups::new(&index, &proof.tables, &proof.groups)?,
        inequalities: Inequalities::new(&index, &proof.inequalities)?,
        traps: Traps::new(&index, &proof.traps)?,
    };
    proof.refutations.iter().enumerate().try_for_each(|(number, refutation)| checker.refutation(number, refutation))
}

/// Whether a set has a component and states that are there, in increasing order.
fn is_sound(network: &Network, set: &StateSet) -> bool {
    let below = |&last: &usize| last < network.component(ComponentId::new(set.component)).states().len();
    set.component < network.components().len()
        && set.states.is_sorted_by(|a, b| a < b)
        && set.states.last().is_none_or(below)
}
