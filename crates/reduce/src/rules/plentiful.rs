//! Places that always have enough: no transition takes more than it puts back.
//!
//! Condition: no transition decreases `p`, its initial tokens are enough for each consumer, and no goal looks at it.
//! Then `p` never hinders a transition: everything is preserved.

use model::views::PlaceId;

use crate::arcs::within;
use crate::class::{Deadlocks, Observations, Preserves, Runs};
use crate::scheduler::{Local, Rule};
use crate::work::Work;

/// Removes places that never have too few tokens.
#[derive(Clone, Copy, Debug)]
pub struct PlentifulPlace;

impl Preserves<Deadlocks> for PlentifulPlace {}
impl Preserves<Observations> for PlentifulPlace {}
impl Preserves<Runs> for PlentifulPlace {}

impl Rule for PlentifulPlace {
    fn name(&self) -> &'static str {
        "plentiful place"
    }
}

impl Local for PlentifulPlace {
    fn at(&self, work: &mut Work, p: PlaceId) -> bool {
        let tokens = work.initial(p);
        let applies = !work.is_observed(p)
            && within(work.consumers(p), work.producers(p))
            && work.consumers(p).iter().all(|&(_, w)| w <= tokens);
        if applies {
            work.remove_place(p);
        }
        applies
    }
}
