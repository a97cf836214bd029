//! Prefixes and processes as pictures.

use model::views::{Net, NetTransitionId};

use crate::args::{ConvertArgs, Target};
use crate::exit::Failure;
use crate::input::Model;
use crate::picture::{self, NoPicture, PICTURE};
use crate::render::occurrence::Picture;
use crate::saved::Saved;

/// The run that is to be drawn, if there is one; refuses one for other targets.
pub(super) fn run(args: &ConvertArgs) -> Result<Option<Saved>, Failure> {
    let drawn = [Target::PrefixDot, Target::PrefixSvg, Target::ProcessDot, Target::ProcessSvg];
    match &args.trace {
        Some(_) if !drawn.contains(&args.to) => {
            Err(Failure::usage("--trace is for pictures: prefix-dot, prefix-svg, process-dot and process-svg"))
        }
        None if matches!(args.to, Target::ProcessDot | Target::ProcessSvg) => {
            Err(Failure::usage("a process is one of a run: --trace FILE, as `impasse check --trace FILE` saves it"))
        }
        path => path.as_deref().map(Saved::read).transpose(),
    }
}

/// The complete prefix, or the part of it that leads where a run leads.
pub(super) fn prefix(args: &ConvertArgs, model: &Model, saved: Option<&Saved>) -> Result<Picture, Failure> {
    match saved {
        Some(saved) => along(args, model, saved, picture::configuration),
        None => {
            picture::prefix(&*picture::net(model)?, most(args)).map_err(|no| no.failure(|why| Failure::internal(why)))
        }
    }
}

/// The process of a run.
pub(super) fn process(args: &ConvertArgs, model: &Model, saved: Option<&Saved>) -> Result<Picture, Failure> {
    along(args, model, saved.expect("a process without a run is refused"), picture::process)
}

type Draw = fn(&Net, &[NetTransitionId], usize) -> Result<Picture, NoPicture>;

fn along(args: &ConvertArgs, model: &Model, saved: &Saved, draw: Draw) -> Result<Picture, Failure> {
    let (net, trace, most) = (picture::net(model)?, saved.trace(model)?, most(args));
    let run = picture::run(&net, &model.loaded.system, &trace, most);
    run.and_then(|run| draw(&net, &run, most)).map_err(|no| no.failure(|why| saved.unfit(why)))
}

fn most(args: &ConvertArgs) -> usize {
    args.limit.min(PICTURE)
}
