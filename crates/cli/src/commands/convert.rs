//! `impasse convert`: the model, or its state space, in another format.

mod hoa;
mod network;
mod pictures;
mod space;
mod states;

use std::borrow::Cow;
use std::path::Path;

use frontend::{native, write};
use model::views::{Net, Place, PlaceMeaning};
use model::{Property, System, Transition};

use crate::args::{ConvertArgs, Target};
use crate::exit::{Done, Exit, Failure};
use crate::input::{Model, is_native};
use crate::picture::PICTURE;
use crate::render::dot;
use crate::{diagnostics, output};
use space::Space;
use states::Drawing;

/// Writes the model.
pub(crate) fn run(args: &ConvertArgs) -> Done {
    let saved = pictures::run(args)?;
    let mut model = saved.as_ref().map_or_else(|| Model::read(&args.model), |saved| saved.model(&args.model))?;
    if args.to == Target::Hoa {
        let text = hoa::text(args, &mut model)?;
        output::write_to(args.output.as_deref(), &text)?;
        return Ok(Exit::Holds);
    }
    let system = &model.loaded.system;
    let text = match args.to {
        Target::Native => {
            for left_out in model.loaded.properties.iter().filter(|p| matches!(p.property, Property::DivergenceFree(_)))
            {
                output::complain(&format!("note: `{}` is left out: the language has no such property", left_out.name));
            }
            let named = model.loaded.properties.iter().map(|p| (p.name.clone(), p.property.clone()));
            let (system, named) = (countable(&model)?, named.collect::<Vec<(String, Property)>>());
            if let Some(what) = native::unsayable(&system, &named) {
                let name = &model.input.name;
                return Err(Failure::input(format!("{name} cannot be written: the language has no words for {what}")));
            }
            native::print(&system, &named)
        }
        Target::Pnml => write::pnml(&*net(&model)?),
        Target::Lola => write::lola(&*net(&model)?),
        Target::Dot if model.net.is_some() => dot::net(&*picture(net(&model)?)?),
        Target::Dot if model.network.is_some() => {
            let edges = model.network.as_deref().map(network::edges).unwrap_or_default();
            dot::system(system, &edges)
        }
        Target::Dot if !is_native(Path::new(&model.input.name)) => dot::system(system, &network::moves(system)),
        Target::Dot => {
            let steps = native::steps(&model.input.text, &model.settings);
            let (name, text) = (&model.input.name, &model.input.text);
            dot::system(system, &steps.map_err(|ds| diagnostics::failure(name, text, &ds))?)
        }
        Target::Aut => {
            let space = Space::explore(system, args.limit).map_err(refused)?;
            // The labels of a network are what others meet on; elsewhere names say who took the step.
            let label = |t: &Transition| match model.network {
                Some(_) => network::aut_label(&model, &t.label).to_owned(),
                None => t.name.clone(),
            };
            space.aldebaran(system, label)
        }
        Target::Exp => {
            network::write(&model, args.output.as_deref())?;
            return Ok(Exit::Holds);
        }
        Target::StatesDot => Space::explore(system, args.limit.min(PICTURE)).map_err(refused)?.dot(system),
        Target::StatesSvg => {
            let space = Space::explore(system, args.limit.min(PICTURE)).map_err(refused)?;
            Drawing::new(&space, system).svg()
        }
        Target::PrefixDot => pictures::prefix(args, &model, saved.as_ref())?.dot(),
        Target::PrefixSvg => pictures::prefix(args, &model, saved.as_ref())?.svg(),
        Target::ProcessDot => pictures::process(args, &model, saved.as_ref())?.dot(),
        Target::ProcessSvg => pictures::process(args, &model, saved.as_ref())?.svg(),
        Target::Hoa => unreachable!("it was written before"),
    };
    output::write_to(args.output.as_deref(), &text)?;
    Ok(Exit::Holds)
}

/// The system, with counters as large as the language has them: a net has no bounds, but its text must have some.
fn countable(model: &Model) -> Result<Cow<'_, System>, Failure> {
    let Some(file) = &model.net else { return expressible(model).map(Cow::Borrowed) };
    let bounded = file.net.to_system(|_| i32::MAX as u32);
    bounded.map(Cow::Owned).map_err(|e| Failure::input(format!("{}: {e}", model.input.name)))
}

/// The system, unless it has what the language has no words for.
fn expressible(model: &Model) -> Result<&System, Failure> {
    let system = &model.loaded.system;
    match system.has_holds() || system.has_last_resorts() {
        false => Ok(system),
        true => Err(Failure::input(format!(
            "{}: processes go on alone, or steps wait until nothing else is possible; the language cannot say that",
            model.input.name
        ))),
    }
}

/// The net of the file, or the one that the model is seen as.
fn net(model: &Model) -> Result<Cow<'_, Net>, Failure> {
    let net = model.net_view();
    let net = net.map_err(|e| Failure::input(format!("{} cannot be written as a net: {e}", model.input.name)))?;
    if model.net.is_some() {
        return Ok(net);
    }
    for (lost, what) in [
        (
            net.places().iter().any(|p| p.end && is_state(p)),
            "that processes may stop at their `end` states is not part of the net",
        ),
        (net.transitions().iter().any(|t| t.fault), "steps that are model errors become steps that change nothing"),
    ] {
        if lost {
            output::complain(&format!("note: {what}"));
        }
    }
    Ok(net)
}

fn is_state(place: &Place) -> bool {
    matches!(place.meaning, PlaceMeaning::Location(..))
}

fn picture(net: Cow<'_, Net>) -> Result<Cow<'_, Net>, Failure> {
    match net.places().len() + net.transitions().len() {
        nodes if nodes > PICTURE => {
            let summary = format!("the net has {nodes} nodes, and more than {PICTURE} make no picture");
            Err(Failure { exit: Exit::Unknown, ..Failure::input(summary) })
        }
        _ => Ok(net),
    }
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
