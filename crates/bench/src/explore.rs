//! Explicit search for deadlocks: Impasse against SPIN on the same models, without and with reduction on both sides.
//!
//! To hold without reduction: at least SPIN's states per second on one core (depth-first, as SPIN does it), at most
//! half its bytes per state, and five times faster end to end, with the default order, on models under a million
//! states. With reduction: no more states on the geometric mean, and no slower end to end.

use std::path::{Path, PathBuf};

use crate::impasse::{self, Figures};
use crate::measure::geometric_mean;
use crate::spin;

/// What to measure.
pub(crate) struct Options {
    runs: usize,
    models: Vec<String>,
}

impl Options {
    pub(crate) fn parse(args: &[String]) -> Result<Self, String> {
        let mut options = Options { runs: 3, models: Vec::new() };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--runs" => {
                    let runs = args.next().and_then(|n| n.parse().ok()).filter(|n| *n > 0);
                    options.runs = runs.ok_or("--runs takes a positive number")?;
                }
                flag if flag.starts_with('-') => return Err(format!("there is no option {flag}")),
                model => options.models.push(model.to_owned()),
            }
        }
        Ok(options)
    }
}

/// One model, measured.
struct Row {
    name: String,
    depth: Figures,
    breadth: Figures,
    spin: Option<Figures>,
    /// With reduction.
    reduced: Figures,
    spin_reduced: Option<Figures>,
}

/// Measures and prints as it goes.
pub(crate) fn run(options: &Options) -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let binary = impasse::build(&root)?;
    let peer = spin::is_here();
    if !peer {
        eprintln!("{}: measuring without it", spin::INSTALL);
    }
    println!(
        "{:<13} {:>9} {:>10} | {:>25} | {:>17} | {:>21}",
        "model", "states", "transitions", "million states/s", "bytes/state", "end to end, s"
    );
    println!(
        "{:<13} {:>9} {:>10} | {:>6} {:>6} {:>5} {:>5} | {:>5} {:>5} {:>5} | {:>6} {:>6} {:>6}",
        "", "", "", "depth", "brdth", "spin", "ratio", "ours", "spin", "ratio", "ours", "spin", "ratio"
    );
    let mut rows = Vec::new();
    for model in models(&root.join("crates/bench/models"), &options.models)? {
        let row = measure(&binary, &model, options.runs, peer)?;
        println!("{}", line(&row));
        rows.push(row);
    }
    summary(&rows);
    reduction(&rows);
    Ok(())
}

/// The models to run: all, or those named.
fn models(folder: &Path, wanted: &[String]) -> Result<Vec<PathBuf>, String> {
    let mut models: Vec<PathBuf> = std::fs::read_dir(folder)
        .map_err(|e| format!("{}: {e}", folder.display()))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "imp"))
        .collect();
    models.sort();
    let name = |p: &PathBuf| p.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    if let Some(unknown) = wanted.iter().find(|w| !models.iter().any(|m| name(m) == **w)) {
        return Err(format!("there is no model {unknown}"));
    }
    models.retain(|m| wanted.is_empty() || wanted.contains(&name(m)));
    Ok(models)
}

fn measure(binary: &Path, model: &Path, runs: usize, peer: bool) -> Result<Row, String> {
    let ours = |options: &str| impasse::measure(binary, model, options, runs);
    let (depth, breadth) = (ours("order=depth")?, ours("order=breadth")?);
    let reduced = ours("order=depth,persistent=stubborn")?;
    let theirs = |reduction: spin::Reduction| match peer {
        true => spin::measure(&model.with_extension("pml"), reduction, depth.states, runs).map(Some),
        false => Ok(None),
    };
    let (spin, spin_reduced) = (theirs(spin::Reduction::Off)?, theirs(spin::Reduction::On)?);
    let name = model.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    if let Some(spin) = spin.filter(|s| s.states != depth.states) {
        return Err(format!("{name}: {} states here, {} in SPIN: not the same model", depth.states, spin.states));
    }
    Ok(Row { name, depth, breadth, spin, reduced, spin_reduced })
}

/// The second table: both tools with reduction.
fn reduction(rows: &[Row]) {
    println!();
    println!("{:<13} {:>27} | {:>24}", "with reduction", "states", "end to end, s");
    println!("{:<13} {:>9} {:>9} {:>8} | {:>8} {:>8} {:>7}", "", "ours", "spin", "ratio", "ours", "spin", "ratio");
    let (mut states, mut times) = (Vec::new(), Vec::new());
    for row in rows {
        let (ours, Some(spin)) = (&row.reduced, &row.spin_reduced) else {
            println!("{:<13} {:>9}", row.name, row.reduced.states);
            continue;
        };
        states.push(ours.states as f64 / spin.states as f64);
        times.push(spin.end_to_end / ours.end_to_end);
        println!(
            "{:<13} {:>9} {:>9} {:>8.4} | {:>8.3} {:>8.2} {:>7.1}",
            row.name,
            ours.states,
            spin.states,
            ours.states as f64 / spin.states as f64,
            ours.end_to_end,
            spin.end_to_end,
            spin.end_to_end / ours.end_to_end
        );
    }
    if !states.is_empty() {
        println!();
        println!("states against SPIN with reduction: mean {:.4} (to hold: 1)", geometric_mean(&states));
        println!("end to end with reduction: mean {:.1} times faster (to hold: 1)", geometric_mean(&times));
    }
}

impl Row {
    fn speed(&self) -> Option<f64> {
        Some(self.depth.states_per_second / self.spin?.states_per_second)
    }

    fn bytes(&self) -> Option<f64> {
        Some(self.depth.bytes_per_state / self.spin?.bytes_per_state)
    }

    /// As users run it: with the default order.
    fn end_to_end(&self) -> Option<f64> {
        Some(self.spin?.end_to_end / self.breadth.end_to_end)
    }
}

fn line(row: &Row) -> String {
    let show = |figure: Option<f64>, digits: usize| figure.map_or("-".to_owned(), |f| format!("{f:.digits$}"));
    let million = |f: &Figures| Some(f.states_per_second / 1e6);
    let (depth, spin) = (&row.depth, row.spin);
    format!(
        "{:<13} {:>9} {:>11} | {:>6} {:>6} {:>5} {:>5} | {:>5} {:>5} {:>5} | {:>6} {:>6} {:>6}",
        row.name,
        depth.states,
        depth.transitions,
        show(million(depth), 2),
        show(million(&row.breadth), 2),
        show(spin.as_ref().and_then(million), 2),
        show(row.speed(), 2),
        show(Some(depth.bytes_per_state), 0),
        show(spin.map(|s| s.bytes_per_state), 0),
        show(row.bytes(), 2),
        show(Some(row.breadth.end_to_end), 3),
        show(spin.map(|s| s.end_to_end), 2),
        show(row.end_to_end(), 1),
    )
}

fn summary(rows: &[Row]) {
    let collect = |f: fn(&Row) -> Option<f64>| rows.iter().filter_map(f).collect::<Vec<f64>>();
    let small = |r: &Row| (r.depth.states < 1_000_000).then(|| r.end_to_end()).flatten();
    let (speed, bytes, small) = (collect(Row::speed), collect(Row::bytes), collect(small));
    if speed.is_empty() {
        return;
    }
    let least = |f: &[f64]| f.iter().copied().fold(f64::INFINITY, f64::min);
    let most = |f: &[f64]| f.iter().copied().fold(0.0, f64::max);
    println!();
    println!(
        "states per second against SPIN: mean {:.2}, least {:.2} (to hold: 1.5)",
        geometric_mean(&speed),
        least(&speed)
    );
    println!(
        "bytes per state against SPIN: mean {:.2}, most {:.2} (to hold: 0.5)",
        geometric_mean(&bytes),
        most(&bytes)
    );
    if !small.is_empty() {
        let (mean, least) = (geometric_mean(&small), least(&small));
        println!("end to end under a million states: mean {mean:.1}, least {least:.1} times faster (to hold: 5)");
    }
}
