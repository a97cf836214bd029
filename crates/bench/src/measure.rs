//! Running a command and timing it, and figures of several runs.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// What a command printed and how long it took.
pub(crate) struct Ran {
    pub(crate) stdout: String,
    pub(crate) seconds: f64,
    /// Processor time, where the system tells it: others who use the machine do not count.
    pub(crate) processor: Option<f64>,
    pub(crate) code: Option<i32>,
}

/// Runs a command to its end in a folder.
pub(crate) fn run(program: &Path, args: &[&str], folder: &Path) -> Result<Ran, String> {
    let (start, before) = (Instant::now(), processor_of_children());
    let output = Command::new(program)
        .args(args)
        .current_dir(folder)
        .output()
        .map_err(|e| format!("{} does not start: {e}", program.display()))?;
    let seconds = start.elapsed().as_secs_f64();
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let processor = before.zip(processor_of_children()).map(|(before, after)| after - before);
    Ok(Ran { stdout, seconds, processor, code: output.status.code() })
}

/// The processor time of all commands that ended, by Linux' count in hundredths of a second.
fn processor_of_children() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the command, in parentheses, may hold spaces. The times of children are fields 16 and 17.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(13);
    let mut next = || fields.next()?.parse::<f64>().ok();
    Some((next()? + next()?) / 100.0)
}

/// The middle of some figures.
pub(crate) fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The geometric mean of some ratios.
pub(crate) fn geometric_mean(ratios: &[f64]) -> f64 {
    (ratios.iter().map(|r| r.ln()).sum::<f64>() / ratios.len() as f64).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_several_runs() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert!((geometric_mean(&[2.0, 8.0]) - 4.0).abs() < 1e-9);
    }
}
