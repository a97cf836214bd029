//! Implied places: another place hinders every transition that they would.
//!
//! Condition, for numbers `a, b > 0` and another place `q`: every transition `t` changes `b·p` at least as much as `a·q`,
//! so that `b·M(p) ≥ a·M(q) + s` for all reachable `M`, with `s = b·M0(p) - a·M0(q)`; and every consumer `t` of `p` has
//! `b·W(p,t) ≤ a·W(q,t) + s`. Then whoever finds its tokens on `q` finds them on `p`: the place never hinders, and
//! everything is preserved. A place that a goal looks at may go only if the changes are the same and `b = 1`: its tokens
//! are then `a·M(q) + s`. This includes parallel places and multiples of a place.
//!
//! The places tried as `q` are those that share with `p` the consumer that has the fewest inputs, of the first few.

use model::views::{NetTransitionId, PlaceId};

use crate::arcs::weight;
use crate::class::{Deadlocks, Observations, Preserves, Runs};
use crate::scheduler::{Local, Rule};
use crate::work::{Known, Work};

/// At most so many places are tried, and so many arcs of each of them beyond those of the place itself.
const CANDIDATES: usize = 16;
const ARCS: usize = 256;

/// Removes places that are implied by another.
#[derive(Clone, Copy, Debug)]
pub struct ImpliedPlace;

impl Preserves<Deadlocks> for ImpliedPlace {}
impl Preserves<Observations> for ImpliedPlace {}
impl Preserves<Runs> for ImpliedPlace {}

impl Rule for ImpliedPlace {
    fn name(&self) -> &'static str {
        "implied place"
    }
}

impl Local for ImpliedPlace {
    fn at(&self, work: &mut Work, p: PlaceId) -> bool {
        let Some(&(t, needed)) = work.consumers(p).iter().take(CANDIDATES).min_by_key(|&&(t, _)| work.pre(t).len())
        else {
            return false;
        };
        let others = work.pre(t).iter().filter(|&&(q, _)| q != p).take(CANDIDATES);
        let implies = |&(q, weight): &(PlaceId, u32)| {
            let bond = Bond::new(work, (p, needed), (q, weight));
            bond.holds().then_some((q, bond.a, bond.slack()))
        };
        let Some((q, factor, slack)) = others.filter_map(implies).next() else { return false };
        if !work.is_observed(p) {
            work.remove_place(p);
            return true;
        }
        let Ok(offset) = i64::try_from(slack) else { return false };
        work.replace_place(p, Known::Multiple { of: q, factor, offset });
        true
    }
}

/// A place `p` and another, `q`, that may imply it: `b·p` against `a·q`.
struct Bond<'a> {
    work: &'a Work,
    p: PlaceId,
    q: PlaceId,
    a: u32,
    b: u32,
}

impl<'a> Bond<'a> {
    /// The factors are those that suit a common consumer.
    fn new(work: &'a Work, (p, needed): (PlaceId, u32), (q, weight): (PlaceId, u32)) -> Self {
        let common = gcd(needed, weight);
        Self { work, p, q, a: needed / common, b: weight / common }
    }

    fn slack(&self) -> i128 {
        let times = |factor: u32, p: PlaceId| i128::from(factor) * i128::from(self.work.initial(p));
        times(self.b, self.p) - times(self.a, self.q)
    }

    fn holds(&self) -> bool {
        let degree = |p| self.work.consumers(p).len() + self.work.producers(p).len();
        if degree(self.q) > ARCS + 2 * degree(self.p) || (self.work.is_observed(self.p) && self.b != 1) {
            return false;
        }
        self.is_enough() && [self.q, self.p].into_iter().all(|p| self.keeps_up(p))
    }

    /// Whoever finds its tokens on `q` finds them on `p`.
    fn is_enough(&self) -> bool {
        let slack = self.slack();
        self.work.consumers(self.p).iter().all(|&(t, needed)| {
            let of_q = weight(self.work.pre(t), self.q);
            i128::from(self.b) * i128::from(needed) <= i128::from(self.a) * i128::from(of_q) + slack
        })
    }

    /// Among the neighbours of a place, changes of `p` keep up with those of `q`.
    fn keeps_up(&self, around: PlaceId) -> bool {
        let all = self.work.producers(around).iter().chain(self.work.consumers(around));
        all.map(|&(t, _)| t).all(|t| self.change(t))
    }

    fn change(&self, t: NetTransitionId) -> bool {
        let of_p = i128::from(self.b) * i128::from(self.work.change(t, self.p));
        let of_q = i128::from(self.a) * i128::from(self.work.change(t, self.q));
        if self.work.is_observed(self.p) { of_p == of_q } else { of_p >= of_q }
    }
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}
