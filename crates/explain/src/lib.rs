//! Checked traces in the words of the model's author: steps, what changed, and why the end is as it is.
//!
//! [`explain`] accepts nothing but a [`check::CheckedTrace`], and [`steps`] and [`waiting`] nothing but a [`check::Walk`], so no run is ever shown that was not replayed. The result
//! is plain data, ready to be serialised; [`text`] turns it into paragraphs. Nothing here prints.
#![forbid(unsafe_code)]

mod attendance;
mod chart;
mod claim;
mod components;
mod conclusion;
mod crowd;
mod cycle;
mod deadlock;
mod exchange;
mod fault;
mod formula;
mod help;
mod meeting;
mod needs;
mod obstacle;
mod ownership;
mod partners;
mod path;
mod permits;
mod phrase;
mod prospect;
mod reasons;
mod runs;
mod siphon;
mod source;
mod standstill;
mod stations;
mod step;
mod supply;
pub mod text;
mod values;
mod why;
mod writers;

pub use chart::{Chart, Lane, Row};
pub use claim::ClaimMove;
pub use conclusion::{Conclusion, Conjunct, explain, explain_while};
pub use cycle::Link;
pub use deadlock::{Blocker, Deadlock, PartialDeadlock, Stuck, Wait, waiting};
pub use exchange::{Exchange, ExchangeKind};
pub use fault::FaultReport;
pub use prospect::Prospect;
pub use runs::BrokenClaim;
pub use siphon::{Feeder, Siphon};
pub use source::{Place, SourceText};
pub use standstill::Elided;
pub use step::{Change, Step, changes, operations, steps};
pub use values::Reading;
pub use why::why_disabled;

use serde::Serialize;

/// A run and what it comes to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// The steps, from the initial state; of a very long run only those near its beginning and its end.
    pub steps: Vec<Step>,
    /// The number of steps that were left out between those.
    #[serde(skip_serializing_if = "is_zero")]
    pub elided: usize,
    /// What is remarkable about the end.
    pub conclusion: Conclusion,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
pub(crate) fn is_zero(number: &usize) -> bool {
    *number == 0
}
