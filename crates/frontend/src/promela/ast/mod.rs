//! The syntax of Promela, as written; `inline`s and the preprocessor are expanded before.

mod expr;
mod show;
mod stmt;
mod unit;

pub use crate::name::{Name, Text};
pub use expr::{Argument, Binary, Expr, ExprKind, Poll, Query, Remote, Run, Unary, VarRef};
pub use stmt::{Assignment, Range, Receive, Send, Sequence, Stmt, StmtKind};
pub use unit::{Claim, Formula, Init, Ltl, Mtype, Proctype, Program, Trace, Type, Typedef, Unit, VarDecl, Visibility};
