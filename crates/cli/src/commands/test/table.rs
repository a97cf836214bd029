//! The table of tests: one line a model, and below it what is not as it should be.

use std::fmt::Write as _;

use super::outcome::{Outcome, Tested, Totals};
use formats::Times;
use formats::figures::{show_count, show_number};

/// The names of the columns.
pub(super) fn header(width: usize, times: Times) -> String {
    let seconds = if times == Times::Shown { "    seconds" } else { "" };
    format!("{:width$}  {:18}  {:>14}  {:>14}{seconds}\n", "model", "checks", "states", "transitions")
}

/// One model.
pub(super) fn row(t: &Tested, width: usize, times: Times) -> String {
    let count = |f: fn(&Outcome) -> bool| t.checks.iter().filter(|c| f(&c.outcome)).count();
    let mut checks = format!("{}/{} ok", count(Outcome::is_fine), t.checks.len());
    let noted = count(Outcome::is_noted);
    if noted > 0 {
        checks.push_str(&format!(", {noted} violated"));
    }
    let figure = |n: Option<u64>| n.map_or_else(|| "-".to_owned(), show_count);
    let (states, transitions) = (figure(t.statistics.states), figure(t.statistics.transitions));
    let seconds = if times == Times::Shown { format!("  {:>9.3}", t.seconds) } else { String::new() };
    let mut out = format!("{:width$}  {checks:18}  {states:>14}  {transitions:>14}{seconds}\n", t.path);
    for check in &t.checks {
        let (word, message) = match &check.outcome {
            Outcome::Passed => continue,
            Outcome::Decided(_) => {
                writeln!(out, "    {}: {}", check.outcome.decided(), check.name)
                    .expect("writing to a string cannot fail");
                continue;
            }
            Outcome::Failed(m) => ("FAILED", m),
            Outcome::Unknown(m) => ("UNKNOWN", m),
            Outcome::Unreadable(m) => ("BAD", m),
            Outcome::Broken(m) => ("INTERNAL ERROR", m),
        };
        let message = message.replace('\n', "\n      ");
        writeln!(out, "    {word} {}: {message}", check.name).expect("writing to a string cannot fail");
    }
    out
}

/// The last line.
pub(super) fn summary(t: &Totals) -> String {
    let mut parts = vec![format!("{} passed", t.passed)];
    let rest = [
        (t.failed, "failed"),
        (t.unknown, "unknown"),
        (t.broken, "internal errors"),
        (t.unreadable, "unreadable"),
        (t.decided, "without expectation"),
        (t.untested, "models not tested"),
    ];
    parts.extend(rest.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")));
    let (models, checks) = (show_number(t.models as u64, "model"), show_number(t.checks as u64, "check"));
    format!("{models}, {checks}: {}\n", parts.join(", "))
}
