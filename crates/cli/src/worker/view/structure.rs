//! The parts of a model: processes as automata, objects, who touches what, the net, the properties.

use std::collections::{BTreeMap, HashMap};

use driver::ModelInfo;
use explain::operations;
use model::views::Net;
use model::{Command, Expr, Joining, ObjectId, ProcessId, Property, System, Target, Transition, TransitionId};
use serde_json::{Value, json};

use crate::commands::info;
use crate::diagnostics::Mistake;
use crate::input::Model;

/// Of a model with more transitions no list is given: they are found by their names.
const LISTED: usize = 50_000;
/// A larger net than this is shown by its numbers only; if it is only a view of the model, a much smaller one.
const NET: usize = 200_000;
const NET_VIEW: usize = 1500;

/// Everything that does not change while the model is looked at.
pub(super) fn of(model: &Model) -> Value {
    let system = &model.loaded.system;
    let input = &model.input;
    let warnings: Vec<Mistake> =
        model.loaded.warnings.iter().map(|d| Mistake::new(&input.name, &input.text, d)).collect();
    let object = |o: &model::Object| json!({ "name": o.name, "noun": o.kind.noun(), "kind": info::kind(o) });
    json!({
        "model": ModelInfo::new(system, &input.name, &model.set()),
        "warnings": warnings,
        "abstracted": model.abstracted,
        "properties": properties(model),
        "processes": processes(model),
        "objects": system.objects().iter().map(object).collect::<Vec<_>>(),
        "touches": touches(system),
        "meets": meets(system),
        "transitions": transitions(model),
        "net": net(model),
    })
}

/// What is asked of a model.
pub(super) fn properties(model: &Model) -> Vec<Value> {
    let property = |p: &model::NamedProperty| {
        let line = p.span.map(|span| model.source.place(span).line);
        json!({ "name": p.name, "kind": p.property.keyword(), "line": line, "expect": p.expect.map(|e| e.to_string()),
                "text": shown(&model.loaded.system, &p.property) })
    };
    model.loaded.properties.iter().map(property).collect()
}

fn shown(system: &System, property: &Property) -> Option<String> {
    match property {
        Property::Invariant(e) | Property::Reachable(e) => Some(system.show_expr(e)),
        _ => None,
    }
}

fn line(model: &Model, span: Option<model::Span>) -> Option<usize> {
    // The text of a net is not kept.
    span.filter(|_| model.net.is_none()).map(|span| model.source.place(span).line)
}

fn transitions(model: &Model) -> Option<Vec<Value>> {
    let system = &model.loaded.system;
    let one = |t: &Transition| {
        let processes: Vec<usize> = t.moves.iter().map(|m| m.process.index()).collect();
        let line = line(model, t.spans.first().copied());
        json!({ "name": t.name, "text": text(system, &t.guard, &operations(system, t)), "processes": processes, "line": line })
    };
    (system.transitions().len() <= LISTED).then(|| system.transitions().iter().map(one).collect())
}

/// When something can happen and what it does, in one line.
fn text(system: &System, guard: &[Expr], operations: &[String]) -> String {
    let guard: Vec<String> = guard.iter().map(|e| system.show_expr(e)).collect();
    let guard = if guard.is_empty() { String::new() } else { format!("[{}]", guard.join(" && ")) };
    let parts = [guard, operations.join(", ")];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// What a process does between two of its locations.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    from: usize,
    to: usize,
    label: String,
    text: String,
}

/// Each process with its locations and its steps; those that differ in their partners only are one.
fn processes(model: &Model) -> Vec<Value> {
    let system = &model.loaded.system;
    let mut parts: Vec<BTreeMap<Part, Vec<u32>>> = vec![BTreeMap::new(); system.processes().len()];
    for id in system.transition_ids() {
        for m in &system.transition(id).moves {
            let (label, text) = (m.label.to_string(), part_text(system, id, m.process));
            let part = Part { from: m.from.index(), to: m.to.index(), label, text };
            parts[m.process.index()].entry(part).or_default().push(id.0);
        }
    }
    let location = |l: &model::Location| json!({ "name": l.name, "end": l.end, "line": line(model, l.span) });
    let edge = |(part, transitions): (Part, Vec<u32>)| {
        let Part { from, to, label, text } = part;
        json!({ "from": from, "to": to, "label": label, "text": text, "transitions": transitions })
    };
    let one = |(process, parts): (&model::Process, BTreeMap<Part, Vec<u32>>)| {
        json!({
            "name": process.name,
            "initial": process.initial.index(),
            "locations": process.locations.iter().map(location).collect::<Vec<_>>(),
            "edges": parts.into_iter().map(edge).collect::<Vec<_>>(),
        })
    };
    system.processes().iter().zip(parts).map(one).collect()
}

/// What a process brings into a transition.
fn part_text(system: &System, id: TransitionId, process: ProcessId) -> String {
    let t = system.transition(id);
    match system.parts(id).find(|e| e.process == process) {
        _ if matches!(t.joining, Joining::Lost(_)) => "the message is lost".to_owned(),
        Some(edge) => {
            let commands: Vec<String> = edge.command.iter().map(|c| system.show_command(c)).collect();
            text(system, &edge.guard, &commands)
        }
        None => text(system, &t.guard, &operations(system, t)),
    }
}

/// Which process looks at which object, and which changes it.
fn touches(system: &System) -> Vec<Value> {
    let mut found: BTreeMap<(ProcessId, ObjectId), (bool, bool)> = BTreeMap::new();
    for id in system.transition_ids() {
        let t = system.transition(id);
        let parts: Vec<_> = system.parts(id).collect();
        // Of a joint step everybody touches what is in the own part.
        let pieces: Vec<(ProcessId, &[Expr], &[Command])> = match &parts[..] {
            [] => t.moves.iter().map(|m| (m.process, &*t.guard, &*t.command)).collect(),
            parts => parts.iter().map(|e| (e.process, &*e.guard, &*e.command)).collect(),
        };
        for (process, guard, command) in pieces {
            let mut note = |target: &Target, writes: bool| {
                for object in target.objects() {
                    let entry = found.entry((process, object)).or_default();
                    *entry = (entry.0 | !writes, entry.1 | writes);
                }
            };
            guard.iter().for_each(|e| read(e, &mut |target| note(target, false)));
            for c in command {
                c.expressions().into_iter().for_each(|e| read(e, &mut |target| note(target, false)));
                c.written().for_each(|target| note(target, true));
            }
        }
    }
    let one = |((p, o), (reads, writes)): ((ProcessId, ObjectId), (bool, bool))| json!({ "process": p.index(), "object": o.index(), "reads": reads, "writes": writes });
    found.into_iter().map(one).collect()
}

/// All targets that an expression reads.
fn read(e: &Expr, note: &mut impl FnMut(&Target)) {
    if let Some(target) = e.target() {
        note(target);
        target.index.iter().for_each(|index| read(index, note));
    }
    match e {
        Expr::Unary(_, a) => read(a, note),
        Expr::Binary(_, a, b) => [a, b].into_iter().for_each(|e| read(e, note)),
        Expr::If(c, a, b) => [c, a, b].into_iter().for_each(|e| read(e, note)),
        Expr::Offers(_, patterns, _) => patterns.iter().filter_map(|p| p.matched()).for_each(|e| read(e, note)),
        _ => {}
    }
}

/// Which processes take steps together, and what these are called.
fn meets(system: &System) -> Vec<Value> {
    let mut found: BTreeMap<(Vec<usize>, bool), Vec<String>> = BTreeMap::new();
    for t in system.transitions().iter().filter(|t| t.moves.len() > 1) {
        let processes: Vec<usize> = t.moves.iter().map(|m| m.process.index()).collect();
        // A rendezvous is seen at its channel.
        let on_channel = matches!(t.joining, Joining::Rendezvous { .. });
        let labels = found.entry((processes, on_channel)).or_default();
        if !labels.iter().any(|l| **l == *t.label) {
            labels.push(t.label.to_string());
        }
    }
    let one = |((processes, on_channel), labels): ((Vec<usize>, bool), Vec<String>)| json!({ "processes": processes, "labels": labels, "on_channel": on_channel });
    found.into_iter().map(one).collect()
}

/// The net of the model, or the one that it is seen as, if it is small enough to be looked at.
fn net(model: &Model) -> Option<Value> {
    let own = model.net.is_some();
    if !own && model.loaded.system.transitions().len() > NET_VIEW {
        return None;
    }
    let net = model.net_view().ok()?;
    let size = net.places().len() + net.transitions().len();
    (size <= if own { NET } else { NET_VIEW }).then(|| drawn(&net, own))
}

fn drawn(net: &Net, own: bool) -> Value {
    let arcs = |arcs: &[(model::views::PlaceId, u32)]| -> Vec<(usize, u32)> {
        arcs.iter().map(|(p, weight)| (p.index(), *weight)).collect()
    };
    let transition = |t| {
        let of: &model::views::NetTransition = net.transition(t);
        // A system that was made of a net has its transitions, with their numbers.
        let number = of.transition.unwrap_or(TransitionId(t.0)).0;
        json!({ "name": of.name, "transition": number, "pre": arcs(net.pre(t)), "post": arcs(net.post(t)) })
    };
    let places: Vec<&str> = net.places().iter().map(|p| p.name.as_str()).collect();
    let initial: Vec<u32> = net.places().iter().map(|p| p.initial).collect();
    json!({ "own": own, "places": places, "initial": initial, "transitions": net.transition_ids().map(transition).collect::<Vec<_>>() })
}

/// The marking of the net in a state, if the net is shown.
pub(super) fn marking(model: &Model, state: &[u64]) -> Option<HashMap<usize, u64>> {
    let own = model.net.as_ref();
    let tokens = match own {
        // Counters are places, in their order.
        Some(file) => {
            let system = &model.loaded.system;
            let amount = |o| match system.value(o, state) {
                model::Value::Int(v) => u64::try_from(v).unwrap_or_default(),
                _ => 0,
            };
            file.net.marking_of(system, state).unwrap_or_else(|| system.object_ids().map(amount).collect())
        }
        None if model.loaded.system.transitions().len() > NET_VIEW => return None,
        None => {
            let net = model.net_view().ok()?;
            if net.places().len() + net.transitions().len() > NET_VIEW {
                return None;
            }
            net.marking_of(&model.loaded.system, state)?
        }
    };
    Some(tokens.into_iter().enumerate().filter(|(_, tokens)| *tokens > 0).collect())
}
