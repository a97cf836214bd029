//! Which values an expression can have, and whether evaluating it can fail: interval arithmetic over the domains.

use crate::bits;
use crate::known::Known;
use crate::objects::{Kind, Object};
use crate::{Binary, Expr, Pattern, Target, Unary};

/// The least and the greatest value that an expression can have, if it can never be a fault.
pub(crate) fn bounds(expr: &Expr, objects: &[Object]) -> Option<(i64, i64)> {
    bounds_knowing(expr, objects, &Known::default())
}

/// The same, with better knowledge of some objects.
pub(crate) fn bounds_knowing(expr: &Expr, objects: &[Object], known: &Known) -> Option<(i64, i64)> {
    let range = Knowledge { objects, known }.range(expr);
    range.safe.then_some(range.bounds)
}

/// Bounds of the values that an expression can have wherever it is no fault.
pub(crate) fn values(expr: &Expr, objects: &[Object]) -> (i64, i64) {
    Knowledge { objects, known: &Known::default() }.range(expr).bounds
}

/// What evaluating an expression can give.
#[derive(Clone, Copy)]
struct Range {
    /// Every value that it can have is within these.
    bounds: (i64, i64),
    /// Whether it is never a fault.
    safe: bool,
}

impl Range {
    const TRUTH: Range = Range { bounds: (0, 1), safe: true };
    /// Of what is always a fault, or no number.
    const NOTHING: Range = Range { bounds: (0, 0), safe: false };

    fn safe(bounds: (i64, i64)) -> Self {
        Self { bounds, safe: true }
    }

    /// The results between two exact ones: those outside 64 bits are faults.
    fn exact(lo: i128, hi: i128) -> Self {
        let clamp = |v: i128| v.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
        let bounds = (clamp(lo), clamp(hi));
        Self { bounds, safe: i128::from(bounds.0) == lo && i128::from(bounds.1) == hi }
    }

    /// The results between the least and the greatest of some.
    fn hull(results: &[i128]) -> Self {
        match (results.iter().min(), results.iter().max()) {
            (Some(lo), Some(hi)) => Self::exact(*lo, *hi),
            _ => Self::NOTHING,
        }
    }

    /// Whether the value is true, if it always is, or never.
    fn truth(self) -> Option<bool> {
        match self.bounds {
            (0, 0) => Some(false),
            (lo, hi) => (lo > 0 || hi < 0).then_some(true),
        }
    }

    fn decided(truth: Option<bool>) -> Self {
        truth.map_or(Self::TRUTH, |t| Self::safe((i64::from(t), i64::from(t))))
    }

    fn if_safe(self, safe: bool) -> Self {
        Self { safe: self.safe && safe, ..self }
    }
}

#[derive(Clone, Copy)]
struct Knowledge<'a> {
    objects: &'a [Object],
    known: &'a Known,
}

impl Knowledge<'_> {
    fn range(self, expr: &Expr) -> Range {
        match expr {
            Expr::Const(c) => Range::safe((*c, *c)),
            Expr::Read(t) => self.read(t).if_safe(self.finds(t)),
            Expr::Len(t) => match &self.objects[t.first.index()].kind {
                Kind::Channel(c) => Range::safe((0, i64::from(c.capacity))).if_safe(self.finds(t)),
                _ => Range::NOTHING,
            },
            Expr::Free(t) | Expr::Empty(t) | Expr::Full(t) => Range::TRUTH.if_safe(self.finds(t)),
            Expr::Offers(t, patterns, _) => {
                let safe = patterns.iter().filter_map(Pattern::matched).all(|e| self.range(e).safe);
                Range::TRUTH.if_safe(safe && self.finds(t))
            }
            Expr::At(..) => Range::TRUTH,
            Expr::Unary(op, a) => self.unary(*op, a),
            Expr::Binary(op @ (Binary::And | Binary::Or | Binary::Implies), a, b) => self.connective(*op, a, b),
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.range(a), self.range(b));
                binary(*op, a.bounds, b.bounds).if_safe(a.safe && b.safe)
            }
            Expr::If(c, a, b) => self.choice(c, a, b),
        }
    }

    /// Whether the index of a target, if it has one, always selects a cell.
    fn finds(self, target: &Target) -> bool {
        let Some(index) = target.index.as_deref().map(|i| self.range(i)) else { return true };
        index.safe && index.bounds.0 >= 0 && index.bounds.1 < i64::from(target.len)
    }

    fn read(self, target: &Target) -> Range {
        if let Some(bounds) = self.known.get(&target.first).filter(|_| target.index.is_none()) {
            return Range::safe(*bounds);
        }
        match &self.objects[target.first.index()].kind {
            Kind::Variable(d) => Range::safe((d.lo(), d.hi())),
            Kind::Semaphore { max } | Kind::Counter { max } => Range::safe((0, i64::from(*max))),
            Kind::Lock | Kind::Channel(_) => Range::NOTHING,
        }
    }

    fn unary(self, op: Unary, operand: &Expr) -> Range {
        let a = self.range(operand);
        let (lo, hi) = a.bounds;
        let result = match op {
            Unary::Not => Range::decided(a.truth().map(|t| !t)),
            Unary::Neg => Range::exact(-i128::from(hi), -i128::from(lo)),
            Unary::BitNot => Range::safe((!hi, !lo)),
            Unary::Wrap(wrap) => Range::safe(bits::wrapped(wrap, (lo, hi))),
        };
        result.if_safe(a.safe)
    }

    /// The right operand may be a fault where it is not evaluated.
    fn connective(self, op: Binary, a: &Expr, b: &Expr) -> Range {
        let (a, b) = (self.range(a), self.range(b));
        let (decisive, outcome) = match op {
            Binary::And => (false, false),
            Binary::Or => (true, true),
            _ => (false, true),
        };
        match (a.truth(), b.truth()) {
            (Some(left), _) if left == decisive => Range::decided(Some(outcome)).if_safe(a.safe),
            (Some(_), right) => Range::decided(right).if_safe(a.safe && b.safe),
            (None, Some(right)) if right == outcome => Range::decided(Some(outcome)).if_safe(a.safe && b.safe),
            _ => Range::TRUTH.if_safe(a.safe && b.safe),
        }
    }

    fn choice(self, c: &Expr, a: &Expr, b: &Expr) -> Range {
        let condition = self.range(c);
        match condition.truth() {
            Some(true) => self.range(a).if_safe(condition.safe),
            Some(false) => self.range(b).if_safe(condition.safe),
            None => {
                let (a, b) = (self.range(a), self.range(b));
                let bounds = (a.bounds.0.min(b.bounds.0), a.bounds.1.max(b.bounds.1));
                Range { bounds, safe: condition.safe && a.safe && b.safe }
            }
        }
    }
}

fn binary(op: Binary, x: (i64, i64), y: (i64, i64)) -> Range {
    let ((a, b), (c, d)) = (wide(x), wide(y));
    match op {
        Binary::Add => Range::exact(a + c, b + d),
        Binary::Sub => Range::exact(a - d, b - c),
        Binary::Mul => Range::hull(&[a * c, a * d, b * c, b * d]),
        Binary::Div => quotient((a, b), (c, d)),
        Binary::Rem => remainder((a, b), (c, d)),
        Binary::Min => Range::safe((x.0.min(y.0), x.1.min(y.1))),
        Binary::Max => Range::safe((x.0.max(y.0), x.1.max(y.1))),
        Binary::BitAnd => Range::safe(bits::bounds(|a, b| a && b, x, y)),
        Binary::BitOr => Range::safe(bits::bounds(|a, b| a || b, x, y)),
        Binary::BitXor => Range::safe(bits::bounds(|a, b| a != b, x, y)),
        Binary::ShiftLeft | Binary::ShiftRight => shift(op, (a, b), y),
        Binary::Lt => Range::decided(less(x, y)),
        Binary::Gt => Range::decided(less(y, x)),
        Binary::Ge => Range::decided(less(x, y).map(|t| !t)),
        Binary::Le => Range::decided(less(y, x).map(|t| !t)),
        Binary::Eq => Range::decided(equal(x, y)),
        Binary::Ne => Range::decided(equal(x, y).map(|t| !t)),
        Binary::And | Binary::Or | Binary::Implies => Range::TRUTH,
    }
}

fn wide((lo, hi): (i64, i64)) -> (i128, i128) {
    (lo.into(), hi.into())
}

/// Whether every value of the first interval is below every one of the second, or none is.
fn less(x: (i64, i64), y: (i64, i64)) -> Option<bool> {
    if x.1 < y.0 {
        return Some(true);
    }
    (x.0 >= y.1).then_some(false)
}

fn equal(x: (i64, i64), y: (i64, i64)) -> Option<bool> {
    if x.1 < y.0 || y.1 < x.0 {
        return Some(false);
    }
    (x.0 == x.1 && x == y).then_some(true)
}

/// Divisors of one sign give the extreme results at the ends.
fn quotient((a, b): (i128, i128), (c, d): (i128, i128)) -> Range {
    let signs = [(c, d.min(-1)), (c.max(1), d)];
    let ends = signs.into_iter().filter(|(c, d)| c <= d);
    let results: Vec<i128> = ends.flat_map(|(c, d)| [a / c, a / d, b / c, b / d]).collect();
    Range::hull(&results).if_safe(c > 0 || d < 0)
}

fn remainder((a, b): (i128, i128), (c, d): (i128, i128)) -> Range {
    let least = if c > 0 { c } else { -d };
    let greatest = c.abs().max(d.abs());
    // The remainder belongs to a quotient, which must exist.
    let safe = quotient((a, b), (c, d)).safe;
    let bounds = match () {
        () if a >= 0 && b < least => (a, b),
        () => (if a < 0 { a.max(1 - greatest) } else { 0 }, if b > 0 { b.min(greatest - 1) } else { 0 }),
    };
    Range::exact(bounds.0.min(bounds.1), bounds.1.max(bounds.0)).if_safe(safe)
}

fn shift(op: Binary, (a, b): (i128, i128), (c, d): (i64, i64)) -> Range {
    let (least, most) = (c.max(0), d.min(63));
    if least > most {
        return Range::NOTHING;
    }
    let result = match op {
        Binary::ShiftRight => Range::hull(&[a >> least, a >> most, b >> least, b >> most]),
        _ => Range::hull(&[a << least, a << most, b << least, b << most]),
    };
    // What a shift to the left loses is no fault: anything can be left.
    let bounds = if result.safe { result.bounds } else { (i64::MIN, i64::MAX) };
    Range { bounds, safe: c >= 0 && d <= 63 }
}

#[cfg(test)]
mod tests;
