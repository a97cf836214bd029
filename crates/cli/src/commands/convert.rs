//! `impasse convert`: the model, or its state space, in another format.

mod space;

use frontend::native;
use model::Property;

use crate::args::{ConvertArgs, Target};
use crate::exit::{Done, Exit, Failure};
use crate::input::Model;
use crate::render::dot;
use crate::{diagnostics, output};
use space::Space;

/// More states than this make no picture.
const PICTURE: usize = 2000;

/// Writes the model.
pub(crate) fn run(args: &ConvertArgs) -> Done {
    let model = Model::read(&args.model)?;
    let system = &model.loaded.system;
    let text = match args.to {
        Target::Native => {
            let named = model.loaded.properties.iter().map(|p| (p.name.clone(), p.property.clone()));
            native::print(system, &named.collect::<Vec<(String, Property)>>())
        }
        Target::Dot => {
            let steps = native::steps(&model.input.text, &model.settings);
            let (name, text) = (&model.input.name, &model.input.text);
            dot::system(system, &steps.map_err(|ds| diagnostics::failure(name, text, &ds))?)
        }
        Target::Aut => Space::explore(system, args.limit).map_err(refused)?.aldebaran(system),
        Target::StatesDot => Space::explore(system, args.limit.min(PICTURE)).map_err(refused)?.dot(system),
    };
    output::write_to(args.output.as_deref(), &text)?;
    Ok(Exit::Holds)
}

fn refused(refusal: space::Refusal) -> Failure {
    match refusal {
        space::Refusal::Large(limit) => {
            let summary = format!("the model has more than {limit} states; nothing was written");
            Failure { exit: Exit::Unknown, ..Failure::input(summary) }
        }
        space::Refusal::Fault(what) => {
            let summary = format!("the model has an error: {what}; `impasse check` shows the run to it");
            Failure { exit: Exit::Safety, ..Failure::input(summary) }
        }
    }
}
