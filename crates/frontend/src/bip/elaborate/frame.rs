//! Expressions and actions, evaluated over values that may depend on the state before the step.
//!
//! An action becomes what every data item is worth after it, in terms of the state before it: `if` becomes a choice
//! between values. External functions give unknown values, and change what they are handed unless their parameter is
//! `const` or their name says that they only print.

use std::cell::RefCell;
use std::collections::BTreeSet;

use model::{Binary, Expr as Formula, Span};

use super::Checked;
use super::sym::{Sym, TooLarge, all, any, negated};
use super::types::Type;
use crate::Diagnostic;
use crate::bip::Abstraction;
use crate::bip::ast::{
    Expr, ExprKind, ExternFunction, Model, Name, Operator, PackageId, Statement, StatementKind, Target,
};

/// What a name means.
pub(super) enum Meaning {
    /// A data item of the frame.
    Data(usize, Type),
    /// A value that no action changes.
    Value(Sym, Type),
}

/// The names that an action or a condition may use.
pub(super) trait Names {
    /// A plain name.
    fn name(&self, name: &str) -> Option<Meaning>;
    /// `owner.name`.
    fn member(&self, owner: &str, name: &str) -> Option<Meaning>;
    /// The package whose functions may be called.
    fn package(&self) -> PackageId;
}

/// What was abstracted so far.
pub(super) type Notes = RefCell<BTreeSet<Abstraction>>;

/// The data that an action works on.
pub(super) struct Frame<'a> {
    pub(super) model: &'a Model,
    pub(super) notes: &'a Notes,
    pub(super) names: &'a dyn Names,
    pub(super) data: Vec<Sym>,
}

impl Frame<'_> {
    /// Notes that something is not followed exactly.
    fn note(&self, span: Span, message: String) {
        self.notes.borrow_mut().insert(Abstraction { span, message });
    }

    /// The value of an expression.
    pub(super) fn eval(&self, expr: &Expr) -> Checked<Sym> {
        Ok(self.typed(expr)?.0)
    }

    /// The value of an expression that must be of a type.
    pub(super) fn eval_as(&self, expected: Type, expr: &Expr) -> Checked<Sym> {
        let (value, ty) = self.typed(expr)?;
        ty.expect(expected, expr.span)?;
        Ok(value)
    }

    fn typed(&self, expr: &Expr) -> Checked<(Sym, Type)> {
        let large = |TooLarge| too_large(expr.span);
        Ok(match &expr.kind {
            ExprKind::Int(value) => (Sym::constant(*value), Type::Number),
            ExprKind::Bool(value) => (Sym::constant(i64::from(*value)), Type::Truth),
            ExprKind::Float(_) => (Sym::Unknown, Type::Number),
            ExprKind::String(_) => (Sym::Unknown, Type::Other),
            ExprKind::Name(name) => self.value(self.names.name(name), expr.span)?,
            ExprKind::Member(owner, name) => self.value(self.names.member(&owner.text, &name.text), expr.span)?,
            ExprKind::Call(name, arguments) => {
                for argument in arguments {
                    self.eval(argument)?;
                }
                self.note(expr.span, format!("the value of the external function `{}` is unknown", name.text));
                (Sym::Unknown, self.result(name, arguments.len()))
            }
            ExprKind::Not(inner) => (self.eval_as(Type::Truth, inner)?.not().map_err(large)?, Type::Truth),
            ExprKind::Negate(inner) => (self.eval_as(Type::Number, inner)?.negative().map_err(large)?, Type::Number),
            ExprKind::Complement(inner) => {
                let negative = self.eval_as(Type::Number, inner)?.negative().map_err(large)?;
                (negative.apply(Binary::Sub, &Sym::constant(1)).map_err(large)?, Type::Number)
            }
            ExprKind::Chain(first, rest) => {
                let (mut value, mut ty) = self.typed(first)?;
                for (operator, operand) in rest {
                    let (right, other) = self.typed(operand)?;
                    let joined = ty.joined(*operator, other, operand.span)?;
                    value = self.operate(*operator, (&value, ty), &right, expr.span)?;
                    ty = joined;
                }
                (value, ty)
            }
        })
    }

    fn value(&self, meaning: Option<Meaning>, span: Span) -> Checked<(Sym, Type)> {
        match meaning {
            Some(Meaning::Data(at, ty)) => Ok((self.data[at].clone(), ty)),
            Some(Meaning::Value(value, ty)) => Ok((value, ty)),
            None => Err(not_declared(self.model, span)),
        }
    }

    /// What an external function returns.
    fn result(&self, name: &Name, arguments: usize) -> Type {
        self.functions(name, arguments).find_map(|f| f.result.as_ref()).map_or(Type::Other, Type::of)
    }

    fn operate(&self, operator: Operator, (a, ty): (&Sym, Type), b: &Sym, span: Span) -> Checked<Sym> {
        let op = match operator {
            Operator::Multiply => Binary::Mul,
            Operator::Divide => Binary::Div,
            Operator::Modulo => Binary::Rem,
            Operator::Add => Binary::Add,
            Operator::Subtract => Binary::Sub,
            Operator::Less => Binary::Lt,
            Operator::AtMost => Binary::Le,
            Operator::Greater => Binary::Gt,
            Operator::AtLeast => Binary::Ge,
            Operator::Equal => Binary::Eq,
            Operator::NotEqual => Binary::Ne,
            Operator::And => Binary::And,
            Operator::Or => Binary::Or,
            Operator::BitAnd if ty == Type::Truth => Binary::And,
            Operator::BitOr if ty == Type::Truth => Binary::Or,
            Operator::BitXor if ty == Type::Truth => Binary::Ne,
            Operator::BitAnd | Operator::BitXor | Operator::BitOr => return Ok(self.bits(operator, a, b, span)),
        };
        a.apply(op, b).map_err(|TooLarge| too_large(span))
    }

    /// Operators on the bits of numbers are computed for constants only.
    fn bits(&self, operator: Operator, a: &Sym, b: &Sym, span: Span) -> Sym {
        if let (Some(x), Some(y)) = (a.value(), b.value()) {
            return Sym::constant(match operator {
                Operator::BitAnd => x & y,
                Operator::BitXor => x ^ y,
                _ => x | y,
            });
        }
        self.note(span, format!("`{}` on data is not computed: its value is unknown", operator.symbol()));
        Sym::Unknown
    }

    /// Runs statements in order.
    pub(super) fn run(&mut self, statements: &[Statement]) -> Checked<()> {
        statements.iter().try_for_each(|s| self.step(s))
    }

    fn step(&mut self, statement: &Statement) -> Checked<()> {
        match &statement.kind {
            StatementKind::Assign(target, expr) => {
                let (at, ty) = self.target(target)?;
                let value = self.eval_as(ty, expr)?;
                self.changes(expr);
                self.data[at] = value;
            }
            StatementKind::Call(name, arguments) => {
                for argument in arguments {
                    self.changes(argument);
                }
                self.call(name, arguments);
            }
            StatementKind::If { condition, yes, no } => {
                let tested = self.eval_as(Type::Truth, condition)?;
                self.changes(condition);
                let before = self.data.clone();
                self.run(yes)?;
                let then = std::mem::replace(&mut self.data, before);
                self.run(no)?;
                for (now, then) in self.data.iter_mut().zip(then) {
                    *now = Sym::choose(&tested, &then, now).map_err(|TooLarge| too_large(statement.span))?;
                }
            }
        }
        Ok(())
    }

    fn target(&self, target: &Target) -> Checked<(usize, Type)> {
        let meaning = match target {
            Target::Data(name) => self.names.name(&name.text),
            Target::Member(owner, name) => self.names.member(&owner.text, &name.text),
            Target::Speed(_) => None,
        };
        match meaning {
            Some(Meaning::Data(at, ty)) => Ok((at, ty)),
            Some(Meaning::Value(..)) => {
                Err(Diagnostic::error(target.span(), "this is constant").label("never changes"))
            }
            None => Err(not_declared(self.model, target.span())),
        }
    }

    /// What the calls inside of an expression change.
    fn changes(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Call(name, arguments) => {
                arguments.iter().for_each(|a| self.changes(a));
                self.call(name, arguments);
            }
            ExprKind::Not(inner) | ExprKind::Negate(inner) | ExprKind::Complement(inner) => self.changes(inner),
            ExprKind::Chain(first, rest) => {
                self.changes(first);
                rest.iter().for_each(|(_, operand)| self.changes(operand));
            }
            _ => {}
        }
    }

    /// An external function may change what it is handed.
    fn call(&mut self, name: &Name, arguments: &[Expr]) {
        if is_harmless(&name.text) {
            return;
        }
        for (i, argument) in arguments.iter().enumerate() {
            let meaning = match &argument.kind {
                ExprKind::Name(data) => self.names.name(data),
                ExprKind::Member(owner, data) => self.names.member(&owner.text, &data.text),
                _ => None,
            };
            if let Some(Meaning::Data(at, ty)) = meaning
                && self.may_change(name, arguments.len(), i)
            {
                self.data[at] = Sym::Unknown;
                if ty != Type::Other {
                    let text = &self.model.sources.text()[argument.span.range()];
                    self.note(argument.span, format!("the external function `{}` may change `{text}`", name.text));
                }
            }
        }
    }

    fn may_change(&self, name: &Name, arguments: usize, at: usize) -> bool {
        self.functions(name, arguments).any(|f| !f.parameters[at].constant)
    }

    /// The external functions that a call may mean: those of the package itself or, if it has none, of others.
    fn functions(&self, name: &Name, arguments: usize) -> impl Iterator<Item = &ExternFunction> {
        let fits = move |f: &&ExternFunction| f.name.text == name.text && f.parameters.len() == arguments;
        let own = self.model.package(self.names.package());
        let others = if own.functions.iter().any(|f| fits(&f)) { &[][..] } else { &self.model.packages[..] };
        own.functions.iter().chain(others.iter().flat_map(|p| &p.functions)).filter(fits)
    }
}

/// Functions that are known, or say by their name, to leave what they are handed alone.
fn is_harmless(name: &str) -> bool {
    const KNOWN: [&str; 12] =
        ["abs", "exit", "max", "min", "putchar", "puts", "rand", "random", "sleep", "srand", "time", "usleep"];
    KNOWN.contains(&name) || name.to_ascii_lowercase().contains("print")
}

fn too_large(span: Span) -> Diagnostic {
    Diagnostic::error(span, "the values that are computed here are too complicated")
        .label("each is a single expression over the state before the step")
        .help("split the action over several transitions")
}

fn not_declared(model: &Model, span: Span) -> Diagnostic {
    let text = model.sources.text().get(span.range()).unwrap_or_default();
    Diagnostic::error(span, format!("`{text}` means nothing here")).label("no data, parameter or constant")
}

/// The conjuncts of a condition; `unknown` gives a condition for what cannot be evaluated.
pub(super) fn conjuncts(
    frame: &Frame<'_>,
    condition: Option<&Expr>,
    unknown: &mut dyn FnMut(&Expr) -> Formula,
) -> Checked<Vec<Formula>> {
    match condition {
        Some(expr) => {
            frame.eval_as(Type::Truth, expr)?;
            Ok(formula(frame, expr, unknown)?.conjuncts())
        }
        None => Ok(Vec::new()),
    }
}

fn formula(frame: &Frame<'_>, expr: &Expr, unknown: &mut dyn FnMut(&Expr) -> Formula) -> Checked<Formula> {
    if let Sym::Known(known, _) = frame.eval(expr)? {
        return Ok((*known).clone());
    }
    match &expr.kind {
        ExprKind::Not(inner) => Ok(negated(formula(frame, inner, unknown)?)),
        ExprKind::Chain(first, rest) if rest.iter().all(|(op, _)| matches!(op, Operator::And | Operator::Or)) => {
            let mut value = formula(frame, first, unknown)?;
            for (op, operand) in rest {
                let operand = formula(frame, operand, unknown)?;
                value = match op {
                    Operator::And => all(vec![value, operand]),
                    _ => any(vec![value, operand]),
                };
            }
            Ok(value)
        }
        _ => Ok(unknown(expr)),
    }
}
