//! Values and conditions over what threads share. A term knows whose objects it reads, so that it is of use in their model
//! only; expressions of the builder below do not.

use model::{Binary, Expr, ObjectId};

use crate::handles::Handle;

/// A value, or a condition, over locks, semaphores, queues and variables of one model.
///
/// ```
/// # use impasse::{Binary, Model, assert_holds, reachable};
/// # let mut model = Model::new("terms");
/// let (low, high) = (model.variable("low", 0..=3, 0), model.variable("high", 0..=3, 2));
/// model.thread("climber", |t| {
///     t.forever(|t| {
///         t.wait_until(low.value().op(Binary::Lt, high));
///         t.set(low, low.plus(1));
///     });
/// });
/// # assert_holds!(model, reachable("low == high"));
/// ```
#[derive(Clone, Debug)]
pub struct Term {
    expr: Expr,
    /// What it reads, with the word for it.
    reads: Vec<(Handle, &'static str)>,
}

impl Term {
    /// What an object says about itself.
    pub(crate) fn of(handle: Handle, kind: &'static str, expr: impl FnOnce(ObjectId) -> Expr) -> Self {
        Self { expr: expr(handle.object), reads: vec![(handle, kind)] }
    }

    /// What it reads, with the word for it.
    pub(crate) fn reads(&self) -> impl Iterator<Item = (Handle, &'static str)> {
        self.reads.iter().copied()
    }

    /// Both, and what an operator makes of them.
    #[must_use]
    pub fn op(self, op: Binary, right: impl Into<Term>) -> Self {
        let right = right.into();
        Self { expr: self.expr.op(op, right.expr), reads: [self.reads, right.reads].concat() }
    }

    /// Whether both have the same value.
    #[must_use]
    pub fn is(self, right: impl Into<Term>) -> Self {
        self.op(Binary::Eq, right)
    }

    /// Whether both are true.
    #[must_use]
    pub fn and(self, right: impl Into<Term>) -> Self {
        self.op(Binary::And, right)
    }

    /// Whether one of the two is true.
    #[must_use]
    pub fn or(self, right: impl Into<Term>) -> Self {
        self.op(Binary::Or, right)
    }

    /// Whether it is not true.
    #[must_use]
    pub fn negate(self) -> Self {
        Self { expr: self.expr.negate(), ..self }
    }
}

impl From<i64> for Term {
    fn from(value: i64) -> Self {
        Expr::from(value).into()
    }
}

impl From<bool> for Term {
    fn from(value: bool) -> Self {
        Expr::from(value).into()
    }
}

/// For what the builder can say and terms cannot: nobody checks whose objects it reads.
impl From<Expr> for Term {
    fn from(expr: Expr) -> Self {
        Self { expr, reads: Vec::new() }
    }
}

impl From<Term> for Expr {
    fn from(term: Term) -> Self {
        term.expr
    }
}
