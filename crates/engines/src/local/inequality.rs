//! Inequalities that hold in all reachable states: weights of local states that no rule increases in sum.
//!
//! A candidate whose sum exceeds the initial one is out of question, and so is much around it: few of its components
//! are enough, and each may be in any state that weighs enough.

use evidence::Inequality;
use model::views::{ComponentId, StateId};

use super::lemma::{Because, Lemma};
use crate::structure::weights::Weights;
use crate::structure::wiring::Wiring;

/// What weights or their negatives say against a state; nothing if a rule may increase the sum, or if the state does not
/// exceed the bound.
pub(super) fn against(wiring: &Wiring<'_>, weights: &Weights, state: &[StateId]) -> Option<Lemma> {
    one_sided(wiring, weights, state).or_else(|| one_sided(wiring, &weights.negated()?, state))
}

fn one_sided(wiring: &Wiring<'_>, weights: &Weights, state: &[StateId]) -> Option<Lemma> {
    let network = wiring.network();
    let initial = weights.parts().iter().map(|(c, weights)| weights[network.component(*c).initial().index()]);
    let bound = initial.map(Some).reduce(|a, b| a?.checked_add(b?))??;
    let sum = weights.total(state)?;
    if sum <= bound || !weights.never_grow(wiring) {
        return None;
    }
    let confined = around(weights, state, sum.checked_sub(bound)?)?;
    let entry = |(c, weights): &(ComponentId, Vec<i64>)| {
        let c = c.index();
        weights.iter().copied().enumerate().filter(|e| e.1 != 0).map(|(s, w)| (c, s, w)).collect::<Vec<_>>()
    };
    let weights = weights.parts().iter().flat_map(entry).collect();
    Some(Lemma { confined, because: Because::Inequality(Inequality { weights, bound }) })
}

/// A box of states around a given one whose sums all exceed the bound, which this one does by `excess`.
fn around(weights: &Weights, state: &[StateId], excess: i64) -> Option<Vec<(ComponentId, Vec<StateId>)>> {
    let mut slack = excess - 1;
    // How much a component would take away at most if it were anywhere: those with least are left out first.
    let mut needed: Vec<(i64, ComponentId, &[i64])> = Vec::new();
    for (c, weights) in weights.parts() {
        let least = weights.iter().min()?;
        needed.push((weights[state[c.index()].index()].checked_sub(*least)?, *c, weights));
    }
    needed.sort_unstable();
    needed.retain(|&(loss, ..)| {
        let spare = loss <= slack;
        slack -= if spare { loss } else { 0 };
        !spare
    });
    let mut confined = Vec::new();
    for (_, c, of) in needed {
        let mine = of[state[c.index()].index()];
        let floor = of.iter().copied().filter(|&w| w >= mine.saturating_sub(slack)).min()?;
        slack -= (mine - floor).max(0);
        confined.push((c, (0..of.len()).filter(|&s| of[s] >= floor).map(StateId::new).collect()));
    }
    confined.sort_unstable();
    Some(confined)
}
