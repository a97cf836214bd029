//! Conditions over atoms, simplified before the atoms are written out.
//!
//! The formulas of the contest are random: they say the same things again and again, and an atom about a coloured
//! transition may stand for a million comparisons. What a conjunction asserts is therefore taken for granted in its
//! other parts, and what a disjunction asserts is taken for false in its others.

use super::predicate::Sense;

/// An atom, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct AtomId(pub(super) u32);

/// A condition in negation normal form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    Constant(bool),
    Literal(AtomId, Sense),
    All(Vec<Condition>),
    Any(Vec<Condition>),
}

/// Passes after which no more is gained in practice.
const PASSES: usize = 4;

impl Condition {
    /// All of the parts if `all` is asserted, one of them otherwise.
    pub(super) fn junction(all: Sense, parts: Vec<Condition>) -> Self {
        // A part that decides the whole: false in a conjunction, true in a disjunction.
        let decisive = all == Sense::Denied;
        let mut out = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                Self::Constant(value) if value == decisive => return part,
                Self::Constant(_) => {}
                Self::All(inner) if all == Sense::Asserted => out.extend(inner),
                Self::Any(inner) if all == Sense::Denied => out.extend(inner),
                other => out.push(other),
            }
        }
        match (out.len(), all) {
            (0, _) => Self::Constant(!decisive),
            (1, _) => out.swap_remove(0),
            (_, Sense::Asserted) => Self::All(out),
            (_, Sense::Denied) => Self::Any(out),
        }
    }

    pub(super) fn negated(&self) -> Self {
        match self {
            Self::Constant(value) => Self::Constant(!value),
            Self::Literal(atom, sense) => Self::Literal(*atom, sense.flipped()),
            Self::All(parts) => Self::Any(parts.iter().map(Self::negated).collect()),
            Self::Any(parts) => Self::All(parts.iter().map(Self::negated).collect()),
        }
    }

    pub(super) fn size(&self) -> usize {
        match self {
            Self::Constant(_) | Self::Literal(..) => 1,
            Self::All(parts) | Self::Any(parts) => 1 + parts.iter().map(Self::size).sum::<usize>(),
        }
    }

    /// An equivalent condition that is not larger.
    pub(super) fn simplified(mut self, atoms: usize) -> Self {
        let mut known = vec![None; atoms];
        for _ in 0..PASSES {
            let next = self.clone().under(&mut known);
            if next == self {
                break;
            }
            self = next;
        }
        self
    }

    /// The condition where some atoms have known values.
    fn under(self, known: &mut [Option<bool>]) -> Self {
        match self {
            Self::Constant(_) => self,
            Self::Literal(atom, sense) => match known[atom.0 as usize] {
                Some(value) => Self::Constant(value == (sense == Sense::Asserted)),
                None => self,
            },
            Self::All(parts) => Self::parts_under(Sense::Asserted, parts, known),
            Self::Any(parts) => Self::parts_under(Sense::Denied, parts, known),
        }
    }

    fn parts_under(all: Sense, mut parts: Vec<Condition>, known: &mut [Option<bool>]) -> Self {
        // Literals first: what they say helps with the others.
        parts.sort_by_key(|part| !matches!(part, Self::Literal(..)));
        let mut assumed = Vec::new();
        let mut out = Vec::with_capacity(parts.len());
        for part in parts {
            let part = part.under(known);
            if let Self::Literal(atom, sense) = part {
                // The others matter only where this part does not decide the whole.
                known[atom.0 as usize] = Some((sense == Sense::Asserted) == (all == Sense::Asserted));
                assumed.push(atom);
            }
            out.push(part);
        }
        assumed.iter().for_each(|atom| known[atom.0 as usize] = None);
        Self::junction(all, out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(condition: &Condition, values: u32) -> bool {
        match condition {
            Condition::Constant(value) => *value,
            Condition::Literal(atom, sense) => (values >> atom.0 & 1 == 1) == (*sense == Sense::Asserted),
            Condition::All(parts) => parts.iter().all(|part| holds(part, values)),
            Condition::Any(parts) => parts.iter().any(|part| holds(part, values)),
        }
    }

    /// Random conditions over three atoms, by a linear congruence.
    fn random(seed: &mut u64, depth: u32) -> Condition {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let draw = *seed >> 33;
        let sense = if draw & 1 == 0 { Sense::Asserted } else { Sense::Denied };
        if depth == 0 || draw.is_multiple_of(5) {
            return Condition::Literal(AtomId((draw >> 3) as u32 % 3), sense);
        }
        let parts = (0..2 + draw % 2).map(|_| random(seed, depth - 1)).collect();
        if sense == Sense::Asserted { Condition::All(parts) } else { Condition::Any(parts) }
    }

    #[test]
    fn simplified_conditions_are_equivalent_and_small() {
        let (mut seed, mut before, mut after) = (1, 0, 0);
        for _ in 0..2_000 {
            let condition = random(&mut seed, 5);
            let simplified = condition.clone().simplified(3);
            for values in 0..8 {
                assert_eq!(holds(&condition, values), holds(&simplified, values), "{condition:?} {simplified:?}");
                assert_eq!(holds(&condition.negated(), values), !holds(&condition, values), "{condition:?}");
            }
            assert!(simplified.size() <= condition.size());
            before += condition.size();
            after += simplified.size();
        }
        assert!(after * 4 < before, "{after} of {before}");
    }
}
