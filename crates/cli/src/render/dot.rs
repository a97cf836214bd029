//! The processes of a system as automata, and its objects, for Graphviz.

use std::fmt::{Result, Write as _};

use model::{ProcessId, System, Transition};

/// A quoted string.
pub(crate) fn quote(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

/// The whole system: a cluster for each process, and the objects in a box.
pub(crate) fn system(system: &System) -> String {
    let mut out = String::new();
    write_system(&mut out, system).expect("writing to a string cannot fail");
    out
}

fn write_system(out: &mut String, system: &System) -> Result {
    writeln!(out, "digraph {} {{", quote(system.name()))?;
    system.process_ids().try_for_each(|p| process(out, system, p))?;
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

fn process(out: &mut String, system: &System, id: ProcessId) -> Result {
    let process = system.process(id);
    let node = |l: usize| format!("p{}_{l}", id.index());
    writeln!(out, "  subgraph cluster_{} {{\n    label={};", id.index(), quote(&process.name))?;
    for (l, location) in process.locations.iter().enumerate() {
        let start = if l == process.initial.index() { ", style=bold" } else { "" };
        let end = if location.end { ", peripheries=2" } else { "" };
        writeln!(out, "    {} [label={}{start}{end}];", node(l), quote(&location.name))?;
    }
    // Alternatives that differ in the partners only are one edge here.
    let mut seen = Vec::new();
    for t in system.transitions() {
        if let Some(part) = t.part(id) {
            let edge = (part.from.index(), part.to.index(), label(system, t, &part.label));
            if !seen.contains(&edge) {
                writeln!(out, "    {} -> {} [label={}];", node(edge.0), node(edge.1), quote(&edge.2))?;
                seen.push(edge);
            }
        }
    }
    writeln!(out, "  }}")
}

fn label(system: &System, t: &Transition, name: &str) -> String {
    let mut lines = vec![name.to_owned()];
    if t.moves.len() == 1 {
        let guard: Vec<String> = t.guard.iter().map(|e| system.show_expr(e)).collect();
        if !guard.is_empty() {
            lines.push(format!("[{}]", guard.join(" && ")));
        }
        lines.extend(explain::operations(system, t));
    }
    lines.join("\n")
}
