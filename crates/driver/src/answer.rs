//! From questions to a report: searches, replay, explanation.

use std::time::Duration;

use check::{CheckedTrace, Finding, ended};
use engines::explore::Files;
use engines::{Engine, Problem};
use evidence::{Budget, Evidence, Firing, Outcome, Progress, Reason, Trace, Verdict};
use explain::{Conclusion, Explanation, SourceText, explain_while};
use model::{Class, Command, Fault, NamedProperty, Property, System};

use crate::certify::{certify, is_never};
use crate::choice::Choice;
use crate::claim::{Claim, Contradiction};
use crate::dead_code::DeadCode;
use crate::hint::hint;
use crate::on_net::NetSource;
use crate::on_network::NetworkSource;
use crate::plan::Plan;
use crate::report::{EvidenceNote, ModelInfo, Report, ReportResult, Violation};
use crate::retold::retold;

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
    /// How many threads may work.
    pub threads: usize,
    /// What an explicit search that was chosen may do with files.
    pub files: Option<&'a Files>,
    /// A run to a model error that the reader of the text knows: the answer where a search meets what was not foreseen.
    pub known_error: Option<&'a Trace>,
}

impl<'a> Inquiry<'a> {
    /// Questions about a system that was read from a text, to be answered by one thread; nothing else is known or wanted.
    pub fn new(system: &'a System, properties: &'a [NamedProperty], source: &'a SourceText) -> Self {
        let list = Listing::default();
        let (net, network, files, known_error) = (None, None, None, None);
        Self { system, properties, source, set: &[], list, net, network, threads: 1, files, known_error }
    }
}

/// What a search can list besides answering.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Every deadlock with a run to it, where deadlock freedom is asked for.
    pub deadlocks: bool,
    /// The steps that no run takes and the locations that no run reaches.
    pub dead_code: bool,
    /// A certificate for everything that is never reached, if one can be found.
    pub certificates: bool,
    /// What would help against a deadlock, if something was checked to do so.
    pub hints: bool,
}

/// How long it may take to explain a run when no time is left.
const TELLING: Duration = Duration::from_millis(400);

/// What is said where a hint was wanted and none was found.
const NO_HINT: &str = "no other order of locks and no larger channels were found that remove this deadlock";

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
    let mut unforeseen = None;
    for search in &plan.searches {
        let mut outcomes = match unforeseen {
            // The model is to be read anew, so all else can wait.
            Some(number) => vec![Outcome::unknown(Reason::Unforeseen(number)); search.parts()],
            None => search.run(inquiry, &budget.shares(search.parts(), open), progress),
        };
        open -= search.parts();
        if inquiry.list.certificates {
            for (number, (&i, outcome)) in search.questions.iter().zip(&mut outcomes).enumerate() {
                let budget = budget.share(open + search.questions.len() - number);
                certified(inquiry, &inquiry.properties[i], outcome, &budget);
            }
        }
        for (&i, outcome) in search.questions.iter().zip(&outcomes) {
            let mut result = result(inquiry, &inquiry.properties[i], &search.name, outcome, budget)?;
            if inquiry.list.hints && result.violation == Some(Violation::Deadlock) {
                let run = result.trace.as_ref().and_then(|file| file.trace(inquiry.system).ok());
                match run.and_then(|run| hint(inquiry, &run, &budget.share(open + 1))) {
                    Some(hint) => result.hints.push(hint),
                    None => result.warnings.push(NO_HINT.to_owned()),
                }
            }
            unforeseen = unforeseen.or(result.unforeseen);
            results.push((i, result));
        }
        if inquiry.list.dead_code {
            // What lies behind a step that was not foreseen is not dead.
            unforeseen = unforeseen.or(outcomes.iter().find_map(|o| met(inquiry.system, o.fired.as_deref()?)));
            dead_code = Some(DeadCode::new(inquiry, &outcomes));
        }
    }
    for (i, why) in &plan.declined {
        let (property, engine) = (&inquiry.properties[*i], choice.engine());
        let declined = declined(property, &*engine, why);
        results.push((*i, result(inquiry, property, &choice.name(), &declined, budget)?));
    }
    results.sort_by_key(|(i, _)| *i);
    let model = ModelInfo::new(inquiry.system, inquiry.source.name(), inquiry.set);
    let results = results.into_iter().map(|(_, result)| result).collect();
    Ok(Report { dead_code, unforeseen, ..Report::new(model, results) })
}

/// The number of a step that was met and not foreseen.
fn met(system: &System, fired: &[Firing]) -> Option<u32> {
    let met = system.transitions().iter().zip(fired).filter(|(_, fired)| **fired != Firing::Never);
    met.flat_map(|(t, _)| &t.command).find_map(|c| match c {
        Command::Unforeseen(number) => Some(*number),
        _ => None,
    })
}

/// Looks for a certificate for what was found to be never reached without one.
fn certified(inquiry: &Inquiry<'_>, property: &NamedProperty, outcome: &mut Outcome, budget: &Budget) {
    if !is_never(&property.property, &outcome.verdict) {
        return;
    }
    if let Verdict::Holds(evidence) | Verdict::Violated(evidence) = &mut outcome.verdict
        && !matches!(evidence, Evidence::Certificate(_))
        && let Some(certificate) = certify(inquiry, &property.property, budget)
    {
        *evidence = Evidence::Certificate(certificate);
    }
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
    result(inquiry, property, engine.name(), &outcome, budget)
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
    budget: &Budget,
) -> Result<ReportResult, Contradiction> {
    let mut claim = Claim { inquiry, property, engine, outcome, budget };
    let (mut confirmed, unseen) = match claim.run()? {
        Ok(confirmed) => (confirmed, None),
        Err(why) => (None, Some(unconfirmed(&why))),
    };
    let shorter = confirmed.as_ref().and_then(|run| enough(inquiry, property, run));
    let shorter = shorter.map(|trace| Outcome { verdict: Verdict::Violated(Evidence::Run(trace)), ..outcome.clone() });
    if let Some(shorter) = &shorter {
        claim = Claim { outcome: shorter, ..claim };
        confirmed = claim.run()?.unwrap_or_default();
    }
    let pointless = unseen
        .or_else(|| says_nothing(inquiry, confirmed.as_ref()?))
        .map(|reason| Outcome { engine: outcome.engine.clone(), ..Outcome::unknown(reason) });
    if let Some(unknown) = &pointless {
        (claim, confirmed) = (Claim { outcome: unknown, ..claim }, None);
    }
    let told = known(inquiry, property, claim.outcome);
    if let Some(told) = &told {
        claim = Claim { outcome: told, ..claim };
        confirmed = claim.run()?.unwrap_or_default();
    }
    let outcome = claim.outcome;
    let confirmed = confirmed.map(|run| retold(inquiry.system, &property.property, run, budget));
    Ok(ReportResult {
        property: property.name.clone(),
        kind: property.property.keyword(),
        source: property.span.map(|span| inquiry.source.place(span)),
        expect: property.expect.map(|e| e.to_string()),
        verdict: outcome.verdict.word(),
        violation: violation(property, &outcome.verdict, confirmed.as_ref()),
        engine: outcome.engine.clone().unwrap_or_else(|| engine.to_owned()),
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
        attempts: outcome.attempts.clone(),
        trace: confirmed.as_ref().map(|c| claim.saved(c.trace())),
        explanation: confirmed.as_ref().map(|c| explained_within(c, property, inquiry.source, budget)),
        deadlocks: claim.deadlocks()?,
        hints: Vec::new(),
        evidence: evidence_note(&outcome.verdict),
        certificate: match &outcome.verdict {
            Verdict::Holds(Evidence::Certificate(proof)) | Verdict::Violated(Evidence::Certificate(proof)) => {
                Some(proof.clone())
            }
            _ => None,
        },
    })
}

/// What is known without a search, where that has no answer: a model error breaks every property but a wish, which may come true
/// elsewhere.
fn known(inquiry: &Inquiry<'_>, property: &NamedProperty, outcome: &Outcome) -> Option<Outcome> {
    let open = matches!(outcome.verdict, Verdict::Unknown(_)) && !matches!(property.property, Property::Reachable(_));
    let run = inquiry.known_error.filter(|_| open)?;
    Some(Outcome { verdict: Verdict::Violated(Evidence::Run(run.clone())), ..outcome.clone() })
}

/// Why nothing is claimed though an engine found a run.
fn unconfirmed(why: &Reason) -> Reason {
    Reason::Unsupported(format!(
        "a run was found after which a process seems to be stuck for good, but all that can follow it was not seen to confirm that: {why}"
    ))
}

/// The part of a run after which a claim accepts whatever follows, if there is one.
fn enough(inquiry: &Inquiry<'_>, property: &NamedProperty, run: &CheckedTrace<'_>) -> Option<Trace> {
    let Property::Temporal(temporal) = &property.property else { return None };
    let steps = ended(inquiry.system, temporal, run.trace(), run.fired())?;
    Some(Trace::finite((0..steps).map(|i| run.trace().step(i)).collect()))
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
    explained_within(run, property, source, &Budget::unlimited())
}

/// The same within the time that is left, or a moment of grace.
pub(crate) fn explained_within(
    run: &CheckedTrace<'_>,
    property: &NamedProperty,
    source: &SourceText,
    budget: &Budget,
) -> Explanation {
    let grace = budget.grace(TELLING);
    let has_time = || budget.check(0).is_ok() || grace.check(0).is_ok();
    let mut explanation = explain_while(run, &property.property, source, &has_time);
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
    match run.map(CheckedTrace::finding) {
        Some(Finding::Fault(_)) => return Some(Violation::ModelError),
        Some(Finding::Ended) => return Some(Violation::Safety),
        Some(Finding::Deadlock) => return Some(Violation::Deadlock),
        _ => {}
    }
    Some(match property.property.class() {
        Class::Deadlock => Violation::Deadlock,
        Class::Safety => Violation::Safety,
        Class::Liveness => Violation::Liveness,
        Class::Branching => Violation::PartialDeadlock,
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
            Evidence::Certificate(certificate) => {
                EvidenceNote { kind: "certificate", note: format!("a certificate: {certificate}"), checked: true }
            }
            Evidence::Structure(why) => EvidenceNote { kind: "structure", note: why.clone(), checked: false },
        }),
        Verdict::Unknown(_) => None,
    }
}
