//! Proctypes as graphs: one node for each control state of SPIN's automaton, one edge for each of its transitions.

use model::Span;

use super::{Argument, Expr, ProctypeId, Slot, Text};

/// The number of a node of one graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// The number of an edge of one graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EdgeId(pub u32);

/// A graph.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// Its nodes; the first is where it starts, the last is the end of the body (SPIN's `-end-`), which has no edges:
    /// that the process dies there is left to `elaborate`.
    pub nodes: Vec<Node>,
    /// Its edges, in the order in which SPIN tries them.
    pub edges: Vec<Edge>,
}

/// A control state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The labels that stand here.
    pub labels: Vec<Text>,
    /// Whether a process may stop here: an `end` label, or the end of the body.
    pub end: bool,
    /// Whether an `accept` label stands here.
    pub accept: bool,
    /// Whether a `progress` label stands here.
    pub progress: bool,
    /// Whether a process that arrives here keeps control.
    pub hold: Hold,
    /// The number of SPIN's control state: what `pc_value` gives.
    pub state: u32,
    /// Where the statement stands that leaves it.
    pub span: Span,
}

/// Whether a process that arrives somewhere keeps control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Hold {
    /// Others may go next.
    #[default]
    No,
    /// In the middle of an `atomic` sequence.
    Atomic,
    /// In the middle of a `d_step`: only the first executable edge counts, and to be stuck is an error.
    Step,
}

/// A statement between two control states.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Where it leaves.
    pub from: NodeId,
    /// Where it leads.
    pub to: NodeId,
    /// Whether control is not kept, though it is by others that lead there.
    pub yields: bool,
    /// Whether it stands in a `d_step`.
    pub in_step: bool,
    /// Must be true besides: what `else` and `unless` say (`!Executable(..)`).
    pub guard: Option<Expr>,
    /// What is done.
    pub action: Action,
    /// The statement as SPIN's users know it, such as `x = (x+1)`.
    pub text: Text,
    /// Where it stands; what an `inline` gave stands where that was called.
    pub span: Span,
    /// The same, but what an `inline` gave stands in its body.
    pub home: Span,
}

/// What a statement does, and with it when it is executable.
#[derive(Clone, Debug)]
pub enum Action {
    /// Goes on: `skip`, `goto`, `printf`, `else` and so on.
    Skip,
    /// Waits for a condition.
    Test(Expr),
    /// Writes a variable.
    Assign(Slot, Expr),
    /// Sends.
    Send(Send),
    /// Receives.
    Receive(Receive),
    /// Creates a process; its number goes into the slot, if there is one.
    Run(ProctypeId, Vec<Expr>, Option<Slot>),
    /// Breaks off if the condition is false.
    Assert(Expr),
    /// Of a `trace`: somebody else sends or receives such a message.
    Event(Event),
}

/// A message that a `trace` waits for. Its fields match constants or nothing; none of them binds.
#[derive(Clone, Debug)]
pub struct Event {
    /// What holds the channel.
    pub channel: Slot,
    /// Whether it is sent; otherwise received.
    pub sends: bool,
    /// Its flattened fields.
    pub arguments: Vec<Argument>,
}

/// Sending.
#[derive(Clone, Debug)]
pub struct Send {
    /// What holds the channel.
    pub channel: Slot,
    /// Whether the message goes to its place in numerical order.
    pub sorted: bool,
    /// Its flattened fields.
    pub values: Vec<Expr>,
}

/// Receiving.
#[derive(Clone, Debug)]
pub struct Receive {
    /// What holds the channel.
    pub channel: Slot,
    /// Whether the first message that matches is taken, wherever it stands.
    pub anywhere: bool,
    /// Whether the message stays.
    pub keep: bool,
    /// Its flattened fields.
    pub arguments: Vec<Argument>,
}
