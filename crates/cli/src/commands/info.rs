//! `impasse info`: the parts and the size of a model.

mod net;
mod network;

use std::fmt::Write as _;

use model::{Domain, Kind, Limits, NamedProperty, Object, Process, System};

use crate::args::InfoArgs;
use crate::commands::check::warn;
use crate::exit::{Done, Exit};
use crate::input::Model;
use crate::output;
use formats::figures::show_number;

/// The most transitions of a system whose views are derived only to tell their sizes.
const MAX_VIEWED: usize = 20_000;

/// Shows a model.
pub(crate) fn run(args: &InfoArgs) -> Done {
    let model = Model::read(&args.model)?;
    warn(&model);
    output::emit(&text(&model))?;
    Ok(Exit::Holds)
}

/// What there is to tell about a model.
pub(crate) fn text(model: &Model) -> String {
    let mut out = String::new();
    let written = match (&model.net, &model.network) {
        (Some(file), _) => net::describe(&mut out, model, file),
        (_, Some(network)) => network::describe(&mut out, model, network),
        _ => describe(&mut out, model),
    };
    written.expect("writing to a string cannot fail");
    out
}

fn describe(out: &mut String, model: &Model) -> std::fmt::Result {
    let system = &model.loaded.system;
    writeln!(out, "model {} ({})", system.name(), model.input.name)?;
    for (name, value) in &model.settings {
        writeln!(out, "  with {name} = {value}")?;
    }
    let counts = [
        show_number(system.processes().len() as u64, "process"),
        show_number(system.objects().len() as u64, "object"),
        show_number(system.transitions().len() as u64, "transition"),
    ];
    writeln!(out, "  {}, {} bits a state", counts.join(", "), system.state_bits())?;
    writeln!(out, "processes")?;
    let shares = shares(system);
    system.processes().iter().zip(&shares).try_for_each(|(p, share)| process(out, p, share))?;
    if !system.objects().is_empty() {
        writeln!(out, "objects")?;
        system.objects().iter().try_for_each(|o| writeln!(out, "  {}: {}", o.name, kind(o)))?;
    }
    writeln!(out, "properties")?;
    model.loaded.properties.iter().try_for_each(|p| property(out, p))?;
    size(out, model)?;
    views(out, system)
}

/// What engines that do not search states would work on, or why they cannot.
fn views(out: &mut String, system: &System) -> std::fmt::Result {
    let limits = Limits::default();
    if system.transitions().len() > MAX_VIEWED {
        return writeln!(out, "views: not derived here, for more than {MAX_VIEWED} transitions");
    }
    writeln!(out, "views (what engines that do not search states work on)")?;
    match system.network(&limits) {
        Ok(n) => writeln!(out, "  network: {} components, {} rules", n.components().len(), n.rules().len())?,
        Err(e) => writeln!(out, "  network: no, {e}")?,
    }
    match system.net(&limits) {
        Ok(n) => writeln!(out, "  net: {} places, {} transitions", n.places().len(), n.transitions().len()),
        Err(e) => writeln!(out, "  net: no, {e}"),
    }
}

/// How many transitions a process takes part in, and in how many of them with others.
#[derive(Clone, Default)]
struct Share {
    steps: usize,
    joint: usize,
}

fn shares(system: &System) -> Vec<Share> {
    let mut shares = vec![Share::default(); system.processes().len()];
    for t in system.transitions() {
        for m in &t.moves {
            let share = &mut shares[m.process.index()];
            share.steps += 1;
            share.joint += usize::from(t.moves.len() > 1);
        }
    }
    shares
}

fn process(out: &mut String, process: &Process, &Share { steps, joint }: &Share) -> std::fmt::Result {
    let Process { name, locations, initial, .. } = process;
    let ends = locations.iter().filter(|l| l.end).count();
    let count = |n: usize, what| show_number(n as u64, what);
    write!(out, "  {name}: {}, {}", count(locations.len(), "state"), count(steps, "transition"))?;
    if joint > 0 {
        write!(out, " ({joint} with others)")?;
    }
    write!(out, ", starts at {}", locations[initial.index()].name)?;
    if ends > 0 {
        write!(out, ", {}", count(ends, "end state"))?;
    }
    writeln!(out)
}

/// The kind and the domain of an object.
pub(crate) fn kind(object: &Object) -> String {
    match &object.kind {
        Kind::Variable(d) => domain(d),
        Kind::Lock => "lock".to_owned(),
        Kind::Semaphore { max } => format!("semaphore 0..{max}"),
        Kind::Counter { max } => format!("counter 0..{max}"),
        Kind::Channel(c) => {
            let fields: Vec<String> = c.fields.iter().map(Domain::to_string).collect();
            let shape = match (c.capacity, c.lossy) {
                (0, _) => "rendezvous".to_owned(),
                (n, true) => format!("lossy, {n} messages"),
                (n, false) => format!("{n} messages"),
            };
            format!("channel of ({}), {shape}", fields.join(", "))
        }
    }
}

fn domain(d: &Domain) -> String {
    match d {
        Domain::Named(e) => format!("{} {{ {} }}", e.name, e.constants.join(", ")),
        Domain::Bool | Domain::Range { .. } => d.to_string(),
    }
}

fn property(out: &mut String, p: &NamedProperty) -> std::fmt::Result {
    let expect = p.expect.map_or_else(String::new, |e| format!(", expected: {e}"));
    let kind = p.property.keyword();
    if p.name == kind { writeln!(out, "  {kind}{expect}") } else { writeln!(out, "  {}: {kind}{expect}", p.name) }
}

fn size(out: &mut String, model: &Model) -> std::fmt::Result {
    let size = &model.loaded.size;
    let parts = [("state", size.states), ("transition", size.transitions), ("deadlock", size.deadlocks)];
    let parts: Vec<String> = parts.iter().filter_map(|(what, n)| n.map(|n| show_number(n, what))).collect();
    // What the author counted is the model with its default parameters.
    if parts.is_empty() || !model.settings.is_empty() {
        return Ok(());
    }
    writeln!(out, "expected size\n  {}", parts.join(", "))
}
