//! Looks into other processes: `P[pid]@label` and `P[pid]:variable`.

use super::reports::Checked;
use super::view::{Found, View};
use crate::Diagnostic;
use crate::native::nearest::suggestion;
use crate::promela::ast::{Name, Remote, VarRef};
use crate::promela::ir::{Binary, Column, Expr, Look, NodeId, ProctypeId};

impl View<'_> {
    /// A look into another process.
    pub(super) fn remote(&mut self, remote: &Remote) -> Checked<Expr> {
        let proctype = self.proctype(&remote.proctype)?;
        let pid = remote.pid.as_ref().map(|p| self.number(p)).transpose()?.map(Box::new);
        match &remote.what {
            Ok(label) => {
                let nodes = self.label_nodes(proctype, label)?;
                let looks = nodes.into_iter().map(|n| Expr::Remote(proctype, pid.clone(), Box::new(Look::At(n))));
                Ok(looks.reduce(|a, b| Expr::Binary(Binary::Or, Box::new(a), Box::new(b))).unwrap_or(Expr::Const(0)))
            }
            Err(variable) => {
                let slot = self.remote_variable(proctype, variable)?;
                Ok(Expr::Remote(proctype, pid, Box::new(slot)))
            }
        }
    }

    /// The nodes of a label: none if no process can ever be there.
    fn label_nodes(&mut self, proctype: ProctypeId, label: &Name) -> Checked<Vec<NodeId>> {
        let Some(others) = self.others else { return Err(self.no_look(label)) };
        let labels = &others.labels[proctype.0 as usize];
        labels.get(&label.text).cloned().ok_or_else(|| {
            let mut known: Vec<&str> = labels.keys().map(|l| &**l).collect();
            known.sort_unstable();
            let what = format!("`{}` has no label `{}`", self.tables.signature(proctype).name, label.text);
            let help = suggestion(&label.text, known);
            self.reports.push(Diagnostic::error(label.span, what).maybe_help(help))
        })
    }

    fn remote_variable(&mut self, proctype: ProctypeId, variable: &VarRef) -> Checked<Look> {
        let Some(others) = self.others else { return Err(self.no_look(&variable.name)) };
        let scopes = &others.locals[proctype.0 as usize].scopes;
        let Some(symbol) = scopes.find_anywhere(&variable.name.text) else {
            let name = &self.tables.signature(proctype).name;
            let what = format!("`{name}` has no variable `{}`", variable.name.text);
            let help = suggestion(&variable.name.text, scopes.all_names());
            return Err(self.reports.push(Diagnostic::error(variable.name.span, what).maybe_help(help)));
        };
        match self.variable_at(variable, Column::Local(symbol.column), symbol)? {
            Found::Cell(slot, _) => Ok(Look::Variable(slot)),
            Found::Whole(whole) => Err(self.whole_misused(&variable.name, whole.structure)),
        }
    }

    fn no_look(&mut self, name: &Name) -> super::reports::Reported {
        let what = "an initial value cannot look into another process";
        self.reports.push(Diagnostic::error(name.span, what))
    }
}
