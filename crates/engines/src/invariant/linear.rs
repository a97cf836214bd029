//! Conserved quantities as diagrams.
//!
//! The sum of the weights of the current states is what it was in an initial state. The diagram tests one component after
//! the other and remembers the sum so far; it is as wide as there are different sums. A basis of quantities with few
//! components each is used, the smallest first; one that makes the invariant too large is left out.

use std::cmp::Reverse;
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
/// The most nodes of all quantities together.
const NODES: usize = 1 << 20;
/// Quantities of fewer local states hardly make the whole larger: it is not looked at each time.
const SMALL: usize = 16;
/// How often it is looked at nevertheless.
const OFTEN: usize = 64;

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
    let places = Places::new(space);
    // Small ones first, and of those the ones of late variables: nothing above them has to be looked at then.
    quantities.sort_by_key(|weights| (weights.len() / SMALL, Reverse(places.first(weights))));
    let mut all = space.manager().all();
    for (k, weights) in quantities.iter().enumerate() {
        space.check()?;
        let kept = places.unchanged(space, weights)?.map(|unchanged| all.and(&unchanged)).transpose()?;
        let looked_at = weights.len() >= SMALL || k % OFTEN == 0;
        match kept.filter(|kept| !looked_at || kept.nodes() <= NODES) {
            Some(kept) => {
                all = kept;
                used.linear += 1;
            }
            None => used.skipped += 1,
        }
    }
    Ok(set.and(&all)?)
}

/// By component, its place in the order of variables.
struct Places(Vec<usize>);

impl Places {
    fn new(space: &Space<'_>) -> Self {
        let mut places = vec![0; space.order().len()];
        for (place, c) in space.order().iter().enumerate() {
            places[c.index()] = place;
        }
        Self(places)
    }

    /// The first place of a component that matters.
    fn first(&self, weights: &Weights) -> Option<usize> {
        weights.parts().iter().map(|(c, _)| self.0[c.index()]).min()
    }

    /// The states whose weight is that of an initial state; `None` if there are too many different sums.
    fn unchanged(&self, space: &Space<'_>, weights: &Weights) -> Result<Option<Bdd>, Stop> {
        let Some((initial, levels)) = self.levels(space, weights) else { return Ok(None) };
        let Some(sums) = sums(&levels) else { return Ok(None) };
        // By sum so far, what the components from here on may be in.
        let mut below: BTreeMap<i64, Bdd> = BTreeMap::new();
        for &sum in &sums[levels.len()] {
            let is_initial = initial.contains(&sum);
            below.insert(sum, if is_initial { space.manager().all() } else { space.manager().none() });
        }
        for (k, (c, by_weight)) in levels.iter().enumerate().rev() {
            space.check()?;
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
    fn levels(&self, space: &Space<'_>, weights: &Weights) -> Option<(BTreeSet<i64>, Levels)> {
        let mut initial = BTreeSet::from([0_i64]);
        let mut levels = Vec::new();
        let mut parts: Vec<&(ComponentId, Vec<i64>)> = weights.parts().iter().collect();
        parts.sort_by_key(|(c, _)| self.0[c.index()]);
        for &(c, ref of) in parts {
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
}

/// The states of a component that have the same weight.
type Levels = Vec<(ComponentId, BTreeMap<i64, Vec<StateId>>)>;

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
