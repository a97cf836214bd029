//! Exact fractions that notice when they get too large.

/// A fraction in lowest terms with a positive denominator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ratio {
    pub(super) above: i128,
    pub(super) below: i128,
}

impl Ratio {
    pub(super) const ZERO: Self = Self { above: 0, below: 1 };
    pub(super) const ONE: Self = Self { above: 1, below: 1 };

    pub(super) fn whole(value: i64) -> Self {
        Self { above: i128::from(value), below: 1 }
    }

    /// The fraction of two numbers, the second of which is not zero.
    fn new(above: i128, below: i128) -> Option<Self> {
        let divisor = i128::try_from(gcd(above.unsigned_abs(), below.unsigned_abs())).ok()?;
        let divisor = if below < 0 { -divisor } else { divisor };
        Some(Self { above: above.checked_div(divisor)?, below: below.checked_div(divisor)? })
    }

    pub(super) fn is_zero(self) -> bool {
        self.above == 0
    }

    pub(super) fn add(self, other: Self) -> Option<Self> {
        let above = self.above.checked_mul(other.below)?.checked_add(other.above.checked_mul(self.below)?)?;
        Self::new(above, self.below.checked_mul(other.below)?)
    }

    pub(super) fn times(self, other: Self) -> Option<Self> {
        Self::new(self.above.checked_mul(other.above)?, self.below.checked_mul(other.below)?)
    }

    /// The quotient; the other is not zero.
    pub(super) fn over(self, other: Self) -> Option<Self> {
        Self::new(self.above.checked_mul(other.below)?, self.below.checked_mul(other.above)?)
    }

    pub(super) fn negated(self) -> Option<Self> {
        Some(Self { above: self.above.checked_neg()?, below: self.below })
    }
}

/// The greatest common divisor.
fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Fractions times a common number that makes them integers without a common divisor; `None` if they get too large.
pub(super) fn integers(ratios: &[Ratio]) -> Option<Vec<i64>> {
    let mut common = 1_i128;
    for ratio in ratios.iter().filter(|r| !r.is_zero()) {
        let divisor = i128::try_from(gcd(common.unsigned_abs(), ratio.below.unsigned_abs())).ok()?;
        common = common.checked_mul(ratio.below / divisor)?;
    }
    let whole = |r: &Ratio| r.above.checked_mul(common / r.below);
    let scaled = ratios.iter().map(|r| if r.is_zero() { Some(0) } else { whole(r) }).collect::<Option<Vec<i128>>>()?;
    let divisor = scaled.iter().fold(0, |d, x| gcd(d, x.unsigned_abs())).max(1);
    let divisor = i128::try_from(divisor).ok()?;
    scaled.into_iter().map(|x| i64::try_from(x / divisor).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_kept_in_lowest_terms() {
        let third = Ratio::ONE.over(Ratio::whole(3)).expect("small");
        let sum = third.add(third).and_then(|r| r.add(third)).expect("small");
        assert_eq!(sum, Ratio::ONE);
        let minus = third.negated().and_then(|r| r.over(Ratio::whole(-2))).expect("small");
        assert_eq!((minus.above, minus.below), (1, 6));
        assert_eq!(integers(&[third, Ratio::ZERO, Ratio::whole(-2)]), Some(vec![1, 0, -6]));
        assert_eq!(Ratio { above: i128::MAX, below: 1 }.times(Ratio::whole(2)), None);
    }
}
