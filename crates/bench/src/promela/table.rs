//! The table and what it comes to.

use crate::impasse::Figures;
use crate::measure::geometric_mean;

use super::race::{Found, Row};

/// Speeds and bytes of smaller state spaces say nothing.
const STEADY: u64 = 100_000;

pub(super) fn head() {
    println!(
        "{:<44} {:>21} | {:>17} | {:>17} | {:>20} | {:>21} | {:>20}",
        "model", "states", "million states/s", "bytes/state", "end to end, s", "reduced: states", "end to end, s"
    );
    println!(
        "{:<44} {:>10} {:>10} | {:>5} {:>5} {:>5} | {:>5} {:>5} {:>5} | {:>6} {:>6} {:>6} | {:>10} {:>10} | {:>6} {:>6} {:>6}",
        "",
        "ours",
        "spin",
        "ours",
        "spin",
        "ratio",
        "ours",
        "spin",
        "ratio",
        "ours",
        "spin",
        "ratio",
        "ours",
        "spin",
        "ours",
        "spin",
        "ratio"
    );
}

fn states(found: &Found) -> String {
    match found {
        Found::All(figures, wrong) => format!("{}{}", figures.states, if *wrong { "!" } else { " " }),
        Found::Unfinished => "> ".to_owned(),
        Found::Refused => "refused".to_owned(),
        Found::Absent => "- ".to_owned(),
    }
}

/// A figure of both and the ratio that is to be large (or, inverted, small).
fn pair(ours: &Found, spin: &Found, of: fn(&Figures) -> f64, digits: usize) -> (String, String) {
    let show = |found: &Found| found.figures().map_or("-".to_owned(), |f| format!("{:.digits$}", of(f)));
    (show(ours), show(spin))
}

fn ratio(ours: &Found, spin: &Found, of: fn(&Figures) -> f64) -> Option<f64> {
    Some(of(ours.figures()?) / of(spin.figures()?))
}

fn show(ratio: Option<f64>, digits: usize) -> String {
    ratio.map_or("-".to_owned(), |r| format!("{r:.digits$}"))
}

/// One row; a mark `!` behind states says that something is wrong with the model.
pub(super) fn line(row: &Row) -> String {
    let (ours, spin) = (&row.ours, &row.spin);
    let speed = pair(ours, spin, |f| f.states_per_second / 1e6, 2);
    let bytes = pair(ours, spin, |f| f.bytes_per_state, 0);
    let whole = pair(ours, spin, |f| f.end_to_end, 2);
    let reduced = pair(&row.ours_reduced, &row.spin_reduced, |f| f.end_to_end, 2);
    format!(
        "{:<44} {:>10} {:>10} | {:>5} {:>5} {:>5} | {:>5} {:>5} {:>5} | {:>6} {:>6} {:>6} | {:>10} {:>10} | {:>6} {:>6} {:>6}{}",
        row.name,
        states(ours),
        states(spin),
        speed.0,
        speed.1,
        show(ratio(ours, spin, |f| f.states_per_second), 2),
        bytes.0,
        bytes.1,
        show(ratio(ours, spin, |f| f.bytes_per_state), 2),
        whole.0,
        whole.1,
        show(ratio(spin, ours, |f| f.end_to_end), 1),
        states(&row.ours_reduced),
        states(&row.spin_reduced),
        reduced.0,
        reduced.1,
        show(ratio(&row.spin_reduced, &row.ours_reduced, |f| f.end_to_end), 1),
        remarks(row)
    )
}

/// What must not be.
fn remarks(row: &Row) -> String {
    let mut remarks = String::new();
    let spin = row.spin.wrong().or(row.spin_reduced.wrong());
    let ours = [&row.ours, &row.ours_reduced].map(|found| found.wrong());
    if spin.is_some() && ours.iter().any(|wrong| wrong.is_some() && *wrong != spin) {
        remarks.push_str("  ANOTHER VERDICT");
    }
    if spin.is_some() && ours == [None, None] {
        remarks.push_str("  NOT DECIDED");
    }
    let counts = [&row.ours, &row.spin].map(|found| found.figures().map(|f| f.states));
    if let [Some(ours), Some(spin)] = counts
        && ours != spin
    {
        remarks.push_str("  other states");
    }
    remarks
}

/// The means over all rows.
pub(super) fn summary(rows: &[Row]) {
    let collect = |f: &dyn Fn(&Row) -> Option<f64>| rows.iter().filter_map(f).collect::<Vec<f64>>();
    let steady = |row: &&Row| row.ours.figures().is_some_and(|f| f.states >= STEADY);
    let small = |row: &Row| row.ours.figures().is_some_and(|f| f.states < 1_000_000);
    let large: Vec<&Row> = rows.iter().filter(steady).collect();
    let of_large = |f: fn(&Figures) -> f64| -> Vec<f64> {
        large.iter().filter_map(|row| ratio(&row.ours, &row.spin, f)).collect()
    };
    let whole = |f: &dyn Fn(&Row) -> bool, reduced: bool| {
        let of = |row: &Row| match reduced {
            true => ratio(&row.spin_reduced, &row.ours_reduced, |f| f.end_to_end),
            false => ratio(&row.spin, &row.ours, |f| f.end_to_end),
        };
        collect(&|row| f(row).then(|| of(row)).flatten())
    };
    let reduced = collect(&|row| ratio(&row.ours_reduced, &row.spin_reduced, |f| f.states as f64));
    println!();
    mean(
        "states per second against SPIN, no reduction, from 100,000 states",
        &of_large(|f| f.states_per_second),
        "at least 1.5",
    );
    mean(
        "bytes per state against SPIN, no reduction, from 100,000 states",
        &of_large(|f| f.bytes_per_state),
        "at most 0.5",
    );
    mean("times faster end to end, under a million states", &whole(&small, false), "at least 5");
    mean("times faster end to end with reduction, under a million states", &whole(&small, true), "at least 5");
    mean("times faster end to end with reduction, all", &whole(&|_| true, true), "at least 1");
    mean("states with reduction against SPIN with all its optimisations", &reduced, "at most 1");
    for word in ["ANOTHER VERDICT", "NOT DECIDED", "other states"] {
        let names: Vec<&str> = rows.iter().filter(|r| remarks(r).contains(word)).map(|r| &*r.name).collect();
        if !names.is_empty() {
            println!("{}: {} models: {}", word.to_lowercase(), names.len(), names.join(", "));
        }
    }
}

fn mean(what: &str, ratios: &[f64], to_hold: &str) {
    if ratios.is_empty() {
        return;
    }
    let (least, most) = ratios.iter().fold((f64::INFINITY, 0f64), |(l, m), r| (l.min(*r), m.max(*r)));
    let (mean, count) = (geometric_mean(ratios), ratios.len());
    println!("{what}: mean {mean:.2}, from {least:.2} to {most:.2} over {count} models (to hold: {to_hold})");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(states: u64, wrong: bool) -> Found {
        let (states_per_second, bytes_per_state, end_to_end) = (1e6, 20.0, 0.5);
        Found::All(Figures { states, transitions: 2 * states, states_per_second, bytes_per_state, end_to_end }, wrong)
    }

    #[test]
    fn what_must_not_be_is_remarked() {
        let row = Row {
            name: "m".to_owned(),
            ours: found(10, false),
            spin: found(10, false),
            ours_reduced: found(5, false),
            spin_reduced: found(6, false),
        };
        assert_eq!(remarks(&row), "");
        assert!(remarks(&Row { ours_reduced: found(5, true), ..row.clone() }).contains("ANOTHER VERDICT"));
        assert!(remarks(&Row { ours: found(11, false), ..row.clone() }).contains("other states"));
        let undecided = Row { ours: Found::Unfinished, ours_reduced: Found::Refused, ..row };
        assert!(remarks(&undecided).contains("NOT DECIDED") && line(&undecided).contains("refused"));
    }
}
