//! Reports as text, and in the formats of pipelines: SARIF, JUnit, annotations; runs as ITF and as sequence charts;
//! deadlocks as pictures; all of it as one page to mail.
//!
//! Data in, text out: nothing here reads, prints or decides. `impasse check` and the library show the same words because both
//! take them from [`text`].
#![forbid(unsafe_code)]

mod case;
pub mod chart;
mod dead_code;
pub mod drawing;
pub mod figures;
pub mod github;
pub mod html;
pub mod itf;
pub mod junit;
mod rule;
pub mod sarif;
pub mod text;
mod uri;
pub mod waiting;
pub mod xml;

pub use case::{Case, Outcome, Region, Times};
