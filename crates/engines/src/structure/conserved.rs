//! Conserved quantities: weights of local states whose sum over the current states never changes ("exactly one token").
//!
//! If no choice of moves may change the sum, all moves of a component with one event change its weight by the same
//! amount. So the unknowns are these amounts, one for each port; the weights follow along a spanning tree of each
//! component, every other move closes a cycle on which the amounts add up to zero, and so do those of the participants
//! of each rule. Equations of one or two amounts, most of them, are merged into classes of proportional amounts; the
//! others are eliminated. Each amount that is still free gives one quantity of a basis, in time of what depends on it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use model::views::{ComponentId, StateId};

use super::forest::Forest;
use super::ratio::{Ratio, integers};
use super::ties::{Sum, Ties};
use super::weights::Weights;
use super::wiring::Wiring;
use crate::tokens::rows::Rows;

/// The most entries of all substitutions.
const WORK: usize = 1 << 25;

/// All conserved quantities, as what their amounts have to satisfy.
#[derive(Debug)]
pub(crate) struct Conserved {
    forest: Forest,
    ties: Ties,
    /// What was eliminated, in this order: an amount, and the later or free amounts that it is a sum of.
    rows: Vec<(u32, Vec<(u32, Ratio)>)>,
    /// By amount, where it was eliminated.
    eliminated: HashMap<u32, u32>,
    /// By amount, the rows that mention it.
    mentions: Rows<u32>,
    /// By root, the amounts of its class.
    members: Rows<(u32, Ratio)>,
}

/// A quantity of the basis: the free amount that it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Quantity(u32);

impl Conserved {
    /// `None` if the equations are too large, or `stop` said so.
    pub(crate) fn new(wiring: &Wiring<'_>, stop: &dyn Fn() -> bool) -> Option<Self> {
        let (forest, mut equations) = Forest::new(wiring, stop)?;
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
        let empty = || Rows::bucket(0, &[]);
        let (rows, eliminated) = (Vec::new(), HashMap::new());
        let mut conserved = Self { forest, ties, rows, eliminated, mentions: Rows::bucket(0, &[]), members: empty() };
        conserved.eliminate(rest, stop)?;
        conserved.index()?;
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

    /// Prepares to go from an amount to what depends on it.
    fn index(&mut self) -> Option<()> {
        let mentioned = (0_u32..).zip(&self.rows).flat_map(|(k, (_, row))| row.iter().map(move |t| (t.0 as usize, k)));
        self.mentions = Rows::bucket(self.ties.len(), &mentioned.collect::<Vec<_>>());
        let mut members = Vec::new();
        for v in 0..self.ties.len() as u32 {
            if let Some((root, factor)) = self.ties.root(v)? {
                members.push((root as usize, (v, factor)));
            }
        }
        self.members = Rows::bucket(self.ties.len(), &members);
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

    /// The quantities of the basis, which make all others; some may be zero.
    pub(crate) fn basis(&self) -> Vec<Quantity> {
        let is_free = |v: &u32| !self.members.row(*v as usize).is_empty() && !self.eliminated.contains_key(v);
        (0..self.ties.len() as u32).filter(is_free).map(Quantity).collect()
    }

    /// The quantities of the basis whose sum is another one in this state than in the initial one.
    pub(crate) fn violated(&self, wiring: &Wiring<'_>, state: &[StateId]) -> Option<Vec<Quantity>> {
        let sum = self.ties.in_roots(&self.forest.sum(wiring, state))?;
        Some(self.reduce(sum)?.into_iter().map(|(v, _)| Quantity(v)).collect())
    }

    /// The weights of a quantity; `None` if numbers get too large, or if it has more than `most` weights.
    pub(crate) fn weights(&self, wiring: &Wiring<'_>, quantity: Quantity, most: usize) -> Option<Weights> {
        let mut amounts: Vec<(u32, Ratio)> = Vec::new();
        for (root, value) in self.amounts(quantity, most)? {
            for &(v, factor) in self.members.row(root as usize) {
                amounts.push((v, factor.times(value)?));
            }
            if amounts.len() > most {
                return None;
            }
        }
        amounts.sort_unstable_by_key(|a| a.0);
        let ratios: Vec<Ratio> = amounts.iter().map(|a| a.1).collect();
        let whole = integers(&ratios)?;
        let amount = |port: u32| amounts.binary_search_by_key(&port, |a| a.0).map_or(0, |k| whole[k]);
        let mut components: Vec<ComponentId> = amounts.iter().map(|a| wiring.owner(a.0 as usize)).collect();
        components.dedup();
        if components.iter().map(|c| wiring.states_of(*c).len()).sum::<usize>() > most {
            return None;
        }
        let part = |c: ComponentId| Some((c, self.forest.weights(wiring, c, amount)?));
        Some(Weights::new(components.into_iter().map(part).collect::<Option<Vec<_>>>()?))
    }

    /// The roots that are not zero if one free amount is 1 and all others are zero.
    fn amounts(&self, Quantity(free): Quantity, most: usize) -> Option<HashMap<u32, Ratio>> {
        let mut values: HashMap<u32, Ratio> = HashMap::from([(free, Ratio::ONE)]);
        // A row mentions amounts of later rows only, so the last one that is due can be evaluated.
        let mut due: BTreeSet<u32> = self.mentions.row(free as usize).iter().copied().collect();
        while let Some(k) = due.pop_last() {
            let (v, row) = &self.rows[k as usize];
            let mut value = Ratio::ZERO;
            for (other, factor) in row {
                if let Some(known) = values.get(other) {
                    value = value.add(factor.times(*known)?)?;
                }
            }
            if !value.is_zero() {
                values.insert(*v, value);
                due.extend(self.mentions.row(*v as usize));
            }
            if values.len() > most {
                return None;
            }
        }
        Some(values)
    }
}
