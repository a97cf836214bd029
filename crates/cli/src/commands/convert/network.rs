//! Networks as files that belong together, and as pictures.

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::Path;

use frontend::write;
use model::views::StateId;
use model::{Edge, Limits, LocationId, Network, ProcessId, System};

use crate::exit::Failure;
use crate::input::Model;
use crate::output;

/// Writes an expression, and the automata that it refers to beside it.
pub(super) fn write(model: &Model, path: Option<&Path>) -> Result<(), Failure> {
    let Some(path) = path else {
        return Err(Failure::usage("a network is several files: say with --output where its expression shall be"));
    };
    let name = &model.input.name;
    let network = view(model).map_err(|e| Failure::input(format!("{name} cannot be written as a network: {e}")))?;
    let stem = path.file_stem().map(|s| s.to_string_lossy()).unwrap_or_default();
    let written = write::exp(&network, &stem);
    let written = written.map_err(|why| Failure::input(format!("{name} cannot be written as a network: {why}")))?;
    for (lost, what) in [
        (written.terminates, "where all processes may stop, they get a common last step `exit`"),
        (network.rules().iter().any(|r| r.fault), "steps that are model errors become steps that change nothing"),
    ] {
        if lost {
            output::complain(&format!("note: {what}"));
        }
    }
    for (file, text) in &written.files {
        output::write_file(&path.with_file_name(file), text)?;
    }
    output::write_file(path, &written.text)
}

/// The network of the file, or the one that the model is seen as.
fn view(model: &Model) -> Result<Cow<'_, Network>, String> {
    match &model.network {
        Some(network) => Ok(Cow::Borrowed(network)),
        None => model.loaded.system.network(&Limits::default()).map(Cow::Owned).map_err(|e| e.to_string()),
    }
}

/// The moves of all components, as steps of processes.
pub(super) fn edges(network: &Network) -> Vec<Edge> {
    let mut edges = Vec::new();
    for (c, component) in network.component_ids().zip(network.components()) {
        for from in (0..component.states().len()).map(StateId::new) {
            for m in component.moves(from) {
                let edge = Edge::new(ProcessId(c.0), LocationId(from.0), LocationId(m.to.0));
                edges.push(edge.label(component.events()[m.event.index()].as_str()));
            }
        }
    }
    edges
}

/// What each process does in transitions, each step once: for models whose text has no steps of processes.
pub(super) fn moves(system: &System) -> Vec<Edge> {
    let mut seen = HashSet::new();
    let moves = system.transitions().iter().flat_map(|t| &t.moves);
    let new = moves.filter(|m| seen.insert((m.process, m.from, m.to, m.label.clone())));
    let mut edges: Vec<Edge> = new.map(|m| Edge::new(m.process, m.from, m.to).label(&*m.label)).collect();
    edges.sort_by_key(|e| (e.process, e.from, e.to));
    edges
}

/// How files of automata call a step: those of a script end with `exit`, and `i` is silent.
pub(super) fn aut_label<'a>(model: &Model, label: &'a str) -> &'a str {
    match (model.silent, label) {
        (Some("tau"), "tick") => "exit",
        (Some("tau"), "tau") => "i",
        (Some("tau"), "exit") => "event exit",
        (Some("tau"), "i") => "event i",
        _ => label,
    }
}
