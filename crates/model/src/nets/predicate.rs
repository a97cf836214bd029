//! Predicates over markings, in negation normal form.

use super::Linear;
use crate::views::{Net, NetTransitionId, PlaceId};

/// A predicate over markings. Negation is pushed down to the comparisons, which are closed under it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Predicate {
    /// Always or never.
    Constant(bool),
    /// The expression is at most zero.
    AtMostZero(Linear),
    /// All of them.
    All(Vec<Predicate>),
    /// At least one of them.
    Any(Vec<Predicate>),
}

impl Predicate {
    /// There are at least `tokens` on a place.
    pub fn at_least(p: PlaceId, tokens: u32) -> Self {
        Self::linear(Linear::new(vec![(p, -1)], i64::from(tokens)).expect("one small factor fits"))
    }

    /// There are at most `tokens` on a place.
    pub fn at_most(p: PlaceId, tokens: u32) -> Self {
        Self::linear(Linear::new(vec![(p, 1)], -i64::from(tokens)).expect("one small factor fits"))
    }

    /// A transition is enabled.
    pub fn fireable(net: &Net, t: NetTransitionId) -> Self {
        Self::all(net.pre(t).iter().map(|&(p, weight)| Self::at_least(p, weight)))
    }

    /// No transition is enabled.
    pub fn dead(net: &Net) -> Self {
        let lacks = |&(p, weight): &(PlaceId, u32)| Self::at_most(p, weight - 1);
        Self::all(net.transition_ids().map(|t| Self::any(net.pre(t).iter().map(lacks))).collect::<Vec<_>>())
    }

    /// An expression is at most zero.
    pub fn linear(expression: Linear) -> Self {
        if expression.terms().is_empty() {
            return Self::Constant(expression.constant() <= 0);
        }
        Self::AtMostZero(expression)
    }

    /// An expression is greater than a value; `None` if a number leaves the range of 64 bits.
    pub fn exceeds(expression: &Linear, value: i64) -> Option<Self> {
        let difference = Linear::new(expression.terms().to_vec(), expression.constant().checked_sub(value)?)?;
        difference.complement().map(Self::linear)
    }

    /// A conjunction, flattened.
    pub fn all(parts: impl IntoIterator<Item = Predicate>) -> Self {
        let mut out = Vec::new();
        for part in parts {
            match part {
                Self::Constant(true) => {}
                Self::Constant(false) => return part,
                Self::All(inner) => out.extend(inner),
                other => out.push(other),
            }
        }
        Self::joined(out, Self::Constant(true), Self::All)
    }

    /// A disjunction, flattened.
    pub fn any(parts: impl IntoIterator<Item = Predicate>) -> Self {
        let mut out = Vec::new();
        for part in parts {
            match part {
                Self::Constant(false) => {}
                Self::Constant(true) => return part,
                Self::Any(inner) => out.extend(inner),
                other => out.push(other),
            }
        }
        Self::joined(out, Self::Constant(false), Self::Any)
    }

    /// One part stands for itself.
    fn joined(mut parts: Vec<Self>, none: Self, several: impl FnOnce(Vec<Self>) -> Self) -> Self {
        match parts.len() {
            0 => none,
            1 => parts.swap_remove(0),
            _ => several(parts),
        }
    }

    /// True exactly where this one is false; `None` if a number leaves the range of 64 bits.
    pub fn negated(&self) -> Option<Self> {
        Some(match self {
            Self::Constant(value) => Self::Constant(!value),
            Self::AtMostZero(expression) => Self::linear(expression.complement()?),
            Self::All(parts) => Self::any(parts.iter().map(Self::negated).collect::<Option<Vec<_>>>()?),
            Self::Any(parts) => Self::all(parts.iter().map(Self::negated).collect::<Option<Vec<_>>>()?),
        })
    }

    /// The predicate with each comparison replaced.
    pub fn map(&self, replace: &mut impl FnMut(&Linear) -> Self) -> Self {
        match self {
            Self::Constant(value) => Self::Constant(*value),
            Self::AtMostZero(expression) => replace(expression),
            Self::All(parts) => Self::all(parts.iter().map(|p| p.map(replace)).collect::<Vec<_>>()),
            Self::Any(parts) => Self::any(parts.iter().map(|p| p.map(replace)).collect::<Vec<_>>()),
        }
    }

    /// Whether a marking satisfies it.
    pub fn holds(&self, marking: &[u64]) -> bool {
        match self {
            Self::Constant(value) => *value,
            Self::AtMostZero(expression) => expression.value(marking) <= 0,
            Self::All(parts) => parts.iter().all(|p| p.holds(marking)),
            Self::Any(parts) => parts.iter().any(|p| p.holds(marking)),
        }
    }

    /// The places it looks at, in increasing order.
    pub fn places(&self) -> Vec<PlaceId> {
        let mut out = Vec::new();
        self.collect(&mut out);
        out.sort_unstable();
        out.dedup();
        out
    }

    fn collect(&self, out: &mut Vec<PlaceId>) {
        match self {
            Self::Constant(_) => {}
            Self::AtMostZero(expression) => out.extend(expression.terms().iter().map(|&(p, _)| p)),
            Self::All(parts) | Self::Any(parts) => parts.iter().for_each(|p| p.collect(out)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(terms: &[(usize, i64)], constant: i64) -> Predicate {
        let terms = terms.iter().map(|&(p, factor)| (PlaceId::new(p), factor)).collect();
        Predicate::linear(Linear::new(terms, constant).expect("small"))
    }

    #[test]
    fn a_predicate_or_its_negation_holds() {
        let small = Predicate::any([
            sum(&[(0, 1), (1, -2), (0, 1)], 1),
            Predicate::all([Predicate::at_least(PlaceId::new(0), 2), Predicate::at_most(PlaceId::new(1), 0)]),
        ]);
        let negated = small.negated().expect("small numbers");
        for marking in (0..4).flat_map(|a| (0..4).map(move |b| [a, b])) {
            let [a, b] = marking;
            assert_eq!(small.holds(&marking), a < b || (a >= 2 && b == 0), "{marking:?}");
            assert_eq!(negated.holds(&marking), !small.holds(&marking), "{marking:?}");
        }
    }

    #[test]
    fn a_value_is_exceeded_by_greater_ones_alone() {
        let twice = Linear::new(vec![(PlaceId::new(0), 2)], -1).expect("small");
        let exceeded = Predicate::exceeds(&twice, 3).expect("small numbers");
        assert_eq!([0, 1, 2, 3].map(|tokens| exceeded.holds(&[tokens])), [false, false, false, true]);
        assert_eq!(Predicate::exceeds(&twice, i64::MAX), None);
    }

    #[test]
    fn constants_disappear() {
        assert_eq!(sum(&[(0, 1), (0, -1)], -1), Predicate::Constant(true));
        let p = Predicate::at_most(PlaceId::new(3), 1);
        assert_eq!(Predicate::all([Predicate::Constant(true), p.clone()]), p);
        assert_eq!(Predicate::any([Predicate::Constant(true), p.clone()]), Predicate::Constant(true));
        assert_eq!(p.places(), [PlaceId::new(3)]);
    }
}
