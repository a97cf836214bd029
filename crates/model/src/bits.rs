//! Operators on bits over intervals: what they make of all numbers between two.
//!
//! The extremes of a bitwise operator are found exactly, bit by bit from the highest: among all pairs of operands that
//! give the best bits so far, those are kept that give the better next bit. Of a pair it matters only which of its four
//! bounds it has followed so far, because any bits may come next to an operand that has left a bound behind.

use crate::Wrap;

/// The numbers that wrapping makes of those in an interval: again an interval, unless they go around.
pub(crate) fn wrapped(wrap: Wrap, (lo, hi): (i64, i64)) -> (i64, i64) {
    let (first, last) = (wrap.apply(lo), wrap.apply(hi));
    let few = hi.checked_sub(lo).is_some_and(|n| n >> wrap.bits == 0);
    if few && first <= last { (first, last) } else { wrap.range() }
}

/// The least and the greatest result of an operator on the bits of numbers from two intervals.
pub(crate) fn bounds(op: fn(bool, bool) -> bool, x: (i64, i64), y: (i64, i64)) -> (i64, i64) {
    let walk = Walk { op, ends: [x.0, x.1, y.0, y.1].map(ordered) };
    (walk.extreme(false), walk.extreme(true))
}

/// With the sign turned over, unsigned numbers are in the order of the signed ones.
fn ordered(value: i64) -> u64 {
    (value as u64) ^ SIGN
}

const SIGN: u64 = 1 << 63;

/// Which bounds an operand has followed so far: the lower one, the upper one.
type Followed = (bool, bool);

struct Walk {
    op: fn(bool, bool) -> bool,
    /// The bounds of both operands.
    ends: [u64; 4],
}

impl Walk {
    fn extreme(&self, greatest: bool) -> i64 {
        let mut pairs = vec![((true, true), (true, true))];
        let mut result = 0;
        for bit in (0..64).rev().map(|i| 1u64 << i) {
            let better = self.next(&pairs, bit, greatest);
            let digit = if better.is_empty() { !greatest } else { greatest };
            pairs = if better.is_empty() { self.next(&pairs, bit, digit) } else { better };
            result |= if digit { bit } else { 0 };
        }
        (result ^ SIGN) as i64
    }

    /// The pairs that go on such that this bit of the result is `wanted`.
    fn next(&self, pairs: &[(Followed, Followed)], bit: u64, wanted: bool) -> Vec<(Followed, Followed)> {
        let [a, b, c, d] = self.ends;
        let turned = bit == SIGN;
        let mut out = Vec::new();
        for &(x, y) in pairs {
            for (p, q) in [(false, false), (false, true), (true, false), (true, true)] {
                if (self.op)(p ^ turned, q ^ turned) ^ turned == wanted
                    && let (Some(x), Some(y)) = (follow(x, (a, b), bit, p), follow(y, (c, d), bit, q))
                    && !out.contains(&(x, y))
                {
                    out.push((x, y));
                }
            }
        }
        out
    }
}

/// What an operand follows once it has this bit; nothing if that leads out of its bounds.
fn follow(so_far: Followed, (lo, hi): (u64, u64), bit: u64, digit: bool) -> Option<Followed> {
    let (least, most) = (lo & bit != 0, hi & bit != 0);
    let outside = (so_far.0 && least && !digit) || (so_far.1 && digit && !most);
    (!outside).then_some((so_far.0 && digit == least, so_far.1 && digit == most))
}
