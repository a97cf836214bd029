//! A report as text: the verdict first, then why, then what it cost.

use driver::{DeadlockReport, Report, ReportResult, Violation};
use evidence::{Attempt, Count, Statistics};
use explain::Conclusion;
use explain::text::{self, Limits};

use crate::figures::{show_bytes, show_count, show_large, show_number, show_rate};
use crate::{Times, dead_code};

/// How much of a report is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// The verdicts.
    Verdicts,
    /// Everything, within these limits.
    Explained(Limits),
}

/// The whole report.
pub fn render(report: &Report, detail: Detail, times: Times) -> String {
    let timeless = (times == Times::Hidden).then(|| report.clone().without_times());
    let report = timeless.as_ref().unwrap_or(report);
    let mut parts: Vec<String> = match detail {
        Detail::Verdicts => report.results.iter().map(verdict).collect(),
        Detail::Explained(limits) => (0..report.results.len()).map(|i| explained(report, i, limits, times)).collect(),
    };
    parts.extend(report.dead_code.as_ref().map(|dead| dead_code::render(dead, detail)));
    if detail == Detail::Verdicts {
        return parts.concat();
    }
    if report.results.len() > 1 {
        parts.push(format!("{}\n", summary(report)));
    }
    parts.join("\n")
}

/// One result, in paragraphs.
fn explained(report: &Report, position: usize, limits: Limits, times: Times) -> String {
    let result = &report.results[position];
    let mut out = verdict(result);
    let in_list = !result.deadlocks.is_empty() && result.violation == Some(Violation::Deadlock);
    if let Some(explanation) = result.explanation.as_ref().filter(|_| !in_list) {
        out += &match report.results[..position].iter().find(|r| shows_the_same(r, result)) {
            Some(other) => format!("\nThe run is that of `{}`, above.\n", other.property),
            None => format!("\n{}", text::explanation(explanation, limits)),
        };
    }
    let all = result.deadlocks.len() as u64;
    for (deadlock, number) in result.deadlocks.iter().zip(1..) {
        let head = format!("Deadlock {} of {}\n", show_count(number), show_count(all));
        let head = if all > 1 { &*head } else { "" };
        out += &match &deadlock.explanation {
            Some(explanation) => format!("\n{head}{}", text::explanation(explanation, limits)),
            None => format!("\n{head}{}\n", run_in_one_line(deadlock)),
        };
    }
    result.hints.iter().for_each(|hint| out += &format!("\nHint: {hint}\n"));
    let price = price(report, position, times);
    if !price.is_empty() && (result.explanation.is_some() || !result.deadlocks.is_empty()) {
        out.push('\n');
    }
    out + &price + &attempts(result)
}

/// What became of each engine, if several tried.
fn attempts(result: &ReportResult) -> String {
    let fed = |a: &Attempt| if a.fed.is_empty() { String::new() } else { format!(", was told {}", a.fed.join(", ")) };
    let spent = |a: &Attempt| -> String {
        a.reached.iter().cloned().chain([format!("{:.1} s", a.seconds)]).map(|s| format!(", {s}")).collect()
    };
    let line = |a: &Attempt| format!("  {} ({}): {}{}{}\n", a.engine, a.why, a.said, spent(a), fed(a));
    match &result.attempts[..] {
        [] => String::new(),
        attempts => format!("tried:\n{}", attempts.iter().map(line).collect::<String>()),
    }
}

/// Whether two results rest on one run to a model error.
fn shows_the_same(a: &ReportResult, b: &ReportResult) -> bool {
    a.violation == Some(Violation::ModelError) && a.explanation.is_some() && a.explanation == b.explanation
}

/// What the search for a result covered and cost. Of results that share a search only the last tells it.
fn price(report: &Report, position: usize, times: Times) -> String {
    let result = &report.results[position];
    let sharing = |r: &&ReportResult| r.statistics == result.statistics;
    let told_later = report.results[position + 1..].iter().any(|r| sharing(&r));
    price_of(result, report.results.iter().filter(sharing).count(), told_later, times)
}

/// The same of a result that stands alone, or of a search that answered several.
pub(crate) fn price_of(result: &ReportResult, answered: usize, told_later: bool, times: Times) -> String {
    if result.engine == "net" || result.statistics.parallel_steps.is_some() {
        return on_net(result, times);
    }
    if !result.counts.is_empty() {
        return by_sets(result, times);
    }
    if result.statistics.candidates.is_some() {
        return by_local_analysis(result, times);
    }
    let counted = result.statistics.states.or(result.statistics.events);
    if counted.is_none() || told_later {
        return String::new();
    }
    format!("{}\n{}", cost(&result.statistics, answered, times), warnings(result))
}

/// What there is to say about a search or its model.
fn warnings(result: &ReportResult) -> String {
    result.warnings.iter().map(|w| format!("warning: {w}\n")).collect()
}

/// How a question about a net was answered, and the time it took.
fn on_net(result: &ReportResult, times: Times) -> String {
    let how = match &result.techniques[..] {
        [] => None,
        techniques => Some(format!("found by {}", techniques.join(" and "))),
    };
    let covered = result.statistics.parallel_steps;
    let covered = covered.map(|steps| format!("no run of up to {} gets there", show_number(steps, "parallel step")));
    let spent = (times == Times::Shown).then(|| format!("{:.3} s", result.statistics.seconds));
    line(&how.into_iter().chain(covered).chain(spent).collect::<Vec<_>>().join("; ")) + &warnings(result)
}

/// What local analysis used, and the time it took.
fn by_local_analysis(result: &ReportResult, times: Times) -> String {
    let techniques: String = result.techniques.iter().map(|t| format!("  {t}\n")).collect();
    let candidates = show_number(result.statistics.candidates.unwrap_or_default(), "candidate");
    let spent = if times == Times::Shown { format!("{:.3} s", result.statistics.seconds) } else { String::new() };
    format!("local analysis, {candidates} looked at:\n{techniques}{}{}", line(&spent), warnings(result))
}

/// What was counted with sets of states, how, and what it cost.
fn by_sets(result: &ReportResult, times: Times) -> String {
    let part = if result.statistics.complete == Some(false) { " (a part of the state space)" } else { "" };
    let counted = |c: &Count| show_large(&c.number, &c.of);
    let counts: Vec<String> = result.counts.iter().map(counted).collect();
    let lines: String = result.techniques.iter().chain(&result.warnings).map(|t| format!("  {t}\n")).collect();
    let (seconds, bytes) = (result.statistics.seconds, show_bytes(result.statistics.peak_bytes));
    let spent = if times == Times::Shown { format!("{seconds:.3} s, {bytes}") } else { String::new() };
    format!("decision diagrams, {}{part}:\n{lines}{}", counts.join(", "), line(&spent))
}

/// The text as a line of its own, if there is any.
fn line(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{text}\n") }
}

/// The steps of a run, without what they do.
fn run_in_one_line(deadlock: &DeadlockReport) -> String {
    let steps: Vec<&str> = deadlock.trace.stem.iter().map(|step| &*step.name).collect();
    let verb = if steps.len() == 1 { "leads" } else { "lead" };
    format!("{} {verb} to it: {}", show_number(steps.len() as u64, "step"), steps.join(", "))
}

/// The verdict and its reason, in one line.
pub fn verdict(result: &ReportResult) -> String {
    let expected = match &result.expect {
        Some(e) if result.verdict != "unknown" && e != result.verdict => format!(" (the model expects: {e})"),
        _ => String::new(),
    };
    format!("{} {}: {}{expected}\n", result.verdict.to_uppercase(), result.property, why(result))
}

/// Why the verdict is what it is, in a few words.
pub fn why(result: &ReportResult) -> String {
    let Some(evidence) = &result.evidence else { return result.reason.clone().unwrap_or_default() };
    if result.violation == Some(Violation::Deadlock) && !result.deadlocks.is_empty() {
        return number_of_deadlocks(result);
    }
    let words = match (result.violation, evidence.kind, result.kind) {
        (Some(Violation::Deadlock), "run", _) if is_invalid_end(result) => "the model may stop where it must not",
        (Some(Violation::Deadlock), "run", _) => "there is a deadlock",
        (Some(Violation::PartialDeadlock), "run", _) => return stuck_for_good(result),
        (Some(Violation::ModelError), "run", _) => "the model has an error",
        (_, "run", "reachable") => "there is a run to such a state",
        (_, "run", "invariant") => "there is a run to a state where it is false",
        (_, "run", "ltl") => "there is a run of which it is not true",
        (Some(Violation::Safety), "run", "never") => "there is a run to the end of the claim",
        (_, "run", "never") => "there is a run that the claim accepts",
        (_, "run", "divergence-free") => "the system can go on for ever without a visible step",
        (_, "run", _) => "there is a run that breaks it",
        (_, "exhausted", "reachable") => return format!("{}, and it is true in none", evidence.note),
        _ => &evidence.note,
    };
    words.to_owned()
}

/// Who is stuck, if that is known and few are.
fn stuck_for_good(result: &ReportResult) -> String {
    let stuck = result.explanation.as_ref().and_then(|e| e.conclusion.deadlock()).map(|d| &d.processes[..]);
    match stuck {
        Some([one]) => format!("{} can get stuck for good while others go on", one.process),
        Some(some) => format!("{} processes can get stuck for good while others go on", some.len()),
        None => "somebody can get stuck for good".to_owned(),
    }
}

fn is_invalid_end(result: &ReportResult) -> bool {
    let conclusion = result.explanation.as_ref().map(|e| &e.conclusion);
    matches!(conclusion, Some(Conclusion::Deadlock(d)) if d.is_invalid_end())
}

fn number_of_deadlocks(result: &ReportResult) -> String {
    let s = &result.statistics;
    let finished = s.reduced.unwrap_or(s.complete != Some(false));
    match (result.deadlocks.len() as u64, finished) {
        (1, true) => "there is exactly one deadlock".to_owned(),
        (1, false) => "there is at least one deadlock".to_owned(),
        (n, true) => format!("there are {} deadlocks", show_count(n)),
        (n, false) => format!("there are at least {} deadlocks", show_count(n)),
    }
}

/// What a search covered that answered so many questions, and what it cost.
fn cost(s: &Statistics, answered: usize, times: Times) -> String {
    let counts = [
        ("state", s.states),
        ("transition", s.transitions),
        ("event", s.events),
        ("condition", s.conditions),
        ("cut-off", s.cutoffs),
        ("deadlock", s.deadlocks),
    ];
    let mut covered: Vec<String> = counts.iter().filter_map(|(what, n)| n.map(|n| show_number(n, what))).collect();
    covered.extend(s.depth.map(|d| format!("depth {}", show_count(d))));
    covered.extend(s.cleared.map(|n| format!("{} cleared from the cache", show_count(n))));
    let whole = match (s.complete, s.reduced) {
        (_, Some(true)) if s.events.is_some() => " (all that is needed of the unfolding)",
        (_, Some(false)) if s.events.is_some() => " (a part of the unfolding)",
        (_, Some(true)) => " (the whole reduced state space)",
        (Some(true), _) => " (the whole state space)",
        (Some(false), _) => " (a part of the state space)",
        (None, _) => "",
    };
    let shared = match answered {
        1 => String::new(),
        n => format!(" in one search for {n} properties"),
    };
    if times == Times::Hidden {
        return format!("{}{whole}{shared}", covered.join(", "));
    }
    let mut spent = vec![format!("{:.3} s", s.seconds)];
    // The rate of a moment says nothing.
    let worth_a_rate = s.states.filter(|_| s.seconds >= 0.01);
    spent.extend(worth_a_rate.map(|n| format!("{} states/s", show_rate(n, s.seconds))));
    spent.push(show_bytes(s.peak_bytes));
    format!("{}{whole}{shared}; {}", covered.join(", "), spent.join(", "))
}

fn summary(report: &Report) -> String {
    let count = |verdict: &str| report.results.iter().filter(|r| r.verdict == verdict).count();
    let parts = ["holds", "violated", "unknown"].map(|v| format!("{} {v}", count(v)));
    format!("{} properties: {}", report.results.len(), parts.join(", "))
}

#[cfg(test)]
mod tests {
    use driver::ModelInfo;

    use super::*;

    #[test]
    fn what_was_tried_is_a_matter_of_time() {
        let attempt = Attempt {
            engine: "net".to_owned(),
            why: "walks".to_owned(),
            said: "holds".to_owned(),
            seconds: 0.25,
            reached: vec!["7 states".to_owned()],
            fed: Vec::new(),
        };
        let result = ReportResult::undecided("p".to_owned(), "invariant", String::new());
        let result = ReportResult { attempts: vec![attempt], ..result };
        let model = ModelInfo::of_all("m".to_owned(), "f", std::iter::empty());
        let report = Report::new(model, vec![result]);
        let text = |times| render(&report, Detail::Explained(Limits::SHORT), times);
        assert!(text(Times::Shown).ends_with("tried:\n  net (walks): holds, 7 states, 0.2 s\n"));
        assert!(!text(Times::Hidden).contains("tried"));
    }
}
