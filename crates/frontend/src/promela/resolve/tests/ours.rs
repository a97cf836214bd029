//! Our graphs in the form in which SPIN shows its own: a `d_step` is one transition.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::automaton::{Automaton, Kind, State, Step};
use crate::Diagnostic;
use crate::promela::ast::{Program, Unit};
use crate::promela::ir::{Hold, NodeId};
use crate::promela::resolve::flow::{Arc, Builder, Kind as Element};
use crate::promela::resolve::graph::Body;
use crate::promela::resolve::labels::Marks;
use crate::promela::resolve::reports::Reports;
use crate::promela::resolve::watched::Watched;
use crate::promela::resolve::{bodies, globals, proctypes, text};

/// The automata of a program.
pub(super) fn automata(program: &Program) -> Result<Vec<Automaton>, Vec<Diagnostic>> {
    let mut reports = Reports::default();
    let tables = globals::tables(program, &mut reports);
    let watched = Watched::new(program);
    let proctypes: Vec<_> = proctypes(program).collect();
    let (bodies, _) = bodies(&proctypes, &tables, &watched, &mut reports);
    let mut all: Vec<Automaton> = proctypes.iter().zip(&bodies).map(|(p, b)| automaton(&p.name.text, b)).collect();
    let none = HashSet::new();
    let mut claims = 0;
    for unit in &program.units {
        let Unit::Never(claim) = unit else { continue };
        let name = claim.name.as_ref().map_or_else(|| format!("never_{claims}"), |n| n.text.to_string());
        claims += 1;
        let (flow, _) = Builder::new(&tables, &none, &mut reports).body(&claim.body, claim.span);
        all.push(automaton(&name, &Body::new(flow, &mut reports)));
    }
    reports.conclude(all).map(|(all, _)| all)
}

/// The nodes of one element are one state; what is inside a `d_step` is none.
fn automaton(name: &str, body: &Body<'_>) -> Automaton {
    let skeleton = &body.skeleton;
    let state = |node: NodeId| body.flow.element(skeleton.nodes[node.0 as usize].0).state;
    let mut states: BTreeMap<u32, State> = BTreeMap::new();
    for (at, (id, hold)) in skeleton.nodes.iter().enumerate() {
        let at = NodeId(at as u32);
        let arcs: Vec<&Arc> = skeleton.arcs.iter().filter(|a| a.from == at).collect();
        if *hold == Hold::Step || arcs.is_empty() {
            continue;
        }
        let Marks { end, accept, progress } = skeleton.marks(*id);
        states.insert(
            body.flow.element(*id).state,
            State {
                accept,
                end,
                progress,
                steps: arcs
                    .chunk_by(|a, b| a.enters.is_some() && a.enters == b.enters)
                    .map(|c| step(body, c))
                    .collect(),
            },
        );
    }
    Automaton { name: name.to_owned(), start: state(NodeId(0)), states }
}

/// One arc, or all first arcs of a `d_step`.
fn step(body: &Body<'_>, arcs: &[&Arc]) -> Step {
    let is_d_step = arcs[0].enters.is_some();
    let to = exits(body, arcs);
    let element = body.flow.element(arcs[0].element);
    let kind = Kind {
        is_jump: !is_d_step && matches!(element.kind, Element::Goto(_) | Element::Joint | Element::Exit),
        is_else: !is_d_step && matches!(element.kind, Element::Else),
        is_d_step,
        keeps: !is_d_step && element.keeps(),
    };
    assert!(to.len() < 2, "a `d_step` is left to one place");
    Step { to: to.first().copied().unwrap_or(u32::MAX), kind, text: text::of(&element.kind).to_string() }
}

/// Where arcs lead, the insides of `d_step`s passed.
fn exits(body: &Body<'_>, arcs: &[&Arc]) -> BTreeSet<u32> {
    let skeleton = &body.skeleton;
    let (mut exits, mut seen) = (BTreeSet::new(), HashSet::new());
    let mut work: Vec<NodeId> = arcs.iter().map(|a| a.to).collect();
    while let Some(node) = work.pop() {
        let (element, hold) = skeleton.nodes[node.0 as usize];
        if hold != Hold::Step {
            exits.insert(body.flow.element(element).state);
        } else if seen.insert(node) {
            work.extend(skeleton.arcs.iter().filter(|a| a.from == node).map(|a| a.to));
        }
    }
    exits
}
