//! What the text of a program alone tells about its variables: which are ever written, and which questions are asked.

use super::walk::{edge_expressions, walk};
use crate::promela::ir::{
    Action, Argument, Column, Edge, Expr, Initial, Look, Proctype, ProctypeId, Program, Slot, Variable,
};

/// Facts about a program, whatever processes it has.
pub(super) struct Facts {
    globals: Vec<bool>,
    locals: Vec<Vec<bool>>,
    read_globals: Vec<bool>,
    /// Of each proctype: whether a statement asks where a process of it is, or something asks for the number of that place.
    pub(super) watched: Vec<bool>,
    /// Whether something asks which process took the last step.
    pub(super) asks_last: bool,
    /// Whether a statement asks whether a process could go on.
    pub(super) asks_enabled: bool,
}

impl Facts {
    /// Looks through a program.
    pub(super) fn new(program: &Program) -> Self {
        let mut facts = Facts {
            globals: vec![false; program.globals.len()],
            locals: program.proctypes.iter().map(|p| vec![false; p.locals.len()]).collect(),
            read_globals: vec![false; program.globals.len()],
            watched: vec![false; program.proctypes.len()],
            asks_last: false,
            asks_enabled: false,
        };
        for (p, proctype) in program.proctypes.iter().enumerate() {
            for edge in &proctype.graph.edges {
                facts.writes(p, edge);
                edge_expressions(edge).into_iter().for_each(|e| facts.asks(e, true));
            }
            proctype.provided.iter().for_each(|e| facts.asks(e, true));
        }
        if Self::asks_for_rendezvous(program) {
            let receives = |p: &Proctype| p.graph.edges.iter().any(|e| matches!(e.action, Action::Receive(_)));
            for (watched, proctype) in facts.watched.iter_mut().zip(&program.proctypes) {
                *watched |= receives(proctype);
            }
        }
        let claims = program.claims.iter().flat_map(|c| &c.graph.edges).flat_map(edge_expressions);
        for e in claims.chain(program.formulas.iter().flat_map(|f| &f.atoms)) {
            facts.asks(e, false);
        }
        facts
    }

    /// Whether a statement asks whether another one could send in a rendezvous, and so where others wait for it.
    fn asks_for_rendezvous(program: &Program) -> bool {
        let own = |v: &Variable| matches!(v.initial, Initial::Channels { capacity: 0, .. });
        let mut variables = program.globals.iter().chain(program.proctypes.iter().flat_map(|p| &p.locals));
        variables.any(own) && program.proctypes.iter().any(asks_for_sends)
    }

    /// Whether a variable of a proctype, or a global one, is ever written after it came into being.
    pub(super) fn is_written(&self, proctype: ProctypeId, column: Column) -> bool {
        match column {
            Column::Global(g) => self.globals[g as usize],
            Column::Local(l) => self.locals[proctype.0 as usize][l as usize],
        }
    }

    /// Whether a global variable is ever read.
    pub(super) fn is_read(&self, global: usize) -> bool {
        self.read_globals[global]
    }

    fn writes(&mut self, proctype: usize, edge: &Edge) {
        let mut mark = |slot: &Slot| match slot.column {
            Column::Global(g) => self.globals[g as usize] = true,
            Column::Local(l) => self.locals[proctype][l as usize] = true,
        };
        match &edge.action {
            Action::Assign(slot, _) | Action::Run(_, _, Some(slot)) => mark(slot),
            Action::Receive(receive) => receive.arguments.iter().for_each(|a| {
                if let Argument::Bind(slot) = a {
                    mark(slot);
                }
            }),
            _ => {}
        }
    }

    /// `guards`: whether the expression decides what can happen, and is not only asked of states.
    fn asks(&mut self, e: &Expr, guards: bool) {
        walk(e, &mut |e| match e {
            Expr::Remote(p, pid, look) => {
                self.watched[p.0 as usize] |= guards && (pid.is_none() || matches!(**look, Look::At(_)));
                // Seen from outside, a variable comes and goes with its process: it is zero where that is not there.
                if let Look::Variable(Slot { column: Column::Local(l), .. }) = **look {
                    self.locals[p.0 as usize][l as usize] = true;
                }
            }
            Expr::Last => self.asks_last = true,
            Expr::PcValue(_) => self.watched.fill(true),
            Expr::Enabled(_) if guards => {
                self.watched.fill(true);
                self.asks_enabled = true;
            }
            Expr::Read(Slot { column: Column::Global(g), .. }) => self.read_globals[*g as usize] = true,
            _ => {}
        });
    }
}

/// Whether a statement asks whether another one could send.
fn asks_for_sends(proctype: &Proctype) -> bool {
    let edges = &proctype.graph.edges;
    let mut found = false;
    for e in edges.iter().flat_map(edge_expressions) {
        walk(e, &mut |e| {
            if let Expr::Executable(asked) = e {
                found |= asked.iter().any(|e| matches!(edges[e.0 as usize].action, Action::Send(_)));
            }
        });
    }
    found
}
