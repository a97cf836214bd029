//! Processes.

use super::scope::Context;
use super::{Resolver, error};
use crate::csp::ast::{self, Combinator, Expr, ExprKind, FieldKind, Replicator};
use crate::csp::code::{BlockId, Body, Combine, FieldCode, FieldMode, Kind, Pairs, Prefix, Replicate, Replicated};
use crate::csp::process::Checked;

impl<'a> Resolver<'a> {
    pub(super) fn process(&mut self, expr: &'a Expr) -> Checked<Kind> {
        Ok(match &expr.kind {
            ExprKind::Prefix(prefix) => Kind::Prefix(Box::new(self.prefix(prefix)?)),
            ExprKind::Guard(guard) => Kind::Guard(Box::new((self.expr(&guard.condition)?, self.expr(&guard.process)?))),
            ExprKind::Combined(first, rest) => {
                let first = self.boxed(first)?;
                let step = |(operator, e): &'a (Combinator, Expr)| Ok((self.combinator(operator)?, self.expr(e)?));
                Kind::Combined(first, rest.iter().map(step).collect::<Checked<_>>()?)
            }
            ExprKind::Hide(hide) => Kind::Hide(Box::new((self.expr(&hide.process)?, self.expr(&hide.events)?))),
            ExprKind::Project(hide) => Kind::Project(Box::new((self.expr(&hide.process)?, self.expr(&hide.events)?))),
            ExprKind::Rename(process, pairs) => Kind::Rename(self.boxed(process)?, Box::new(self.pairs(pairs)?)),
            ExprKind::Replicated(replicated) => Kind::Replicated(Box::new(self.replicated(replicated)?)),
            _ => return Err(error(expr.span, "this is not an expression")),
        })
    }

    fn prefix(&mut self, prefix: &'a ast::Prefix) -> Checked<Prefix> {
        let event = self.expr(&prefix.event)?;
        let mut fields = vec![];
        for field in &prefix.fields {
            let mode = match &field.kind {
                FieldKind::Output(value) => FieldMode::Output(self.expr(value)?),
                FieldKind::Input(pattern, set) => {
                    let (pat, set) = self.input(pattern, set.as_ref())?;
                    FieldMode::Input(pat, set)
                }
                FieldKind::Nondeterministic(pattern, set) => {
                    let (pat, set) = self.input(pattern, set.as_ref())?;
                    FieldMode::Nondeterministic(pat, set)
                }
            };
            fields.push(FieldCode { mode, span: field.span });
        }
        let then = self.delayed(&prefix.then)?;
        let scopes = fields.iter().filter(|f| !matches!(f.mode, FieldMode::Output(_))).count();
        (0..scopes).for_each(|_| self.close_scope());
        Ok(Prefix { event, fields, then })
    }

    fn input(
        &mut self,
        pattern: &'a ast::Pattern,
        set: Option<&'a Expr>,
    ) -> Checked<(crate::csp::code::Pat, Option<crate::csp::code::Code>)> {
        let set = set.map(|s| self.expr(s)).transpose()?;
        self.open_scope();
        Ok((self.pattern(pattern)?, set))
    }

    /// A process that is evaluated when it is needed.
    fn delayed(&mut self, expr: &'a Expr) -> Checked<BlockId> {
        let block = self.new_block();
        self.contexts.push(Context::default());
        let code = self.expr(expr)?;
        let context = self.contexts.pop().expect("the context was pushed");
        self.set_block(block, None, expr.span, Body::Value(code), context);
        Ok(block)
    }

    fn combinator(&mut self, combinator: &'a Combinator) -> Checked<Combine> {
        Ok(match combinator {
            Combinator::External => Combine::External,
            Combinator::Internal => Combine::Internal,
            Combinator::Sliding => Combine::Sliding,
            Combinator::Sequential => Combine::Sequential,
            Combinator::Interrupt => Combine::Interrupt,
            Combinator::Interleave => Combine::Interleave,
            Combinator::Parallel(set) => Combine::Parallel(self.expr(set)?),
            Combinator::Alphabetised(sets) => Combine::Alphabetised(self.expr(&sets.0)?, self.expr(&sets.1)?),
            Combinator::Exception(set) => Combine::Exception(self.expr(set)?),
            Combinator::Linked(pairs) => Combine::Linked(self.pairs(pairs)?),
            Combinator::SynchronisingExternal(set) => Combine::SynchronisingExternal(self.expr(set)?),
            Combinator::SynchronisingInterrupt(set) => Combine::SynchronisingInterrupt(self.expr(set)?),
        })
    }

    fn pairs(&mut self, pairs: &'a ast::Pairs) -> Checked<Pairs> {
        let (statements, pairs) = self.within(&pairs.statements, |r| {
            let pair = |(a, b): &'a (Expr, Expr)| Ok((r.expr(a)?, r.expr(b)?));
            pairs.pairs.iter().map(pair).collect::<Checked<Vec<_>>>()
        })?;
        Ok(Pairs { pairs, statements })
    }

    fn replicated(&mut self, replicated: &'a ast::Replicated) -> Checked<Replicated> {
        // These sets belong to the operator and do not see the variables.
        let outer = match &replicated.operator {
            Replicator::Parallel(set) => Some(Replicate::Parallel(self.expr(set)?)),
            Replicator::SynchronisingExternal(set) => Some(Replicate::SynchronisingExternal(self.expr(set)?)),
            _ => None,
        };
        let (statements, (operator, body)) = self.within(&replicated.statements, |r| {
            let operator = match &replicated.operator {
                Replicator::External => Replicate::External,
                Replicator::Internal => Replicate::Internal,
                Replicator::Interleave => Replicate::Interleave,
                Replicator::Sequential => Replicate::Sequential,
                Replicator::Alphabetised(set) => Replicate::Alphabetised(r.expr(set)?),
                Replicator::Linked(pairs) => Replicate::Linked(r.pairs(pairs)?),
                Replicator::Parallel(_) | Replicator::SynchronisingExternal(_) => {
                    outer.expect("the set was resolved before")
                }
            };
            Ok((operator, r.expr(&replicated.body)?))
        })?;
        Ok(Replicated { operator, statements, body })
    }
}
