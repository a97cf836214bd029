//! Calls: the function is declared, in this package or in one that it uses, with that number of arguments.

use super::Checker;
use crate::Diagnostic;
use crate::bip::ast::{Expr, ExprKind, ExternFunction, Name, Statement, StatementKind};

impl<'m> Checker<'m> {
    /// The calls in an expression.
    pub(super) fn calls(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Call(name, arguments) => {
                self.call(name, arguments.len());
                arguments.iter().for_each(|e| self.calls(e));
            }
            ExprKind::Not(e) | ExprKind::Negate(e) | ExprKind::Complement(e) => self.calls(e),
            ExprKind::Chain(first, rest) => {
                self.calls(first);
                rest.iter().for_each(|(_, e)| self.calls(e));
            }
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Bool(_) | ExprKind::String(_) => {}
            ExprKind::Name(_) | ExprKind::Member(..) => {}
        }
    }

    /// The calls in statements.
    pub(super) fn statement_calls(&mut self, statements: &[Statement]) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Assign(_, value) => self.calls(value),
                StatementKind::Call(name, arguments) => {
                    self.call(name, arguments.len());
                    arguments.iter().for_each(|e| self.calls(e));
                }
                StatementKind::If { condition, yes, no } => {
                    self.calls(condition);
                    self.statement_calls(yes);
                    self.statement_calls(no);
                }
            }
        }
    }

    fn functions(&self) -> impl Iterator<Item = &'m ExternFunction> {
        let own = self.model.package(self.package);
        let used = own.uses.iter().filter_map(|path| self.model.package_named(path));
        [own].into_iter().chain(used).flat_map(|package| &package.functions)
    }

    fn call(&mut self, name: &Name, arguments: usize) {
        let same: Vec<usize> =
            self.functions().filter(|f| f.name.text == name.text).map(|f| f.parameters.len()).collect();
        match &same[..] {
            [] => {
                let names: Vec<&str> = self.functions().map(|f| &*f.name.text).collect();
                self.unknown(name, "function", names.into_iter());
            }
            [expected] => self.count(name.span, &format!("the function `{}`", name.text), *expected, arguments),
            several if !several.contains(&arguments) => {
                let message = format!("no function `{}` has {arguments} parameters", name.text);
                let help = format!("there are {} declarations of it", several.len());
                self.report(Diagnostic::error(name.span, message).label("called here").help(help));
            }
            _ => {}
        }
    }
}
