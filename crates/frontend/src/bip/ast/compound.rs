//! Compound types.

use model::Span;

use super::{Expr, Name, Parameter, Path};

/// `compound type C(int n) ... end`.
#[derive(Debug)]
pub struct CompoundType {
    /// Its name.
    pub name: Name,
    /// What its instances are given.
    pub parameters: Vec<Parameter>,
    /// What it consists of.
    pub components: Vec<Component>,
    /// How that is connected.
    pub connectors: Vec<Connector>,
    /// `export port a.p, b.p as q`.
    pub port_exports: Vec<Export>,
    /// `export data a.x as y`.
    pub data_exports: Vec<Export>,
    /// Which interactions go before others.
    pub priorities: Vec<Priority>,
    /// All of it.
    pub span: Span,
}

/// `component T c(1, 2)`.
#[derive(Debug)]
pub struct Component {
    /// Its type: an atom type or a compound type.
    pub component_type: Path,
    /// Its name.
    pub name: Name,
    /// One for each parameter.
    pub arguments: Vec<Expr>,
    /// `c(1, 2)`.
    pub span: Span,
}

/// `connector T c(a.p, b.q)`.
#[derive(Debug)]
pub struct Connector {
    /// Its type.
    pub connector_type: Path,
    /// Its name.
    pub name: Name,
    /// What its ports are: ports of components or of other connectors.
    pub ports: Vec<Member>,
    /// `c(a.p, b.q)`.
    pub span: Span,
}

/// `c.p`: a port or a data item of a component, or the port of a connector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The component or the connector.
    pub owner: Name,
    /// What belongs to it.
    pub name: Name,
    /// Both.
    pub span: Span,
}

/// `export port a.p, b.p as q`, `export data a.x as y`.
#[derive(Debug)]
pub struct Export {
    /// The name that others use.
    pub name: Name,
    /// What is behind it; one for data, at least one for ports.
    pub members: Vec<Member>,
    /// All of it.
    pub span: Span,
}

/// `priority name c:a.p,b.q < *:* provided (a.x == 0)`.
#[derive(Debug)]
pub struct Priority {
    /// Its name.
    pub name: Name,
    /// What has to wait.
    pub low: InteractionPattern,
    /// What it waits for.
    pub high: InteractionPattern,
    /// When this counts.
    pub guard: Option<Expr>,
    /// All of it.
    pub span: Span,
}

/// A side of a priority of a compound type.
#[derive(Debug)]
pub enum InteractionPattern {
    /// `c:a.p,b.q`: one interaction of a connector.
    One {
        /// The connector.
        connector: Name,
        /// Those of its ports that take part.
        ports: Vec<Member>,
        /// All of it.
        span: Span,
    },
    /// `c:*`: all interactions of a connector.
    All(Name),
    /// `*:*`: all interactions of all connectors but those of the other side.
    Any(Span),
}
