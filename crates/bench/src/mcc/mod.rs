//! The sample of the Model Checking Contest: how much is solved, and whether anything is wrong.
//!
//! Each instance runs as the contest runs it, `impasse mcc`, one after another. The sample is the folder `IMPASSE_MCC`,
//! or `../shared/data/mcc`: one archive an instance, and the answers that are known in `verdicts.csv`.

mod instance;
mod options;
mod tally;

use std::path::{Path, PathBuf};

use crate::impasse::build;
use instance::{Instance, Unpacked, instances};
pub(crate) use options::Options;
use tally::Tally;

/// Unpacks the chosen instances one after the other.
pub(crate) fn each_instance(
    options: &Options,
    mut visit: impl FnMut(&str, &Path) -> Result<(), String>,
) -> Result<(), String> {
    let sample = sample();
    let chosen: Vec<Instance> = instances(&sample)?.into_iter().filter(|i| options.wants(i)).collect();
    for instance in chosen.iter().skip(options.offset).step_by(options.every) {
        visit(&instance.name, Unpacked::new(&sample, instance)?.path())?;
    }
    Ok(())
}

fn sample() -> PathBuf {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/mcc");
    std::env::var_os("IMPASSE_MCC").map_or_else(beside, PathBuf::from)
}

/// Runs the sample and prints the tables. Wrong answers are a failure.
pub(crate) fn run(options: &Options) -> Result<(), String> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let sample = sample();
    let binary = match &options.binary {
        Some(binary) => binary.clone(),
        None => build(&root)?,
    };
    let chosen: Vec<Instance> = instances(&sample)?.into_iter().filter(|i| options.wants(i)).collect();
    let mut tally = Tally::default();
    for (number, instance) in (1..).zip(chosen.iter().skip(options.offset).step_by(options.every)) {
        let folder = Unpacked::new(&sample, instance)?;
        for examination in &options.examinations {
            for engines in &options.engines {
                let outcome = instance.run(&binary, &folder, examination, engines, options)?;
                println!("{number:4} {}", outcome.line());
                tally.add(outcome);
            }
        }
    }
    println!("{}", tally.tables());
    match tally.wrong() {
        0 => Ok(()),
        wrong => Err(format!("{wrong} answers are wrong")),
    }
}
