//! Atom types.

use model::Span;

use super::{Data, Expr, Name, Parameter, Path, Statement};

/// `atom type A(int n) ... end`.
#[derive(Debug)]
pub struct AtomType {
    /// Its name.
    pub name: Name,
    /// What its instances are given.
    pub parameters: Vec<Parameter>,
    /// Its data.
    pub data: Vec<Data>,
    /// Its clocks.
    pub clocks: Vec<Clock>,
    /// Its ports, exported or not.
    pub ports: Vec<Port>,
    /// What others see of its ports.
    pub exports: Vec<PortExport>,
    /// Its places.
    pub places: Vec<Name>,
    /// How it begins.
    pub initial: Initial,
    /// Its transitions.
    pub transitions: Vec<Transition>,
    /// Which of its ports go before others.
    pub priorities: Vec<AtomPriority>,
    /// What should always hold.
    pub invariants: Vec<Invariant>,
    /// All of it.
    pub span: Span,
}

/// `clock x unit millisecond`.
#[derive(Debug)]
pub struct Clock {
    /// Its name.
    pub name: Name,
    /// What it counts.
    pub unit: Option<Name>,
}

/// `p(x, y)` in `port T p(x, y)`; also the port that a connector type exports.
#[derive(Debug)]
pub struct Port {
    /// Its type.
    pub port_type: Path,
    /// Its name.
    pub name: Name,
    /// The data that it carries, one for each of its type.
    pub data: Vec<Name>,
    /// Whether and how the environment triggers it.
    pub external: Option<ExternalPort>,
    /// `p(x, y)`.
    pub span: Span,
}

/// `extern port T p(x) as "backend name" remember`.
#[derive(Debug)]
pub struct ExternalPort {
    /// What happens to an event that comes too early.
    pub policy: Option<Name>,
}

/// What others see: `export port T p()` shows `p` as `p`, `export port T p(), q() as r` shows both as `r`.
#[derive(Debug)]
pub struct PortExport {
    /// The name that others use.
    pub name: Name,
    /// The ports behind it: those of one declaration.
    pub ports: Vec<Name>,
}

/// `initial to A, B do { ... }`.
#[derive(Debug)]
pub struct Initial {
    /// The places that hold a token at first.
    pub to: Vec<Name>,
    /// How the data begins.
    pub actions: Vec<Statement>,
    /// Which delay may pass meanwhile.
    pub resume: Option<Resume>,
    /// All of it.
    pub span: Span,
}

/// `resume`, `resume (x <= 2)`.
#[derive(Debug)]
pub struct Resume {
    /// The condition, on clocks.
    pub condition: Option<Expr>,
    /// All of it.
    pub span: Span,
}

/// `on p from A, B to C provided (g) eager do { ... } resume (x <= 2)`.
#[derive(Debug)]
pub struct Transition {
    /// What it is labelled with.
    pub trigger: Trigger,
    /// The places that give a token.
    pub from: Vec<Name>,
    /// The places that get one.
    pub to: Vec<Name>,
    /// The condition, on data and clocks.
    pub guard: Option<Expr>,
    /// Whether time may pass while it is enabled, if that is said.
    pub urgency: Option<(Urgency, Span)>,
    /// What it does.
    pub actions: Vec<Statement>,
    /// Which delay may pass meanwhile.
    pub resume: Option<Resume>,
    /// All of it.
    pub span: Span,
}

/// What a transition is labelled with.
#[derive(Debug)]
pub enum Trigger {
    /// `on p`: a port of the atom.
    Port(Name),
    /// `internal`.
    Internal,
}

/// Whether time may pass while a transition is enabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Urgency {
    /// `eager`: no.
    Eager,
    /// `lazy`: yes.
    Lazy,
    /// `delayable`: as long as it stays enabled.
    Delayable,
}

/// `priority name low < high provided (g)`.
#[derive(Debug)]
pub struct AtomPriority {
    /// Its name.
    pub name: Name,
    /// What has to wait.
    pub low: PortPattern,
    /// What it waits for.
    pub high: PortPattern,
    /// When this counts.
    pub guard: Option<Expr>,
    /// All of it.
    pub span: Span,
}

/// A side of a priority of an atom type.
#[derive(Debug)]
pub enum PortPattern {
    /// A port of the atom.
    Port(Name),
    /// `*`: all ports but those of the other side.
    Any(Span),
}

/// `invariant name at A, B provided (c)`.
#[derive(Debug)]
pub struct Invariant {
    /// Its name.
    pub name: Name,
    /// Where it should hold: whenever all of these places hold a token; always, if there are none.
    pub places: Vec<Name>,
    /// What should hold; with clocks, how long time may pass.
    pub condition: Expr,
    /// All of it.
    pub span: Span,
}
