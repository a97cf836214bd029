//! Whether what a proof says is true, by looking at all states: reachable ones for facts, all combinations of local states
//! for clauses and refutations.

use evidence::{Goal, LocalProof, Refutation, Sign, Why};
use model::views::{Network, RuleId, StateId};
use testkit::networks::Oracle;

/// Whether all facts hold in all reachable states, all clauses hold for their reasons, and no combination of local
/// states satisfies all clauses of a refutation.
pub(crate) fn is_true(network: &Network, proof: &LocalProof) -> bool {
    let oracle = Oracle::new(network, 100_000).expect("small networks");
    let all = product(network);
    let reached = |fact: &dyn Fn(&[StateId]) -> bool| oracle.states().iter().all(|state| fact(state));
    (0..proof.groups.len()).all(|g| reached(&|state| in_group(proof, g, state)))
        && (0..proof.inequalities.len()).all(|i| reached(&|state| satisfies(proof, i, state)))
        && (0..proof.traps.len()).all(|t| reached(&|state| in_trap(proof, t, state)))
        && proof.refutations.iter().all(|r| refutes(network, proof, r, &all))
}

fn product(network: &Network) -> Vec<Vec<StateId>> {
    let mut all = vec![Vec::new()];
    for component in network.components() {
        let states = 0..component.states().len();
        let with = |state: &Vec<StateId>, s: usize| state.iter().copied().chain([StateId::new(s)]).collect::<Vec<_>>();
        all = all.iter().flat_map(|state| states.clone().map(|s| with(state, s))).collect();
    }
    all
}

fn in_group(proof: &LocalProof, group: usize, state: &[StateId]) -> bool {
    let group = &proof.groups[group];
    let joint: Vec<usize> = group.members.iter().map(|&c| state[c].index()).collect();
    proof.tables[group.table].states.chunks(joint.len()).any(|row| row == joint)
}

fn satisfies(proof: &LocalProof, inequality: usize, state: &[StateId]) -> bool {
    let inequality = &proof.inequalities[inequality];
    let weights = inequality.weights.iter().filter(|&&(c, s, _)| state[c].index() == s);
    weights.map(|w| i128::from(w.2)).sum::<i128>() <= i128::from(inequality.bound)
}

fn in_trap(proof: &LocalProof, trap: usize, state: &[StateId]) -> bool {
    proof.traps[trap].iter().any(|&(c, s)| state[c].index() == s)
}

fn refutes(network: &Network, proof: &LocalProof, refutation: &Refutation, all: &[Vec<StateId>]) -> bool {
    let holds = |clause: &[Sign], state: &[StateId]| {
        clause.iter().any(|&sign| {
            let set = &proof.sets[sign.unsigned_abs() as usize - 1];
            set.states.contains(&state[set.component].index()) == (sign > 0)
        })
    };
    let reason = |why: Why, state: &[StateId]| match why {
        Why::Component => true,
        Why::Group(group) => in_group(proof, group, state),
        Why::Inequality(inequality) => satisfies(proof, inequality, state),
        Why::Trap(trap) => in_trap(proof, trap, state),
        Why::Rule(_) | Why::End | Why::Disabled => in_goal(network, refutation.goal, state),
    };
    let given = |g: &evidence::Given| all.iter().all(|state| !reason(g.why, state) || holds(&g.clause, state));
    refutation.given.iter().all(given)
        && !all.iter().any(|state| refutation.given.iter().all(|g| holds(&g.clause, state)))
}

fn in_goal(network: &Network, goal: Goal, state: &[StateId]) -> bool {
    match goal {
        Goal::Deadlock => !network.rule_ids().any(|r| network.is_enabled(r, state)) && !network.at_end(state),
        Goal::Enabled(rule) => network.is_enabled(RuleId::new(rule), state),
    }
}
