//! Inequalities that hold in all reachable states: weights of local states that no rule increases in sum.
//!
//! A candidate whose sum exceeds the initial one is out of question, and so is much around it: few of its components
//! are enough, and each may be in any state that weighs enough.

use evidence::Inequality;
use model::views::{ComponentId, StateId};

use crate::lemma::{Because, Lemma};
use crate::structure::weights::Weights;
use crate::structure::wiring::Wiring;

/// The most combinations of different weights for which all that a quantity excludes is listed.
const COMBINATIONS: usize = 64;

/// What weights or their negatives say against a state; nothing if a rule may increase the sum, or if the state does not
/// exceed the bound.
pub(super) fn against(wiring: &Wiring<'_>, weights: &Weights, state: &[StateId]) -> Option<Lemma> {
    let states: Vec<StateId> = weights.parts().iter().map(|(c, _)| state[c.index()]).collect();
    let one_sided = |weights: &Weights| {
        let excess = excess(wiring, weights, &states)?;
        if weights.never_grow(wiring) { lemma(wiring, weights, &states, excess) } else { None }
    };
    one_sided(weights).or_else(|| one_sided(&weights.negated()?))
}

/// All that a quantity that never changes excludes, if that is little; else what it says against a state.
pub(super) fn all_against(wiring: &Wiring<'_>, weights: &Weights, state: &[StateId]) -> Vec<Lemma> {
    let opposite = weights.negated().filter(|opposite| opposite.never_grow(wiring));
    match opposite {
        Some(opposite) if combinations(weights) <= COMBINATIONS && weights.never_grow(wiring) => {
            all(wiring, &[weights, &opposite]).unwrap_or_default()
        }
        _ => against(wiring, weights, state).into_iter().collect(),
    }
}

/// Why components are not in a box of states, if weights or their negatives say so.
pub(super) fn excluding(
    wiring: &Wiring<'_>,
    weights: &Weights,
    confined: Vec<(ComponentId, Vec<StateId>)>,
) -> Option<Lemma> {
    let excludes = |weights: &Weights| {
        let least = |(c, weights): &(ComponentId, Vec<i64>)| {
            let of = confined.binary_search_by_key(c, |x| x.0).ok().map(|k| &confined[k].1);
            let states = of.map(|of| of.iter().map(|s| weights[s.index()]).min());
            states.unwrap_or_else(|| weights.iter().copied().min())
        };
        let sum = weights.parts().iter().map(least).reduce(|a, b| a?.checked_add(b?))??;
        Some(sum > bound(wiring, weights)? && weights.never_grow(wiring))
    };
    if excludes(weights)? {
        return Some(Lemma { confined, because: because(wiring, weights)? });
    }
    let opposite = weights.negated()?;
    if excludes(&opposite)? { Some(Lemma { confined, because: because(wiring, &opposite)? }) } else { None }
}

fn combinations(weights: &Weights) -> usize {
    weights.parts().iter().fold(1, |product: usize, (_, weights)| product.saturating_mul(different(weights).len()))
}

/// A state for each different weight.
fn different(weights: &[i64]) -> Vec<StateId> {
    let mut states: Vec<usize> = (0..weights.len()).collect();
    states.sort_by_key(|&s| weights[s]);
    states.dedup_by_key(|s| weights[*s]);
    states.into_iter().map(StateId::new).collect()
}

/// Boxes that cover every combination with another sum than the initial one.
fn all(wiring: &Wiring<'_>, sides: &[&Weights]) -> Option<Vec<Lemma>> {
    let choices: Vec<Vec<StateId>> = sides[0].parts().iter().map(|(_, weights)| different(weights)).collect();
    let mut lemmas: Vec<Lemma> = Vec::new();
    for number in 0..combinations(sides[0]) {
        let mut rest = number;
        let mut digit = |choice: &Vec<StateId>| {
            let s = choice[rest % choice.len()];
            rest /= choice.len();
            s
        };
        let states: Vec<StateId> = choices.iter().map(&mut digit).collect();
        if lemmas.iter().any(|lemma| covers(sides[0], lemma, &states)) {
            continue;
        }
        for weights in sides {
            if let Some(excess) = excess(wiring, weights, &states) {
                lemmas.push(lemma(wiring, weights, &states, excess)?);
            }
        }
    }
    Some(lemmas)
}

/// Whether a box has a choice of states for the components that matter.
fn covers(weights: &Weights, lemma: &Lemma, states: &[StateId]) -> bool {
    let state = |c: &ComponentId| weights.parts().binary_search_by_key(c, |p| p.0).ok().map(|k| states[k]);
    lemma.confined.iter().all(|(c, of)| state(c).is_some_and(|s| of.contains(&s)))
}

/// By how much the sum exceeds the initial one; `states` are those of the components that matter.
fn excess(wiring: &Wiring<'_>, weights: &Weights, states: &[StateId]) -> Option<i64> {
    let of = weights.parts().iter().zip(states).map(|((_, weights), s)| weights[s.index()]);
    let sum = of.map(Some).reduce(|a, b| a?.checked_add(b?))??;
    sum.checked_sub(bound(wiring, weights)?).filter(|excess| *excess > 0)
}

/// The sum in the initial state.
fn bound(wiring: &Wiring<'_>, weights: &Weights) -> Option<i64> {
    let network = wiring.network();
    let initial = weights.parts().iter().map(|(c, weights)| weights[network.component(*c).initial().index()]);
    initial.map(Some).reduce(|a, b| a?.checked_add(b?))?
}

fn lemma(wiring: &Wiring<'_>, weights: &Weights, states: &[StateId], excess: i64) -> Option<Lemma> {
    Some(Lemma { confined: around(weights, states, excess)?, because: because(wiring, weights)? })
}

fn because(wiring: &Wiring<'_>, weights: &Weights) -> Option<Because> {
    let entry = |(c, weights): &(ComponentId, Vec<i64>)| {
        let c = c.index();
        weights.iter().copied().enumerate().filter(|e| e.1 != 0).map(|(s, w)| (c, s, w)).collect::<Vec<_>>()
    };
    let bound = bound(wiring, weights)?;
    Some(Because::Inequality(Inequality { weights: weights.parts().iter().flat_map(entry).collect(), bound }))
}

/// A box of states around given ones whose sums all exceed the bound, which these do by `excess`.
fn around(weights: &Weights, states: &[StateId], excess: i64) -> Option<Vec<(ComponentId, Vec<StateId>)>> {
    let mut slack = excess - 1;
    // How much a component would take away at most if it were anywhere: those with least are left out first.
    let mut needed: Vec<(i64, ComponentId, i64, &[i64])> = Vec::new();
    for ((c, weights), s) in weights.parts().iter().zip(states) {
        let (least, mine) = (weights.iter().min()?, weights[s.index()]);
        needed.push((mine.checked_sub(*least)?, *c, mine, weights));
    }
    needed.sort_unstable();
    needed.retain(|&(loss, ..)| {
        let spare = loss <= slack;
        slack -= if spare { loss } else { 0 };
        !spare
    });
    let mut confined = Vec::new();
    for (_, c, mine, of) in needed {
        let floor = of.iter().copied().filter(|&w| w >= mine.saturating_sub(slack)).min()?;
        slack -= (mine - floor).max(0);
        confined.push((c, (0..of.len()).filter(|&s| of[s] >= floor).map(StateId::new).collect()));
    }
    confined.sort_unstable();
    Some(confined)
}
