//! Recognises refined operations in expressions: `x == 3` only tests, `x := x + 1` only adds.
//!
//! The less an operation learns or does, the fewer others it is dependent with (section 3.4.2 of Godefroid's thesis).

use crate::bounds::bounds;
use crate::objects::{Comparison, Kind, Object, Operation, Test};
use crate::{Binary, Command, Expr, LocationId, Pattern, ProcessId, Target, Unary};

/// Constants up to here may be added: every variable is far from the end of 64-bit arithmetic.
const MAX_ADDEND: u64 = 1 << 40;

/// What an operation is performed on.
#[derive(Clone, Copy)]
pub(super) enum Subject<'t> {
    /// An object.
    Cell(&'t Target),
    /// Whether a process is at a location.
    At(ProcessId, LocationId),
}

/// Looks at expressions over these objects.
#[derive(Clone, Copy)]
pub(super) struct Recogniser<'a> {
    pub(super) objects: &'a [Object],
}

impl Recogniser<'_> {
    /// The value of an expression that always has the same.
    fn constant(self, expr: &Expr) -> Option<i64> {
        bounds(expr, self.objects).filter(|(lo, hi)| lo == hi).map(|(value, _)| value)
    }

    /// A condition that only compares the scalar of one object with a constant.
    fn test(self, condition: &Expr) -> Option<(&Target, Test)> {
        match condition {
            Expr::Free(t) | Expr::Empty(t) => Some((t, Test::EMPTY)),
            Expr::Full(t) => Some((t, Test::new(Comparison::Eq, self.top(t)))),
            Expr::Read(t) | Expr::Len(t) => Some((t, Test::EMPTY.complement())),
            // Any message will do.
            Expr::Offers(t, patterns, _) if patterns.iter().all(|p| p.matched().is_none()) => {
                Some((t, Test::EMPTY.complement()))
            }
            Expr::Unary(Unary::Not, a) => self.test(a).map(|(t, test)| (t, test.complement())),
            Expr::Binary(op, a, b) => {
                let comparison = comparison(*op)?;
                match (&**a, &**b) {
                    (Expr::Read(t) | Expr::Len(t), c) => Some((t, Test::new(comparison, self.constant(c)?))),
                    (c, Expr::Read(t) | Expr::Len(t)) => Some((t, Test::new(comparison.mirror(), self.constant(c)?))),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Calls `note` with every operation that evaluating an expression performs, those of an index before the access
    /// itself. Where only the truth of the expression matters, less is learnt.
    pub(super) fn observe(self, expr: &Expr, truth: bool, note: &mut impl FnMut(Subject<'_>, Operation)) {
        if self.constant(expr).is_some() {
            return;
        }
        let is_condition = truth || !matches!(expr, Expr::Read(_) | Expr::Len(_));
        if let Some((target, test)) = self.test(expr).filter(|_| is_condition) {
            self.observe_index(target, note);
            return note(Subject::Cell(target), Operation::Test(test));
        }
        match expr {
            Expr::Const(_) => {}
            Expr::At(p, l) => note(Subject::At(*p, *l), Operation::Test(Test::EMPTY.complement())),
            Expr::Read(t) | Expr::Len(t) | Expr::Free(t) | Expr::Empty(t) | Expr::Full(t) => {
                self.observe_index(t, note);
                note(Subject::Cell(t), Operation::Read);
            }
            // It tells more than the length, but whatever changes the messages of a channel changes their number.
            Expr::Offers(t, patterns, _) => {
                patterns.iter().filter_map(Pattern::matched).for_each(|e| self.observe(e, false, note));
                self.observe_index(t, note);
                note(Subject::Cell(t), Operation::Read);
            }
            Expr::Unary(op, a) => self.observe(a, *op == Unary::Not, note),
            Expr::Binary(op, a, b) => {
                let truth = matches!(op, Binary::And | Binary::Or | Binary::Implies);
                self.observe(a, truth, note);
                self.observe(b, truth, note);
            }
            Expr::If(c, a, b) => {
                self.observe(c, true, note);
                self.observe(a, truth, note);
                self.observe(b, truth, note);
            }
        }
    }

    /// The operations that finding the cell of a target performs.
    pub(super) fn observe_index(self, target: &Target, note: &mut impl FnMut(Subject<'_>, Operation)) {
        if let Some(index) = &target.index {
            self.observe(index, false, note);
        }
    }

    /// What an assignment does to its target, and whether the value comes from elsewhere and must be observed.
    pub(super) fn assignment(self, target: &Target, value: &Expr) -> (Operation, bool) {
        if let Some(constant) = self.constant(value) {
            return (Operation::Assign(constant), false);
        }
        let itself = |e: &Expr| matches!(e, Expr::Read(t) if t == target);
        let addend = |e: &Expr| self.constant(e).filter(|c| c.unsigned_abs() <= MAX_ADDEND);
        let update = match value {
            Expr::Binary(Binary::Add, a, c) | Expr::Binary(Binary::Add, c, a) if itself(a) => {
                addend(c).map(Operation::Add)
            }
            Expr::Binary(Binary::Sub, a, c) if itself(a) => addend(c).map(|c| Operation::Add(-c)),
            Expr::Binary(Binary::Sub, one, a) if itself(a) && self.is_bit(target) => {
                addend(one).filter(|c| *c == 1).map(|_| Operation::Complement)
            }
            Expr::Unary(Unary::Not, a) if itself(a) && self.is_bit(target) => Some(Operation::Complement),
            _ => None,
        };
        update.map_or((Operation::Write, true), |op| (op, false))
    }

    /// Whether a condition merely says that an operation of the command is defined.
    ///
    /// It then needs no operation of its own: whatever is independent with the operation leaves it as defined as it
    /// was. For a receive that takes only some messages, whatever changes whether there is one is dependent with it. A
    /// condition that may be a fault is a test of its own: it is evaluated before those that follow it.
    pub(super) fn is_absorbed(self, condition: &Expr, command: &[Command]) -> bool {
        if bounds(condition, self.objects).is_none() {
            return false;
        }
        let Some((target, test)) = self.test(condition) else { return false };
        command.iter().any(|c| match (c.target() == Some(target), self.definedness(c)) {
            (true, Some(defined)) => test.agrees_with(defined, 0, self.top(target)),
            _ => false,
        })
    }

    fn definedness(self, command: &Command) -> Option<Test> {
        match command {
            Command::Acquire(..) => Some(Test::EMPTY),
            Command::Take(_, amount) => Some(Test::new(Comparison::Ge, i64::from(*amount))),
            Command::Send(t, _) | Command::Insert(t, _) => Some(Test::new(Comparison::Lt, self.top(t))),
            Command::Receive(..) | Command::Retrieve(..) => Some(Test::new(Comparison::Gt, 0)),
            Command::Assign(..)
            | Command::Release(..)
            | Command::Gain(..)
            | Command::Assert(_)
            | Command::Unforeseen(_) => None,
        }
    }

    /// The greatest scalar of an object that partial operations work on.
    fn top(self, target: &Target) -> i64 {
        match &self.objects[target.first.index()].kind {
            Kind::Variable(d) => d.hi(),
            Kind::Lock => i64::from(u32::MAX),
            Kind::Semaphore { max } | Kind::Counter { max } => i64::from(*max),
            Kind::Channel(c) => i64::from(c.capacity),
        }
    }

    fn is_bit(self, target: &Target) -> bool {
        matches!(&self.objects[target.first.index()].kind, Kind::Variable(d) if (d.lo(), d.hi()) == (0, 1))
    }
}

fn comparison(op: Binary) -> Option<Comparison> {
    Some(match op {
        Binary::Eq => Comparison::Eq,
        Binary::Ne => Comparison::Ne,
        Binary::Lt => Comparison::Lt,
        Binary::Le => Comparison::Le,
        Binary::Gt => Comparison::Gt,
        Binary::Ge => Comparison::Ge,
        _ => return None,
    })
}
