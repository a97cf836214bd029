//! Bounds of sums of tokens, and cubes: conjunctions of them.
//!
//! A transition changes a sum by a fixed number, so the markings from which it leads into a cube are again a cube: what
//! it needs, and the bounds less the changes.

use std::collections::HashMap;

use model::nets::Linear;
use model::views::{Net, NetTransitionId, PlaceId};

use crate::net::structural::gcd;

/// A weighted sum of tokens, by number. The first ones are the places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct SumId(pub(super) u32);

/// A bound of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Constraint {
    pub(super) sum: SumId,
    /// Whether the sum is at least the number, or less.
    pub(super) reaches: bool,
    pub(super) number: i64,
}

impl Constraint {
    /// True exactly where this one is false.
    pub(super) fn negated(self) -> Self {
        Self { reaches: !self.reaches, ..self }
    }

    /// What must hold before a change of the sum for this to hold after it.
    fn before(self, change: i64) -> Self {
        Self { number: self.number - change, ..self }
    }

    /// Whether a change of the sum can make it true.
    fn is_helped_by(self, change: i64) -> bool {
        if self.reaches { change > 0 } else { change < 0 }
    }
}

/// A set of markings: those that satisfy all constraints, in increasing order, of which there is at most one of each
/// sort for each sum.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Cube(Vec<Constraint>);

impl Cube {
    /// The conjunction of constraints.
    pub(super) fn new(mut constraints: Vec<Constraint>) -> Self {
        // Of two of the same sort the stronger one comes first.
        constraints.sort_unstable_by_key(|c| (c.sum, c.reaches, if c.reaches { -c.number } else { c.number }));
        constraints.dedup_by_key(|c| (c.sum, c.reaches));
        Self(constraints)
    }

    pub(super) fn constraints(&self) -> &[Constraint] {
        &self.0
    }

    /// Whether every marking of the other cube is one of this, as far as single constraints tell.
    pub(super) fn contains(&self, other: &Self) -> bool {
        let mut rest = &other.0[..];
        self.0.iter().all(|&ours| {
            let at = rest.partition_point(|c| (c.sum, c.reaches) < (ours.sum, ours.reaches));
            rest = &rest[at..];
            rest.first().is_some_and(|theirs| {
                let implied = |a: i64, b: i64| if ours.reaches { a >= b } else { a <= b };
                (theirs.sum, theirs.reaches) == (ours.sum, ours.reaches) && implied(theirs.number, ours.number)
            })
        })
    }
}

/// The sums that are spoken of, and what transitions do to them.
#[derive(Debug)]
pub(super) struct Sums<'a> {
    pub(super) net: &'a Net,
    terms: Vec<Vec<(PlaceId, i64)>>,
    numbers: HashMap<Vec<(PlaceId, i64)>, SumId>,
    /// By sum, the transitions that change it, in increasing order, and by how much.
    changes: Vec<Vec<(NetTransitionId, i64)>>,
    initial: Vec<i64>,
}

impl<'a> Sums<'a> {
    /// The places; `None` if a number of tokens is out of range.
    pub(super) fn new(net: &'a Net) -> Self {
        let (terms, numbers) = (Vec::new(), HashMap::new());
        let mut sums = Self { net, terms, numbers, changes: Vec::new(), initial: Vec::new() };
        for p in net.place_ids() {
            sums.sum(vec![(p, 1)]).expect("the tokens of one place are in range");
        }
        sums
    }

    /// The number of a sum; `None` if its value, or a change of it, is out of range.
    fn sum(&mut self, terms: Vec<(PlaceId, i64)>) -> Option<SumId> {
        if let Some(&known) = self.numbers.get(&terms) {
            return Some(known);
        }
        let mut changes: Vec<(NetTransitionId, i64)> = Vec::new();
        let mut initial = 0_i64;
        for &(p, weight) in &terms {
            initial = initial.checked_add(weight.checked_mul(i64::from(self.net.place(p).initial))?)?;
            for &(t, n) in self.net.producers(p) {
                changes.push((t, weight.checked_mul(i64::from(n))?));
            }
            for &(t, n) in self.net.consumers(p) {
                changes.push((t, weight.checked_mul(-i64::from(n))?));
            }
        }
        changes.sort_unstable_by_key(|&(t, _)| t);
        let mut added: Vec<(NetTransitionId, i64)> = Vec::with_capacity(changes.len());
        for (t, change) in changes {
            match added.last_mut().filter(|(last, _)| *last == t) {
                Some((_, sum)) => *sum = sum.checked_add(change)?,
                None => added.push((t, change)),
            }
        }
        added.retain(|&(_, change)| change != 0);
        let id = SumId(u32::try_from(self.terms.len()).ok()?);
        self.numbers.insert(terms.clone(), id);
        self.terms.push(terms);
        self.changes.push(added);
        self.initial.push(initial);
        Some(id)
    }

    /// The constraint that an expression is at most zero, in mutually prime factors of which the first is positive, as
    /// certificates have them; `None` if a number is out of range or the expression has no places.
    pub(super) fn at_most_zero(&mut self, expression: &Linear) -> Option<Constraint> {
        let divisor = expression.terms().iter().fold(0, |d, &(_, factor)| gcd(d, factor.unsigned_abs()));
        let divisor = i64::try_from(divisor).ok()?;
        let sign = expression.terms().first()?.1.signum();
        let terms = expression.terms().iter().map(|&(p, factor)| (p, factor / divisor * sign)).collect();
        let most = expression.constant().checked_neg()?.div_euclid(divisor);
        let sum = self.sum(terms)?;
        Some(match sign {
            1 => Constraint { sum, reaches: false, number: most.checked_add(1)? },
            _ => Constraint { sum, reaches: true, number: most.checked_neg()? },
        })
    }

    /// That there are at least so many tokens on a place.
    pub(super) fn tokens(p: PlaceId, number: u32) -> Constraint {
        Constraint { sum: SumId(p.index() as u32), reaches: true, number: i64::from(number) }
    }

    pub(super) fn terms(&self, sum: SumId) -> &[(PlaceId, i64)] {
        &self.terms[sum.0 as usize]
    }

    /// The sums of several places, or of one with a weight.
    pub(super) fn composed(&self) -> impl Iterator<Item = SumId> + use<> {
        (self.net.places().len() as u32..self.terms.len() as u32).map(SumId)
    }

    /// By how much a transition changes a sum.
    fn change(&self, sum: SumId, t: NetTransitionId) -> i64 {
        let changes = &self.changes[sum.0 as usize];
        changes.binary_search_by_key(&t, |e| e.0).map_or(0, |at| changes[at].1)
    }

    /// The transitions that can make a constraint true.
    pub(super) fn helpers(&self, constraint: Constraint) -> impl Iterator<Item = NetTransitionId> + '_ {
        let changes = self.changes[constraint.sum.0 as usize].iter();
        changes.filter(move |&&(_, change)| constraint.is_helped_by(change)).map(|&(t, _)| t)
    }

    /// What must hold before a transition for a constraint to hold after it.
    pub(super) fn before(&self, constraint: Constraint, t: NetTransitionId) -> Constraint {
        constraint.before(self.change(constraint.sum, t))
    }

    /// What a transition needs.
    pub(super) fn needs(&self, t: NetTransitionId) -> impl Iterator<Item = Constraint> + '_ {
        self.net.pre(t).iter().map(|&(p, weight)| Self::tokens(p, weight))
    }

    /// The markings from which a transition leads into a cube.
    pub(super) fn preimage(&self, cube: &Cube, t: NetTransitionId) -> Cube {
        let before = cube.0.iter().map(|&c| self.before(c, t));
        Cube::new(before.chain(self.needs(t)).filter(|&c| self.constant(c) != Some(true)).collect())
    }

    /// Whether a constraint holds in the initial marking.
    pub(super) fn initially(&self, constraint: Constraint) -> bool {
        (self.initial[constraint.sum.0 as usize] >= constraint.number) == constraint.reaches
    }

    /// Whether the initial marking is in a cube.
    pub(super) fn starts_in(&self, cube: &Cube) -> bool {
        cube.0.iter().all(|&c| self.initially(c))
    }

    /// Whether a transition can be the first one.
    pub(super) fn starts_with(&self, t: NetTransitionId) -> bool {
        self.needs(t).all(|c| self.initially(c))
    }

    /// The value of a constraint that holds everywhere or nowhere: no sum without negative weights is negative.
    pub(super) fn constant(&self, constraint: Constraint) -> Option<bool> {
        let positive = || self.terms(constraint.sum).iter().all(|&(_, weight)| weight > 0);
        (constraint.number <= 0 && positive()).then_some(constraint.reaches)
    }
}
