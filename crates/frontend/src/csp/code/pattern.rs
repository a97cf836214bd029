//! Patterns with resolved names.

use super::{HeadId, Slot};
use crate::csp::ast::Text;

/// A pattern.
#[derive(Debug)]
pub(in crate::csp) enum Pat {
    Wildcard,
    Bind(Slot),
    Int(i64),
    Bool(bool),
    Char(char),
    Text(Text),
    /// A channel or a constructor.
    Head(HeadId),
    Tuple(Vec<Pat>),
    Sequence(Vec<Pat>),
    /// The empty set, or the element of a singleton.
    Set(Option<Box<Pat>>),
    Dot(Vec<Pat>),
    /// A fixed beginning, whatever is between, and a fixed end.
    Concat(Vec<Pat>, Box<Pat>, Vec<Pat>),
    Both(Box<(Pat, Pat)>),
}
