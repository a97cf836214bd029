//! The syntax tree of CSPm: a script as written, every part with its place.
//!
//! Processes, functions and data share one grammar, so there is one type of expression; what makes sense is for the
//! evaluator to find out. Parentheses leave no trace but the shape of the tree. Chains of operators that associate to
//! the left are flat, so that long ones do not make the tree deep. A name in a pattern may be a variable, a constructor
//! or a channel: only the scope knows. The tree owns its text, so that it can hold declarations of several files; spans
//! refer to the joined text of [`Sources`](crate::sources::Sources).
//!
//! The parser bounds the depth of the tree: some thousands of levels at the very most, a few tens in real scripts.

mod assertion;
mod decl;
mod expr;
mod pattern;
mod process;

pub use crate::name::{Name, Text};
pub use assertion::{Assertion, CheckOption, Claim, Property, Semantics};
pub use decl::{Clause, Constructor, Datatype, Decl, DeclKind, Function, Module};
pub use expr::{Elements, Expr, ExprKind, If, Items, Lambda, Let, Operator, Statement};
pub use pattern::{Pattern, PatternKind};
pub use process::{Combinator, Field, FieldKind, Guard, Pairs, Prefix, Replicated, Replicator, Restricted};
