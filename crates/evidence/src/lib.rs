//! What an engine gives back: a verdict, and what it rests on.
//!
//! Verdicts are exact or `Unknown`; there is no third kind. This crate defines the formats that engines write and that
//! the independent checker reads; it contains neither an engine nor a checker.

mod budget;
mod certificate;
mod certificate_file;
mod closed;
mod exclusion;
mod gate;
mod local;
mod ranked;
mod trace;
mod trace_file;
mod verdict;

pub use budget::{Budget, Progress, Silent, Snapshot, Tally};
pub use certificate::Certificate;
pub use certificate_file::{CertificateFile, CertificateFileError, CertifiedProperty};
pub use closed::ClosedSet;
pub use exclusion::{Atom, Exclusion, Fact, Lemma, Sign, Source};
pub use gate::Gate;
pub use local::{Given, Goal, Group, Inequality, LocalProof, LratStep, Refutation, StateSet, Table, Why};
pub use ranked::{Lack, RankedClass, RankedNode, RankedRuns};
pub use trace::Trace;
pub use trace_file::{Question, TraceFile, TraceFileError};
pub use verdict::{Attempt, Count, Evidence, Exhausted, Firing, Outcome, Reason, Statistics, Verdict};
