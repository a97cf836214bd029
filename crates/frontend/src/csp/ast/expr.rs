//! Expressions; those on processes alone are in `process`.

use model::Span;

use super::{Combinator, Decl, Guard, Name, Pairs, Pattern, Prefix, Replicated, Restricted, Text};

/// An expression: a value, a function or a process.
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
    /// `3`.
    Int(i64),
    /// `true`.
    Bool(bool),
    /// `'c'`.
    Char(char),
    /// `"text"`.
    String(Text),
    /// `x`, `STOP`, `card`: whatever the name means.
    Name(Text),
    /// `M::x`.
    Qualified(Vec<Name>),
    /// `(a, b)`: at least two; of sets, their product.
    Tuple(Vec<Expr>),
    /// `a.b.c`: at least two, none of them a dot but in parentheses.
    Dot(Vec<Expr>),
    /// `{ ... }`.
    Set(Elements),
    /// `< ... >`.
    Sequence(Elements),
    /// `{| ... |}`: all events that the elements can be completed to.
    Productions(Elements),
    /// `(| k => v, ... |)`.
    Map(Vec<(Expr, Expr)>),
    /// `if c then a else b`.
    If(Box<If>),
    /// `let decls within e`.
    Let(Box<Let>),
    /// `\ x, y @ e`.
    Lambda(Box<Lambda>),
    /// `f(a, b)`; curried calls are calls of calls.
    Call(Box<Expr>, Vec<Expr>),
    /// `not e`.
    Not(Box<Expr>),
    /// `-e`.
    Negate(Box<Expr>),
    /// `#e`.
    Length(Box<Expr>),
    /// Operators of one level of precedence on data, applied from left to right; comparisons never chain.
    Chain(Box<Expr>, Vec<(Operator, Expr)>),
    /// `c?x:S!e -> P`.
    Prefix(Box<Prefix>),
    /// `b & P`.
    Guard(Box<Guard>),
    /// Operators of one level of precedence on processes, applied from left to right.
    Combined(Box<Expr>, Vec<(Combinator, Expr)>),
    /// `P \ A`.
    Hide(Box<Restricted>),
    /// `P |\ A`: everything but `A` is hidden.
    Project(Box<Restricted>),
    /// `P[[a <- b | statements]]`.
    Rename(Box<Expr>, Box<Pairs>),
    /// `[] x:S @ P` and its kin.
    Replicated(Box<Replicated>),
}

/// What stands between the brackets of a set or a sequence.
#[derive(Debug)]
pub struct Elements {
    /// The elements.
    pub items: Items,
    /// What they range over; empty unless it is a comprehension.
    pub statements: Vec<Statement>,
}

/// The elements of a set or a sequence.
#[derive(Debug)]
pub enum Items {
    /// `a, b, c`, possibly none.
    Listed(Vec<Expr>),
    /// `a..`: without end.
    From(Box<Expr>),
    /// `a..b`, both included.
    Range(Box<(Expr, Expr)>),
}

/// A part of a comprehension or of a replication.
#[derive(Debug)]
pub enum Statement {
    /// `p <- S` or `p : S`.
    Generator(Pattern, Expr),
    /// A condition.
    Condition(Expr),
}

/// `if condition then yes else no`.
#[derive(Debug)]
pub struct If {
    /// What is tested.
    pub condition: Expr,
    /// The value if it holds.
    pub yes: Expr,
    /// The value if it does not.
    pub no: Expr,
}

/// `let decls within body`.
#[derive(Debug)]
pub struct Let {
    /// Functions, bindings, `transparent` and `external` names, signatures, `Timed` sections.
    pub decls: Vec<Decl>,
    /// What sees them.
    pub body: Expr,
}

/// `\ x, y @ body`.
#[derive(Debug)]
pub struct Lambda {
    /// At least one.
    pub parameters: Vec<Pattern>,
    /// The value.
    pub body: Expr,
}

/// An operator on data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Modulo,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
    /// `and`
    And,
    /// `or`
    Or,
    /// `^`
    Concat,
}

impl Operator {
    /// As it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Multiply => "*",
            Operator::Divide => "/",
            Operator::Modulo => "%",
            Operator::Equal => "==",
            Operator::NotEqual => "!=",
            Operator::Less => "<",
            Operator::AtMost => "<=",
            Operator::Greater => ">",
            Operator::AtLeast => ">=",
            Operator::And => "and",
            Operator::Or => "or",
            Operator::Concat => "^",
        }
    }
}
