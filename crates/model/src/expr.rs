//! Expressions and commands, as the author of a model writes them.
//!
//! They are trees over objects; `compile` turns them into code over packed states, and `show` prints them in the
//! model's own names. Arithmetic is exact on 64-bit integers: what leaves that range is a fault, and a wrap-around
//! happens only where [`Unary::Wrap`] or a shift asks for it.

use crate::{LocationId, ObjectId, ProcessId};

/// The object that an operation works on: a fixed one, or the cell of an array that an index selects.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    /// The object, or the first cell of the array.
    pub first: ObjectId,
    /// The number of cells: 1 for a fixed object.
    pub len: u32,
    /// The index expression (0-based); `None` for a fixed object. Out of range is a fault.
    pub index: Option<Box<Expr>>,
}

impl Target {
    /// A fixed object.
    pub fn fixed(object: ObjectId) -> Self {
        Self { first: object, len: 1, index: None }
    }

    /// The cell of the array `first .. first + len` that `index` selects; a constant index gives a fixed object.
    pub fn cell(first: ObjectId, len: u32, index: Expr) -> Self {
        match index {
            Expr::Const(i) if (0..i64::from(len)).contains(&i) => Self::fixed(ObjectId(first.0 + i as u32)),
            index => Self { first, len, index: Some(Box::new(index)) },
        }
    }

    /// The objects that may be meant.
    pub fn objects(&self) -> impl Iterator<Item = ObjectId> + use<> {
        (self.first.0..self.first.0 + self.len).map(ObjectId)
    }
}

impl From<ObjectId> for Target {
    fn from(object: ObjectId) -> Self {
        Self::fixed(object)
    }
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    /// 1 if the operand is 0, else 0.
    Not,
    /// Arithmetic negation.
    Neg,
    /// Every bit turned over, in two's complement.
    BitNot,
    /// What is left of a number in fewer bits.
    Wrap(Wrap),
}

/// A machine integer that numbers are cut down to: the lowest bits are kept, in two's complement if it is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wrap {
    /// The number of bits: 1 to 63.
    pub bits: u8,
    /// Whether the highest of them is the sign.
    pub signed: bool,
}

impl Wrap {
    /// The least and the greatest number that it leaves as it is.
    pub fn range(self) -> (i64, i64) {
        match self.signed {
            true => (-(1 << (self.bits - 1)), (1 << (self.bits - 1)) - 1),
            false => (0, ((1u64 << self.bits) - 1) as i64),
        }
    }

    /// Whether it leaves all numbers between two as they are.
    pub fn keeps(self, (lo, hi): (i64, i64)) -> bool {
        let (least, greatest) = self.range();
        least <= lo && hi <= greatest
    }

    /// What is left of a number.
    pub fn apply(self, value: i64) -> i64 {
        let unused = 64 - u32::from(self.bits);
        match self.signed {
            true => (value << unused) >> unused,
            false => (((value as u64) << unused) >> unused) as i64,
        }
    }
}

/// Operators with two operands. `And`, `Or` and `Implies` do not evaluate their right operand needlessly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Binary {
    Add,
    Sub,
    Mul,
    /// Rounds towards zero; division by zero is a fault.
    Div,
    /// The remainder of `Div`, with the sign of the dividend; by zero is a fault.
    Rem,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    And,
    Or,
    Implies,
    Min,
    Max,
    BitAnd,
    BitOr,
    BitXor,
    /// Bits that leave the 64 are lost; an amount outside 0 to 63 is a fault.
    ShiftLeft,
    /// Keeps the sign; an amount outside 0 to 63 is a fault.
    ShiftRight,
}

impl Binary {
    /// The comparison that holds exactly when this one does not.
    pub(crate) fn complement(self) -> Option<Binary> {
        Some(match self {
            Binary::Eq => Binary::Ne,
            Binary::Ne => Binary::Eq,
            Binary::Lt => Binary::Ge,
            Binary::Le => Binary::Gt,
            Binary::Gt => Binary::Le,
            Binary::Ge => Binary::Lt,
            _ => return None,
        })
    }

    /// The comparison with its two sides swapped.
    pub(crate) fn mirror(self) -> Option<Binary> {
        Some(match self {
            Binary::Eq | Binary::Ne => self,
            Binary::Lt => Binary::Gt,
            Binary::Le => Binary::Ge,
            Binary::Gt => Binary::Lt,
            Binary::Ge => Binary::Le,
            _ => return None,
        })
    }
}

/// An integer expression; conditions are integers too, zero meaning false.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// A constant.
    Const(i64),
    /// The value of a variable, a counter or a semaphore.
    Read(Target),
    /// 1 if nobody holds the lock.
    Free(Target),
    /// The number of messages in a channel.
    Len(Target),
    /// 1 if a channel holds no message.
    Empty(Target),
    /// 1 if a channel holds as many messages as it can.
    Full(Target),
    /// 1 if a receive with these patterns is defined: the first message of a channel matches, or (`true`) any does. What
    /// a pattern would bind is not written, and its target not looked at.
    Offers(Target, Vec<Pattern>, bool),
    /// 1 if the process is at the location. Only properties may ask this: guards test objects.
    At(ProcessId, LocationId),
    /// An operator on one operand.
    Unary(Unary, Box<Expr>),
    /// An operator on two operands.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `if condition then a else b`; only the chosen branch is evaluated.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
}

impl Expr {
    /// The condition that always holds.
    pub const TRUE: Expr = Expr::Const(1);

    /// The value of an object.
    pub fn read(object: impl Into<Target>) -> Expr {
        Expr::Read(object.into())
    }

    /// `self op right`.
    pub fn op(self, op: Binary, right: impl Into<Expr>) -> Expr {
        Expr::Binary(op, Box::new(self), Box::new(right.into()))
    }

    /// `self == right`.
    pub fn is(self, right: impl Into<Expr>) -> Expr {
        self.op(Binary::Eq, right)
    }

    /// `!self`.
    pub fn negate(self) -> Expr {
        Expr::Unary(Unary::Not, Box::new(self))
    }

    /// Splits a condition into its conjuncts, in the order of evaluation; `true` gives none.
    pub fn conjuncts(self) -> Vec<Expr> {
        let mut out = Vec::new();
        let mut stack = vec![self];
        while let Some(e) = stack.pop() {
            match e {
                Expr::Binary(Binary::And, a, b) => {
                    stack.push(*b);
                    stack.push(*a);
                }
                Expr::Const(c) if c != 0 => {}
                e => out.push(e),
            }
        }
        out
    }

    /// Calls `f` on this expression and on every expression below it, index expressions included.
    pub fn walk(&self, f: &mut impl FnMut(&Expr)) {
        f(self);
        match self {
            Expr::Const(_) | Expr::At(..) => {}
            Expr::Read(t) | Expr::Free(t) | Expr::Len(t) | Expr::Empty(t) | Expr::Full(t) => {
                if let Some(i) = &t.index {
                    i.walk(f);
                }
            }
            Expr::Offers(t, patterns, _) => {
                t.index.iter().for_each(|i| i.walk(f));
                patterns.iter().filter_map(Pattern::matched).for_each(|e| e.walk(f));
            }
            Expr::Unary(_, a) => a.walk(f),
            Expr::Binary(_, a, b) => {
                a.walk(f);
                b.walk(f);
            }
            Expr::If(c, a, b) => {
                c.walk(f);
                a.walk(f);
                b.walk(f);
            }
        }
    }

    /// The same node over other targets and operands; what patterns would bind stays.
    #[must_use]
    pub fn rebuilt(&self, target: impl Fn(&Target) -> Target, operand: impl Fn(&Expr) -> Expr) -> Expr {
        let boxed = |e: &Expr| Box::new(operand(e));
        match self {
            Expr::Const(_) | Expr::At(..) => self.clone(),
            Expr::Read(t) => Expr::Read(target(t)),
            Expr::Free(t) => Expr::Free(target(t)),
            Expr::Len(t) => Expr::Len(target(t)),
            Expr::Empty(t) => Expr::Empty(target(t)),
            Expr::Full(t) => Expr::Full(target(t)),
            Expr::Offers(t, patterns, anywhere) => {
                let pattern = |p: &Pattern| match p {
                    Pattern::Match(e) => Pattern::Match(operand(e)),
                    Pattern::Bind(_) | Pattern::Ignore => p.clone(),
                };
                Expr::Offers(target(t), patterns.iter().map(pattern).collect(), *anywhere)
            }
            Expr::Unary(op, a) => Expr::Unary(*op, boxed(a)),
            Expr::Binary(op, a, b) => Expr::Binary(*op, boxed(a), boxed(b)),
            Expr::If(c, a, b) => Expr::If(boxed(c), boxed(a), boxed(b)),
        }
    }

    /// The target that this node itself reads, if it reads one.
    pub fn target(&self) -> Option<&Target> {
        match self {
            Expr::Read(t) | Expr::Free(t) | Expr::Len(t) | Expr::Empty(t) | Expr::Full(t) | Expr::Offers(t, ..) => {
                Some(t)
            }
            _ => None,
        }
    }
}

impl From<i64> for Expr {
    fn from(value: i64) -> Self {
        Expr::Const(value)
    }
}

impl From<bool> for Expr {
    fn from(value: bool) -> Self {
        Expr::Const(i64::from(value))
    }
}

/// One field of a message that is received.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// Any value, forgotten.
    Ignore,
    /// Any value, written to a variable.
    Bind(Target),
    /// Only this value: the receive is not defined for another one.
    Match(Expr),
}

impl Pattern {
    /// The expression whose value is asked for.
    pub fn matched(&self) -> Option<&Expr> {
        if let Pattern::Match(e) = self { Some(e) } else { None }
    }

    /// The variable that takes the value.
    pub fn bound(&self) -> Option<&Target> {
        if let Pattern::Bind(t) = self { Some(t) } else { None }
    }
}

/// How a message is retrieved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Retrieve {
    /// Whether it is the first one that matches, wherever it is; otherwise the first one of all must match.
    pub anywhere: bool,
    /// Whether it stays in the channel.
    pub keep: bool,
}

/// One operation of a command. *Partial* ones (marked) are not defined in some states; the transition is disabled there.
///
/// Whether a partial operation is defined is decided in the state before the transition, so nothing that it depends on
/// may have been modified earlier in the same command: the builder refuses that.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Command {
    /// Writes a variable. A value outside its domain is a fault.
    Assign(Target, Expr),
    /// Partial: the process takes a free lock.
    Acquire(Target, ProcessId),
    /// The process gives back a lock. Releasing a lock that it does not hold is a fault.
    Release(Target, ProcessId),
    /// Adds tokens to a counter or semaphore. Exceeding its maximum is a fault.
    Gain(Target, u32),
    /// Partial: takes tokens from a counter or semaphore that has as many.
    Take(Target, u32),
    /// Partial: appends a message to a channel that is not full. A field outside its domain is a fault.
    Send(Target, Vec<Expr>),
    /// Partial: removes the first message of a channel, if there is one and it matches.
    Receive(Target, Vec<Pattern>),
    /// Partial: puts a message into a channel that is not full, before the first one that is greater, fields being
    /// compared in order. A field outside its domain is a fault.
    Insert(Target, Vec<Expr>),
    /// Partial: looks for a message, and perhaps removes it. The variables are written afterwards, in order.
    Retrieve(Target, Vec<Pattern>, Retrieve),
    /// A condition that is zero is a fault.
    Assert(Expr),
    /// Always a fault: whoever made the model did not foresee that this happens, and has a number for what it is.
    Unforeseen(u32),
}

impl Command {
    /// The object that this operation works on, if it does (receiving may also bind variables).
    pub fn target(&self) -> Option<&Target> {
        match self {
            Command::Assign(t, _)
            | Command::Acquire(t, _)
            | Command::Release(t, _)
            | Command::Gain(t, _)
            | Command::Take(t, _)
            | Command::Send(t, _)
            | Command::Receive(t, _)
            | Command::Insert(t, _)
            | Command::Retrieve(t, ..) => Some(t),
            Command::Assert(_) | Command::Unforeseen(_) => None,
        }
    }

    /// What a received message is held against.
    pub fn patterns(&self) -> &[Pattern] {
        match self {
            Command::Receive(_, patterns) | Command::Retrieve(_, patterns, _) => patterns,
            _ => &[],
        }
    }

    /// The variables that a received message is written to, in order.
    pub fn binds(&self) -> impl Iterator<Item = &Target> {
        self.patterns().iter().filter_map(Pattern::bound)
    }

    /// All objects that the operation may modify.
    pub fn written(&self) -> impl Iterator<Item = &Target> {
        let keeps = matches!(self, Command::Retrieve(_, _, Retrieve { keep: true, .. }));
        self.target().filter(|_| !keeps).into_iter().chain(self.binds())
    }

    /// Whether the operation is defined in some states only.
    pub fn is_partial(&self) -> bool {
        matches!(
            self,
            Command::Acquire(..)
                | Command::Take(..)
                | Command::Send(..)
                | Command::Receive(..)
                | Command::Insert(..)
                | Command::Retrieve(..)
        )
    }

    /// The expressions that the operation evaluates, index expressions of its targets included.
    pub fn expressions(&self) -> Vec<&Expr> {
        let mut out: Vec<&Expr> = self.target().and_then(|t| t.index.as_deref()).into_iter().collect();
        match self {
            Command::Assign(_, e) | Command::Assert(e) => out.push(e),
            Command::Send(_, fields) | Command::Insert(_, fields) => out.extend(fields),
            Command::Receive(_, patterns) | Command::Retrieve(_, patterns, _) => {
                out.extend(patterns.iter().filter_map(|p| match p {
                    Pattern::Match(e) => Some(e),
                    Pattern::Bind(t) => t.index.as_deref(),
                    Pattern::Ignore => None,
                }));
            }
            Command::Acquire(..)
            | Command::Release(..)
            | Command::Gain(..)
            | Command::Take(..)
            | Command::Unforeseen(_) => {}
        }
        out
    }
}
