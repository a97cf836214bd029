//! A network in figures: its components, and its rules by how many take part.

use std::collections::BTreeMap;
use std::fmt::{Result, Write as _};

use model::Network;
use model::views::{Component, StateId};

use super::{property, size};
use crate::input::Model;
use formats::figures::{show_count, show_number};

/// So many components are listed; the others are counted.
const LISTED: usize = 24;

pub(super) fn describe(out: &mut String, model: &Model, network: &Network) -> Result {
    let number = |n: usize, what| show_number(n as u64, what);
    writeln!(out, "network {} ({})", network.name(), model.input.name)?;
    let states: usize = network.components().iter().map(|c| c.states().len()).sum();
    let moves: usize = network.components().iter().map(moves).sum();
    let counts = [number(network.components().len(), "component"), number(states, "state"), number(moves, "move")];
    writeln!(out, "  {}", counts.join(", "))?;
    let system = &model.loaded.system;
    let transitions = number(system.transitions().len(), "transition");
    writeln!(out, "  as a system: {transitions}, {} bits a state", system.state_bits())?;
    writeln!(out, "rules: {}", show_count(network.rules().len() as u64))?;
    rules(out, network)?;
    writeln!(out, "components")?;
    components(out, network)?;
    writeln!(out, "properties")?;
    model.loaded.properties.iter().try_for_each(|p| property(out, p))?;
    size(out, model)
}

fn moves(component: &Component) -> usize {
    (0..component.states().len()).map(|s| component.moves(StateId::new(s)).len()).sum()
}

fn rules(out: &mut String, network: &Network) -> Result {
    let mut widths: BTreeMap<usize, usize> = BTreeMap::new();
    network.rules().iter().for_each(|r| *widths.entry(r.participants.len()).or_default() += 1);
    for (width, count) in widths {
        let who = match width {
            0 => "nobody".to_owned(),
            1 => "one component".to_owned(),
            n => format!("{} components", show_count(n as u64)),
        };
        writeln!(out, "  {} of {who}", show_count(count as u64))?;
    }
    Ok(())
}

fn components(out: &mut String, network: &Network) -> Result {
    for c in network.components().iter().take(LISTED) {
        let (states, moves) = (show_number(c.states().len() as u64, "state"), show_number(moves(c) as u64, "move"));
        let ends = c.states().iter().filter(|s| s.end).count();
        let ends = if ends > 0 { format!(", {}", show_number(ends as u64, "end state")) } else { String::new() };
        writeln!(out, "  {}: {states}, {moves}, starts at {}{ends}", c.name(), c.states()[c.initial().index()].name)?;
    }
    match network.components().len() {
        all if all > LISTED => writeln!(out, "  ... and {} more", show_count((all - LISTED) as u64)),
        _ => Ok(()),
    }
}
