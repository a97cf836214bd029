//! A script after names were resolved: what the evaluator runs.
//!
//! Every function, `let`, comprehension and delayed process has its variables in the numbered slots of its [`Block`]. A
//! block that uses variables of the one around it says which it takes over when it is made: only these, so that a process
//! is known by what it depends on and by nothing else.

mod builtin;
mod pattern;
mod process;

use model::Span;

use super::ast::{Operator, Text};

pub(super) use builtin::Builtin;
pub(super) use pattern::Pat;
pub(super) use process::{Combine, FieldCode, FieldMode, Pairs, Prefix, Replicate, Replicated};

/// A block of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct BlockId(pub(super) u32);

/// A definition that all of the script sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct GlobalId(pub(super) u32);

/// A `let`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct LetId(pub(super) u32);

/// A channel or a constructor of a datatype.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct HeadId(pub(super) u32);

/// A datatype or a subtype.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct TypeId(pub(super) u32);

/// A variable of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Slot(pub(super) u32);

/// A resolved script.
#[derive(Debug, Default)]
pub(super) struct Program {
    pub(super) blocks: Vec<Block>,
    pub(super) globals: Vec<Global>,
    pub(super) lets: Vec<LetCode>,
    pub(super) heads: Vec<Head>,
    pub(super) types: Vec<Type>,
}

/// What a global name stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Global {
    /// A function or a value.
    Block(BlockId),
    /// A set of values that is given as a type: `{0}.{1}` is a set of dotted values.
    Nametype(BlockId),
    /// A datatype or a subtype.
    Type(TypeId),
}

/// A channel or a constructor.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) name: Text,
    pub(super) is_channel: bool,
    /// The sets that its fields are from, as one value; none for a plain event or constant.
    pub(super) data: Option<BlockId>,
}

/// A datatype: constructors; a subtype: constructors with fields of its own.
#[derive(Debug)]
pub(super) struct Type {
    pub(super) name: Text,
    pub(super) constructors: Vec<(HeadId, Option<BlockId>)>,
}

/// Code with variables of its own.
#[derive(Debug)]
pub(super) struct Block {
    /// The name of what it defines, if it has one.
    pub(super) name: Option<Text>,
    pub(super) span: Span,
    /// How many variables it has.
    pub(super) slots: u32,
    /// The variables that it takes over: from the block around it, to its own.
    pub(super) captures: Vec<(Slot, Slot)>,
    pub(super) body: Body,
    /// Whether its value, or the value of the function, is a process: then it need not be computed to be known.
    pub(super) is_process: bool,
}

/// What a block computes.
#[derive(Debug)]
pub(super) enum Body {
    Value(Code),
    /// A function: how many parameters each of its groups has, and its clauses.
    Function(Vec<usize>, Vec<Clause>),
    /// The values that a pattern binds, as a tuple.
    Match(Box<(Code, Pat)>, Vec<Slot>),
}

/// `f(p)(q) = body`.
#[derive(Debug)]
pub(super) struct Clause {
    pub(super) parameters: Vec<Vec<Pat>>,
    pub(super) body: Code,
}

/// The definitions of a `let`. They see each other through a group.
#[derive(Debug)]
pub(super) struct LetCode {
    /// Variables of the group: the first is the group itself.
    pub(super) slots: u32,
    /// The variables that it takes over from the block around it.
    pub(super) captures: Vec<(Slot, Slot)>,
    pub(super) members: Vec<BlockId>,
}

/// An expression.
#[derive(Debug)]
pub(super) struct Code {
    pub(super) kind: Kind,
    pub(super) span: Span,
}

/// What an expression is.
#[derive(Debug)]
pub(super) enum Kind {
    Int(i64),
    Bool(bool),
    Char(char),
    Text(Text),
    Builtin(Builtin),
    Head(HeadId),
    Local(Slot),
    Global(GlobalId),
    /// A definition of a `let`: the variable that has the group, the number of the definition, and its block.
    Member(Slot, u32, BlockId),
    /// One of the values that a pattern binds.
    Part(Box<Code>, u32),
    Tuple(Vec<Code>),
    Dot(Vec<Code>),
    Set(Box<Elements>),
    Sequence(Box<Elements>),
    Productions(Box<Elements>),
    Map(Vec<(Code, Code)>),
    If(Box<[Code; 3]>),
    /// Makes the group of a `let`, keeps it in a variable, and goes on.
    Let(LetId, Slot, Box<Code>),
    Lambda(BlockId),
    Call(Box<Code>, Vec<Code>),
    Not(Box<Code>),
    Negate(Box<Code>),
    Length(Box<Code>),
    Chain(Box<Code>, Vec<(Operator, Code)>),
    Prefix(Box<Prefix>),
    Guard(Box<(Code, Code)>),
    Combined(Box<Code>, Vec<(Combine, Code)>),
    Hide(Box<(Code, Code)>),
    Project(Box<(Code, Code)>),
    Rename(Box<Code>, Box<Pairs>),
    Replicated(Box<Replicated>),
}

/// The elements of a set or a sequence, and what they range over.
#[derive(Debug)]
pub(super) struct Elements {
    pub(super) items: Items,
    pub(super) statements: Vec<Statement>,
}

/// The elements.
#[derive(Debug)]
pub(super) enum Items {
    Listed(Vec<Code>),
    From(Code),
    Range(Code, Code),
}

/// A part of a comprehension.
#[derive(Debug)]
pub(super) enum Statement {
    Generator(Pat, Code),
    Condition(Code),
}

impl Program {
    pub(super) fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.0 as usize]
    }

    pub(super) fn global(&self, id: GlobalId) -> Global {
        self.globals[id.0 as usize]
    }

    pub(super) fn let_code(&self, id: LetId) -> &LetCode {
        &self.lets[id.0 as usize]
    }

    pub(super) fn head(&self, id: HeadId) -> &Head {
        &self.heads[id.0 as usize]
    }

    pub(super) fn type_of(&self, id: TypeId) -> &Type {
        &self.types[id.0 as usize]
    }

    /// All channels.
    pub(super) fn channels(&self) -> impl Iterator<Item = HeadId> + '_ {
        (0..self.heads.len() as u32).map(HeadId).filter(|h| self.head(*h).is_channel)
    }
}
