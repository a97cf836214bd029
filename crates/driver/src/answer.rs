//! One question after the other: engine, replay, explanation.

use std::fmt;

use check::{CheckedTrace, Finding, ReplayError, replay};
use engines::{Engine, Problem};
use evidence::{Budget, Evidence, Outcome, Progress, Reason, Trace, TraceFile, Verdict};
use explain::{Conclusion, Explanation, SourceText, explain};
use model::{Class, NamedProperty, System};

use crate::choice::Choice;
use crate::report::{EvidenceNote, ModelInfo, Report, ReportResult, ToolInfo, Violation};

/// A model and what is asked of it.
#[derive(Clone, Copy, Debug)]
pub struct Inquiry<'a> {
    /// The system.
    pub system: &'a System,
    /// The questions.
    pub properties: &'a [NamedProperty],
    /// The text that the system was read from.
    pub source: &'a SourceText,
    /// The parameters that were set, as `name=value`.
    pub set: &'a [String],
}

/// An engine and the checker disagree: one of them is wrong, and so is any answer.
#[derive(Clone, Debug)]
pub struct Contradiction {
    /// The property.
    pub property: String,
    /// The engine.
    pub engine: String,
    /// What the engine said.
    pub verdict: &'static str,
    /// What the checker said.
    pub checker: String,
    /// The run that the engine gave.
    pub trace: Box<TraceFile>,
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "the engine `{}` says that `{}` is {}, with a run,", self.engine, self.property, self.verdict)?;
        writeln!(f, "but the checker says about that run: {}", self.checker)?;
        write!(f, "the run:\n{}", self.trace.to_json())
    }
}

impl std::error::Error for Contradiction {}

/// Answers all questions with the chosen engine. The budget is for all of them together: each gets an equal share of
/// the time that is left when its turn comes, so that one that is hard does not keep the others from being tried.
pub fn check(
    inquiry: &Inquiry<'_>,
    choice: &Choice,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Report, Contradiction> {
    let engine = choice.engine();
    let mut results = Vec::with_capacity(inquiry.properties.len());
    let supported = |p: &&NamedProperty| choice.supports(inquiry.system, &p.property).is_ok();
    // What no engine can decide takes no time.
    let mut open = inquiry.properties.iter().filter(supported).count();
    for property in inquiry.properties {
        let mut result = answer(inquiry, property, &*engine, &budget.share(open), progress)?;
        open -= usize::from(supported(&property));
        if let Choice::Explore(_) = choice {
            result.engine = choice.to_string();
        }
        results.push(result);
    }
    let model = ModelInfo::new(inquiry.system, inquiry.source.name(), inquiry.set);
    Ok(Report { schema: Report::SCHEMA, tool: ToolInfo::default(), model, results })
}

/// Answers one question with one engine.
pub fn answer(
    inquiry: &Inquiry<'_>,
    property: &NamedProperty,
    engine: &dyn Engine,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<ReportResult, Contradiction> {
    let problem = Problem { system: inquiry.system, property: &property.property };
    let outcome = match (engine.supports(&problem), budget.check(0)) {
        (Ok(()), Ok(())) => engine.run(&problem, budget, progress),
        (Err(why), _) => Outcome::unknown(unsupported(property, engine, &why)),
        (Ok(()), Err(spent)) => Outcome::unknown(spent),
    };
    let confirmed = match outcome.verdict.trace() {
        None => None,
        Some(trace) => Some(confirm(inquiry, property, engine, &outcome.verdict, trace)?),
    };
    Ok(result(inquiry, property, engine, &outcome, confirmed.as_ref()))
}

fn unsupported(property: &NamedProperty, engine: &dyn Engine, why: &str) -> Reason {
    let kind = property.property.keyword();
    Reason::Unsupported(format!("the engine `{}` cannot decide `{kind}`: {why}", engine.name()))
}

/// Replays a run and compares what it shows with what the engine says.
fn confirm<'a>(
    inquiry: &Inquiry<'a>,
    property: &NamedProperty,
    engine: &dyn Engine,
    verdict: &Verdict,
    trace: &Trace,
) -> Result<CheckedTrace<'a>, Contradiction> {
    let contradiction = |checker: String| Contradiction {
        property: property.name.clone(),
        engine: engine.name().to_owned(),
        verdict: verdict.word(),
        checker,
        trace: Box::new(saved(inquiry, property, trace)),
    };
    let checked =
        replay(inquiry.system, &property.property, trace).map_err(|e: ReplayError| contradiction(e.to_string()))?;
    let shows_holds = checked.finding() == Finding::Reached;
    if shows_holds == matches!(verdict, Verdict::Holds(_)) {
        Ok(checked)
    } else {
        Err(contradiction(format!("it shows the opposite: {:?}", checked.finding())))
    }
}

/// A trace for a file. Numbers outside the system are kept out of it: they are in the checker's message.
fn saved(inquiry: &Inquiry<'_>, property: &NamedProperty, trace: &Trace) -> TraceFile {
    let known = |ts: &[model::TransitionId]| {
        ts.iter().copied().filter(|t| t.index() < inquiry.system.transitions().len()).collect()
    };
    let trace = Trace { stem: known(&trace.stem), cycle: known(&trace.cycle) };
    TraceFile::new(inquiry.system, inquiry.set.to_vec(), &property.name, &trace)
}

fn result(
    inquiry: &Inquiry<'_>,
    property: &NamedProperty,
    engine: &dyn Engine,
    outcome: &Outcome,
    confirmed: Option<&CheckedTrace<'_>>,
) -> ReportResult {
    ReportResult {
        property: property.name.clone(),
        kind: property.property.keyword(),
        expect: property.expect.map(|e| e.to_string()),
        verdict: outcome.verdict.word(),
        violation: violation(property, &outcome.verdict, confirmed),
        engine: engine.name().to_owned(),
        reason: match &outcome.verdict {
            Verdict::Unknown(reason) => Some(reason.to_string()),
            Verdict::Holds(_) | Verdict::Violated(_) => None,
        },
        statistics: outcome.statistics,
        trace: confirmed.map(|c| saved(inquiry, property, c.trace())),
        explanation: confirmed.map(|c| explained(c, property, inquiry.source)),
        evidence: evidence_note(&outcome.verdict),
    }
}

/// The run in words. A fault of the property itself is shown where the property is written.
pub fn explained(run: &CheckedTrace<'_>, property: &NamedProperty, source: &SourceText) -> Explanation {
    let mut explanation = explain(run, &property.property, source);
    if let Conclusion::ModelError(fault) = &mut explanation.conclusion
        && fault.step.is_none()
    {
        fault.source = property.span.iter().map(|span| source.place(*span)).collect();
    }
    explanation
}

fn violation(property: &NamedProperty, verdict: &Verdict, run: Option<&CheckedTrace<'_>>) -> Option<Violation> {
    if !matches!(verdict, Verdict::Violated(_)) {
        return None;
    }
    if let Some(Finding::Fault(_)) = run.map(CheckedTrace::finding) {
        return Some(Violation::ModelError);
    }
    Some(match property.property.class() {
        Class::Deadlock => Violation::Deadlock,
        Class::Safety => Violation::Safety,
        Class::Liveness => Violation::Liveness,
    })
}

fn evidence_note(verdict: &Verdict) -> Option<EvidenceNote> {
    match verdict {
        Verdict::Holds(evidence) | Verdict::Violated(evidence) => Some(match evidence {
            Evidence::Run(_) => EvidenceNote { kind: "run", note: "a run that was replayed".to_owned(), checked: true },
            Evidence::Exhausted(how) => EvidenceNote { kind: "exhausted", note: how.to_string(), checked: false },
        }),
        Verdict::Unknown(_) => None,
    }
}
