//! Pictures of occurrence nets: prefixes of the unfolding of a net, and processes of its runs.
//!
//! Rows are causal depth: initial conditions on top, below each event what it makes. Everything is called by the names
//! of the net's places and transitions.

mod blocked;
mod dot;
mod layout;
mod order;
mod place;
mod svg;
#[cfg(test)]
mod tests;

use driver::{Companion, ConditionId, EventId, Prefix};
use model::views::Net;

use crate::quantity::show_number;

/// An occurrence net, ready to be drawn.
#[derive(Debug)]
pub(crate) struct Picture {
    title: String,
    sizes: String,
    nodes: Vec<Node>,
    arcs: Vec<Arc>,
}

/// A condition or an event.
#[derive(Debug)]
struct Node {
    /// Unlike all others.
    id: String,
    kind: Kind,
    /// The user's name of the place or transition.
    name: String,
    /// What else there is to say about it.
    remark: Option<String>,
    row: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Condition {
        /// It is there from the start.
        initial: bool,
        /// It is there at the end of the run.
        left: bool,
    },
    Event,
    CutOff,
    /// Not an event: a transition that lacks something at the end of the run.
    Blocked,
}

#[derive(Clone, Copy, Debug)]
struct Arc {
    from: usize,
    to: usize,
    /// Leads to a blocked transition from a token that it lacks: another event has used it up.
    lacking: bool,
}

impl Picture {
    /// A prefix with its cut-offs and their companions.
    pub(crate) fn of_prefix(net: &Net, prefix: &Prefix) -> Self {
        Self::new(net, prefix, "complete prefix of the unfolding")
    }

    /// A process, or a configuration: also the tokens at its end and, if nothing can happen there, what is missing.
    pub(crate) fn of_run(net: &Net, process: &Prefix, what: &str) -> Self {
        let mut picture = Self::new(net, process, what);
        for condition in process.left() {
            if let Kind::Condition { left, .. } = &mut picture.nodes[condition.index()].kind {
                *left = true;
            }
        }
        picture.add_blocked(net, process);
        picture
    }

    /// Conditions have the numbers that they have in the prefix; events follow.
    fn new(net: &Net, prefix: &Prefix, what: &str) -> Self {
        let conditions = prefix.condition_ids().map(|c| condition(net, prefix, c));
        let mut nodes: Vec<Node> = conditions.collect();
        nodes.extend(prefix.event_ids().map(|e| event(net, prefix, e)));
        let number = |e: EventId| prefix.conditions() + e.index();
        let mut arcs = Vec::new();
        for e in prefix.event_ids() {
            if let Some(Companion::Event(companion)) = prefix.companion(e) {
                nodes[number(companion)].remark = Some(nodes[number(companion)].id.clone());
            }
            arcs.extend(prefix.preset(e).iter().map(|c| Arc { from: c.index(), to: number(e), lacking: false }));
            arcs.extend(prefix.postset(e).map(|c| Arc { from: number(e), to: c.index(), lacking: false }));
        }
        Self { title: format!("{}: {what}", net.name()), sizes: sizes(prefix), nodes, arcs }
    }

    fn has(&self, kind: impl Fn(Kind) -> bool) -> bool {
        self.nodes.iter().any(|node| kind(node.kind))
    }
}

fn condition(net: &Net, prefix: &Prefix, c: ConditionId) -> Node {
    let producer = prefix.producer(c);
    Node {
        id: format!("c{}", c.index()),
        kind: Kind::Condition { initial: producer.is_none(), left: false },
        name: net.place(prefix.place(c)).name.clone(),
        remark: None,
        row: producer.map_or(0, |e| 2 * prefix.depth(e) as usize),
    }
}

fn event(net: &Net, prefix: &Prefix, e: EventId) -> Node {
    let transition = net.transition(prefix.transition(e));
    let remark = match prefix.companion(e) {
        Some(Companion::Start) => Some("= start".to_owned()),
        Some(Companion::Event(companion)) => Some(format!("= e{}", companion.index())),
        None => transition.fault.then(|| "model error".to_owned()),
    };
    Node {
        id: format!("e{}", e.index()),
        kind: if prefix.companion(e).is_some() { Kind::CutOff } else { Kind::Event },
        name: transition.name.to_string(),
        remark,
        row: 2 * prefix.depth(e) as usize - 1,
    }
}

fn sizes(prefix: &Prefix) -> String {
    let cutoffs = match prefix.cutoffs() {
        0 => String::new(),
        n => format!(" ({})", show_number(n as u64, "cut-off")),
    };
    let (events, conditions) = (prefix.events() as u64, prefix.conditions() as u64);
    format!("{}{cutoffs}, {}", show_number(events, "event"), show_number(conditions, "condition"))
}
