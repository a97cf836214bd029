//! A report as text: the verdict first, then why, then what it cost.

use std::fmt::Write as _;

use driver::{Report, ReportResult, Violation};
use evidence::Statistics;
use explain::text::{self, Limits};

use crate::quantity::{show_bytes, show_count, show_number, show_rate};

/// How much of a report is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// The verdicts.
    Verdicts,
    /// Everything, within these limits.
    Explained(Limits),
}

/// The whole report.
pub(crate) fn render(report: &Report, detail: Detail) -> String {
    let mut out = String::new();
    for (i, result) in report.results.iter().enumerate() {
        match detail {
            Detail::Verdicts => out.push_str(&verdict(result)),
            Detail::Explained(limits) => {
                if i > 0 {
                    out.push('\n');
                }
                out.push_str(&explained(result, limits));
            }
        }
    }
    if report.results.len() > 1 && detail != Detail::Verdicts {
        writeln!(out, "\n{}", summary(report)).expect("writing to a string cannot fail");
    }
    out
}

fn explained(result: &ReportResult, limits: Limits) -> String {
    let mut out = verdict(result);
    if let Some(explanation) = &result.explanation {
        out.push('\n');
        out.push_str(&text::explanation(explanation, limits));
        out.push('\n');
    }
    if result.statistics.states.is_some() {
        out.push_str(&cost(&result.statistics));
        out.push('\n');
    }
    out
}

/// The verdict and its reason, in one line.
fn verdict(result: &ReportResult) -> String {
    let expected = match &result.expect {
        Some(e) if result.verdict != "unknown" && e != result.verdict => format!(" (the model expects: {e})"),
        _ => String::new(),
    };
    format!("{} {}: {}{expected}\n", result.verdict.to_uppercase(), result.property, why(result))
}

fn why(result: &ReportResult) -> String {
    let Some(evidence) = &result.evidence else { return result.reason.clone().unwrap_or_default() };
    let words = match (result.violation, evidence.kind, result.kind) {
        (Some(Violation::Deadlock), "run", _) => "there is a deadlock",
        (Some(Violation::ModelError), "run", _) => "the model has an error",
        (_, "run", "reachable") => "there is a run to such a state",
        (_, "run", "invariant") => "there is a run to a state where it is false",
        (_, "run", _) => "there is a run that breaks it",
        (_, _, "reachable") => return format!("{}, and it is true in none", evidence.note),
        _ => &evidence.note,
    };
    words.to_owned()
}

/// What a search covered, and what it cost.
fn cost(s: &Statistics) -> String {
    let counts = [("state", s.states), ("transition", s.transitions), ("deadlock", s.deadlocks)];
    let mut covered: Vec<String> = counts.iter().filter_map(|(what, n)| n.map(|n| show_number(n, what))).collect();
    covered.extend(s.depth.map(|d| format!("depth {}", show_count(d))));
    let whole = match (s.complete, s.reduced) {
        (_, Some(true)) => " (the whole reduced state space)",
        (Some(true), _) => " (the whole state space)",
        (Some(false), _) => " (a part of the state space)",
        (None, _) => "",
    };
    let mut spent = vec![format!("{:.3} s", s.seconds)];
    // The rate of a moment says nothing.
    let worth_a_rate = s.states.filter(|_| s.seconds >= 0.01);
    spent.extend(worth_a_rate.map(|n| format!("{} states/s", show_rate(n, s.seconds))));
    spent.push(show_bytes(s.peak_bytes));
    format!("{}{whole}; {}", covered.join(", "), spent.join(", "))
}

fn summary(report: &Report) -> String {
    let count = |verdict: &str| report.results.iter().filter(|r| r.verdict == verdict).count();
    let parts = ["holds", "violated", "unknown"].map(|v| format!("{} {v}", count(v)));
    format!("{} properties: {}", report.results.len(), parts.join(", "))
}
