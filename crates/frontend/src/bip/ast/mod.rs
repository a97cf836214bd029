//! The syntax tree of BIP 2: packages as written, every part that a message may name with its place.
//!
//! Lists of declarations are flat: `data int x, y` leaves two declarations, each with its type. Annotations, which speak to
//! code generators, leave no trace, nor do parentheses but in the shape of the tree. The tree owns its text, so that
//! it can hold several packages; spans refer to the joined text of [`Sources`](crate::sources::Sources). The parser
//! bounds the depth of the tree.

mod action;
mod atom;
mod compound;
mod connector;
mod data;
mod package;

pub use crate::name::{Name, Text};
pub use action::{Expr, ExprKind, Operator, Statement, StatementKind, Target};
pub use atom::{
    AtomPriority, AtomType, Clock, ExternalPort, Initial, Invariant, Port, PortExport, PortPattern, Resume, Transition,
    Trigger, Urgency,
};
pub use compound::{Component, CompoundType, Connector, Export, InteractionPattern, Member, Priority};
pub use connector::{ConnectorType, Interaction, Operand, OperandKind, PortParameter};
pub use data::{
    Constant, Data, DataType, DataTypeKind, ExternFunction, ExternOperator, ExternParameter, ExternType,
    OperatorSymbol, Parameter,
};
pub use package::{Model, Package, PackageId, Path, PortType};
