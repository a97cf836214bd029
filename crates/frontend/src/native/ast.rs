//! The syntax tree: the text as written, every part with its place. Chains of operators are flat, so that long ones do
//! not make the tree deep.

use model::{Binary, Expectation, Span, Strength};

/// A word with its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name<'t> {
    pub(super) text: &'t str,
    pub(super) span: Span,
}

/// A name with indices: `fork[i]`, `c[2]`, `go`.
#[derive(Debug)]
pub(super) struct Part<'t> {
    pub(super) name: Name<'t>,
    pub(super) indices: Vec<Expr<'t>>,
    pub(super) span: Span,
}

/// What an expression or operation names: `x`, `grid[i][j]`, `Phil[0].x`.
#[derive(Debug)]
pub(super) struct Place<'t> {
    pub(super) head: Part<'t>,
    pub(super) member: Option<Part<'t>>,
    pub(super) span: Span,
}

/// `lo..hi`, both included.
#[derive(Debug)]
pub(super) struct Range<'t> {
    pub(super) lo: Expr<'t>,
    pub(super) hi: Expr<'t>,
}

impl Range<'_> {
    pub(super) fn span(&self) -> Span {
        self.lo.span.to(self.hi.span)
    }
}

/// An expression.
#[derive(Debug)]
pub(super) struct Expr<'t> {
    pub(super) kind: ExprKind<'t>,
    pub(super) span: Span,
}

#[derive(Debug)]
pub(super) enum ExprKind<'t> {
    Number(i64),
    Bool(bool),
    Place(Box<Place<'t>>),
    /// `P at s`.
    At(Box<(Place<'t>, Part<'t>)>),
    Test(Test, Box<Place<'t>>),
    /// `min(a, b)` or `max(a, b)`.
    Extreme(Binary, Box<(Expr<'t>, Expr<'t>)>),
    Not(Box<Expr<'t>>),
    Neg(Box<Expr<'t>>),
    /// Operators of one level, applied from left to right.
    Chain(Box<Expr<'t>>, Vec<(Binary, Expr<'t>)>),
    Implies(Box<(Expr<'t>, Expr<'t>)>),
    Choice(Box<(Expr<'t>, Expr<'t>, Expr<'t>)>),
    Quantified(Quantifier, Name<'t>, Box<(Range<'t>, Expr<'t>)>),
    Prefix(Prefix, Box<Expr<'t>>),
    Infix(Infix, Box<(Expr<'t>, Expr<'t>)>),
    /// `enabled(P.take)` or `taken(P.take)`.
    Occurrence(Occurrence, Box<Place<'t>>),
}

/// The tests of locks and channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Test {
    Free,
    Len,
    Empty,
    Full,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantifier {
    Forall,
    Exists,
    Count,
    Sum,
}

impl Quantifier {
    /// As it is written.
    pub(super) fn word(self) -> &'static str {
        match self {
            Quantifier::Forall => "forall",
            Quantifier::Exists => "exists",
            Quantifier::Count => "count",
            Quantifier::Sum => "sum",
        }
    }
}

/// Temporal operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prefix {
    Always,
    Eventually,
    Next,
}

/// Temporal operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Infix {
    Until,
    WeakUntil,
    Release,
}

/// What a formula asks about steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Occurrence {
    /// Whether one of them can be taken.
    Enabled,
    /// Whether one of them was just taken.
    Taken,
}

/// `weak fairness of P, (Q.a, Q.b)`.
#[derive(Debug)]
pub(super) struct Fair<'t> {
    pub(super) strength: Strength,
    /// Each of them; every process if none is named.
    pub(super) of: Vec<Vec<Place<'t>>>,
}

/// A declaration of objects of one kind.
#[derive(Debug)]
pub(super) struct Objects<'t> {
    pub(super) names: Vec<Part<'t>>,
    pub(super) kind: ObjectKind<'t>,
    pub(super) initial: Option<Initial<'t>>,
}

#[derive(Debug)]
pub(super) enum ObjectKind<'t> {
    Variable(Type<'t>),
    Lock,
    Semaphore(Range<'t>),
    Counter(Range<'t>),
    Channel(Capacity<'t>, Vec<Type<'t>>),
}

#[derive(Debug)]
pub(super) enum Capacity<'t> {
    Rendezvous,
    Buffered(Expr<'t>),
    Lossy(Expr<'t>),
}

#[derive(Debug)]
pub(super) enum Type<'t> {
    Bool,
    Range(Box<Range<'t>>),
    Named(Name<'t>),
}

/// An initial value, a message, or a list of these.
#[derive(Debug)]
pub(super) struct Initial<'t> {
    pub(super) kind: InitialKind<'t>,
    pub(super) span: Span,
}

#[derive(Debug)]
pub(super) enum InitialKind<'t> {
    One(Expr<'t>),
    Message(Vec<Expr<'t>>),
    List(Vec<Initial<'t>>),
}

/// What stands at the outermost level of a text.
#[derive(Debug)]
pub(super) enum Item<'t> {
    Param(Name<'t>, Expr<'t>),
    Const(Name<'t>, Expr<'t>),
    Enum(Name<'t>, Vec<Name<'t>>),
    Objects(Box<Objects<'t>>),
    Actions(Vec<Part<'t>>),
    Process(Process<'t>),
    Property(Property<'t>),
    /// Of the state space: the number and the word it belongs to, `states`, `transitions` or `deadlocks`.
    Size(Vec<(u64, Name<'t>)>),
}

#[derive(Debug)]
pub(super) struct Process<'t> {
    pub(super) name: Name<'t>,
    pub(super) indices: Vec<(Name<'t>, Range<'t>)>,
    pub(super) body: Vec<BodyItem<'t>>,
}

/// What stands in a process or in an observer.
#[derive(Debug)]
pub(super) enum BodyItem<'t> {
    States(Vec<StateFamily<'t>>),
    /// States of an observer that break its property.
    Errors(Vec<StateFamily<'t>>),
    Init(Part<'t>, Option<Expr<'t>>),
    End(Vec<Part<'t>>),
    Objects(Box<Objects<'t>>),
    Step(Box<Step<'t>>),
    Uses(Vec<Part<'t>>),
    For(Name<'t>, Range<'t>, Vec<BodyItem<'t>>),
    If(Expr<'t>, Vec<BodyItem<'t>>, Vec<BodyItem<'t>>),
}

#[derive(Debug)]
pub(super) struct StateFamily<'t> {
    pub(super) name: Name<'t>,
    pub(super) ranges: Vec<Range<'t>>,
}

#[derive(Debug)]
pub(super) struct Step<'t> {
    pub(super) from: Vec<Part<'t>>,
    pub(super) to: Part<'t>,
    pub(super) label: Option<Part<'t>>,
    pub(super) sync: Option<Part<'t>>,
    /// Of an observer's step: what it follows.
    pub(super) on: Option<Vec<Place<'t>>>,
    pub(super) when: Option<Expr<'t>>,
    pub(super) operations: Vec<Operation<'t>>,
    pub(super) span: Span,
}

/// One operation of a step.
#[derive(Debug)]
pub(super) enum Operation<'t> {
    Assert(Expr<'t>),
    On(Place<'t>, OperationKind<'t>),
}

#[derive(Debug)]
pub(super) enum OperationKind<'t> {
    Assign(Expr<'t>),
    Add(Expr<'t>),
    Subtract(Expr<'t>),
    Acquire,
    Release,
    Wait,
    Signal,
    Send(Vec<Expr<'t>>),
    Receive(Vec<Pattern<'t>>),
}

#[derive(Debug)]
pub(super) enum Pattern<'t> {
    Any,
    /// `=e`.
    Equals(Expr<'t>),
    /// A variable that takes the value, or a constant that must match.
    Value(Expr<'t>),
}

#[derive(Debug)]
pub(super) struct Property<'t> {
    /// The name and where it is written.
    pub(super) name: Option<(String, Span)>,
    pub(super) kind: PropertyKind<'t>,
    pub(super) expect: Option<Expectation>,
    pub(super) span: Span,
}

#[derive(Debug)]
pub(super) enum PropertyKind<'t> {
    DeadlockFree,
    PartialDeadlockFree,
    Invariant(Expr<'t>),
    Reachable(Expr<'t>),
    Safety(Vec<BodyItem<'t>>),
    Ltl(Expr<'t>, Vec<Fair<'t>>),
}
