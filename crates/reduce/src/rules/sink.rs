//! Sink places: nothing takes tokens from them.
//!
//! Condition: `p` has no consumers and no goal looks at it. It never hinders a transition, so the reachable markings
//! stay the same apart from `p`: everything is preserved.

use model::views::PlaceId;

use crate::class::{Deadlocks, Observations, Preserves, Runs};
use crate::scheduler::{Local, Rule};
use crate::work::Work;

/// Removes places without consumers.
#[derive(Clone, Copy, Debug)]
pub struct SinkPlace;

impl Preserves<Deadlocks> for SinkPlace {}
impl Preserves<Observations> for SinkPlace {}
impl Preserves<Runs> for SinkPlace {}

impl Rule for SinkPlace {
    fn name(&self) -> &'static str {
        "sink place"
    }
}

impl Local for SinkPlace {
    fn at(&self, work: &mut Work, p: PlaceId) -> bool {
        let applies = work.consumers(p).is_empty() && !work.is_observed(p);
        if applies {
            work.remove_place(p);
        }
        applies
    }
}
