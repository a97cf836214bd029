//! Gives the arcs of a skeleton their meaning.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use model::Span;

use super::flow::{Arc, Element, ElementId, Flow, Kind, Late, Skeleton};
use super::labels::{Marks, means_cycles};
use super::reports::{Checked, Reports};
use super::tables::{Locals, Others, Tables};
use super::text;
use super::view::{Role, View};
use crate::Diagnostic;
use crate::name::Text;
use crate::promela::ast::{Init, StmtKind, VarDecl};

use crate::promela::ir::{Action, Column, Edge, EdgeId, Expr, Graph, Hold, Node, NodeId, Slot, Unary};

/// What is wrong with any other statement of a trace.
pub(super) const NO_EVENT: &str = "only sends and receives can be watched by a trace";

/// A body with its skeleton.
#[derive(Debug)]
pub(super) struct Body<'a> {
    pub(super) flow: Flow<'a>,
    pub(super) skeleton: Skeleton,
}

impl<'a> Body<'a> {
    /// The skeleton of a flow.
    pub(super) fn new(mut flow: Flow<'a>, reports: &mut Reports) -> Self {
        let skeleton = Skeleton::new(&mut flow, reports);
        let body = Self { flow, skeleton };
        body.warn_unreached(reports);
        body.warn_unseen(reports);
        body
    }

    /// The statements that no way leads to.
    fn unreached_elements(&self) -> impl Iterator<Item = &Element<'a>> {
        let reached: HashSet<ElementId> = self.skeleton.arcs.iter().map(|a| a.element).collect();
        let is_written = |e: &Element<'_>| matches!(e.kind, Kind::Basic(Cow::Borrowed(_)) | Kind::Declare(..));
        self.flow.elements().filter(move |(id, e)| is_written(e) && !reached.contains(id)).map(|(_, e)| e)
    }

    /// Their texts and places.
    pub(super) fn unreached(&self) -> Vec<(Text, Span)> {
        self.unreached_elements().map(|e| (text::of(&e.kind), e.home)).collect()
    }

    fn warn_unreached(&self, reports: &mut Reports) {
        for element in self.unreached_elements() {
            let what = "this statement cannot be reached";
            let label = "no way leads here, whatever the values are";
            reports.push(Diagnostic::warning(element.span, what).label(label));
        }
    }

    /// Warns of labels that mean something where a process is not seen, or only while it is blocked.
    fn warn_unseen(&self, reports: &mut Reports) {
        let yields = |node: NodeId| self.skeleton.arcs.iter().any(|a| a.to == node && a.yields);
        for (name, element) in self.flow.labels().filter(|(name, _)| means_cycles(&name.text)) {
            let nodes = self.skeleton.nodes_at(element);
            let hold = |node: &NodeId| self.skeleton.nodes[node.0 as usize].1;
            let inside = !nodes.is_empty() && nodes.iter().all(|n| hold(n) != Hold::No && !yields(*n));
            let (place, said) = match nodes.iter().map(hold).max() {
                Some(Hold::Step) if inside => ("d_step", "counts for nothing, as in SPIN"),
                Some(Hold::Atomic) if inside => ("atomic", "counts only while a process is blocked here, as in SPIN"),
                _ => continue,
            };
            let what = format!("no process is seen to pass `{}`, inside of `{place}`", name.text);
            let help = format!("put it in front of the `{place}`");
            reports.push(Diagnostic::warning(name.span, what).label(said).help(help));
        }
    }

    /// The labels with their nodes; none where no process can be.
    pub(super) fn labels(&self) -> HashMap<Text, Vec<NodeId>> {
        let mut labels: HashMap<Text, Vec<NodeId>> = HashMap::new();
        for (name, element) in self.flow.labels() {
            labels.entry(name.text.clone()).or_default().extend(self.skeleton.nodes_at(element));
        }
        labels
    }
}

/// What is needed to give arcs their meaning.
pub(super) struct Context<'t> {
    pub(super) tables: &'t Tables,
    pub(super) locals: &'t Locals,
    pub(super) others: &'t Others,
    pub(super) role: Role,
}

impl Context<'_> {
    /// The graph of a body.
    pub(super) fn graph(&self, body: &Body<'_>, reports: &mut Reports) -> Graph {
        let edges = body.skeleton.arcs.iter().filter_map(|arc| self.edge(body, arc, reports).ok()).collect();
        Graph { nodes: self.nodes(body), edges }
    }

    fn nodes(&self, body: &Body<'_>) -> Vec<Node> {
        let mut labels: Vec<Vec<Text>> = vec![Vec::new(); body.skeleton.nodes.len()];
        for (name, element) in body.flow.labels() {
            for node in body.skeleton.nodes_at(element) {
                labels[node.0 as usize].push(name.text.clone());
            }
        }
        let last = labels.len().saturating_sub(1);
        let make = |(at, labels): (usize, Vec<Text>)| {
            let (element, hold) = body.skeleton.nodes[at];
            let Marks { end, accept, progress } = body.skeleton.marks(element);
            let Element { state, span, .. } = *body.flow.element(element);
            Node { end: end || at == last, accept, progress, labels, hold, state, span }
        };
        labels.into_iter().enumerate().map(make).collect()
    }

    fn edge(&self, body: &Body<'_>, arc: &Arc, reports: &mut Reports) -> Checked<Edge> {
        let element = body.flow.element(arc.element);
        let blockers: Vec<EdgeId> = arc.blockers.iter().map(|b| EdgeId(b.0)).collect();
        let guard = (!blockers.is_empty()).then(|| Expr::Unary(Unary::Not, Box::new(Expr::Executable(blockers))));
        let (tables, locals, others) = (self.tables, Some(self.locals), Some(self.others));
        let mut view = View { tables, locals, role: self.role, place: element.place, others, reports };
        let action = meaning(&mut view, &element.kind, element.span)?;
        let (from, to, yields, text) = (arc.from, arc.to, arc.yields, text::of(&element.kind));
        Ok(Edge { from, to, yields, in_step: arc.in_step, guard, action, text, span: element.span, home: element.home })
    }
}

fn meaning(view: &mut View<'_>, kind: &Kind<'_>, span: Span) -> Checked<Action> {
    match kind {
        Kind::Basic(statement) if view.role == Role::Trace => match view.event(statement) {
            Some(event) => event,
            None => Err(view.reports.push(Diagnostic::error(span, NO_EVENT))),
        },
        Kind::Basic(statement) if view.role == Role::Claim => observed(view, statement, span),
        Kind::Basic(statement) => view.action(statement),
        Kind::Declare(decl, late) => first_value(view, decl, *late),
        _ => Ok(Action::Skip),
    }
}

/// A statement of a claim that changes nothing; all others are a mistake.
fn observed(view: &mut View<'_>, statement: &StmtKind, span: Span) -> Checked<Action> {
    match view.action(statement)? {
        action @ (Action::Test(_) | Action::Assert(_) | Action::Skip) => Ok(action),
        _ => {
            let what = "a claim only watches: conditions and assertions, nothing that changes";
            Err(view.reports.push(Diagnostic::error(span, what)))
        }
    }
}

/// The assignment that stands for a declaration behind statements.
fn first_value(view: &mut View<'_>, decl: &VarDecl, late: Late) -> Checked<Action> {
    let init = match &decl.init {
        Some(Init::Value(value)) => Some(value),
        _ => None,
    };
    let Some(value) = view.late_value(&decl.name, late.shape, init)? else { return Ok(Action::Skip) };
    if let Some(init) = init.filter(|_| late.is_array) {
        let what = format!("only the first element of `{}` gets this value", decl.name.text);
        let help = "declare the array before the first statement, or assign its elements one by one";
        view.reports.push(Diagnostic::warning(init.span, what).label("behind statements, as in SPIN").help(help));
    }
    // Of an array only the first element is written.
    let indices = if late.is_array { vec![Expr::Const(0)] } else { Vec::new() };
    Ok(Action::Assign(Slot { column: Column::Local(late.column), indices }, value))
}
