//! What pipelines count: one thing that was asked of one file, and what came of it.
//!
//! The formats of pipelines know no more than this, so that none of them can take what was not decided for a success: only
//! [`Outcome::Passed`] is one.

use driver::{Report, ReportResult};
use explain::text::Limits;
use explain::{Conclusion, Place};

use crate::text;

/// One question and what came of it.
#[derive(Clone, Debug)]
pub struct Case {
    /// The file of the model.
    pub file: String,
    /// The name of the property.
    pub name: String,
    /// What was asked for: the keyword of a property, or `size`, or `input` for a file that cannot be used.
    pub kind: &'static str,
    /// What came of it.
    pub outcome: Outcome,
    /// One sentence.
    pub message: String,
    /// Where it is, or should be looked for.
    pub region: Option<Region>,
    /// The time that it took.
    pub seconds: f64,
    /// The answer, if there is one.
    pub result: Option<Box<ReportResult>>,
}

/// What came of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is as it should be.
    Passed,
    /// It is violated, and nobody says what they expect: no failure, and no success either.
    Noted,
    /// It is not as it should be.
    Failed,
    /// Nobody knows: out of time or memory, or no engine could tell.
    Undecided,
    /// There is no model to ask.
    Unusable,
}

/// Whether times are shown: without them the same answers are the same bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Times {
    /// They are.
    Shown,
    /// They are left out.
    Hidden,
}

/// A place in a text, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The text.
    pub file: String,
    /// The line.
    pub line: usize,
    /// The first column, and where it ends, behind the last character, if that is known.
    pub columns: Option<(usize, (usize, usize))>,
}

impl From<&Place> for Region {
    fn from(place: &Place) -> Self {
        Self { file: place.file.clone(), line: place.line, columns: None }
    }
}

/// Of a run that is shown in an annotation or a test report, so much.
const EXCERPT: Limits = Limits { steps: 30, ..Limits::SHORT };

impl Case {
    /// An answer about a file, as it counts when nobody says what they expect.
    pub fn of(file: &str, result: ReportResult) -> Self {
        let outcome = match result.verdict {
            "holds" => Outcome::Passed,
            "violated" => Outcome::Failed,
            _ => Outcome::Undecided,
        };
        Self::with(file, result, outcome)
    }

    /// An answer about a file that counts as this.
    pub fn with(file: &str, result: ReportResult, outcome: Outcome) -> Self {
        Self {
            file: file.to_owned(),
            name: result.property.clone(),
            kind: result.kind,
            outcome,
            message: text::verdict(&result).trim_end().to_owned(),
            region: place(&result).map(Region::from),
            seconds: result.statistics.seconds,
            result: Some(Box::new(result)),
        }
    }

    /// All answers of a report.
    pub fn all(report: &Report, outcome: impl Fn(&ReportResult) -> Outcome) -> Vec<Self> {
        report.results.iter().map(|r| Self::with(&report.model.file, r.clone(), outcome(r))).collect()
    }

    /// A file that cannot be used.
    pub fn unusable(file: &str, message: String, region: Option<Region>) -> Self {
        let (file, name) = (file.to_owned(), "load".to_owned());
        Self { file, name, kind: "input", outcome: Outcome::Unusable, message, region, seconds: 0.0, result: None }
    }

    /// Why it is so, in paragraphs; empty if there is no more to say than the message.
    pub(crate) fn details(&self) -> String {
        let explanation = self.result.as_ref().and_then(|r| r.explanation.as_ref());
        explanation.map_or_else(String::new, |e| explain::text::explanation(e, EXCERPT))
    }
}

/// Where an answer belongs: to the property, if that is written somewhere, or else to where the run ends.
fn place(result: &ReportResult) -> Option<&Place> {
    result.source.as_ref().or_else(|| related(result).next())
}

/// The statements that are concerned: where processes wait, where it goes wrong.
pub(crate) fn related(result: &ReportResult) -> impl Iterator<Item = &Place> {
    let explanation = result.explanation.as_ref();
    let waiting = explanation.into_iter().flat_map(|e| match (&e.conclusion, e.conclusion.deadlock()) {
        (_, Some(deadlock)) => deadlock
            .processes
            .iter()
            .flat_map(|stuck| stuck.waits.iter().flat_map(|wait| &wait.source))
            .collect::<Vec<_>>(),
        (Conclusion::ModelError(fault), None) => fault.source.iter().collect(),
        _ => Vec::new(),
    });
    let last = explanation.and_then(|e| e.steps.last()).into_iter().flat_map(|step| &step.source);
    waiting.chain(last)
}
