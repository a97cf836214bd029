//! Statements and expressions of actions.

use model::Span;

use super::{Name, Text};

/// A statement.
#[derive(Debug)]
pub struct Statement {
    /// What it does.
    pub kind: StatementKind,
    /// All of it, without the semicolon.
    pub span: Span,
}

/// What a statement does.
#[derive(Debug)]
pub enum StatementKind {
    /// `x = e`.
    Assign(Target, Expr),
    /// `f(a, b)`: only external functions can be called.
    Call(Name, Vec<Expr>),
    /// `if (c) then ... else ... fi`.
    If {
        /// What is tested.
        condition: Expr,
        /// What is done if it holds.
        yes: Vec<Statement>,
        /// What is done if it does not.
        no: Vec<Statement>,
    },
}

/// What an assignment changes.
#[derive(Debug)]
pub enum Target {
    /// `x`: data of an atom or a connector, or a clock.
    Data(Name),
    /// `p.x`: data of a port, in a connector.
    Member(Name, Name),
    /// `x'`: the speed of a clock.
    Speed(Name),
}

impl Target {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Target::Data(name) | Target::Speed(name) => name.span,
            Target::Member(port, data) => port.span.to(data.span),
        }
    }
}

/// An expression.
#[derive(Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands, with its parentheses if it has any.
    pub span: Span,
}

/// What an expression is.
#[derive(Debug)]
pub enum ExprKind {
    /// `3`; never negative.
    Int(i64),
    /// `2.5`, as written.
    Float(Text),
    /// `true`.
    Bool(bool),
    /// `"text"`, with its quotes and escapes as written.
    String(Text),
    /// `x`: data, a parameter, a constant of the package or a clock.
    Name(Text),
    /// `p.x` in a connector, `c.x` in the guard of a priority of a compound type.
    Member(Name, Name),
    /// `f(a, b)`.
    Call(Name, Vec<Expr>),
    /// `!e`.
    Not(Box<Expr>),
    /// `-e`.
    Negate(Box<Expr>),
    /// `~e`.
    Complement(Box<Expr>),
    /// Operators of one level of precedence, applied from left to right; at least one.
    Chain(Box<Expr>, Vec<(Operator, Expr)>),
}

/// An operator with two operands; those of a line bind equally, the first line most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Modulo,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `&`
    BitAnd,
    /// `^`
    BitXor,
    /// `|`
    BitOr,
    /// `&&`
    And,
    /// `||`
    Or,
}

impl Operator {
    /// As it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Operator::Multiply => "*",
            Operator::Divide => "/",
            Operator::Modulo => "%",
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Less => "<",
            Operator::AtMost => "<=",
            Operator::Greater => ">",
            Operator::AtLeast => ">=",
            Operator::Equal => "==",
            Operator::NotEqual => "!=",
            Operator::BitAnd => "&",
            Operator::BitXor => "^",
            Operator::BitOr => "|",
            Operator::And => "&&",
            Operator::Or => "||",
        }
    }
}
