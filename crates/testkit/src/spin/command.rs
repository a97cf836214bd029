//! Runs a command with a limit of time.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A command that ended.
#[derive(Debug)]
pub(super) struct Ran {
    /// What it printed, messages included.
    pub(super) output: String,
    /// How long it took.
    pub(super) seconds: f64,
    /// How it ended; nothing if it did not by itself.
    pub(super) code: Option<i32>,
}

/// Runs a command in a folder to its end, or until its time is over.
pub(super) fn run(program: &Path, args: &[&str], folder: &Path, limit: Duration) -> Result<Ran, String> {
    let start = Instant::now();
    // Into a file: a pipe that nobody reads would fill up.
    let path = std::env::temp_dir().join(format!("impasse-output-{}-{:?}", std::process::id(), thread::current().id()));
    let fails = |e: std::io::Error| format!("{} does not start: {e}", program.display());
    let output = File::create(&path).map_err(fails)?;
    let errors = output.try_clone().map_err(fails)?;
    let mut command = Command::new(program);
    command.args(args).current_dir(folder).stdin(Stdio::null()).stdout(output).stderr(errors);
    let mut child = command.spawn().map_err(fails)?;
    let code = wait(&mut child, start + limit).map_err(fails)?;
    let seconds = start.elapsed().as_secs_f64();
    let output = String::from_utf8_lossy(&fs::read(&path).map_err(fails)?).into_owned();
    fs::remove_file(&path).map_err(fails)?;
    Ok(Ran { output, seconds, code })
}

fn wait(child: &mut Child, end: Instant) -> std::io::Result<Option<i32>> {
    let mut pause = Duration::from_micros(500);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.code());
        }
        if Instant::now() >= end {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_limited() {
        let here = Path::new(".");
        let ran = run(Path::new("sleep"), &["10"], here, Duration::from_millis(20)).expect("it starts");
        assert!(ran.code.is_none() && ran.seconds < 5.0);
        assert!(run(Path::new("no-such-program"), &[], here, Duration::from_secs(1)).is_err());
    }
}
