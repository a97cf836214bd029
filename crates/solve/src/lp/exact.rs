//! Infeasibility that needs no trust in floating point: multipliers as integers, confirmed by exact sums.
//!
//! With multipliers `y` of the rows, `Σ y·r - Σ (y·A)·x = 0` holds at every point. If the greatest value that the bounds
//! leave the left side is negative, no point is between the bounds.

use super::{Program, Row, Side, Variable};

/// Multipliers that show a program to be infeasible, and the bounds that they use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refutation {
    /// The multiplier of each row, where it is not zero.
    pub multipliers: Vec<(Row, i128)>,
    /// The bounds that the contradiction uses, with their weights: more than zero.
    pub bounds: Vec<(Variable, Side, i128)>,
}

/// Denominators up to this one are recognised.
const DENOMINATOR: i64 = 2000;
/// The greatest multiplier.
const MULTIPLIER: f64 = 1e12;

impl Program {
    /// Makes integers of multipliers and confirms them exactly; `None` if that does not succeed.
    pub(super) fn confirm(&self, y: &[(usize, f64)]) -> Option<Refutation> {
        let largest = y.iter().map(|e| e.1.abs()).fold(0.0, f64::max);
        let y: Vec<(usize, f64)> = y.iter().copied().filter(|e| e.1.abs() > largest * 1e-9).collect();
        let smallest = y.iter().map(|e| e.1.abs()).fold(f64::INFINITY, f64::min);
        [smallest, largest, 1.0].into_iter().find_map(|unit| {
            let integers = integers(&y, unit)?;
            self.refutes(&integers, 1).or_else(|| self.refutes(&integers, -1))
        })
    }

    /// The exact sum, with the multipliers times `sign`.
    fn refutes(&self, y: &[(usize, i128)], sign: i128) -> Option<Refutation> {
        let mut sums = std::collections::BTreeMap::new();
        for &(i, factor) in y {
            for &(j, a) in &self.rows[i] {
                let sum: &mut i128 = sums.entry(j as usize).or_default();
                *sum = sum.checked_sub(factor.checked_mul(a as i128)?)?;
            }
        }
        let n = self.columns.len();
        let terms = y.iter().map(|&(i, factor)| (n + i, factor)).chain(sums);
        let (mut most, mut bounds) = (0_i128, Vec::new());
        for (v, factor) in terms.filter(|t| t.1 != 0) {
            let factor = factor.checked_mul(sign)?;
            let (side, bound) = if factor > 0 { (Side::Upper, self.upper[v]) } else { (Side::Lower, self.lower[v]) };
            if bound.is_infinite() {
                return None;
            }
            most = most.checked_add(factor.checked_mul(bound as i128)?)?;
            bounds.push((self.variable(v), side, factor.checked_abs()?));
        }
        let multipliers = y.iter().map(|&(i, factor)| (Row(i as u32), factor * sign)).collect();
        (most < 0).then_some(Refutation { multipliers, bounds })
    }
}

/// The multipliers in terms of `unit`, times a common denominator.
fn integers(y: &[(usize, f64)], unit: f64) -> Option<Vec<(usize, i128)>> {
    let mut common = 1_i64;
    for &(_, value) in y {
        let scaled = value / unit * common as f64;
        common = common.checked_mul(denominator(scaled)?)?;
        if common as f64 > MULTIPLIER {
            return None;
        }
    }
    let whole = |&(i, value): &(usize, f64)| {
        let scaled = value / unit * common as f64;
        (scaled.abs() < MULTIPLIER).then_some((i, scaled.round() as i128))
    };
    y.iter().map(whole).collect()
}

/// The smallest denominator that makes a number nearly an integer, by continued fractions.
fn denominator(value: f64) -> Option<i64> {
    let tolerance = 1e-7 * value.abs().max(1.0);
    let (mut before, mut now) = (0_i64, 1_i64);
    let mut rest = value;
    while ((value * now as f64).round() - value * now as f64).abs() > tolerance {
        rest = 1.0 / (rest - rest.floor());
        if !rest.is_finite() || rest > DENOMINATOR as f64 {
            return None;
        }
        (before, now) = (now, (rest.floor() as i64).checked_mul(now)?.checked_add(before)?);
        if now > DENOMINATOR {
            return None;
        }
    }
    Some(now)
}
