//! Conserved quantities as diagrams.
//!
//! The sum of the weights of the current states is what it was in an initial state. The diagram tests one component after
//! the other and remembers the sum so far; it is as wide as there are different sums. A basis of quantities with few
//! components each is used, the smallest first; one that makes the invariant too large is left out.

use std::collections::{BTreeMap, BTreeSet};

use model::views::{ComponentId, StateId};
use solve::bdd::Bdd;

use super::report::Used;
use crate::diagrams::{Space, Stop};
use crate::structure::conserved::Conserved;
use crate::structure::weights::Weights;
use crate::structure::wiring::Wiring;

/// The most local states of a quantity.
const STATES: usize = 1 << 16;
/// The most different sums of a quantity, over all components.
const SUMS: usize = 1 << 15;
/// The most nodes of the invariant after a quantity was added.
const NODES: usize = 1 << 20;

/// The states of a set in which every quantity is what it was in an initial state.
pub(super) fn conserved(space: &Space<'_>, wiring: &Wiring<'_>, set: Bdd, used: &mut Used) -> Result<Bdd, Stop> {
    let Some(conserved) = Conserved::new(wiring, &|| space.check().is_err()) else {
        space.check()?;
        return Ok(set);
    };
    let mut quantities = Vec::new();
    for quantity in conserved.basis() {
        match conserved.weights(wiring, quantity, STATES) {
            Some(weights) => quantities.push(weights),
            None => used.skipped += 1,
        }
    }
    quantities.retain(|weights| !weights.parts().is_empty());
    quantities.sort_by_key(|weights| weights.len());
    let mut set = set;
    for weights in &quantities {
        let kept = unchanged(space, weights)?.map(|unchanged| set.and(&unchanged)).transpose()?;
        match kept.filter(|kept| kept.nodes() <= NODES) {
            Some(kept) => {
                set = kept;
                used.linear += 1;
            }
            None => used.skipped += 1,
        }
    }
    Ok(set)
}

/// The states of a component that have the same weight.
type Levels = Vec<(ComponentId, BTreeMap<i64, Vec<StateId>>)>;

/// The states whose weight is that of an initial state; `None` if there are too many different sums.
fn unchanged(space: &Space<'_>, weights: &Weights) -> Result<Option<Bdd>, Stop> {
    let Some((initial, levels)) = levels(space, weights) else { return Ok(None) };
    let Some(sums) = sums(&levels) else { return Ok(None) };
    // By sum so far, what the components from here on may be in.
    let mut below: BTreeMap<i64, Bdd> = BTreeMap::new();
    for &sum in &sums[levels.len()] {
        let is_initial = initial.contains(&sum);
        below.insert(sum, if is_initial { space.manager().all() } else { space.manager().none() });
    }
    for (k, (c, by_weight)) in levels.iter().enumerate().rev() {
        let mut here = BTreeMap::new();
        for &sum in &sums[k] {
            let mut set = space.manager().none();
            for (weight, states) in by_weight {
                set = set.or(&space.among(*c, states)?.and(&below[&(sum + weight)])?)?;
            }
            here.insert(sum, set);
        }
        below = here;
    }
    Ok(below.remove(&0))
}

/// The sums of the initial states, and by component, in the order of variables, the states of each weight.
fn levels(space: &Space<'_>, weights: &Weights) -> Option<(BTreeSet<i64>, Levels)> {
    let mut initial = BTreeSet::from([0_i64]);
    let mut levels = Vec::new();
    for c in space.upwards().into_iter().rev() {
        let Some(of) = weights.of(c) else { continue };
        let starts: BTreeSet<i64> = space.starts()[c.index()].iter().map(|s| of[s.index()]).collect();
        let pairs = initial.iter().flat_map(|sum| starts.iter().map(move |w| sum.checked_add(*w)));
        initial = pairs.collect::<Option<_>>()?;
        let mut by_weight: BTreeMap<i64, Vec<StateId>> = BTreeMap::new();
        for (s, &weight) in of.iter().enumerate() {
            by_weight.entry(weight).or_default().push(StateId::new(s));
        }
        levels.push((c, by_weight));
        if initial.len() > SUMS {
            return None;
        }
    }
    Some((initial, levels))
}

/// By number of components, the sums of their weights.
fn sums(levels: &Levels) -> Option<Vec<BTreeSet<i64>>> {
    let mut sums = vec![BTreeSet::from([0_i64])];
    let mut total = 1;
    for (_, by_weight) in levels {
        let before = &sums[sums.len() - 1];
        let after = before.iter().flat_map(|sum| by_weight.keys().map(move |weight| sum.checked_add(*weight)));
        let after = after.collect::<Option<BTreeSet<i64>>>()?;
        total += after.len();
        if total > SUMS {
            return None;
        }
        sums.push(after);
    }
    Some(sums)
}
