//! From questions to a report: chooses an engine, runs it within its budget, replays what it found and explains it.
//!
//! Nothing an engine says reaches a report unchecked: a run that `check` does not confirm is a [`Contradiction`], which
//! callers must treat as a broken tool, never as an answer. This crate neither reads files nor prints.
#![forbid(unsafe_code)]

mod answer;
mod auto;
mod certify;
mod choice;
mod claim;
mod dead_code;
mod errors;
mod hint;
mod invariant;
mod liveness;
mod net_run;
mod nets;
mod on_net;
mod on_network;
mod on_view;
mod plan;
mod portfolio;
mod report;
mod retold;
mod stubborn;
mod symbolic;
mod turns;
mod unfold;

pub use answer::{Inquiry, Listing, answer, check, explained};
pub use certify::exclusion;
pub use choice::{Choice, ChoiceError, ENGINES};
pub use claim::Contradiction;
pub use dead_code::{DeadCode, Unused};
pub use engines::explore::{Checkpoints, Files};
#[cfg(feature = "cluster")]
pub use engines::explore::{Team, is_loss};
pub use engines::persistent::Selection;
pub use engines::unfold::{Companion, ConditionId, EventId, Prefix, Unfolding};
pub use net_run::net_run;
pub use nets::{
    Asked, AskedValue, Counts, Listener, NetAnswer, NetAnswers, NetContradiction, NetEngines, NetInquiry, NetVerdict,
    ReducedSize, RunInquiry, RunQuestion, Unsettled, answer_net, answer_runs, reduced_for_deadlock, state_space,
};
pub use on_net::NetSource;
pub use on_network::NetworkSource;
pub use report::{DeadlockReport, EvidenceNote, ModelInfo, Report, ReportResult, ToolInfo, Violation};
