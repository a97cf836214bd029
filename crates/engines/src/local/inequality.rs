//! Inequalities that hold in all reachable states: weights of local states that no rule increases in sum.
//!
//! A candidate whose sum exceeds the initial one is out of question, and so is much around it: few of its components
//! are enough, and each may be in any state that weighs enough.

use evidence::Inequality;
use model::views::{ComponentId, StateId};

use super::lemma::{Because, Lemma};
use super::wiring::Wiring;

/// What weights of all local states, by number, or their negatives say against a state; nothing if a rule may increase
/// the sum, or if the state does not exceed the bound.
pub(super) fn against(wiring: &Wiring<'_>, weights: &[i64], state: &[StateId]) -> Option<Lemma> {
    let negated = || weights.iter().map(|w| w.checked_neg()).collect::<Option<Vec<i64>>>();
    one_sided(wiring, weights, state).or_else(|| one_sided(wiring, &negated()?, state))
}

fn one_sided(wiring: &Wiring<'_>, weights: &[i64], state: &[StateId]) -> Option<Lemma> {
    let bound = total(wiring, weights, &wiring.network().initial_state())?;
    let sum = total(wiring, weights, state)?;
    if sum <= bound || !never_grows(wiring, weights) {
        return None;
    }
    let confined = around(wiring, weights, state, sum.checked_sub(bound)?)?;
    let entry = |(s, weight): (usize, &i64)| {
        let (c, s) = wiring.local(s);
        (c.index(), s.index(), *weight)
    };
    let weights = weights.iter().enumerate().filter(|e| *e.1 != 0).map(entry).collect();
    Some(Lemma { confined, because: Because::Inequality(Inequality { weights, bound }) })
}

fn total(wiring: &Wiring<'_>, weights: &[i64], state: &[StateId]) -> Option<i64> {
    let mut places = wiring.network().component_ids().map(|c| wiring.state(c, state[c.index()]));
    places.try_fold(0_i64, |sum, place| sum.checked_add(weights[place]))
}

/// Whether no rule increases the sum, whatever moves its participants take.
fn never_grows(wiring: &Wiring<'_>, weights: &[i64]) -> bool {
    // By port, the most that a move adds; nothing if there are none, or if it is too much to tell.
    let mut most: Vec<Option<i64>> = Vec::with_capacity(wiring.ports());
    for c in wiring.network().component_ids() {
        let weight = |s: StateId| weights[wiring.state(c, s)];
        for port in wiring.ports_of(c) {
            let growth = wiring.moves(port).iter().map(|&(from, to)| weight(to).checked_sub(weight(from)));
            most.push(growth.collect::<Option<Vec<i64>>>().map_or(Some(i64::MAX), |g| g.into_iter().max()));
        }
    }
    wiring.network().rules().iter().all(|rule| {
        let growth = rule.participants.iter().map(|&(c, e)| most[wiring.port(c, e)]);
        // A rule with a participant that never offers its event never happens.
        let Some(growth) = growth.collect::<Option<Vec<i64>>>() else { return true };
        growth.iter().try_fold(0_i64, |sum, g| sum.checked_add(*g)).is_some_and(|sum| sum <= 0)
    })
}

/// A box of states around a given one whose sums all exceed the bound, which this one does by `excess`.
fn around(
    wiring: &Wiring<'_>,
    weights: &[i64],
    state: &[StateId],
    excess: i64,
) -> Option<Vec<(ComponentId, Vec<StateId>)>> {
    let mut slack = excess - 1;
    // How much a component would take away at most if it were anywhere: those with least are left out first.
    let mut needed: Vec<(i64, ComponentId)> = Vec::new();
    for c in wiring.network().component_ids() {
        let least = weights[wiring.states_of(c)].iter().min()?;
        needed.push((weights[wiring.state(c, state[c.index()])].checked_sub(*least)?, c));
    }
    needed.sort_unstable();
    needed.retain(|&(loss, _)| {
        let spare = loss <= slack;
        slack -= if spare { loss } else { 0 };
        !spare
    });
    let mut confined = Vec::new();
    for (_, c) in needed {
        let of = &weights[wiring.states_of(c)];
        let mine = of[state[c.index()].index()];
        let floor = of.iter().copied().filter(|&w| w >= mine.saturating_sub(slack)).min()?;
        slack -= (mine - floor).max(0);
        confined.push((c, (0..of.len()).filter(|&s| of[s] >= floor).map(StateId::new).collect()));
    }
    confined.sort_unstable();
    Some(confined)
}
