//! Weighted sums of tokens.

use crate::views::PlaceId;

/// `Σ c·M(p) + k`, with at most one term a place and no factor 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Linear {
    terms: Vec<(PlaceId, i64)>,
    constant: i64,
}

impl Linear {
    /// Adds up the terms; `None` if a factor leaves the range of 64 bits.
    pub fn new(mut terms: Vec<(PlaceId, i64)>, constant: i64) -> Option<Self> {
        terms.sort_unstable_by_key(|&(p, _)| p);
        let mut sums: Vec<(PlaceId, i64)> = Vec::with_capacity(terms.len());
        for (p, factor) in terms {
            match sums.last_mut().filter(|(last, _)| *last == p) {
                Some((_, sum)) => *sum = sum.checked_add(factor)?,
                None => sums.push((p, factor)),
            }
        }
        sums.retain(|&(_, factor)| factor != 0);
        Some(Self { terms: sums, constant })
    }

    /// The tokens of one place.
    pub fn tokens(p: PlaceId) -> Self {
        Self { terms: vec![(p, 1)], constant: 0 }
    }

    /// The terms, by place.
    pub fn terms(&self) -> &[(PlaceId, i64)] {
        &self.terms
    }

    /// What is added to the terms.
    pub fn constant(&self) -> i64 {
        self.constant
    }

    /// The value in a marking.
    pub fn value(&self, marking: &[u64]) -> i128 {
        let term = |&(p, factor): &(PlaceId, i64)| i128::from(factor) * i128::from(marking[p.index()]);
        self.terms.iter().map(term).sum::<i128>() + i128::from(self.constant)
    }

    /// `1 - self`: at most zero exactly where `self` is more than zero. `None` outside the range of 64 bits.
    pub fn complement(&self) -> Option<Self> {
        let terms = self.terms.iter().map(|&(p, factor)| Some((p, factor.checked_neg()?))).collect::<Option<_>>()?;
        Some(Self { terms, constant: 1_i64.checked_sub(self.constant)? })
    }
}
