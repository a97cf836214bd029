//! The report: plain data, the same facts in every output format. Its JSON is described by `docs/report.schema.json`.

use evidence::{Attempt, Certificate, Count, Statistics, TraceFile};
use explain::{Explanation, Place};
use model::System;
use serde::Serialize;

use crate::dead_code::DeadCode;

/// Answers to all questions about one model.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The version of this format.
    pub schema: &'static str,
    /// Who wrote it.
    pub tool: ToolInfo,
    /// About what.
    pub model: ModelInfo,
    /// One answer for each property, in order.
    pub results: Vec<ReportResult>,
    /// What no run does, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dead_code: Option<DeadCode>,
    /// A step that the reader of the model did not foresee, by the reader's number: the model must be read anew.
    #[serde(skip)]
    pub unforeseen: Option<u32>,
}

impl Report {
    /// The version that this crate writes.
    pub const SCHEMA: &'static str = "impasse-report-1";

    /// Answers about one model, and nothing else.
    pub fn new(model: ModelInfo, results: Vec<ReportResult>) -> Self {
        Self { schema: Self::SCHEMA, tool: ToolInfo::default(), model, results, dead_code: None, unforeseen: None }
    }

    /// The same answers, as if they had cost nothing: what is left depends on the model and the question only.
    #[must_use]
    pub fn without_times(mut self) -> Self {
        for result in &mut self.results {
            result.statistics = Statistics { seconds: 0.0, peak_bytes: 0, ..result.statistics };
            // Who else was trying when somebody answered is a matter of time, and so is what the winner was told and was
            // spared by it.
            if !std::mem::take(&mut result.attempts).is_empty() {
                result.techniques.clear();
                result.counts.retain(|count| !count.of.starts_with("suspects"));
                (result.statistics.candidates, result.statistics.suspects) = (None, None);
            }
        }
        self
    }
}

/// Name and version of the tool.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ToolInfo {
    /// `impasse`.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
}

impl Default for ToolInfo {
    fn default() -> Self {
        Self { name: "impasse", version: env!("CARGO_PKG_VERSION") }
    }
}

/// The model in a few figures.
#[derive(Clone, Debug, Serialize)]
pub struct ModelInfo {
    /// Its name.
    pub name: String,
    /// The name of its text.
    pub file: String,
    /// The parameters that were set, as `name=value`.
    pub set: Vec<String>,
    /// The number of processes.
    pub processes: usize,
    /// The number of objects.
    pub objects: usize,
    /// The number of transitions.
    pub transitions: usize,
    /// The size of a packed state.
    pub state_bits: u64,
}

impl ModelInfo {
    /// The figures of a system.
    pub fn new(system: &System, file: &str, set: &[String]) -> Self {
        Self {
            name: system.name().to_owned(),
            file: file.to_owned(),
            set: set.to_vec(),
            processes: system.processes().len(),
            objects: system.objects().len(),
            transitions: system.transitions().len(),
            state_bits: system.state_bits(),
        }
    }

    /// The figures of all models of one file: sums, and the largest state.
    pub fn of_all<'a>(name: String, file: &str, models: impl Iterator<Item = &'a ModelInfo>) -> Self {
        let (file, set) = (file.to_owned(), Vec::new());
        let none = Self { name, file, set, processes: 0, objects: 0, transitions: 0, state_bits: 0 };
        models.fold(none, |sum, m| Self {
            processes: sum.processes + m.processes,
            objects: sum.objects + m.objects,
            transitions: sum.transitions + m.transitions,
            state_bits: sum.state_bits.max(m.state_bits),
            ..sum
        })
    }
}

/// The answer to one question.
#[derive(Clone, Debug, Serialize)]
pub struct ReportResult {
    /// The name of the property.
    pub property: String,
    /// Its kind: the keyword that introduces it.
    pub kind: &'static str,
    /// Where it is written, if it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Place>,
    /// What the author expects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expect: Option<String>,
    /// `holds`, `violated` or `unknown`.
    pub verdict: &'static str,
    /// What was violated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub violation: Option<Violation>,
    /// The engine that answered, with its options.
    pub engine: String,
    /// Why there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The reader's number of what it did not foresee, if that is why: the model is to be read anew.
    #[serde(skip)]
    pub unforeseen: Option<u32>,
    /// What it cost.
    pub statistics: Statistics,
    /// What there is to say about the search, and where the model is an abstraction.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// How the answer was found, where the engine has several ways.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub techniques: Vec<String>,
    /// Exact numbers of any size.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<Count>,
    /// Everybody who tried, if several engines did.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attempts: Vec<Attempt>,
    /// The run that shows it, replayed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<TraceFile>,
    /// The run in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Explanation>,
    /// Every deadlock that was found, if all were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub deadlocks: Vec<DeadlockReport>,
    /// What would help, each checked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<String>,
    /// What the answer rests on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<EvidenceNote>,
    /// The certificate itself.
    #[serde(skip)]
    pub certificate: Option<Certificate>,
}

impl ReportResult {
    /// Something that is asserted and that no engine decides.
    pub fn undecided(property: String, kind: &'static str, why: String) -> Self {
        Self {
            property,
            kind,
            source: None,
            expect: None,
            verdict: "unknown",
            violation: None,
            engine: "none".to_owned(),
            reason: Some(why),
            unforeseen: None,
            statistics: Statistics::default(),
            warnings: Vec::new(),
            techniques: Vec::new(),
            counts: Vec::new(),
            attempts: Vec::new(),
            trace: None,
            explanation: None,
            deadlocks: Vec::new(),
            hints: Vec::new(),
            evidence: None,
            certificate: None,
        }
    }
}

/// One deadlock of several.
#[derive(Clone, Debug, Serialize)]
pub struct DeadlockReport {
    /// A run to it, replayed.
    pub trace: TraceFile,
    /// The run in words; of the first ones of a long list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Explanation>,
}

/// What went wrong, by the class of behaviour that shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Violation {
    /// A deadlock.
    Deadlock,
    /// Processes that are stuck for good while others go on.
    PartialDeadlock,
    /// A reachable state or a finite run that must not be, or the lack of one that must.
    Safety,
    /// The model itself makes no sense: a fault.
    ModelError,
    /// An infinite run that must not be.
    Liveness,
}

/// What an answer rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EvidenceNote {
    /// `run`, `exhausted` or `structure`.
    pub kind: &'static str,
    /// In words.
    pub note: String,
    /// Whether it was checked independently of the engine.
    pub checked: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What one engine was told by another leaves no trace where times are not to be seen.
    #[test]
    fn what_was_told_is_a_matter_of_time() {
        let raced = |fed: &[&str], suspects| {
            let mut result = ReportResult::undecided("p".to_owned(), "deadlock-free", "why".to_owned());
            result.statistics.suspects = Some(suspects);
            result.techniques = vec![format!("{suspects} traps")];
            result.counts = vec![Count { of: "suspects".to_owned(), number: suspects.to_string() }];
            let fed = fed.iter().map(|&s| s.to_owned()).collect();
            let (engine, why, said) = ("invariant".to_owned(), "to see".to_owned(), "holds".to_owned());
            result.attempts = vec![Attempt { engine, why, seconds: suspects as f64, said, reached: Vec::new(), fed }];
            let model = ModelInfo::of_all("m".to_owned(), "f", std::iter::empty());
            serde_json::to_string(&Report::new(model, vec![result]).without_times()).expect("it can be written")
        };
        assert_eq!(raced(&["2 lemmas of local"], 3), raced(&[], 9));
    }
}
