//! All expressions below an expression or a statement.

use crate::promela::ir::{Action, Argument, Edge, Expr, Look, Slot};

/// Calls `f` on an expression and on every expression below it, indices included.
pub(super) fn walk<'e>(expr: &'e Expr, f: &mut impl FnMut(&'e Expr)) {
    let mut open = vec![expr];
    while let Some(e) = open.pop() {
        f(e);
        match e {
            Expr::Const(_)
            | Expr::Pid
            | Expr::ProcessCount
            | Expr::Last
            | Expr::Timeout
            | Expr::NonProgress
            | Expr::Executable(_) => {}
            Expr::Read(slot) | Expr::Query(_, slot) => open.extend(&slot.indices),
            Expr::Unary(_, a) | Expr::Enabled(a) | Expr::PcValue(a) => open.push(a),
            Expr::Binary(_, a, b) => open.extend([&**a, &**b]),
            Expr::Cond(c, a, b) => open.extend([&**c, &**a, &**b]),
            Expr::Poll(slot, _, arguments) => {
                open.extend(&slot.indices);
                open.extend(arguments.iter().flat_map(argument_expressions));
            }
            Expr::Remote(_, pid, look) => {
                open.extend(pid.as_deref());
                if let Look::Variable(slot) = &**look {
                    open.extend(&slot.indices);
                }
            }
        }
    }
}

/// The expressions that a statement evaluates itself.
pub(super) fn edge_expressions(edge: &Edge) -> Vec<&Expr> {
    let mut out: Vec<&Expr> = edge.guard.iter().collect();
    match &edge.action {
        Action::Skip => {}
        Action::Test(e) | Action::Assert(e) => out.push(e),
        Action::Assign(slot, e) => {
            out.extend(&slot.indices);
            out.push(e);
        }
        Action::Send(send) => {
            out.extend(&send.channel.indices);
            out.extend(&send.values);
        }
        Action::Receive(receive) => {
            out.extend(&receive.channel.indices);
            out.extend(receive.arguments.iter().flat_map(argument_expressions));
        }
        Action::Event(event) => {
            out.extend(&event.channel.indices);
            out.extend(event.arguments.iter().flat_map(argument_expressions));
        }
        Action::Run(_, arguments, slot) => {
            out.extend(arguments);
            out.extend(slot.iter().flat_map(|s: &Slot| &s.indices));
        }
    }
    out
}

fn argument_expressions(argument: &Argument) -> &[Expr] {
    match argument {
        Argument::Bind(slot) => &slot.indices,
        Argument::Match(e) => std::slice::from_ref(e),
        Argument::Ignore => &[],
    }
}
