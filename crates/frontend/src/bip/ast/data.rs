//! Data: types, declarations, and what is defined outside of the language.

use model::Span;

use super::{Expr, Name, Operator, Path, Text};

/// The type of a data item, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataType {
    /// What it is.
    pub kind: DataTypeKind,
    /// Where it stands.
    pub span: Span,
}

/// The type of a data item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DataTypeKind {
    /// `int`.
    Int,
    /// `bool`.
    Bool,
    /// `float`.
    Float,
    /// `string`.
    String,
    /// One that is declared by `extern data type`.
    Extern(Path),
}

/// `int x`, `const int x`: of a port type, an atom type or a compound type.
#[derive(Debug)]
pub struct Parameter {
    /// Whether it is `const`: of a port, whether connectors may only read it.
    pub constant: bool,
    /// Its type.
    pub data_type: DataType,
    /// Its name.
    pub name: Name,
}

/// `data int x = 3`, `export data int x`: of an atom type or a connector type.
#[derive(Debug)]
pub struct Data {
    /// Whether guards of priorities outside may read it.
    pub export: bool,
    /// Its type.
    pub data_type: DataType,
    /// Its name.
    pub name: Name,
    /// Its first value.
    pub initial: Option<Expr>,
}

/// `const data int X = 3`.
#[derive(Debug)]
pub struct Constant {
    /// Its type: a native one.
    pub data_type: DataType,
    /// Its name.
    pub name: Name,
    /// Its value, from constants before it.
    pub value: Expr,
}

/// `extern data type T refine U as "backend name"`.
#[derive(Debug)]
pub struct ExternType {
    /// Its name.
    pub name: Name,
    /// The types that it is a subtype of.
    pub refines: Vec<Path>,
    /// All of it.
    pub span: Span,
}

/// `extern function int f(string, const int)`.
#[derive(Debug)]
pub struct ExternFunction {
    /// What it returns, if anything.
    pub result: Option<DataType>,
    /// Its name.
    pub name: Name,
    /// Its parameters; those that are not constant it may change.
    pub parameters: Vec<ExternParameter>,
    /// All of it.
    pub span: Span,
}

/// `const int`, `int x`: a parameter of a function or an operator; its name means nothing.
#[derive(Debug)]
pub struct ExternParameter {
    /// Whether the function leaves it alone.
    pub constant: bool,
    /// Its type.
    pub data_type: DataType,
}

/// `extern operator T +(T, T)`.
#[derive(Debug)]
pub struct ExternOperator {
    /// What it returns.
    pub result: DataType,
    /// The operator.
    pub symbol: OperatorSymbol,
    /// Its operands.
    pub parameters: Vec<ExternParameter>,
    /// All of it.
    pub span: Span,
}

/// An operator in a declaration, where one with one operand may look like one with two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OperatorSymbol {
    /// One that has two operands in expressions; `-` and `+` may also have one.
    Binary(Operator),
    /// `!`, `~` or `=`.
    Other(Text),
}
