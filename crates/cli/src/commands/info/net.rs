//! A net in figures: its size, the class it belongs to, what its author claims, and what reductions leave of it.

use std::fmt::{Result, Write as _};
use std::time::Duration;

use evidence::Budget;
use model::views::{Net, PlaceId};

use super::property;
use crate::input::{Model, NetFile};
use formats::figures::{show_count, show_number};

/// So many places are listed; the others are counted.
const LISTED: usize = 24;
/// What a reduction may take that only tells its result.
const MOMENT: Duration = Duration::from_secs(10);

pub(super) fn describe(out: &mut String, model: &Model, file: &NetFile) -> Result {
    let net = &*file.net;
    writeln!(out, "net {} ({})", net.name(), model.input.name)?;
    sizes(out, net)?;
    writeln!(out, "  {}", classes(net).join(", "))?;
    if let Some(nupn) = &file.nupn {
        let claim = if nupn.safe { ", claimed to be safe" } else { "" };
        writeln!(out, "  {}{claim}", show_number(nupn.units.len() as u64, "unit"))?;
    }
    writeln!(out, "  {}", show_number(parts(net) as u64, "connected part"))?;
    reduced(out, net)?;
    places(out, net)?;
    writeln!(out, "properties")?;
    model.loaded.properties.iter().try_for_each(|p| property(out, p))
}

fn sizes(out: &mut String, net: &Net) -> Result {
    let arcs: usize = net.transition_ids().map(|t| net.pre(t).len() + net.post(t).len()).sum();
    let marked = net.places().iter().filter(|p| p.initial > 0).count();
    let tokens: u64 = net.places().iter().map(|p| u64::from(p.initial)).sum();
    let counts = [(net.places().len(), "place"), (net.transitions().len(), "transition"), (arcs, "arc")];
    let counts = counts.map(|(n, what)| show_number(n as u64, what));
    writeln!(out, "  {}", counts.join(", "))?;
    writeln!(out, "  {} on {}", show_number(tokens, "token"), show_number(marked as u64, "place"))
}

/// The classes of nets that it belongs to, the most special ones first.
fn classes(net: &Net) -> Vec<String> {
    let weights = || net.transition_ids().flat_map(|t| net.pre(t).iter().chain(net.post(t)).map(|(_, w)| *w));
    let heaviest = weights().max().unwrap_or(1);
    if heaviest > 1 {
        return vec![format!("weights up to {heaviest}")];
    }
    let mut out = vec!["ordinary".to_owned()];
    let one_way = |t| net.pre(t).len() == 1 && net.post(t).len() == 1;
    let no_choice = |p| net.consumers(p).len() <= 1 && net.producers(p).len() <= 1;
    if net.transition_ids().all(one_way) {
        out.push("a state machine".to_owned());
    }
    if net.place_ids().all(no_choice) {
        out.push("a marked graph".to_owned());
    }
    if net.place_ids().all(|p| is_free_choice(net, p)) {
        out.push("free choice".to_owned());
    }
    out
}

/// Whether all transitions that take from a place take the same: then any of them can, or none.
fn is_free_choice(net: &Net, p: PlaceId) -> bool {
    let mut consumers = net.consumers(p).iter().map(|(t, _)| net.pre(*t));
    consumers.next().is_none_or(|first| consumers.all(|pre| pre == first))
}

/// The number of parts that no arc connects.
fn parts(net: &Net) -> usize {
    let mut seen = vec![false; net.places().len()];
    let mut parts = net.transition_ids().filter(|t| net.pre(*t).is_empty() && net.post(*t).is_empty()).count();
    for start in net.place_ids() {
        if std::mem::replace(&mut seen[start.index()], true) {
            continue;
        }
        parts += 1;
        let mut open = vec![start];
        while let Some(p) = open.pop() {
            for (t, _) in net.consumers(p).iter().chain(net.producers(p)) {
                for &(q, _) in net.pre(*t).iter().chain(net.post(*t)) {
                    if !std::mem::replace(&mut seen[q.index()], true) {
                        open.push(q);
                    }
                }
            }
        }
    }
    parts
}

fn reduced(out: &mut String, net: &Net) -> Result {
    let size = driver::reduced_for_deadlock(net, &Budget::unlimited().with_timeout(MOMENT));
    write!(out, "  for deadlock it reduces to {} and ", show_number(size.places as u64, "place"))?;
    write!(out, "{}", show_number(size.transitions as u64, "transition"))?;
    match size.deadlock {
        Some(true) => writeln!(out, ", and there is one"),
        Some(false) => writeln!(out, ", and there is none"),
        None => writeln!(out),
    }
}

fn places(out: &mut String, net: &Net) -> Result {
    writeln!(out, "places")?;
    for (p, place) in net.place_ids().zip(net.places()).take(LISTED) {
        let ends = [(net.producers(p).len(), "in"), (net.consumers(p).len(), "out")];
        let ends = ends.map(|(n, way)| format!("{n} {way}"));
        writeln!(out, "  {}: {}, {}", place.name, show_number(u64::from(place.initial), "token"), ends.join(", "))?;
    }
    match net.places().len() {
        all if all > LISTED => writeln!(out, "  ... and {} more", show_count((all - LISTED) as u64)),
        _ => Ok(()),
    }
}
