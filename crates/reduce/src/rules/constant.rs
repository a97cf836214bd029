//! Constant places: every transition puts back what it takes.
//!
//! Condition: the consumers of `p` are its producers, with the same weights. Then `p` always has its initial tokens,
//! so a transition that needs more is dead, and no other is ever hindered by `p`: both go. A goal that looks at `p` gets
//! the number. The reachable markings stay the same apart from `p`, so everything is preserved.

use model::views::PlaceId;

use crate::class::{Deadlocks, Observations, Preserves, Runs};
use crate::scheduler::{Local, Rule};
use crate::work::{Known, Work};

/// Removes constant places and the transitions that they keep dead.
#[derive(Clone, Copy, Debug)]
pub struct ConstantPlace;

impl Preserves<Deadlocks> for ConstantPlace {}
impl Preserves<Observations> for ConstantPlace {}
impl Preserves<Runs> for ConstantPlace {}

impl Rule for ConstantPlace {
    fn name(&self) -> &'static str {
        "constant place"
    }
}

impl Local for ConstantPlace {
    fn at(&self, work: &mut Work, p: PlaceId) -> bool {
        if work.consumers(p) != work.producers(p) {
            return false;
        }
        let tokens = work.initial(p);
        let dead: Vec<_> = work.consumers(p).iter().filter(|&&(_, w)| w > tokens).map(|&(t, _)| t).collect();
        work.remove_transitions(&dead);
        work.replace_place(p, Known::Constant(tokens));
        true
    }
}
