//! Functions with the variables that they use, and the definitions of a `let` with theirs.
//!
//! Both are equal when they come from the same place of the text and use equal variables. Hashes are computed once: a
//! chain of functions that use each other would be walked again and again otherwise.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::Value;
use crate::csp::code::{BlockId, GlobalId, LetId};

/// Which function.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::csp) enum Target {
    Global(GlobalId, BlockId),
    /// A definition of a `let`: the group, and its number there.
    Member(std::rc::Rc<Group>, u32, BlockId),
    /// A lambda with the variables that it has taken over.
    Lambda(BlockId, Vec<Value>),
}

impl Target {
    /// Its code.
    pub(in crate::csp) fn block(&self) -> BlockId {
        match self {
            Self::Global(_, block) | Self::Member(_, _, block) | Self::Lambda(block, _) => *block,
        }
    }
}

/// A function with the groups of arguments that it has got so far.
#[derive(Debug)]
pub(in crate::csp) struct Function {
    pub(in crate::csp) target: Target,
    pub(in crate::csp) arguments: Vec<Vec<Value>>,
    hash: u64,
}

/// The definitions of a `let`.
#[derive(Debug)]
pub(in crate::csp) struct Group {
    pub(in crate::csp) code: LetId,
    /// The variables that they use; the first is a place for the group itself.
    pub(in crate::csp) slots: Vec<Value>,
    /// The values that are known.
    pub(in crate::csp) cells: RefCell<Vec<Cell>>,
    hash: u64,
}

/// A value that is computed when it is needed.
#[derive(Clone, Debug)]
pub(in crate::csp) enum Cell {
    Unknown,
    Computing,
    Known(Value),
}

fn hash_of(item: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    item.hash(&mut hasher);
    hasher.finish()
}

impl Function {
    pub(in crate::csp) fn new(target: Target, arguments: Vec<Vec<Value>>) -> Self {
        let hash = hash_of((&target, &arguments));
        Self { target, arguments, hash }
    }
}

impl Group {
    pub(in crate::csp) fn new(code: LetId, slots: Vec<Value>, members: usize) -> Self {
        let hash = hash_of((code, &slots));
        Self { code, slots, cells: RefCell::new(vec![Cell::Unknown; members]), hash }
    }
}

macro_rules! by_parts {
    ($type:ty, $first:ident, $second:ident) => {
        impl PartialEq for $type {
            fn eq(&self, other: &Self) -> bool {
                std::ptr::eq(self, other)
                    || (self.hash == other.hash && self.$first == other.$first && self.$second == other.$second)
            }
        }

        impl Eq for $type {}

        impl Hash for $type {
            fn hash<H: Hasher>(&self, state: &mut H) {
                self.hash.hash(state);
            }
        }

        impl PartialOrd for $type {
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                Some(self.cmp(other))
            }
        }

        impl Ord for $type {
            fn cmp(&self, other: &Self) -> Ordering {
                self.$first.cmp(&other.$first).then_with(|| self.$second.cmp(&other.$second))
            }
        }
    };
}

by_parts!(Function, target, arguments);
by_parts!(Group, code, slots);
