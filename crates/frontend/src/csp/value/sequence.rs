//! Sequences, whose tails share their memory.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use super::Value;

/// A sequence, or the numbers from one on.
#[derive(Clone, Debug)]
pub(in crate::csp) enum Sequence {
    Finite { items: Rc<[Value]>, start: usize },
    From(i64),
}

impl Sequence {
    pub(in crate::csp) fn new(items: Vec<Value>) -> Self {
        Self::Finite { items: items.into(), start: 0 }
    }

    /// Its items, unless they do not end.
    pub(in crate::csp) fn items(&self) -> Option<&[Value]> {
        match self {
            Self::Finite { items, start } => Some(&items[*start..]),
            Self::From(_) => None,
        }
    }

    /// The first item and the rest; nothing if it is empty.
    pub(in crate::csp) fn split_first(&self) -> Option<(Value, Self)> {
        match self {
            Self::Finite { items, start } => {
                let first = items.get(*start)?.clone();
                Some((first, Self::Finite { items: items.clone(), start: start + 1 }))
            }
            Self::From(n) => Some((Value::Int(*n), Self::From(n.checked_add(1)?))),
        }
    }

    fn key(&self) -> Result<&[Value], i64> {
        match self {
            Self::From(n) => Err(*n),
            Self::Finite { items, start } => Ok(&items[*start..]),
        }
    }
}

impl PartialEq for Sequence {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Sequence {}

impl Hash for Sequence {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl PartialOrd for Sequence {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Sequence {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}
