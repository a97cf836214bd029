//! Expressions and statements as SPIN's users know them from its listings: every operator in parentheses (`x = (x+1)`),
//! a condition in another pair (`((x==1))`). Parts of the tree that nobody executes are shown by their first words.

use std::fmt::{self, Display, Formatter};

use super::{
    Argument, Assignment, Binary, Expr, ExprKind, Poll, Query, Range, Receive, Remote, Run, Send, StmtKind, Unary,
    VarRef,
};

/// Several parts between commas.
struct List<'p, T>(&'p [T]);

impl<T: Display> Display for List<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (i, part) in self.0.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            write!(f, "{comma}{part}")?;
        }
        Ok(())
    }
}

impl Unary {
    /// How it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Unary::Neg => "-",
            Unary::Not => "!",
            Unary::BitNot => "~",
        }
    }
}

impl Binary {
    /// How it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Binary::Add => "+",
            Binary::Sub => "-",
            Binary::Mul => "*",
            Binary::Div => "/",
            Binary::Rem => "%",
            Binary::ShiftLeft => "<<",
            Binary::ShiftRight => ">>",
            Binary::BitAnd => "&",
            Binary::BitOr => "|",
            Binary::BitXor => "^",
            Binary::Eq => "==",
            Binary::Ne => "!=",
            Binary::Lt => "<",
            Binary::Le => "<=",
            Binary::Gt => ">",
            Binary::Ge => ">=",
            Binary::And => "&&",
            Binary::Or => "||",
        }
    }
}

impl Query {
    /// How it is written.
    pub fn word(self) -> &'static str {
        match self {
            Query::Len => "len",
            Query::Empty => "empty",
            Query::Nempty => "nempty",
            Query::Full => "full",
            Query::Nfull => "nfull",
        }
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ExprKind::Const(value) => write!(f, "{value}"),
            ExprKind::Ref(variable) => write!(f, "{variable}"),
            ExprKind::Unary(operator, e) => write!(f, "{}({e})", operator.symbol()),
            ExprKind::Binary(operator, a, b) => write!(f, "({a}{}{b})", operator.symbol()),
            ExprKind::Cond(c, a, b) => write!(f, "( ({c}) -> ({a}) : ({b}) )"),
            ExprKind::Query(query, channel) => write!(f, "{}({channel})", query.word()),
            ExprKind::Poll(poll) => write!(f, "{poll}"),
            ExprKind::Timeout => f.write_str("timeout"),
            ExprKind::NonProgress => f.write_str("np_"),
            ExprKind::Run(run) => write!(f, "{run}"),
            ExprKind::Enabled(pid) => write!(f, "enabled({pid})"),
            ExprKind::PcValue(pid) => write!(f, "pc_value({pid})"),
            ExprKind::GetPriority(pid) => write!(f, "get_priority({pid})"),
            ExprKind::Remote(remote) => write!(f, "{remote}"),
        }
    }
}

impl Display for VarRef {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name.text)?;
        if let Some(index) = &self.index {
            write!(f, "[{index}]")?;
        }
        match &self.field {
            Some(field) => write!(f, ".{field}"),
            None => Ok(()),
        }
    }
}

impl Display for Poll {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mark = if self.anywhere { "??" } else { "?" };
        write!(f, "{}{mark}[{}]", self.channel, List(&self.arguments))
    }
}

impl Display for Argument {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Argument::Ref(variable) => write!(f, "{variable}"),
            Argument::Const(value, _) => write!(f, "{value}"),
            Argument::Eval(e) => write!(f, "eval({e})"),
        }
    }
}

impl Display for Run {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "run {}({})", self.proctype.text, List(&self.arguments))
    }
}

impl Display for Remote {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.proctype.text)?;
        if let Some(pid) = &self.pid {
            write!(f, "[{pid}]")?;
        }
        match &self.what {
            Ok(label) => write!(f, "@{}", label.text),
            Err(variable) => write!(f, ":{variable}"),
        }
    }
}

impl Display for StmtKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            StmtKind::Vars(declarations) => {
                let names: Vec<&str> = declarations.iter().map(|d| &*d.name.text).collect();
                write!(f, "declaration of {}", List(&names))
            }
            StmtKind::Exclusive(receive, channels) => {
                write!(f, "{} {}", if *receive { "xr" } else { "xs" }, List(channels))
            }
            StmtKind::Expr(condition) => write!(f, "({condition})"),
            StmtKind::Else => f.write_str("else"),
            StmtKind::Assign(variable, assignment) => assign(f, variable, assignment),
            StmtKind::Send(send) => write!(f, "{send}"),
            StmtKind::Receive(receive) => write!(f, "{receive}"),
            StmtKind::If(_) => f.write_str("if"),
            StmtKind::Do(_) => f.write_str("do"),
            StmtKind::Unless(..) => f.write_str("unless"),
            StmtKind::Atomic(_) => f.write_str("atomic"),
            StmtKind::DStep(_) => f.write_str("d_step"),
            StmtKind::Block(_) => f.write_str("{"),
            StmtKind::Goto(label) => write!(f, "goto {}", label.text),
            StmtKind::Break => f.write_str("break"),
            StmtKind::Assert(e) => write!(f, "assert({e})"),
            StmtKind::Printf(text, values) => {
                let comma = if values.is_empty() { "" } else { "," };
                write!(f, "printf('{text}'{comma}{})", List(values))
            }
            StmtKind::Printm(e) => write!(f, "printm({e})"),
            StmtKind::For(variable, range, _) => write!(f, "for ({variable}{range})"),
            StmtKind::Select(variable, from, to) => write!(f, "select ({variable} : {from} .. {to})"),
            StmtKind::SetPriority(pid, priority) => write!(f, "set_priority({pid}, {priority})"),
        }
    }
}

fn assign(f: &mut Formatter<'_>, variable: &VarRef, assignment: &Assignment) -> fmt::Result {
    match assignment {
        Assignment::Value(e) => write!(f, "{variable} = {e}"),
        Assignment::Increment => write!(f, "{variable} = ({variable}+1)"),
        Assignment::Decrement => write!(f, "{variable} = ({variable}-1)"),
    }
}

impl Display for Send {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.channel, if self.sorted { "!!" } else { "!" }, List(&self.values))
    }
}

impl Display for Receive {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (open, close) = if self.keep { ("<", ">") } else { ("", "") };
        let mark = if self.anywhere { "??" } else { "?" };
        write!(f, "{}{mark}{open}{}{close}", self.channel, List(&self.arguments))
    }
}

impl Display for Range {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Range::Between(from, to) => write!(f, " : {from} .. {to}"),
            Range::In(of) => write!(f, " in {of}"),
        }
    }
}
