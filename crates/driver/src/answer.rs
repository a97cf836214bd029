//! From questions to a report: searches, replay, explanation.

use std::sync::Arc;

use check::{CheckedTrace, Finding};
use engines::{Engine, Problem};
use evidence::{Budget, Evidence, Outcome, Progress, Reason, Verdict};
use explain::{Conclusion, Explanation, SourceText, explain};
use model::{Class, Fault, NamedProperty, Property, System};

use crate::choice::Choice;
use crate::claim::{Claim, Contradiction};
use crate::dead_code::DeadCode;
use crate::on_net::NetSource;
use crate::on_network::NetworkSource;
use crate::plan::Plan;
use crate::report::{EvidenceNote, ModelInfo, Report, ReportResult, Violation};

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
    /// What is to be listed besides the answers.
    pub list: Listing,
    /// The net that the system was made of, if it was.
    pub net: Option<NetSource<'a>>,
    /// The network that the system was made of, if it was.
    pub network: Option<NetworkSource<'a>>,
}

/// What a search can list besides answering.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Every deadlock with a run to it, where deadlock freedom is asked for.
    pub deadlocks: bool,
    /// The steps that no run takes and the locations that no run reaches.
    pub dead_code: bool,
}

/// Answers all questions with the chosen engine, as many as possible in one search. The budget is for all of them
/// together: each gets an equal share of the time that is left when its turn comes, so that one that is hard does not
/// keep the others from being tried. Questions that are answered together get their shares together.
pub fn check(
    inquiry: &Inquiry<'_>,
    choice: &Choice,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Report, Contradiction> {
    let plan = Plan::new(inquiry, choice);
    // What no engine can decide takes no time.
    let mut open = plan.parts();
    let (mut results, mut dead_code) = (Vec::with_capacity(inquiry.properties.len()), None);
    for search in &plan.searches {
        let outcomes = search.run(inquiry, &budget.shares(search.parts(), open), progress);
        open -= search.parts();
        for (&i, outcome) in search.questions.iter().zip(&outcomes) {
            results.push((i, result(inquiry, &inquiry.properties[i], &search.name, outcome)?));
        }
        dead_code = inquiry.list.dead_code.then(|| DeadCode::new(inquiry, &outcomes));
    }
    for (i, why) in &plan.declined {
        let (property, engine) = (&inquiry.properties[*i], choice.engine());
        results.push((*i, result(inquiry, property, &choice.name(), &declined(property, &*engine, why))?));
    }
    results.sort_by_key(|(i, _)| *i);
    let model = ModelInfo::new(inquiry.system, inquiry.source.name(), inquiry.set);
    let results = results.into_iter().map(|(_, result)| result).collect();
    Ok(Report { dead_code, ..Report::new(model, results) })
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
        (Err(why), _) => declined(property, engine, &why),
        (Ok(()), Err(spent)) => Outcome::unknown(spent),
    };
    result(inquiry, property, engine.name(), &outcome)
}

fn declined(property: &NamedProperty, engine: &dyn Engine, why: &str) -> Outcome {
    let kind = property.property.keyword();
    Outcome::unknown(Reason::Unsupported(format!("the engine `{}` cannot decide `{kind}`: {why}", engine.name())))
}

/// What an engine says about a question, once the checker agrees.
fn result(
    inquiry: &Inquiry<'_>,
    property: &NamedProperty,
    engine: &str,
    outcome: &Outcome,
) -> Result<ReportResult, Contradiction> {
    let mut claim = Claim { inquiry, property, engine, outcome };
    let mut confirmed = claim.run()?;
    let pointless = confirmed.as_ref().and_then(|run| says_nothing(inquiry, run)).map(Outcome::unknown);
    if let Some(unknown) = &pointless {
        (claim, confirmed) = (Claim { outcome: unknown, ..claim }, None);
    }
    let outcome = claim.outcome;
    Ok(ReportResult {
        property: property.name.clone(),
        kind: property.property.keyword(),
        source: property.span.map(|span| inquiry.source.place(span)),
        expect: property.expect.map(|e| e.to_string()),
        verdict: outcome.verdict.word(),
        violation: violation(property, &outcome.verdict, confirmed.as_ref()),
        engine: engine.to_owned(),
        reason: match &outcome.verdict {
            Verdict::Unknown(reason) => Some(reason.to_string()),
            Verdict::Holds(_) | Verdict::Violated(_) => None,
        },
        unforeseen: match &outcome.verdict {
            Verdict::Unknown(Reason::Unforeseen(number)) => Some(*number),
            _ => None,
        },
        statistics: outcome.statistics,
        warnings: outcome.warnings.clone(),
        techniques: outcome.techniques.clone(),
        counts: outcome.counts.clone(),
        trace: confirmed.as_ref().map(|c| claim.saved(c.trace())),
        explanation: confirmed.as_ref().map(|c| explained(c, property, inquiry.source)),
        deadlocks: claim.deadlocks()?,
        evidence: evidence_note(&outcome.verdict),
        certificate: match (&property.property, &outcome.verdict) {
            (Property::DeadlockFree, Verdict::Holds(Evidence::Local(proof))) => Some(Arc::clone(proof)),
            _ => None,
        },
    })
}

/// Why a run says nothing about the model: a net has no bounds, but its system can count only so far; and a reader may
/// not have foreseen where a run leads.
fn says_nothing(inquiry: &Inquiry<'_>, run: &CheckedTrace<'_>) -> Option<Reason> {
    match (inquiry.net, run.finding()) {
        (_, Finding::Fault(Fault::Unforeseen(number))) => Some(Reason::Unforeseen(number)),
        (Some(_), Finding::Fault(Fault::Overflow { object })) => {
            let place = &inquiry.system.object(object).name;
            Some(Reason::Unsupported(format!("the place `{place}` gets more tokens than this engine can count")))
        }
        _ => None,
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
            Evidence::Untold => EvidenceNote {
                kind: "untold",
                note: "a run that shows it was found, but it is too long to be written down within the limits"
                    .to_owned(),
                checked: false,
            },
            Evidence::Exhausted(how) => EvidenceNote { kind: "exhausted", note: how.to_string(), checked: false },
            Evidence::Excluded(certificate) => EvidenceNote {
                kind: "certificate",
                note: format!(
                    "a certificate of {} facts and {} lemmas",
                    certificate.facts.len(),
                    certificate.lemmas.len()
                ),
                checked: true,
            },
            Evidence::Local(proof) => EvidenceNote {
                kind: "certificate",
                note: format!(
                    "a certificate of {} groups, {} inequalities and {} traps",
                    proof.groups.len(),
                    proof.inequalities.len(),
                    proof.traps.len()
                ),
                checked: false,
            },
            Evidence::Structure(why) => EvidenceNote { kind: "structure", note: why.clone(), checked: false },
        }),
        Verdict::Unknown(_) => None,
    }
}
