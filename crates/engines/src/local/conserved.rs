//! Conserved quantities: weights of local states whose sum over the current states never changes ("exactly one token").
//!
//! If no choice of moves may change the sum, all moves of a component with one event change its weight by the same
//! amount. So the unknowns are these amounts, one for each port; the weights follow along a spanning tree of each
//! component, every other move closes a cycle on which the amounts add up to zero, and so do those of the participants
//! of each rule. Equations of one or two amounts, most of them, are merged into classes of proportional amounts; the
//! others are eliminated. A candidate with another sum than the initial state is then recognised, and a quantity that
//! shows it is found, without making a basis of all quantities.

use std::collections::{BTreeMap, HashMap, HashSet};

use model::views::{ComponentId, StateId};

use super::ratio::{Ratio, integers};
use super::wiring::Wiring;

/// The most entries of the sums along the spanning tree of a component: larger ones get no weight.
const SUMS: usize = 1 << 23;
/// The most entries of all substitutions.
const WORK: usize = 1 << 25;
/// How often short equations are merged before the rest is eliminated.
const PASSES: usize = 32;
/// How many quantities are compared to find one of few components.
const TRIES: usize = 8;

/// A sum of amounts.
type Sum = Vec<(u32, i64)>;

/// All conserved quantities, as what their amounts have to satisfy.
#[derive(Debug)]
pub(super) struct Conserved {
    tree: Tree,
    ties: Ties,
    /// What was eliminated, in this order: an amount, and the later or free amounts that it is a sum of.
    rows: Vec<(u32, Vec<(u32, Ratio)>)>,
    /// By amount, where it was eliminated.
    eliminated: HashMap<u32, u32>,
}

impl Conserved {
    /// `None` if the equations are too large, or `stop` said so.
    pub(super) fn new(wiring: &Wiring<'_>, stop: &dyn Fn() -> bool) -> Option<Self> {
        let (tree, mut equations) = Tree::new(wiring, stop)?;
        for rule in wiring.network().rules() {
            // A rule that is never enabled asks for nothing.
            let ports = rule.participants.iter().map(|&(c, e)| wiring.port(c, e));
            if ports.clone().all(|p| !wiring.moves(p).is_empty()) {
                equations.insert(ports.map(|p| (p as u32, 1)).collect());
            }
        }
        let mut equations: Vec<Sum> = equations.into_iter().collect();
        equations.sort_unstable_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
        let mut ties = Ties::new(wiring.ports());
        let rest = ties.merge(equations, stop)?;
        let mut conserved = Self { tree, ties, rows: Vec::new(), eliminated: HashMap::new() };
        conserved.eliminate(rest, stop)?;
        Some(conserved)
    }

    fn eliminate(&mut self, equations: Vec<Vec<(u32, Ratio)>>, stop: &dyn Fn() -> bool) -> Option<()> {
        let mut uses: HashMap<u32, usize> = HashMap::new();
        equations.iter().flatten().for_each(|(v, _)| *uses.entry(*v).or_default() += 1);
        let mut work = 0;
        for equation in equations {
            let reduced = self.reduce(equation)?;
            work += 1 + reduced.len();
            if work > WORK || (self.rows.len().is_multiple_of(64) && stop()) {
                return None;
            }
            let Some(&(pivot, factor)) = reduced.iter().min_by_key(|(v, _)| (uses.get(v), *v)) else { continue };
            let others = reduced.into_iter().filter(|(v, _)| *v != pivot);
            let row = others.map(|(v, f)| Some((v, f.over(factor)?.negated()?))).collect::<Option<Vec<_>>>()?;
            self.eliminated.insert(pivot, self.rows.len() as u32);
            self.rows.push((pivot, row));
        }
        Some(())
    }

    /// A sum in terms of free amounts.
    fn reduce(&self, sum: Vec<(u32, Ratio)>) -> Option<Vec<(u32, Ratio)>> {
        // Those that were eliminated first come first: what they are replaced by was eliminated later or not at all.
        let key = |v: u32| (self.eliminated.get(&v).copied().unwrap_or(u32::MAX), v);
        let mut terms: BTreeMap<(u32, u32), Ratio> = BTreeMap::new();
        let add = |terms: &mut BTreeMap<(u32, u32), Ratio>, v: u32, factor: Ratio| {
            let entry = terms.entry(key(v)).or_insert(Ratio::ZERO);
            *entry = entry.add(factor)?;
            Some(())
        };
        for (v, factor) in sum {
            add(&mut terms, v, factor)?;
        }
        while let Some(first) = terms.first_entry().filter(|e| e.key().0 != u32::MAX) {
            let ((row, _), factor) = first.remove_entry();
            if factor.is_zero() {
                continue;
            }
            for &(v, f) in &self.rows[row as usize].1 {
                add(&mut terms, v, f.times(factor)?)?;
            }
        }
        Some(terms.into_iter().filter(|(_, f)| !f.is_zero()).map(|((_, v), f)| (v, f)).collect())
    }

    /// Weights of all local states, by number, whose sum is another one in this state than in the initial one.
    pub(super) fn violated(&mut self, wiring: &Wiring<'_>, state: &[StateId]) -> Option<Vec<i64>> {
        let sum = self.tree.sum(wiring, state);
        let sum = self.ties.in_roots(&sum)?;
        let free = self.reduce(sum)?;
        let tries = free.iter().take(TRIES).filter_map(|&(v, _)| self.quantity(wiring, v));
        tries.collect::<Vec<_>>().into_iter().min_by_key(|weights| weights.iter().filter(|w| **w != 0).count())
    }

    /// The quantity in which one free amount is not zero.
    fn quantity(&self, wiring: &Wiring<'_>, free: u32) -> Option<Vec<i64>> {
        let mut values: HashMap<u32, Ratio> = HashMap::from([(free, Ratio::ONE)]);
        for (v, row) in self.rows.iter().rev() {
            let mut value = Ratio::ZERO;
            for (other, factor) in row {
                if let Some(known) = values.get(other) {
                    value = value.add(factor.times(*known)?)?;
                }
            }
            if !value.is_zero() {
                values.insert(*v, value);
            }
        }
        let amount = |port: usize| match self.ties.root(port as u32)? {
            Some((root, factor)) => values.get(&root).map_or(Some(Ratio::ZERO), |v| factor.times(*v)),
            None => Some(Ratio::ZERO),
        };
        let amounts = (0..wiring.ports()).map(amount).collect::<Option<Vec<Ratio>>>()?;
        self.tree.weights(wiring, &integers(&amounts)?)
    }
}

/// A spanning forest of every component, whatever the direction of moves.
#[derive(Debug)]
struct Tree {
    /// The local states by number, each after its parent.
    order: Vec<u32>,
    /// By local state: the port and the parent, and whether the move goes to the parent.
    parent: Vec<Option<(u32, u32, bool)>>,
}

impl Tree {
    /// The forest, and the equations of the other moves.
    fn new(wiring: &Wiring<'_>, stop: &dyn Fn() -> bool) -> Option<(Self, HashSet<Sum>)> {
        let states = wiring.states();
        let mut tree = Self { order: Vec::with_capacity(states), parent: vec![None; states] };
        let mut equations = HashSet::new();
        for c in wiring.network().component_ids() {
            if stop() {
                return None;
            }
            match tree.component(wiring, c) {
                Some(more) => equations.extend(more),
                None => equations.extend(wiring.ports_of(c).map(|p| vec![(p as u32, 1)])),
            }
        }
        Some((tree, equations))
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
    fn sum(&self, wiring: &Wiring<'_>, state: &[StateId]) -> Sum {
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

    /// The weights for given amounts, by local state; the least of each component is zero.
    fn weights(&self, wiring: &Wiring<'_>, amounts: &[i64]) -> Option<Vec<i64>> {
        let mut weights = vec![0_i64; wiring.states()];
        for &s in &self.order {
            if let Some((port, parent, back)) = self.parent[s as usize] {
                let amount = amounts[port as usize];
                let amount = if back { amount.checked_neg()? } else { amount };
                weights[s as usize] = weights[parent as usize].checked_add(amount)?;
            }
        }
        for c in wiring.network().component_ids() {
            let states = wiring.states_of(c);
            let least = weights[states.clone()].iter().copied().min().unwrap_or(0);
            for weight in &mut weights[states] {
                *weight = weight.checked_sub(least)?;
            }
        }
        Some(weights)
    }
}

/// Classes of amounts that are multiples of each other.
#[derive(Debug)]
struct Ties {
    /// By amount: another one, and what multiple of it this one is; a root has itself.
    towards: Vec<(u32, Ratio)>,
    size: Vec<u32>,
    /// By root, whether its class is zero.
    zero: Vec<bool>,
}

impl Ties {
    fn new(amounts: usize) -> Self {
        let towards = (0..amounts as u32).map(|v| (v, Ratio::ONE)).collect();
        Self { towards, size: vec![1; amounts], zero: vec![false; amounts] }
    }

    /// The root of a class and what multiple of it an amount is; inner `None` if that is zero, outer if too large.
    fn root(&self, v: u32) -> Option<Option<(u32, Ratio)>> {
        let (mut at, mut factor) = (v, Ratio::ONE);
        while self.towards[at as usize].0 != at {
            let (next, f) = self.towards[at as usize];
            factor = factor.times(f)?;
            at = next;
        }
        Some((!self.zero[at as usize]).then_some((at, factor)))
    }

    fn in_roots(&self, sum: &[(u32, i64)]) -> Option<Vec<(u32, Ratio)>> {
        let mut terms: BTreeMap<u32, Ratio> = BTreeMap::new();
        for &(v, factor) in sum {
            if let Some((root, multiple)) = self.root(v)? {
                let term = terms.entry(root).or_insert(Ratio::ZERO);
                *term = term.add(multiple.times(Ratio::whole(factor))?)?;
            }
        }
        Some(terms.into_iter().filter(|t| !t.1.is_zero()).collect())
    }

    /// Merges by short equations; what is left, in terms of roots. `None` if numbers get too large.
    fn merge(&mut self, mut equations: Vec<Sum>, stop: &dyn Fn() -> bool) -> Option<Vec<Vec<(u32, Ratio)>>> {
        for _ in 0..PASSES {
            let before = equations.len();
            let mut rest = Vec::new();
            for equation in equations {
                match self.in_roots(&equation)?[..] {
                    [] => {}
                    [(v, _)] => self.zero[v as usize] = true,
                    [(v, a), (w, b)] => self.tie(v, w, b.over(a)?.negated()?)?,
                    _ => rest.push(equation),
                }
            }
            equations = rest;
            if stop() {
                return None;
            }
            if equations.len() == before {
                break;
            }
        }
        equations.iter().map(|e| self.in_roots(e)).collect()
    }

    /// The root `v` is a multiple of the root `w`.
    fn tie(&mut self, v: u32, w: u32, factor: Ratio) -> Option<()> {
        let (below, above, factor) = if self.size[v as usize] <= self.size[w as usize] {
            (v, w, factor)
        } else {
            (w, v, Ratio::ONE.over(factor)?)
        };
        self.towards[below as usize] = (above, factor);
        self.size[above as usize] += self.size[below as usize];
        Some(())
    }
}

/// The sum of two sums.
fn plus(a: &[(u32, i64)], b: &[(u32, i64)]) -> Sum {
    let mut out = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut k) = (0, 0);
    while i < a.len() || k < b.len() {
        let (left, right) = (a.get(i).map_or(u32::MAX, |t| t.0), b.get(k).map_or(u32::MAX, |t| t.0));
        let at = left.min(right);
        let mut factor = 0;
        if left == at {
            factor += a[i].1;
            i += 1;
        }
        if right == at {
            factor += b[k].1;
            k += 1;
        }
        if factor != 0 {
            out.push((at, factor));
        }
    }
    out
}
