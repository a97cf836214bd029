//! A saved trace, step by step, after checking that it belongs to the model.

use std::path::Path;

use evidence::TraceFile;
use explain::text::{self, Limits};
use model::TransitionId;

use super::stepper::Stepper;
use crate::args::SimulateArgs;
use crate::exit::{Done, Exit, Failure};
use crate::input::{self, Model};
use crate::{output, quantity};

/// Shows a saved trace.
pub(super) fn run(args: &SimulateArgs, path: &Path) -> Done {
    let unfit = |why: String| Failure::input(format!("{} does not fit the model: {why}", path.display()));
    let file = TraceFile::from_json(&input::read(path)?.text)
        .map_err(|e| Failure::input(format!("{}: {e}", path.display())))?;
    let model = Model::load(input::read(&args.model.file)?, settings(args, &file).map_err(unfit)?)?;
    let trace = file.trace(&model.loaded.system).map_err(|e| unfit(e.to_string()))?;
    let known = model.loaded.properties.iter().find(|p| p.name == file.property);
    match known.and_then(|p| check::replay(&model.loaded.system, &p.property, &trace).ok().map(|c| (p, c))) {
        Some((property, checked)) => {
            let explanation = explain::explain(&checked, &property.property, &model.source);
            output::emit(&text::explanation(&explanation, Limits::NONE))?;
        }
        None => steps(&model, trace.stem.iter().chain(&trace.cycle)).map_err(|e| match e {
            Stop::Unfit(why) => unfit(why),
            Stop::Output(failure) => failure,
        })?,
    }
    Ok(Exit::Holds)
}

/// The parameters of the command line, or those that the trace was found with.
fn settings(args: &SimulateArgs, file: &TraceFile) -> Result<Vec<(String, i64)>, String> {
    if !args.model.set.is_empty() {
        return Ok(args.model.set.clone());
    }
    file.set.iter().map(|s| quantity::setting(s)).collect()
}

enum Stop {
    Unfit(String),
    Output(Failure),
}

/// Takes the transitions one by one: what they show is not known here, only that they can happen.
fn steps<'t>(model: &Model, trace: impl Iterator<Item = &'t TransitionId>) -> Result<(), Stop> {
    let system = &model.loaded.system;
    let mut stepper = Stepper::new(system);
    let mut out = String::new();
    for (i, &t) in trace.enumerate() {
        if system.is_enabled(t, stepper.state()) == Ok(false) {
            return Err(Stop::Unfit(format!("step {} cannot happen there", i + 1)));
        }
        match stepper.fire(t, &model.source) {
            Ok(step) => text::step(&mut out, &step),
            Err(fault) => return Err(Stop::Unfit(format!("step {}: {}", i + 1, fault.show(system)))),
        }
    }
    out.push_str(&stepper.show_state());
    output::emit(&out).map_err(Stop::Output)
}
