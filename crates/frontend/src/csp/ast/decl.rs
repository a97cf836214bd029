//! Declarations.

use model::Span;

use super::{Assertion, Expr, Name, Pattern};

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
