//! What the page shows of a model: its structure, a state, the states around it, the prefix of its unfolding. Everything is
//! plain data with the numbers of processes, objects and transitions; nothing is searched but what is shown.

mod space;
mod state;
mod structure;

use check::{ReplayError, Walk};
use formats::figures::show_count;
use model::{Fault, System, TransitionId};
use serde_json::{Value, json};

use crate::args::ModelArgs;
use crate::exit::Failure;
use crate::input::{Model, Models, Patience};
use crate::picture::{self, NoPicture};

/// Longer runs are not taken step by step.
const MAX_RUN: usize = 200_000;
/// Prefixes with more nodes are no picture for a page.
const PREFIX: usize = 600;

/// The parts of a model; of a script that is about several processes, of the first, and which others there are.
pub(super) fn look(args: &ModelArgs) -> Result<Value, Failure> {
    let models = Models::read(args, Patience::default())?.some(args)?;
    let mut value = structure::of(&models[0]);
    if models.len() > 1 {
        let subject = |m: &Model| json!({ "process": m.loaded.system.name(), "properties": structure::properties(m) });
        value["subjects"] = models.iter().map(subject).collect();
    }
    Ok(value)
}

/// The state after a run, and what can happen there; of transitions only those whose name contains `filter`.
pub(super) fn step(args: &ModelArgs, run: &[u32], filter: &str) -> Result<Value, Failure> {
    let model = Model::read(args)?;
    let (walk, fault) = walked(&model.loaded.system, run)?;
    Ok(state::of(&model, &walk, fault, filter))
}

/// The states around the one after a run, or all if they are few.
pub(super) fn space(args: &ModelArgs, run: &[u32]) -> Result<Value, Failure> {
    let model = Model::read(args)?;
    let (walk, _) = walked(&model.loaded.system, run)?;
    Ok(space::of(&model.loaded.system, &walk))
}

/// The complete prefix of the unfolding as a drawing, or the process of a run if that is asked for.
pub(super) fn prefix(args: &ModelArgs, run: Option<&[u32]>) -> Result<Value, Failure> {
    let model = Model::read(args)?;
    let net = picture::net(&model)?;
    let drawn = match run {
        None => picture::prefix(&net, PREFIX),
        Some(run) => {
            let (walk, _) = walked(&model.loaded.system, run)?;
            let steps = picture::run(&net, &model.loaded.system, walk.trace(), PREFIX);
            steps.and_then(|steps| picture::process(&net, &steps, PREFIX))
        }
    };
    match drawn {
        Ok(picture) => Ok(json!({ "svg": picture.svg() })),
        // What follows is about options of the command line.
        Err(NoPicture::Unknown(why)) => Ok(json!({ "why": why.split(';').next() })),
        Err(NoPicture::Step(step)) => Err(Failure::input(format!("step {} cannot happen there", step + 1))),
    }
}

/// Takes the steps of a run.
fn walked<'m>(system: &'m System, run: &[u32]) -> Result<(Walk<'m>, Option<Fault>), Failure> {
    if run.len() > MAX_RUN {
        let most = show_count(MAX_RUN as u64);
        return Err(Failure::input(format!("the run is too long: more than {most} steps are not taken one by one")));
    }
    let unfit = |e: ReplayError| match e {
        ReplayError::NotEnabled { step, transition } if transition.index() < system.transitions().len() => {
            format!("step {} cannot happen: `{}` is not enabled there", step + 1, system.transition(transition).name)
        }
        ReplayError::NotEnabled { step, transition } => {
            format!("step {}: there is no transition {transition:?}", step + 1)
        }
        other => other.to_string(),
    };
    check::walk(system, run.iter().map(|t| TransitionId(*t)).collect()).map_err(|e| Failure::input(unfit(e)))
}
