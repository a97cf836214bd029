//! The syntax tree of CSPm: a script as written, every part with its place.
//!
//! Processes, functions and data share one grammar, so there is one type of expression; what makes sense is for the
//! evaluator to find out. Parentheses leave no trace but the shape of the tree. Chains of operators that associate to
//! the left are flat, so that long ones do not make the tree deep. A name in a pattern may be a variable, a constructor
//! or a channel: only the scope knows. The tree owns its text, so that it can hold declarations of several files; spans
//! refer to the joined text of [`Sources`](super::sources::Sources).

use std::sync::Arc;

use model::Span;

/// A word of the script; equal words share their memory.
pub type Text = Arc<str>;

/// A word with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The word.
    pub text: Text,
    /// Where it stands.
    pub span: Span,
}

/// One declaration of a script, a module or a `let`.
#[derive(Debug)]
pub struct Decl {
    /// What it declares.
    pub kind: DeclKind,
    /// All of it, from the first word on.
    pub span: Span,
}

/// What a declaration declares.
#[derive(Debug)]
pub enum DeclKind {
    /// `f(0) = a`, `f(n)(m) = b`: clauses of one name that follow each other.
    Function(Function),
    /// `P = e`, `<x>^s = e`, `(a, b) = e`.
    Bind {
        /// What is bound; most often just a name.
        pattern: Pattern,
        /// The value.
        value: Expr,
    },
    /// `channel a, b : T.T'`.
    Channel {
        /// The channels.
        names: Vec<Name>,
        /// What they carry; nothing for plain events.
        data: Option<Expr>,
    },
    /// `datatype T = A | B.S.S'`.
    Datatype(Datatype),
    /// `subtype T' = A | B.S`.
    Subtype(Datatype),
    /// `nametype T = S`.
    Nametype {
        /// The new name.
        name: Name,
        /// The set it stands for.
        value: Expr,
    },
    /// `assert ...`.
    Assert(Assertion),
    /// `transparent normal, sbisim`.
    Transparent(Vec<Name>),
    /// `external chase`.
    External(Vec<Name>),
    /// `print e`.
    Print(Expr),
    /// `f, g :: (Int) -> Bool`: the type was parsed and forgotten.
    Signature(Vec<Name>),
    /// `module M(x) ... exports ... endmodule`.
    Module(Module),
    /// `instance I = M(e)`.
    Instance {
        /// The new name.
        name: Name,
        /// The module, by its path.
        module: Vec<Name>,
        /// Its arguments; none for a module without parameters.
        arguments: Vec<Expr>,
    },
    /// `Timed(f) { ... }`.
    Timed {
        /// The time that each event takes, if it is given.
        function: Option<Expr>,
        /// The declarations that are read with time.
        decls: Vec<Decl>,
    },
}

/// The clauses of a function.
#[derive(Debug)]
pub struct Function {
    /// Its name.
    pub name: Name,
    /// In the order of the text, at least one; the first that matches counts.
    pub clauses: Vec<Clause>,
}

/// `f(p, q)(r) = body`.
#[derive(Debug)]
pub struct Clause {
    /// The groups of parameters, at least one; a group may be empty: `f() = e`.
    pub parameters: Vec<Vec<Pattern>>,
    /// The value.
    pub body: Expr,
    /// The clause with its name.
    pub span: Span,
}

/// The constructors of a type.
#[derive(Debug)]
pub struct Datatype {
    /// The type.
    pub name: Name,
    /// Its constructors, at least one.
    pub constructors: Vec<Constructor>,
}

/// `A` or `B.S.S'`.
#[derive(Debug)]
pub struct Constructor {
    /// The constructor.
    pub name: Name,
    /// What it carries.
    pub data: Option<Expr>,
}

/// A module: parsed, so that a message can name it.
#[derive(Debug)]
pub struct Module {
    /// Its name.
    pub name: Name,
    /// Its parameters; none for a plain module.
    pub parameters: Vec<Pattern>,
    /// What only the module sees.
    pub private: Vec<Decl>,
    /// What others see.
    pub exported: Vec<Decl>,
}

/// `assert [not] claim [options]`.
#[derive(Debug)]
pub struct Assertion {
    /// Whether the claim is denied.
    pub negated: bool,
    /// What is claimed.
    pub claim: Claim,
    /// How the author wants it checked.
    pub options: Vec<CheckOption>,
    /// From the claim's first word to its end.
    pub span: Span,
}

/// What an assertion claims.
#[derive(Debug)]
pub enum Claim {
    /// `Spec [T= Impl`.
    Refines {
        /// What is allowed.
        specification: Expr,
        /// What is compared.
        semantics: Semantics,
        /// What is there.
        implementation: Expr,
    },
    /// `P :[deadlock free [F]]`.
    Has {
        /// The process.
        process: Expr,
        /// Its property.
        property: Property,
        /// What is looked at, if the author said.
        semantics: Option<Semantics>,
    },
}

/// A property of one process.
#[derive(Debug)]
pub enum Property {
    /// `:[deadlock free]`.
    DeadlockFree,
    /// `:[divergence free]` or `:[livelock free]`.
    DivergenceFree,
    /// `:[deterministic]`.
    Deterministic,
    /// `:[has trace] <a, b>`.
    HasTrace(Expr),
}

/// A semantic model of CSP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Semantics {
    /// `T`.
    Traces,
    /// `F`.
    Failures,
    /// `FD`.
    FailuresDivergences,
    /// `V`.
    Revivals,
    /// `VD`.
    RevivalsDivergences,
    /// `R`.
    Refusals,
    /// `RD`.
    RefusalsDivergences,
}

impl Semantics {
    /// All of them.
    pub const ALL: [Semantics; 7] = [
        Semantics::Traces,
        Semantics::Failures,
        Semantics::FailuresDivergences,
        Semantics::Revivals,
        Semantics::RevivalsDivergences,
        Semantics::Refusals,
        Semantics::RefusalsDivergences,
    ];

    /// As it is written in `[T=` and `[F]`.
    pub fn letters(self) -> &'static str {
        match self {
            Semantics::Traces => "T",
            Semantics::Failures => "F",
            Semantics::FailuresDivergences => "FD",
            Semantics::Revivals => "V",
            Semantics::RevivalsDivergences => "VD",
            Semantics::Refusals => "R",
            Semantics::RefusalsDivergences => "RD",
        }
    }
}

/// How an assertion is to be checked.
#[derive(Debug)]
pub enum CheckOption {
    /// `:[partial order reduce [precise]]`, with the method if one is named.
    PartialOrderReduce(Option<Name>),
    /// `:[tau priority over]: S`: internal steps go before these events.
    TauPriority(Expr),
}

/// A pattern.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// What it matches.
    pub kind: PatternKind,
    /// Where it stands.
    pub span: Span,
}

/// What a pattern matches.
#[derive(Clone, Debug)]
pub enum PatternKind {
    /// `_`.
    Wildcard,
    /// A variable, a constructor or a channel.
    Name(Text),
    /// `M::A`.
    Qualified(Vec<Name>),
    /// `3`, `-1`.
    Int(i64),
    /// `true`.
    Bool(bool),
    /// `'c'`.
    Char(char),
    /// `"text"`: a sequence of characters.
    String(Text),
    /// `(p, q)`: at least two.
    Tuple(Vec<Pattern>),
    /// `<p, q>`, `<>`.
    Sequence(Vec<Pattern>),
    /// `{}`, `{p}`: at most one.
    Set(Vec<Pattern>),
    /// `p.q.r`: at least two, none of them a dot pattern but in parentheses.
    Dot(Vec<Pattern>),
    /// `p^q^r`: at least two.
    Concat(Vec<Pattern>),
    /// `p @@ q`: both match the whole.
    Both(Box<(Pattern, Pattern)>),
}

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

/// `event fields -> then`.
#[derive(Debug)]
pub struct Prefix {
    /// The event or channel, as far as it is given by an expression.
    pub event: Expr,
    /// What is communicated, from left to right; a field sees the variables of those before it.
    pub fields: Vec<Field>,
    /// What happens then; it sees the variables of all fields.
    pub then: Expr,
}

/// One part of a communication.
#[derive(Debug)]
pub struct Field {
    /// What it does.
    pub kind: FieldKind,
    /// With its `?`, `!` or `$`.
    pub span: Span,
}

/// What a part of a communication does.
#[derive(Debug)]
pub enum FieldKind {
    /// `?p` or `?p:S`: the environment chooses.
    Input(Pattern, Option<Expr>),
    /// `$p` or `$p:S`: the process chooses.
    Nondeterministic(Pattern, Option<Expr>),
    /// `!e`; also `.e` after a restricted input.
    Output(Expr),
}

/// `condition & process`.
#[derive(Debug)]
pub struct Guard {
    /// What must hold.
    pub condition: Expr,
    /// What can happen then.
    pub process: Expr,
}

/// An operator between two processes.
#[derive(Debug)]
pub enum Combinator {
    /// `[]`
    External,
    /// `|~|`
    Internal,
    /// `[>`
    Sliding,
    /// `;`
    Sequential,
    /// `/\`
    Interrupt,
    /// `|||`
    Interleave,
    /// `[| A |]`
    Parallel(Box<Expr>),
    /// `[A || B]`
    Alphabetised(Box<(Expr, Expr)>),
    /// `[| A |>`
    Exception(Box<Expr>),
    /// `[a <-> b | statements]`
    Linked(Box<Pairs>),
    /// `[+ A +]`
    SynchronisingExternal(Box<Expr>),
    /// `/+ A +\`
    SynchronisingInterrupt(Box<Expr>),
}

/// A process and a set of events.
#[derive(Debug)]
pub struct Restricted {
    /// The process.
    pub process: Expr,
    /// The events.
    pub events: Expr,
}

/// `a <- b, c <- d | statements`, or the same with `<->`.
#[derive(Debug)]
pub struct Pairs {
    /// Left and right sides, at least one; they see the variables of the statements.
    pub pairs: Vec<(Expr, Expr)>,
    /// What they range over; often nothing.
    pub statements: Vec<Statement>,
}

/// An operator on as many processes as the statements say.
#[derive(Debug)]
pub struct Replicated {
    /// The operator.
    pub operator: Replicator,
    /// What it ranges over, at least one.
    pub statements: Vec<Statement>,
    /// The process; it sees the variables of the statements.
    pub body: Expr,
}

/// A replicated operator.
#[derive(Debug)]
pub enum Replicator {
    /// `[] x:S @ P`
    External,
    /// `|~| x:S @ P`
    Internal,
    /// `||| x:S @ P`
    Interleave,
    /// `; x:s @ P`, over a sequence.
    Sequential,
    /// `[| A |] x:S @ P`; `A` does not see `x`.
    Parallel(Box<Expr>),
    /// `|| x:S @ [A] P`; `A` sees `x`.
    Alphabetised(Box<Expr>),
    /// `[a <-> b | statements] x:s @ P`, over a sequence; the links see `x`.
    Linked(Box<Pairs>),
    /// `[+ A +] x:S @ P`
    SynchronisingExternal(Box<Expr>),
}
