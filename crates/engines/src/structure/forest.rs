//! A spanning forest of every component, whatever the direction of moves: along it, the amounts by which events change a
//! weight add up to the weights.

use std::collections::{BTreeMap, HashSet};

use model::views::{ComponentId, StateId};

use super::ties::{Sum, plus};
use super::wiring::Wiring;

/// The most entries of the sums along the spanning tree of a component: larger ones get no weight.
const SUMS: usize = 1 << 23;

/// The forest.
#[derive(Debug)]
pub(super) struct Forest {
    /// The local states by number, component by component, each after its parent.
    order: Vec<u32>,
    /// By local state: the port and the parent, and whether the move goes to the parent.
    parent: Vec<Option<(u32, u32, bool)>>,
}

impl Forest {
    /// The forest, and the equations of the other moves.
    pub(super) fn new(wiring: &Wiring<'_>, stop: &dyn Fn() -> bool) -> Option<(Self, HashSet<Sum>)> {
        let states = wiring.states();
        let mut forest = Self { order: Vec::with_capacity(states), parent: vec![None; states] };
        let mut equations = HashSet::new();
        for c in wiring.network().component_ids() {
            if stop() {
                return None;
            }
            match forest.component(wiring, c) {
                Some(more) => equations.extend(more),
                None => {
                    forest.forget(wiring, c);
                    equations.extend(wiring.ports_of(c).map(|p| vec![(p as u32, 1)]));
                }
            }
        }
        Some((forest, equations))
    }

    /// Leaves a component without a tree: it has no weights.
    fn forget(&mut self, wiring: &Wiring<'_>, c: ComponentId) {
        let states = wiring.states_of(c);
        self.order.truncate(states.start);
        self.order.extend(states.clone().map(|s| s as u32));
        self.parent[states].fill(None);
    }

    /// The tree of a component and its equations; `None` if these are too long, and then it has no weights.
    fn component(&mut self, wiring: &Wiring<'_>, c: ComponentId) -> Option<HashSet<Sum>> {
        let (mut equations, mut work) = (HashSet::new(), 0);
        let component = wiring.network().component(c);
        let states = component.states().len();
        let used = wiring.ports_of(c).filter(|&p| !wiring.rules(p).is_empty());
        let moves: Vec<(u32, StateId, StateId)> =
            used.flat_map(|p| wiring.moves(p).iter().map(move |&(from, to)| (p as u32, from, to))).collect();
        let mut near: Vec<Vec<(u32, StateId, bool)>> = vec![Vec::new(); states];
        for &(port, from, to) in &moves {
            near[from.index()].push((port, to, false));
            near[to.index()].push((port, from, true));
        }
        // By state, the sum of the amounts on the way from the root.
        let mut sums: Vec<Option<Sum>> = vec![None; states];
        for root in std::iter::once(component.initial()).chain((0..states).map(StateId::new)) {
            if sums[root.index()].is_some() {
                continue;
            }
            sums[root.index()] = Some(Vec::new());
            let start = self.order.len();
            self.order.push(wiring.state(c, root) as u32);
            let mut next = start;
            while next < self.order.len() {
                let parent = self.order[next];
                next += 1;
                let (_, at) = wiring.local(parent as usize);
                for &(port, to, back) in &near[at.index()] {
                    if sums[to.index()].is_none() {
                        let sum = sums[at.index()].as_ref().expect("it was reached");
                        let sum = plus(sum, &[(port, if back { -1 } else { 1 })]);
                        work += sum.len();
                        sums[to.index()] = Some(sum);
                        self.parent[wiring.state(c, to)] = Some((port, parent, back));
                        self.order.push(wiring.state(c, to) as u32);
                    }
                }
                if work > SUMS {
                    return None;
                }
            }
        }
        for &(port, from, to) in &moves {
            let [from, to] = [from, to].map(|s| sums[s.index()].as_ref().expect("all are reached"));
            let back: Sum = to.iter().map(|&(p, f)| (p, -f)).collect();
            let cycle = plus(&plus(from, &[(port, 1)]), &back);
            work += 1 + cycle.len();
            if work > SUMS {
                return None;
            }
            if !cycle.is_empty() {
                equations.insert(cycle);
            }
        }
        Some(equations)
    }

    /// By how much the weights of a state exceed those of the initial one, in amounts.
    pub(super) fn sum(&self, wiring: &Wiring<'_>, state: &[StateId]) -> Sum {
        let mut sum: BTreeMap<u32, i64> = BTreeMap::new();
        for c in wiring.network().component_ids() {
            let mut at = wiring.state(c, state[c.index()]);
            while let Some((port, parent, back)) = self.parent[at] {
                *sum.entry(port).or_default() += if back { -1 } else { 1 };
                at = parent as usize;
            }
        }
        sum.into_iter().filter(|e| e.1 != 0).collect()
    }

    /// The weights of the states of a component for given amounts of its ports; the least is zero.
    pub(super) fn weights(&self, wiring: &Wiring<'_>, c: ComponentId, amount: impl Fn(u32) -> i64) -> Option<Vec<i64>> {
        let states = wiring.states_of(c);
        let mut weights = vec![0_i64; states.len()];
        for &s in &self.order[states.clone()] {
            if let Some((port, parent, back)) = self.parent[s as usize] {
                let amount = if back { amount(port).checked_neg()? } else { amount(port) };
                weights[s as usize - states.start] = weights[parent as usize - states.start].checked_add(amount)?;
            }
        }
        let least = weights.iter().copied().min()?;
        weights.into_iter().map(|w| w.checked_sub(least)).collect()
    }
}
