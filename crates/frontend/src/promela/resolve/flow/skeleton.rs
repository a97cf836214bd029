//! The graph of a flow without its statements' meanings: what can be reached, and in which order things are tried.

use std::collections::{BTreeMap, BTreeSet};

use super::table::{Row, Table, hunt};
use super::{ElementId, Flow, Kind};
use crate::Diagnostic;
use crate::promela::ir::{Hold, NodeId};
use crate::promela::resolve::labels::Marks;
use crate::promela::resolve::reports::Reports;

/// A control state: before an element, and whether control is kept there. One that is entered both with and without
/// control of an `atomic` sequence is one node, as a process that is blocked there has no control either way.
type Spot = (ElementId, Hold);

/// The number of an arc.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::promela::resolve) struct ArcId(pub(in crate::promela::resolve) u32);

/// The graph.
#[derive(Debug, Default)]
pub(in crate::promela::resolve) struct Skeleton {
    /// The nodes: the first one is where it starts, the last one the end of the body.
    pub(in crate::promela::resolve) nodes: Vec<Spot>,
    /// The arcs; those of one node stand together.
    pub(in crate::promela::resolve) arcs: Vec<Arc>,
    /// What labels mean, for each element.
    marks: Vec<Marks>,
}

/// A statement between two nodes.
#[derive(Clone, Debug)]
pub(in crate::promela::resolve) struct Arc {
    pub(in crate::promela::resolve) from: NodeId,
    pub(in crate::promela::resolve) to: NodeId,
    /// The statement.
    pub(in crate::promela::resolve) element: ElementId,
    /// Whether control is not kept, though it is by others that lead there.
    pub(in crate::promela::resolve) yields: bool,
    /// Whether it stands in a `d_step`.
    pub(in crate::promela::resolve) in_step: bool,
    /// The arcs that must not be executable.
    pub(in crate::promela::resolve) blockers: Vec<ArcId>,
    /// The `d_step` that begins with it.
    #[cfg(test)]
    pub(in crate::promela::resolve) enters: Option<ElementId>,
}

/// A statement that leaves an element.
#[derive(Clone, Debug)]
struct Way {
    /// The statement.
    element: ElementId,
    to: ElementId,
    /// The element whose escapes it has.
    escapes_of: ElementId,
    /// The escape to which it belongs.
    escape: Option<ElementId>,
}

impl Skeleton {
    /// The graph of a flow.
    pub(in crate::promela::resolve) fn new(flow: &mut Flow<'_>, reports: &mut Reports) -> Self {
        let Some(body) = flow.body else { return Self::default() };
        let table = Table::new(flow);
        let start = hunt(flow, body.first, false);
        for circle in table.circles.iter().copied().chain(start.err()) {
            let what = "these jumps go round in circles without any statement";
            let help = "put a `skip` between them";
            reports.push(Diagnostic::error(flow.element(circle).span, what).help(help));
        }
        let ways = ways(flow, &table);
        ways.iter().for_each(|w| flow.check_else(w.iter().map(|w| w.element), reports));
        let marks = flow.marks(&table);
        Self { marks, ..assemble(flow, &ways, start.unwrap_or(body.last), body.last) }
    }

    /// What the labels of an element mean.
    pub(in crate::promela::resolve) fn marks(&self, element: ElementId) -> Marks {
        self.marks[element.0 as usize]
    }

    /// The nodes before an element.
    pub(in crate::promela::resolve) fn nodes_at(&self, element: ElementId) -> Vec<NodeId> {
        let at = self.nodes.iter().enumerate().filter(|(_, (e, _))| *e == element);
        at.map(|(n, _)| NodeId(n as u32)).collect()
    }
}

/// The ways out of every element, in the order in which they are tried.
fn ways(flow: &Flow<'_>, table: &Table) -> Vec<Vec<Way>> {
    let mut all: Vec<Vec<Way>> =
        (0..table.rows.len()).map(|at| plain_ways(flow, table, ElementId(at as u32))).collect();
    for at in 0..all.len() {
        if flow.elements[at].step.is_none() {
            all[at] = with_escapes(flow, &all, at);
        }
    }
    all
}

/// The ways out of an element without escapes: a choice among choices is one choice.
fn plain_ways(flow: &Flow<'_>, table: &Table, id: ElementId) -> Vec<Way> {
    match &table.rows[id.0 as usize] {
        Row::None => Vec::new(),
        Row::Step(to) => vec![Way { element: id, to: *to, escapes_of: id, escape: None }],
        Row::Choice(options) => {
            let inner = options.iter().flat_map(|o| plain_ways(flow, table, *o));
            let is_step = matches!(flow.element(id).kind, Kind::Group(_, Hold::Step));
            inner.map(|w| Way { escapes_of: if is_step { id } else { w.escapes_of }, ..w }).collect()
        }
    }
}

/// The ways out of an element, those of its escapes first: of the outermost one first, and each backwards.
fn with_escapes(flow: &Flow<'_>, all: &[Vec<Way>], at: usize) -> Vec<Way> {
    let mut list = all[at].clone();
    for way in &all[at] {
        let element = flow.element(way.escapes_of);
        if matches!(element.kind, Kind::Joint) {
            continue;
        }
        for escape in element.escapes.iter().rev() {
            let first = hunt(flow, escape.first, element.keeps).unwrap_or(escape.first);
            for other in &all[first.0 as usize] {
                if !list.iter().any(|w| w.element == other.element) {
                    list.insert(0, Way { escape: Some(first), ..other.clone() });
                }
            }
        }
    }
    list
}

fn assemble(flow: &Flow<'_>, ways: &[Vec<Way>], start: ElementId, end: ElementId) -> Skeleton {
    let (first, last) = ((start, Hold::No), (end, Hold::No));
    let reached = reach(flow, ways, first, end);
    let unite = |(element, hold): Spot| match hold {
        Hold::No if reached.contains(&(element, Hold::Atomic)) => (element, Hold::Atomic),
        _ => (element, hold),
    };
    let first = unite(first);
    let united: BTreeSet<Spot> = reached.iter().map(|s| unite(*s)).collect();
    let middle = united.into_iter().filter(|s| *s != first && *s != last);
    let mut nodes: Vec<Spot> = std::iter::once(first).chain(middle).collect();
    if first != last {
        nodes.push(last);
    }
    let numbers: BTreeMap<Spot, NodeId> = nodes.iter().enumerate().map(|(n, s)| (*s, NodeId(n as u32))).collect();
    let mut arcs: Vec<Arc> = Vec::new();
    for spot in &nodes {
        let base = arcs.len() as u32;
        let list = &ways[spot.0.0 as usize];
        for (index, way) in list.iter().enumerate() {
            let blockers = blockers(flow, spot.0, list, index).into_iter().map(|b| ArcId(base + b as u32)).collect();
            let (arrives, meant) = (arrival(flow, way, end), unite(arrival(flow, way, end)));
            let (from, to, yields) = (numbers[spot], numbers[&meant], arrives != meant);
            #[cfg(test)]
            let enters = flow.element(way.element).step.filter(|_| flow.element(spot.0).step.is_none());
            arcs.push(Arc {
                from,
                to,
                element: way.element,
                yields,
                in_step: flow.element(way.element).step.is_some(),
                blockers,
                #[cfg(test)]
                enters,
            });
        }
    }
    Skeleton { nodes, arcs, marks: Vec::new() }
}

/// Which ways exclude a way: for `else` all before it, in a `d_step` those inside of it; otherwise those of escapes that come before its own, and those
/// into the same `d_step`, of which only the first one counts (inside of it, that goes without saying).
fn blockers(flow: &Flow<'_>, from: ElementId, list: &[Way], index: usize) -> Vec<usize> {
    let way = &list[index];
    let is_else = matches!(flow.element(way.element).kind, Kind::Else);
    let step = flow.element(way.element).step.filter(|_| flow.element(from).step.is_none());
    let same_step = |other: &Way| step.is_some() && flow.element(other.element).step == step;
    let before_else = |other: &Way| is_else && (step.is_none() || same_step(other));
    let blocks =
        |other: &Way| before_else(other) || (other.escape.is_some() && other.escape != way.escape) || same_step(other);
    (0..index).filter(|b| blocks(&list[*b])).collect()
}

fn reach(flow: &Flow<'_>, ways: &[Vec<Way>], start: Spot, end: ElementId) -> BTreeSet<Spot> {
    let mut reached = BTreeSet::from([start]);
    let mut work = vec![start];
    while let Some((at, _)) = work.pop() {
        for way in &ways[at.0 as usize] {
            let to = arrival(flow, way, end);
            if reached.insert(to) {
                work.push(to);
            }
        }
    }
    reached
}

/// Where a way arrives, and whether control is kept there.
fn arrival(flow: &Flow<'_>, way: &Way, end: ElementId) -> Spot {
    let element = flow.element(way.element);
    let keeps = match element.step {
        _ if way.to == end => Hold::No,
        Some(step) if flow.element(way.to).step == Some(step) => Hold::Step,
        Some(step) if flow.element(step).keeps => Hold::Atomic,
        None if element.keeps => Hold::Atomic,
        _ => Hold::No,
    };
    (way.to, keeps)
}
