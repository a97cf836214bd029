//! Decides anew, from the model alone, whether evidence shows what it claims. No engine is used here.
#![forbid(unsafe_code)]

mod certificate;
mod checked;
mod closed;
mod exclusion;
mod local;
mod net;
mod replay;
mod runs;

pub use certificate::{CertificateError, Subject};
pub use checked::{CheckedTrace, Walk};
pub use exclusion::check_exclusion;
pub use local::{check_local_goals, check_local_proof};
pub use net::{CheckedRun, refutes, replay_net, word_of_run};
pub use replay::{Finding, ReplayError, replay, replay_within, walk};
pub use runs::ended;
