//! The processes of a system as automata, and its objects, or a net, for Graphviz.

use std::fmt::{Result, Write as _};

use formats::drawing::quote;
use model::views::Net;
use model::{Edge, Process, ProcessId, System};

/// The whole system: a cluster for each process with its steps, and the objects in a box.
pub(crate) fn system(system: &System, steps: &[Edge]) -> String {
    let mut out = String::new();
    write_system(&mut out, system, steps).expect("writing to a string cannot fail");
    out
}

/// A net: places are circles with their tokens, transitions boxes.
pub(crate) fn net(net: &Net) -> String {
    let mut out = String::new();
    write_net(&mut out, net).expect("writing to a string cannot fail");
    out
}

fn write_net(out: &mut String, net: &Net) -> Result {
    writeln!(out, "digraph {} {{", quote(net.name()))?;
    for (p, place) in net.places().iter().enumerate() {
        let tokens = if place.initial > 0 { format!("\n{}", place.initial) } else { String::new() };
        writeln!(out, "  p{p} [shape=circle, label={}];", quote(&format!("{}{tokens}", place.name)))?;
    }
    for t in net.transition_ids() {
        let own = t.index();
        writeln!(out, "  t{own} [shape=box, label={}];", quote(&net.transition(t).name))?;
        for (p, weight) in net.pre(t) {
            writeln!(out, "  p{} -> t{own}{};", p.index(), shown_weight(*weight))?;
        }
        for (p, weight) in net.post(t) {
            writeln!(out, "  t{own} -> p{}{};", p.index(), shown_weight(*weight))?;
        }
    }
    writeln!(out, "}}")
}

fn shown_weight(weight: u32) -> String {
    if weight > 1 { format!(" [label={weight}]") } else { String::new() }
}

fn write_system(out: &mut String, system: &System, steps: &[Edge]) -> Result {
    writeln!(out, "digraph {} {{", quote(system.name()))?;
    system.process_ids().try_for_each(|p| process(out, system, steps, p))?;
    if !system.objects().is_empty() {
        let line = |(i, o): (usize, &model::Object)| {
            let value = system.show_value(model::ObjectId::new(i), &o.initial);
            format!("{} {} = {value}", o.kind.noun(), o.name)
        };
        let objects: Vec<String> = system.objects().iter().enumerate().map(line).collect();
        writeln!(out, "  objects [shape=note, label={}];", quote(&objects.join("\n")))?;
    }
    writeln!(out, "}}")
}

fn process(out: &mut String, system: &System, steps: &[Edge], id: ProcessId) -> Result {
    let process = system.process(id);
    let node = |l: usize| format!("p{}_{l}", id.index());
    writeln!(out, "  subgraph cluster_{} {{\n    label={};", id.index(), quote(&process.name))?;
    for (l, location) in process.locations.iter().enumerate() {
        let start = if l == process.initial.index() { ", style=bold" } else { "" };
        let end = if location.end { ", peripheries=2" } else { "" };
        writeln!(out, "    {} [label={}{start}{end}];", node(l), quote(&location.name))?;
    }
    for step in steps.iter().filter(|s| s.process == id) {
        let (from, to) = (node(step.from.index()), node(step.to.index()));
        writeln!(out, "    {from} -> {to} [label={}];", quote(&label(system, process, step)))?;
    }
    writeln!(out, "  }}")
}

/// What a step is called, when it can happen and what it does.
fn label(system: &System, process: &Process, step: &Edge) -> String {
    let name = |l: model::LocationId| &process.locations[l.index()].name;
    let mut lines = vec![step.label.clone().unwrap_or_else(|| format!("{}->{}", name(step.from), name(step.to)))];
    let guard: Vec<String> = step.guard.iter().map(|e| system.show_expr(e)).collect();
    if !guard.is_empty() {
        lines.push(format!("[{}]", guard.join(" && ")));
    }
    lines.extend(step.command.iter().map(|c| system.show_command(c)));
    lines.join("\n")
}
