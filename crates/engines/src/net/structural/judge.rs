//! Goals that follow from the bounds of places, from pairs that are never marked together, and from sums of invariants.

use std::collections::BTreeMap;

use model::nets::{Goal, Linear, Predicate};
use model::views::PlaceId;

use super::flows::Flow;
use super::invariants::Invariants;

/// Sums of more places are not split into groups of which one place at most is marked.
const GROUPED: usize = 2000;

/// Sums with greater factors are left to others: what is smaller cannot overflow.
const GREATEST: u64 = 1 << 40;

/// A place with a factor, or with tokens that are asked for.
type Term = (PlaceId, i128);

impl Invariants {
    /// Whether no reachable marking is what is searched for.
    pub(super) fn exclude_goal(&self, goal: &Goal) -> bool {
        matches!(goal, Goal::Satisfies(predicate) if self.exclude_predicate(predicate))
    }

    /// A value that an expression never exceeds.
    pub(super) fn at_most(&self, expression: &Linear) -> Option<i64> {
        if expression.terms().iter().any(|e| e.1.unsigned_abs() > GREATEST) {
            return None;
        }
        let signed = |sign: i128| {
            let terms = expression.terms().iter().map(move |&(p, factor)| (p, sign * i128::from(factor)));
            terms.filter(|e| e.1 > 0)
        };
        let gained = self.most_of(&signed(1).collect::<Vec<_>>())?;
        let lost: i128 = signed(-1).map(|(p, factor)| factor * i128::from(self.least(p))).sum();
        i64::try_from(gained - lost + i128::from(expression.constant())).ok()
    }

    fn exclude_predicate(&self, predicate: &Predicate) -> bool {
        match predicate {
            Predicate::Constant(value) => !value,
            Predicate::AtMostZero(expression) => {
                // `e <= 0` is `1 - e >= 1`.
                expression.complement().and_then(|e| self.at_most(&e)).is_some_and(|most| most < 1)
            }
            Predicate::Any(parts) => parts.iter().all(|part| self.exclude_predicate(part)),
            Predicate::All(parts) => {
                parts.iter().any(|part| self.exclude_predicate(part)) || self.exclude_together(&needs(parts))
            }
        }
    }

    /// Whether places never have so many tokens at the same time.
    fn exclude_together(&self, needs: &[Term]) -> bool {
        let pair = |(i, &(p, _)): (usize, &Term)| needs[i + 1..].iter().any(|&(q, _)| p != q && self.exclude(p, q));
        if needs.iter().enumerate().any(pair) {
            return true;
        }
        let exceeds = |flow: &Flow| {
            let (weights, total) = (&flow.weights, i128::from(flow.total));
            let weight = |p: &PlaceId| weights.binary_search_by_key(p, |e| e.0).map_or(0, |at| weights[at].1.into());
            let tokens = |sum: i128, (p, tokens): &Term| sum.saturating_add(i128::saturating_mul(weight(p), *tokens));
            needs.iter().fold(0, tokens) > total
        };
        needs.iter().any(|&(p, _)| self.flows.of(p).any(exceeds))
    }

    /// The most that a sum with positive factors can be.
    fn most_of(&self, terms: &[Term]) -> Option<i128> {
        if terms.len() < 2 {
            return self.grouped(terms);
        }
        let (covered, rest) = self.cover(terms)?;
        Some((covered + self.grouped(&rest)?).min(self.grouped(terms)?))
    }

    /// Each place as full as it can be, but of places that are never marked together only the dearest.
    fn grouped(&self, terms: &[Term]) -> Option<i128> {
        let mut terms = terms.to_vec();
        terms.sort_by_key(|&(p, factor)| (-factor, p));
        let (mut sum, mut groups): (i128, Vec<Vec<PlaceId>>) = (0, Vec::new());
        for &(p, factor) in &terms {
            let most = self.most(p)?;
            if most == 1 && terms.len() <= GROUPED {
                if let Some(group) = groups.iter_mut().find(|group| group.iter().all(|&q| self.exclude(p, q))) {
                    group.push(p);
                    continue;
                }
                groups.push(vec![p]);
            }
            sum += factor * i128::from(most);
        }
        Some(sum)
    }

    /// Invariants that bound parts of a sum better than its places do: what they allow, and the terms that are left.
    fn cover(&self, terms: &[Term]) -> Option<(i128, Vec<Term>)> {
        let mut left: BTreeMap<PlaceId, i128> = terms.iter().copied().collect();
        let mut flows: Vec<u32> = terms.iter().flat_map(|&(p, _)| self.flows.numbers(p)).copied().collect();
        flows.sort_unstable();
        flows.dedup();
        let mut savings: Vec<(i128, u32)> = Vec::new();
        for number in flows {
            savings.push((self.saving(number, &left)?, number));
        }
        savings.sort_unstable_by_key(|&(saving, number)| (-saving, number));
        let mut sum = 0;
        for (_, number) in savings.into_iter().take_while(|e| e.0 > 0) {
            if self.saving(number, &left)? > 0 {
                let flow = &self.flows.all()[number as usize];
                sum += allowed(flow, &left);
                left.retain(|&p, _| flow.weights.binary_search_by_key(&p, |e| e.0).is_err());
            }
        }
        Some((sum, left.into_iter().collect()))
    }

    /// How much less an invariant allows than the places for themselves.
    fn saving(&self, number: u32, left: &BTreeMap<PlaceId, i128>) -> Option<i128> {
        let flow = &self.flows.all()[number as usize];
        let apart = common(flow, left).map(|(p, _, factor)| Some(factor * i128::from(self.most(p)?)));
        Some(apart.sum::<Option<i128>>()? - allowed(flow, left))
    }
}

/// The places of an invariant in a sum, with their weights there and their factors here.
fn common<'a>(flow: &'a Flow, sum: &'a BTreeMap<PlaceId, i128>) -> impl Iterator<Item = (PlaceId, i128, i128)> + 'a {
    flow.weights.iter().filter_map(|&(p, weight)| Some((p, i128::from(weight), *sum.get(&p)?)))
}

/// The most that an invariant allows for its part of a sum: with `Σ w·M <= K`, that is `K` times the greatest `c / w`.
fn allowed(flow: &Flow, sum: &BTreeMap<PlaceId, i128>) -> i128 {
    common(flow, sum).map(|(_, weight, factor)| factor * i128::from(flow.total) / weight).max().unwrap_or(0)
}

/// The places that parts of a conjunction ask tokens on, and how many; one entry a place.
fn needs(parts: &[Predicate]) -> Vec<Term> {
    let mut needs: BTreeMap<PlaceId, i128> = BTreeMap::new();
    for part in parts {
        let Predicate::AtMostZero(expression) = part else { continue };
        let ([(p, factor)], constant) = (expression.terms(), i128::from(expression.constant())) else { continue };
        let factor = -i128::from(*factor);
        // `constant <= factor * M(p)`
        if factor > 0 && constant > 0 {
            let tokens = needs.entry(*p).or_default();
            *tokens = (*tokens).max((constant + factor - 1) / factor);
        }
    }
    needs.into_iter().collect()
}
