//! Connector types.

use model::Span;

use super::{Data, Expr, Name, Path, Port, Statement};

/// `connector type C(T p, T q) ... end`.
#[derive(Debug)]
pub struct ConnectorType {
    /// Its name.
    pub name: Name,
    /// The ports that it connects.
    pub ports: Vec<PortParameter>,
    /// Its data: it lives from `up` to `down`.
    pub data: Vec<Data>,
    /// The port that other connectors see.
    pub export: Option<Port>,
    /// Which interactions there are.
    pub define: Vec<Operand>,
    /// What interactions do; those that are not listed move no data.
    pub interactions: Vec<Interaction>,
    /// All of it.
    pub span: Span,
}

/// `T p`.
#[derive(Debug)]
pub struct PortParameter {
    /// Its type.
    pub port_type: Path,
    /// Its name.
    pub name: Name,
}

/// A part of `define p' (q r)`.
#[derive(Debug)]
pub struct Operand {
    /// What it is.
    pub kind: OperandKind,
    /// Whether it has a quote: an interaction needs one trigger, or all parts.
    pub trigger: bool,
    /// All of it, with its quote.
    pub span: Span,
}

/// A part of `define p' (q r)`.
#[derive(Debug)]
pub enum OperandKind {
    /// A port.
    Port(Name),
    /// Others, between parentheses; at least one.
    Group(Vec<Operand>),
}

/// `on p q provided (g) up { ... } down { ... }`.
#[derive(Debug)]
pub struct Interaction {
    /// The ports that take part; none is listed twice.
    pub ports: Vec<Name>,
    /// When it is possible.
    pub guard: Option<Expr>,
    /// What goes from the ports to the connector's data.
    pub up: Vec<Statement>,
    /// What goes from the connector's data to the ports.
    pub down: Vec<Statement>,
    /// All of it.
    pub span: Span,
}
