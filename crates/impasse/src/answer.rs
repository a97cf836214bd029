//! An answer and its explanation.

use std::fmt;

use driver::Report;
use explain::text::Limits;
use formats::Times;
use formats::text::{Detail, render};

/// What was found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Proved.
    Holds,
    /// Refuted, by a run that was replayed.
    Violated,
    /// Not decided.
    Unknown,
}

/// An answer. As text it is what `impasse check` prints: the verdict, why, and what it cost.
#[derive(Clone, Debug)]
pub struct Answer {
    report: Report,
    limits: Limits,
}

impl Answer {
    pub(crate) fn new(report: Report, limits: Limits) -> Self {
        Self { report, limits }
    }

    /// The verdict.
    pub fn verdict(&self) -> Verdict {
        match self.report.results[0].verdict {
            "holds" => Verdict::Holds,
            "violated" => Verdict::Violated,
            _ => Verdict::Unknown,
        }
    }

    /// Everything as data: what `impasse check --format json` prints.
    pub fn report(&self) -> &Report {
        &self.report
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&render(&self.report, Detail::Explained(self.limits), Times::Shown))
    }
}
