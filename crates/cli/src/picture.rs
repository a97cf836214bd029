//! Pictures of prefixes and runs: which are made, and which would be too large.

use std::borrow::Cow;
use std::path::PathBuf;
use std::time::Duration;

use driver::{Prefix, Unfolding, net_run};
use evidence::Trace;
use model::views::{Net, NetTransitionId};
use model::{Limits, System, TransitionId};

use crate::budget;
use crate::exit::{Exit, Failure};
use crate::input::Model;
use crate::render::occurrence::Picture;
use formats::figures::show_count;

/// More nodes than this make no picture.
pub(crate) const PICTURE: usize = 2000;

/// The language of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    Dot,
    Svg,
}

impl Language {
    /// The text of a picture.
    pub(crate) fn write(self, picture: &Picture) -> String {
        match self {
            Language::Dot => picture.dot(),
            Language::Svg => picture.svg(),
        }
    }
}

/// A file for a picture.
#[derive(Clone, Debug)]
pub(crate) struct PictureFile {
    pub(crate) path: PathBuf,
    pub(crate) language: Language,
}

/// The name of a file for a picture, which says its language.
pub(crate) fn file(text: &str) -> Result<PictureFile, String> {
    let path = PathBuf::from(text);
    let language = match path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase).as_deref() {
        Some("svg") => Language::Svg,
        Some("dot" | "gv") => Language::Dot,
        _ => return Err("a picture is an .svg or a .dot file".to_owned()),
    };
    Ok(PictureFile { path, language })
}

/// Why there is no picture.
#[derive(Debug)]
pub(crate) enum NoPicture {
    /// The step of this number, from 0, cannot happen.
    Step(usize),
    /// It would be too large, or there is nothing to draw: exit code 10.
    Unknown(String),
}

impl NoPicture {
    /// A failure of a command whose purpose is the picture; `unfit` says that a run does not fit.
    pub(crate) fn failure(self, unfit: impl Fn(&str) -> Failure) -> Failure {
        match self {
            NoPicture::Step(step) => unfit(&format!("step {} cannot happen there", step + 1)),
            NoPicture::Unknown(why) => Failure { exit: Exit::Unknown, ..Failure::input(why) },
        }
    }
}

/// The net that pictures of a model are of: its own, or its counters and processes as places, or else every value that
/// an object can have as a place.
pub(crate) fn net(model: &Model) -> Result<Cow<'_, Net>, Failure> {
    net_until(model, &|| false)
}

/// The same, as long as somebody waits for it.
pub(crate) fn net_until<'m>(model: &'m Model, stop: &dyn Fn() -> bool) -> Result<Cow<'m, Net>, Failure> {
    let limits = Limits { stop, ..Limits::default() };
    let values = || model.loaded.system.network(&limits)?.net(&limits);
    let net = model.net_view_within(&limits).or_else(|_| values().map(Cow::Owned));
    net.map_err(|e| Failure::input(format!("{} cannot be drawn as a net: {e}", model.input.name)))
}

/// A run of a system on its net, if it is short enough for a picture of so many nodes.
pub(crate) fn run(net: &Net, system: &System, trace: &Trace, most: usize) -> Result<Vec<NetTransitionId>, NoPicture> {
    let steps: Vec<TransitionId> = trace.stem.iter().chain(&trace.cycle).copied().collect();
    if steps.len() > most {
        return Err(too_large("the run", steps.len() as u64, most));
    }
    net_run(net, system, &steps).map_err(NoPicture::Step)
}

/// What the prefix behind a picture may take: one that takes more makes none.
const TIME: Duration = Duration::from_secs(30);
const MEMORY: u64 = 1 << 30;

/// The process of a run.
pub(crate) fn process(net: &Net, run: &[NetTransitionId], most: usize) -> Result<Picture, NoPicture> {
    let made = |t: &NetTransitionId| 1 + net.post(*t).iter().map(|&(_, weight)| u64::from(weight)).sum::<u64>();
    let nodes = net.places().iter().map(|p| u64::from(p.initial)).sum::<u64>() + run.iter().map(made).sum::<u64>();
    if nodes > most as u64 {
        return Err(too_large("the process", nodes, most));
    }
    let process = Prefix::process(net, run).map_err(NoPicture::Step)?;
    Ok(Picture::of_process(net, &process))
}

/// The complete prefix.
pub(crate) fn prefix(net: &Net, most: usize) -> Result<Picture, NoPicture> {
    let large = || {
        let most = show_count(most as u64);
        NoPicture::Unknown(format!(
            "the prefix has more than {most} events and conditions, which make no picture; \
             --trace FILE draws only the part that leads where a saved run leads"
        ))
    };
    let prefix = Unfolding::default().prefix_within(net, most, &budget::within(Some(TIME), Some(MEMORY)));
    let prefix = prefix.map_err(|reason| no_prefix(&reason))?.ok_or_else(large)?;
    Ok(Picture::of_prefix(net, &prefix.part(net, prefix.event_ids())))
}

/// The configuration of the complete prefix that leads where a run leads.
pub(crate) fn configuration(net: &Net, run: &[NetTransitionId], most: usize) -> Result<Picture, NoPicture> {
    // A configuration has all initial conditions: if these are too many, so is the rest.
    let tokens: u64 = net.places().iter().map(|p| u64::from(p.initial)).sum();
    if tokens > most as u64 {
        return Err(too_large("the prefix", tokens, most));
    }
    let prefix = Unfolding::default().prefix(net, &budget::within(Some(TIME), Some(MEMORY)));
    let prefix = prefix.map_err(|reason| no_prefix(&reason))?;
    let events = prefix.configuration(run).expect("a complete prefix has a configuration for every run");
    let part = prefix.part(net, events);
    match part.events() + part.conditions() {
        nodes if nodes > most => Err(too_large("the configuration", nodes as u64, most)),
        _ => Ok(Picture::of_configuration(net, &part)),
    }
}

fn too_large(what: &str, nodes: u64, most: usize) -> NoPicture {
    let (nodes, most) = (show_count(nodes), show_count(most as u64));
    NoPicture::Unknown(format!("{what} has {nodes} nodes, and more than {most} make no picture"))
}

fn no_prefix(reason: &evidence::Reason) -> NoPicture {
    NoPicture::Unknown(format!("no complete prefix was built: {reason}"))
}
