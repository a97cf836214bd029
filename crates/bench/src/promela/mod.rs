//! Promela from file to verdict: Impasse against SPIN on the public models, without and with reduction on both sides.
//!
//! The models are the folders `promela` and `beem/promela` of `IMPASSE_DATA`, or of `../shared/data`. To hold: under a
//! million states five times faster than `spin -a`, `gcc -O2` and `pan` end to end; without reduction 1.5 times SPIN's
//! states per second and half its bytes per state; with reduction no more states on the geometric mean; never another
//! verdict, and one wherever SPIN has one within the limit.

mod files;
mod race;
mod table;

use std::path::Path;

use crate::{impasse, spin};

/// What to measure.
#[derive(Debug)]
pub(crate) struct Options {
    /// The most seconds of each run.
    limit: u64,
    /// Parts of names; all models if there are none.
    only: Vec<String>,
}

impl Options {
    pub(crate) fn parse(args: &[String]) -> Result<Self, String> {
        let mut options = Self { limit: 60, only: Vec::new() };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            match &**arg {
                "--limit" => {
                    let seconds = args.next().and_then(|n| n.parse().ok()).filter(|n| *n > 0);
                    options.limit = seconds.ok_or("--limit takes a positive number of seconds")?;
                }
                "--only" => options.only.push(args.next().ok_or("--only takes a part of a name")?.clone()),
                other => return Err(format!("there is no option {other}")),
            }
        }
        Ok(options)
    }
}

/// Measures and prints as it goes.
pub(crate) fn run(options: &Options) -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let binary = impasse::build(&root)?;
    let peer = spin::is_here();
    if !peer {
        eprintln!("{}: measuring without it", spin::INSTALL);
    }
    table::head();
    let mut rows = Vec::new();
    for (name, path) in files::models(&root)? {
        if !options.only.is_empty() && !options.only.iter().any(|part| name.contains(&**part)) {
            continue;
        }
        let model = files::named(&path)?;
        let row = race::Race { binary: &binary, limit: options.limit, peer }.run(&name, &model)?;
        if model != path {
            std::fs::remove_file(&model).map_err(|e| format!("{}: {e}", model.display()))?;
        }
        println!("{}", table::line(&row));
        rows.push(row);
    }
    table::summary(&rows);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read() {
        let parse = |args: &[&str]| Options::parse(&args.iter().map(|a| (*a).to_owned()).collect::<Vec<_>>());
        let options = parse(&["--limit", "5", "--only", "phils"]).expect("they are right");
        assert_eq!((options.limit, &*options.only), (5, &["phils".to_owned()][..]));
        assert!(parse(&["--limit", "0"]).is_err() && parse(&["--only"]).is_err() && parse(&["phils"]).is_err());
    }
}
