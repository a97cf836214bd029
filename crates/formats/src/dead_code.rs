//! Dead code as text: how much there is, then every part of it.

use driver::{DeadCode, Unused};
use explain::text::Limits;

use crate::figures::{show_count, show_number};
use crate::text::Detail;

/// What no run does.
pub(crate) fn render(dead_code: &DeadCode, detail: Detail) -> String {
    let (steps, locations) = match dead_code {
        DeadCode::Unknown { unknown } => return format!("Dead code: unknown, {unknown}\n"),
        DeadCode::Known { steps, locations } if steps.is_empty() && locations.is_empty() => {
            return "Dead code: none, every step is taken and every state of every process is reached\n".to_owned();
        }
        DeadCode::Known { steps, locations } => (steps, locations),
    };
    let counts = [(steps.len(), "step", "takes"), (locations.len(), "state", "reaches")];
    let some = counts.iter().filter(|(n, ..)| *n > 0);
    let parts: Vec<String> = some.map(|(n, what, verb)| count(*n, what) + &format!(" that no run {verb}")).collect();
    let head = format!("Dead code: {}\n", parts.join(", "));
    match detail {
        Detail::Verdicts => head,
        Detail::Explained(limits) => {
            head + &list(steps, limits, "step", ".") + &list(locations, limits, "state", " at ")
        }
    }
}

fn count(n: usize, what: &str) -> String {
    show_number(n as u64, what)
}

fn list(all: &[Unused], limits: Limits, what: &str, joint: &str) -> String {
    let mut out: String = all.iter().take(limits.items).map(|u| line(u, what, joint)).collect();
    if all.len() > limits.items {
        let more = show_count((all.len() - limits.items) as u64);
        out += &format!("  ... and {more} more {what}s ({} shows them)\n", limits.rest);
    }
    out
}

fn line(unused: &Unused, what: &str, joint: &str) -> String {
    let name = match &unused.processes[..] {
        [] => unused.name.clone(),
        [only] => format!("{only}{joint}{}", unused.name),
        [first, others @ ..] => {
            format!("{first}{joint}{} (and in {})", unused.name, count(others.len(), "other process"))
        }
    };
    let place = unused.source.as_ref().map_or_else(String::new, |p| format!("  [{p}]"));
    format!("  {what} {name}{place}\n")
}
