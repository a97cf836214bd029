//! Expressions on data.

use model::Span;

use super::scope::{Context, Local};
use super::{Resolver, error};
use crate::csp::ast::{self, Expr, ExprKind, Function};
use crate::csp::code::{BlockId, Body, Clause, Code, Elements, Items, Kind, Statement};
use crate::csp::process::Checked;

impl<'a> Resolver<'a> {
    pub(super) fn expr(&mut self, expr: &'a Expr) -> Checked<Code> {
        Ok(Code { kind: self.kind(expr)?, span: expr.span })
    }

    pub(super) fn exprs(&mut self, list: &'a [Expr]) -> Checked<Vec<Code>> {
        list.iter().map(|e| self.expr(e)).collect()
    }

    pub(super) fn boxed(&mut self, expr: &'a Expr) -> Checked<Box<Code>> {
        Ok(Box::new(self.expr(expr)?))
    }

    fn kind(&mut self, expr: &'a Expr) -> Checked<Kind> {
        Ok(match &expr.kind {
            ExprKind::Int(n) => Kind::Int(*n),
            ExprKind::Bool(b) => Kind::Bool(*b),
            ExprKind::Char(c) => Kind::Char(*c),
            ExprKind::String(text) => Kind::Text(text.clone()),
            ExprKind::Name(name) => self.name(name, expr.span)?,
            ExprKind::Qualified(path) => {
                let meaning = self.look_up_path(path)?;
                self.global_kind(meaning).ok_or_else(|| error(expr.span, "a module is not a value"))?
            }
            ExprKind::Tuple(items) => Kind::Tuple(self.exprs(items)?),
            ExprKind::Dot(items) => Kind::Dot(self.exprs(items)?),
            ExprKind::Set(elements) => Kind::Set(self.elements(elements)?),
            ExprKind::Sequence(elements) => Kind::Sequence(self.elements(elements)?),
            ExprKind::Productions(elements) => Kind::Productions(self.elements(elements)?),
            ExprKind::Map(pairs) => {
                let pair = |(k, v): &'a (Expr, Expr)| Ok((self.expr(k)?, self.expr(v)?));
                Kind::Map(pairs.iter().map(pair).collect::<Checked<_>>()?)
            }
            ExprKind::If(parts) => {
                let parts = [self.expr(&parts.condition)?, self.expr(&parts.yes)?, self.expr(&parts.no)?];
                Kind::If(Box::new(parts))
            }
            ExprKind::Let(parts) => self.let_within(parts)?,
            ExprKind::Lambda(lambda) => {
                let parameters = vec![&lambda.parameters[..]];
                Kind::Lambda(self.lambda(&parameters, &lambda.body, expr.span)?)
            }
            ExprKind::Call(function, arguments) => Kind::Call(self.boxed(function)?, self.exprs(arguments)?),
            ExprKind::Not(e) => Kind::Not(self.boxed(e)?),
            ExprKind::Negate(e) => Kind::Negate(self.boxed(e)?),
            ExprKind::Length(e) => Kind::Length(self.boxed(e)?),
            ExprKind::Chain(first, rest) => {
                let first = self.boxed(first)?;
                let step = |(operator, e): &'a (ast::Operator, Expr)| Ok((*operator, self.expr(e)?));
                Kind::Chain(first, rest.iter().map(step).collect::<Checked<_>>()?)
            }
            _ => self.process(expr)?,
        })
    }

    fn name(&mut self, name: &str, span: Span) -> Checked<Kind> {
        if let Some(local) = self.look_up_local(name) {
            return Ok(match local {
                Local::Slot(slot) => Kind::Local(slot),
                Local::Member(slot, index, block) => Kind::Member(slot, index, block),
                Local::Builtin(builtin) => Kind::Builtin(builtin),
            });
        }
        let meaning = self.look_up(name).ok_or_else(|| self.unknown(name, span))?;
        self.global_kind(meaning).ok_or_else(|| error(span, format!("the module `{name}` is not a value")))
    }

    fn elements(&mut self, elements: &'a ast::Elements) -> Checked<Box<Elements>> {
        let (statements, items) = self.within(&elements.statements, |r| match &elements.items {
            ast::Items::Listed(list) => Ok(Items::Listed(r.exprs(list)?)),
            ast::Items::From(start) => Ok(Items::From(r.expr(start)?)),
            ast::Items::Range(range) => Ok(Items::Range(r.expr(&range.0)?, r.expr(&range.1)?)),
        })?;
        Ok(Box::new(Elements { items, statements }))
    }

    /// Resolves statements and then, with their variables in scope, something else.
    pub(super) fn within<T>(
        &mut self,
        statements: &'a [ast::Statement],
        inner: impl FnOnce(&mut Self) -> Checked<T>,
    ) -> Checked<(Vec<Statement>, T)> {
        let mut resolved = vec![];
        for statement in statements {
            match statement {
                ast::Statement::Condition(condition) => resolved.push(Statement::Condition(self.expr(condition)?)),
                ast::Statement::Generator(pattern, source) => {
                    let source = self.expr(source)?;
                    self.open_scope();
                    resolved.push(Statement::Generator(self.pattern(pattern)?, source));
                }
            }
        }
        let result = inner(self)?;
        let generators = resolved.iter().filter(|s| matches!(s, Statement::Generator(..))).count();
        (0..generators).for_each(|_| self.close_scope());
        Ok((resolved, result))
    }

    fn lambda(&mut self, parameters: &[&'a [ast::Pattern]], body: &'a Expr, span: Span) -> Checked<BlockId> {
        let block = self.new_block();
        self.contexts.push(Context::default());
        let clause = self.clause(parameters, body)?;
        let context = self.contexts.pop().expect("the context was pushed");
        let arities = parameters.iter().map(|group| group.len()).collect();
        self.set_block(block, None, span, Body::Function(arities, vec![clause]), context);
        Ok(block)
    }

    fn clause(&mut self, groups: &[&'a [ast::Pattern]], body: &'a Expr) -> Checked<Clause> {
        self.open_scope();
        let group = |group: &&'a [ast::Pattern]| group.iter().map(|p| self.pattern(p)).collect::<Checked<Vec<_>>>();
        let parameters = groups.iter().map(group).collect::<Checked<_>>()?;
        let body = self.expr(body)?;
        self.close_scope();
        Ok(Clause { parameters, body })
    }

    pub(super) fn function_block(&mut self, block: BlockId, function: &'a Function) -> Checked<()> {
        let first = &function.clauses[0];
        let arities: Vec<usize> = first.parameters.iter().map(Vec::len).collect();
        self.contexts.push(Context::default());
        let mut clauses = vec![];
        for clause in &function.clauses {
            if !clause.parameters.iter().map(Vec::len).eq(arities.iter().copied()) {
                let message = format!("the clauses of `{}` have different numbers of parameters", function.name.text);
                return Err(error(clause.span, message));
            }
            let groups: Vec<&[ast::Pattern]> = clause.parameters.iter().map(Vec::as_slice).collect();
            clauses.push(self.clause(&groups, &clause.body)?);
        }
        let context = self.contexts.pop().expect("the context was pushed");
        let span = first.span;
        self.set_block(block, Some(function.name.text.clone()), span, Body::Function(arities, clauses), context);
        Ok(())
    }
}
