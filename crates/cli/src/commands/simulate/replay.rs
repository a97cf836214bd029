//! A saved trace, step by step, after checking that it belongs to the model.

use std::path::Path;

use check::ReplayError;
use explain::Explanation;
use explain::text::{self, Limits};
use model::{NamedProperty, Property, TransitionId};

use super::stepper::Stepper;
use crate::args::{ModelArgs, SimulateArgs};
use crate::exit::{Done, Exit, Failure};
use crate::input::Model;
use crate::output;
use crate::saved::Saved;
use crate::telling;

/// Shows a saved trace.
pub(super) fn run(args: &SimulateArgs, path: &Path) -> Done {
    let told = told(&args.model, &Saved::read(path)?)?;
    output::emit(&told.text)?;
    let explained = told.explanation.as_ref().map(|explanation| (&told.model.loaded.system, explanation));
    telling::write(&args.telling, explained, Limits::SHORT)?;
    Ok(Exit::Holds)
}

/// A run in words.
pub(crate) struct Told {
    /// As paragraphs.
    pub(crate) text: String,
    /// As data, if it still shows what it did.
    pub(crate) explanation: Option<Explanation>,
    /// The model that it is a run of.
    pub(crate) model: Model,
}

/// Explains a saved run of a model.
pub(crate) fn told(model: &ModelArgs, saved: &Saved) -> Result<Told, Failure> {
    let (file, unfit) = (&saved.file, |why: String| saved.unfit(&why));
    let mut model = saved.model(model)?;
    let property = saved.property(&mut model)?;
    let trace = saved.trace(&model)?;
    let replayed = property.as_ref().map(|p| (p, check::replay(&model.loaded.system, &p.property, &trace)));
    if let Some((property, Ok(checked))) = &replayed {
        let explanation = driver::explained(checked, property, &model.source);
        let text = text::explanation(&explanation, Limits::NONE);
        drop(replayed);
        return Ok(Told { text, explanation: Some(explanation), model });
    }
    let mut shown = steps(&model, trace.stem.iter().chain(&trace.cycle)).map_err(|why| match property {
        Some(_) => unfit(why),
        None => unfit(format!("{why}, and there is no property `{}`", file.property)),
    })?;
    match &replayed {
        None => shown.push_str(&format!("\n{}\n", unknown(&file.property))),
        Some((property, Err(ReplayError::ShowsNothing(_)))) => shown.push_str(&format!("\n{}\n", no_longer(property))),
        Some(_) => {}
    }
    Ok(Told { text: shown, explanation: None, model })
}

/// What to say about the end of a run if it is not known what it should show.
fn unknown(property: &str) -> String {
    format!("The run is about `{property}`, which is not a property of the model: its end is not explained.")
}

/// What to say about a run that is possible but does not end as it did when it was saved.
fn no_longer(p: &NamedProperty) -> String {
    let end = match p.property {
        Property::DeadlockFree => "a deadlock",
        Property::PartialDeadlockFree => "a partial deadlock",
        Property::Invariant(_) => "a state that breaks the invariant",
        Property::Reachable(_) => "a state that was asked for",
        Property::Safety(_) => "an error of the observer",
        Property::Temporal(_) => "a run that breaks the claim",
        Property::DivergenceFree(_) => "silent steps that repeat for ever",
    };
    format!("This run no longer leads to {end}: it says nothing about `{}`. Run `impasse check` again.", p.name)
}

/// Takes the transitions one by one: what they show is not known here, only that they can happen.
fn steps<'t>(model: &Model, trace: impl Iterator<Item = &'t TransitionId>) -> Result<String, String> {
    let system = &model.loaded.system;
    let mut stepper = Stepper::new(system);
    let mut out = String::new();
    for (i, &t) in trace.enumerate() {
        if system.is_enabled(t, stepper.state()) == Ok(false) {
            return Err(format!("step {} cannot happen there", i + 1));
        }
        match stepper.fire(t, &model.source) {
            Ok(step) => text::step(&mut out, &step),
            Err(fault) => return Err(format!("step {}: {}", i + 1, fault.show(system))),
        }
    }
    out.push_str(&stepper.show_state());
    Ok(out)
}
