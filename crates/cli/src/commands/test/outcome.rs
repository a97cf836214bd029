//! What came of the tests.

use driver::ReportResult;
use evidence::Statistics;
use formats::{Case, Times, text};
use serde::Serialize;
use serde_json::json;

use crate::exit::Failure;

/// A model that was tested.
#[derive(Debug)]
pub(crate) struct Tested {
    /// Its path.
    pub(crate) path: String,
    /// One entry for each property, and one for its size.
    pub(crate) checks: Vec<Check>,
    /// The same for pipelines.
    pub(crate) cases: Vec<Case>,
    /// Of the search that covered the most.
    pub(crate) statistics: Statistics,
    /// Everything together.
    pub(crate) seconds: f64,
}

impl Tested {
    /// A model before anything was tested.
    pub(crate) fn new(path: String) -> Self {
        Self { path, checks: Vec::new(), cases: Vec::new(), statistics: Statistics::default(), seconds: 0.0 }
    }

    /// A model with which this program is at fault.
    pub(crate) fn broken(path: String, failure: &Failure) -> Self {
        let (name, why) = ("test".to_owned(), format!("internal error: {}", failure.summary));
        let case = Case { name: name.clone(), ..Case::unusable(&path, why, None) };
        let check = Check { name, outcome: Outcome::Broken(failure.summary.clone()) };
        Self { checks: vec![check], cases: vec![case], ..Self::new(path) }
    }

    /// Adds an answer and what came of it.
    pub(crate) fn add(&mut self, result: ReportResult, outcome: Outcome) {
        let decided = outcome.decided();
        let (counts_as, what) = match &outcome {
            Outcome::Passed => (formats::Outcome::Passed, "as expected"),
            Outcome::Decided(_) if outcome.is_fine() => (formats::Outcome::Passed, &*decided),
            Outcome::Decided(_) => (formats::Outcome::Noted, &*decided),
            Outcome::Failed(what) => (formats::Outcome::Failed, &**what),
            Outcome::Unknown(what) => (formats::Outcome::Undecided, &**what),
            Outcome::Unreadable(what) | Outcome::Broken(what) => (formats::Outcome::Unusable, &**what),
        };
        let name = result.property.clone();
        let message = match result.verdict {
            "unknown" => format!("{name}: {what}"),
            _ => format!("{name}: {what}: {}", text::why(&result)),
        };
        self.cases.push(Case { message, ..Case::with(&self.path, result, counts_as) });
        self.checks.push(Check { name, outcome });
    }
}

/// One thing that was tested.
#[derive(Debug, Serialize)]
pub(crate) struct Check {
    /// The name of the property, or `size`, or `load`, or `test` for all that is asked of a model.
    pub(crate) name: String,
    /// What came of it.
    #[serde(flatten)]
    pub(crate) outcome: Outcome,
}

/// What came of a test.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", content = "message", rename_all = "kebab-case")]
pub(crate) enum Outcome {
    /// As expected.
    Passed,
    /// Nothing was expected, and it was decided.
    Decided(String),
    /// Not as expected.
    Failed(String),
    /// Not decided: out of time or memory, or no engine could tell.
    Unknown(String),
    /// The model cannot be read.
    Unreadable(String),
    /// This program has failed.
    Broken(String),
}

impl Outcome {
    /// Whether it was tried and nothing speaks against it.
    pub(crate) fn is_fine(&self) -> bool {
        *self == Outcome::Passed || matches!(self, Outcome::Decided(verdict) if verdict != "violated")
    }

    /// Whether it is violated and nothing was expected: that is decided, but nothing to be called fine.
    pub(crate) fn is_noted(&self) -> bool {
        matches!(self, Outcome::Decided(_)) && !self.is_fine()
    }

    /// What was decided although nothing was expected; empty of everything else.
    pub(crate) fn decided(&self) -> String {
        match self {
            Outcome::Decided(verdict) => format!("{verdict} (nothing expected)"),
            _ => String::new(),
        }
    }
}

/// How often each outcome came.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Totals {
    pub(crate) models: usize,
    /// Properties and sizes, of all models; the next six add up to it.
    pub(crate) checks: usize,
    pub(crate) passed: usize,
    pub(crate) decided: usize,
    pub(crate) failed: usize,
    pub(crate) unknown: usize,
    pub(crate) unreadable: usize,
    pub(crate) broken: usize,
    /// Models that were not reached, because somebody asked to stop.
    pub(crate) untested: usize,
}

impl Totals {
    /// Counts, knowing how many models there were to test.
    pub(crate) fn new(tested: &[Tested], models: usize) -> Self {
        let mut totals = Self { models, untested: models - tested.len(), ..Self::default() };
        for check in tested.iter().flat_map(|t| &t.checks) {
            totals.checks += 1;
            *match check.outcome {
                Outcome::Passed => &mut totals.passed,
                Outcome::Decided(_) => &mut totals.decided,
                Outcome::Failed(_) => &mut totals.failed,
                Outcome::Unknown(_) => &mut totals.unknown,
                Outcome::Unreadable(_) => &mut totals.unreadable,
                Outcome::Broken(_) => &mut totals.broken,
            } += 1;
        }
        totals
    }
}

/// Everything as one JSON object.
pub(super) fn json(tested: &[Tested], totals: &Totals, times: Times) -> String {
    let model = |t: &Tested| {
        json!({
            "file": t.path,
            "states": t.statistics.states,
            "transitions": t.statistics.transitions,
            "seconds": if times == Times::Shown { t.seconds } else { 0.0 },
            "checks": t.checks,
        })
    };
    let report = json!({
        "schema": super::SCHEMA,
        "tool": driver::ToolInfo::default(),
        "models": tested.iter().map(model).collect::<Vec<_>>(),
        "summary": totals,
    });
    serde_json::to_string_pretty(&report).expect("a value is always JSON") + "\n"
}
