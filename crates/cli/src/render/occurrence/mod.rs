//! Pictures of occurrence nets: prefixes of the unfolding of a net, and processes of its runs.
//!
//! Rows are causal depth: initial conditions on top, below each event what it makes. Everything is called by the names
//! of the net's places and transitions.

mod blocked;
mod dot;
mod reads;
mod svg;
#[cfg(test)]
mod tests;

use driver::{Companion, ConditionId, EventId, Prefix};
use model::views::Net;

use formats::figures::show_number;
use reads::Reads;

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
    /// Its causal depth: conditions have even rows, events odd ones.
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
    kind: ArcKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ArcKind {
    Flow,
    /// Leads to an event from a token that it reads, and that stays.
    Read,
    /// Leads to a blocked transition from a token that it lacks: an event has used it up.
    Lacking,
}

impl Picture {
    /// A prefix with its cut-offs and their companions.
    pub(crate) fn of_prefix(net: &Net, prefix: &Prefix) -> Self {
        Self::new(net, prefix, &Reads::none(prefix), "complete prefix of the unfolding")
    }

    /// A configuration of a prefix, with the tokens at its end and, if nothing can happen there, what is missing.
    pub(crate) fn of_configuration(net: &Net, part: &Prefix) -> Self {
        let what = "the part of the prefix that leads where the run leads";
        Self::new(net, part, &Reads::none(part), what).with_end(net, part, &Reads::none(part))
    }

    /// The process of a run, with its end likewise.
    pub(crate) fn of_process(net: &Net, process: &Prefix) -> Self {
        let reads = Reads::of(net, process);
        let picture = Self::new(net, process, &reads, "what each step of the run waited for");
        let mut picture = picture.with_end(net, process, &reads);
        picture.forget_copies(process, &reads);
        picture
    }

    /// Conditions have the numbers that they have in the prefix; events follow.
    fn new(net: &Net, prefix: &Prefix, reads: &Reads, what: &str) -> Self {
        let conditions = prefix.condition_ids().map(|c| condition(net, prefix, c));
        let nodes: Vec<Node> = conditions.chain(prefix.event_ids().map(|e| event(net, prefix, e))).collect();
        let title = format!("{}: {what}", net.name());
        let mut picture = Self { title, sizes: sizes(prefix, reads), nodes, arcs: Vec::new() };
        picture.connect(prefix, reads);
        for e in prefix.event_ids() {
            if let Some(Companion::Event(companion)) = prefix.companion(e) {
                let companion = &mut picture.nodes[prefix.conditions() + companion.index()];
                companion.remark = Some(companion.id.clone());
            }
        }
        picture
    }

    fn with_end(mut self, net: &Net, process: &Prefix, reads: &Reads) -> Self {
        for condition in process.left() {
            if let Kind::Condition { left, .. } = &mut self.nodes[reads.first(condition).index()].kind {
                *left = true;
            }
        }
        self.add_blocked(net, process, reads);
        self
    }

    fn has(&self, kind: impl Fn(Kind) -> bool) -> bool {
        self.nodes.iter().any(|node| kind(node.kind))
    }
}

fn condition(net: &Net, prefix: &Prefix, c: ConditionId) -> Node {
    Node {
        id: format!("c{}", c.index()),
        kind: Kind::Condition { initial: prefix.producer(c).is_none(), left: false },
        name: net.place(prefix.place(c)).name.clone(),
        remark: None,
        row: 0,
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
        row: 0,
    }
}

fn sizes(prefix: &Prefix, reads: &Reads) -> String {
    let cutoffs = match prefix.cutoffs() {
        0 => String::new(),
        n => format!(" ({})", show_number(n as u64, "cut-off")),
    };
    let (events, conditions) = (prefix.events() as u64, reads.conditions(prefix) as u64);
    format!("{}{cutoffs}, {}", show_number(events, "event"), show_number(conditions, "condition"))
}
