//! Candidates by the definitions: every combination of local states is looked at.

use std::collections::HashSet;

use evidence::Goal;
use model::views::{ComponentId, Network, RuleId, StateId};

/// The joint states of a pair if all other participants of rules are ignored.
pub(crate) fn joint_states(network: &Network, pair: [ComponentId; 2]) -> HashSet<[StateId; 2]> {
    let initial = pair.map(|c| network.component(c).initial());
    let (mut found, mut stack) = (HashSet::from([initial]), vec![initial]);
    while let Some(state) = stack.pop() {
        for rule in network.rules() {
            let event = |c: ComponentId| rule.participants.iter().find(|p| p.0 == c).map(|p| p.1);
            let targets = |side: usize| match event(pair[side]) {
                None => vec![state[side]],
                Some(e) => network.component(pair[side]).moves_with(state[side], e).iter().map(|m| m.to).collect(),
            };
            for a in targets(0) {
                for b in targets(1) {
                    if found.insert([a, b]) {
                        stack.push([a, b]);
                    }
                }
            }
        }
    }
    found
}

/// All combinations that satisfy the goal and in which every pair is where it gets together.
pub(crate) fn candidates(network: &Network, goal: Goal) -> Vec<Vec<StateId>> {
    let n = network.components().len();
    let mut pairs = Vec::new();
    for a in 0..n {
        pairs.extend((a + 1..n).map(|b| (a, b, joint_states(network, [a, b].map(ComponentId::new)))));
    }
    let alone = |c: usize| -> HashSet<StateId> {
        let c = ComponentId::new(c);
        joint_states(network, [c, c]).into_iter().map(|[s, _]| s).collect()
    };
    let mut found = vec![Vec::new()];
    for c in 0..n {
        let mut longer = Vec::new();
        for states in &found {
            let mut reached: Vec<StateId> = alone(c).into_iter().collect();
            reached.sort_unstable();
            for s in reached {
                let fits = pairs.iter().filter(|p| p.1 == c).all(|p| p.2.contains(&[states[p.0], s]));
                if fits {
                    longer.push(states.iter().copied().chain([s]).collect());
                }
            }
        }
        found = longer;
    }
    found.retain(|state| match goal {
        Goal::Deadlock => !network.rule_ids().any(|r| network.is_enabled(r, state)) && !network.at_end(state),
        Goal::Enabled(r) => network.is_enabled(RuleId::new(r), state),
    });
    found
}
