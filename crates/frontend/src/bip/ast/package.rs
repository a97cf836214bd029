//! Packages, and the names by which they refer to each other.

use model::Span;

use super::{
    AtomType, CompoundType, ConnectorType, Constant, ExternFunction, ExternOperator, ExternType, Name, Parameter,
};
use crate::sources::Sources;

/// A package of a model, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackageId(pub u32);

/// A package and all that it uses, directly or not.
#[derive(Debug)]
pub struct Model {
    /// The package of the text itself comes first.
    pub packages: Vec<Package>,
    /// The texts that spans refer to.
    pub sources: Sources,
}

/// `T`, or `some.package.T`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// The names of the package; none for what is declared here.
    pub package: Vec<Name>,
    /// The last name.
    pub name: Name,
    /// All of it.
    pub span: Span,
}

/// `package P ... end`: its declarations by their kinds, each kind in the order of the text.
#[derive(Debug)]
pub struct Package {
    /// Its name: the path that others use it by.
    pub name: Path,
    /// The packages whose types it may name.
    pub uses: Vec<Path>,
    /// `const data`.
    pub constants: Vec<Constant>,
    /// `extern data type`.
    pub extern_types: Vec<ExternType>,
    /// `extern function`; the same name may have several.
    pub functions: Vec<ExternFunction>,
    /// `extern operator`.
    pub operators: Vec<ExternOperator>,
    /// `port type`.
    pub port_types: Vec<PortType>,
    /// `atom type`.
    pub atoms: Vec<AtomType>,
    /// `connector type`.
    pub connectors: Vec<ConnectorType>,
    /// `compound type`.
    pub compounds: Vec<CompoundType>,
    /// All of it.
    pub span: Span,
}

/// `port type T(int x, bool y)`.
#[derive(Debug)]
pub struct PortType {
    /// Its name.
    pub name: Name,
    /// The data that its ports carry.
    pub data: Vec<Parameter>,
    /// All of it.
    pub span: Span,
}
