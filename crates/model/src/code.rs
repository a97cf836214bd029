//! Expressions over packed states: the tree that `compile` makes of an [`Expr`], with every name resolved to a field.

use crate::bounds::values;
use crate::layout::{Field, Layout};
use crate::objects::{Kind, Object};
use crate::{Binary, Expr, Fault, ObjectId, Pattern, Target, Unary};

/// A compiled expression.
#[derive(Clone, Debug)]
pub(crate) enum Code {
    Const(i64),
    Field(Field),
    /// The scalar field of the cell that an index selects.
    Cell(Box<Cell>),
    Unary(Unary, Box<Code>),
    Binary(Binary, Box<(Code, Code)>),
    If(Box<(Code, Code, Code)>),
    Offers(Box<Offer>),
}

/// Messages that are looked for in a channel.
#[derive(Clone, Debug)]
pub(crate) struct Offer {
    pub(crate) channel: Place,
    /// Fields, and the values that they must have.
    pub(crate) matches: Vec<(usize, Code)>,
    pub(crate) anywhere: bool,
}

impl Offer {
    /// The channel, and the number of the message that is found in it.
    pub(crate) fn find(&self, state: &[u64], layout: &Layout) -> Result<(ObjectId, Option<u32>), Fault> {
        let object = self.channel.resolve(state, layout)?;
        let length = layout.scalars[object.index()].get(state) as u32;
        let looked_at = if self.anywhere { length } else { length.min(1) };
        for i in 0..looked_at {
            if self.fits(object, i, state, layout)? {
                return Ok((object, Some(i)));
            }
        }
        Ok((object, None))
    }

    fn fits(&self, channel: ObjectId, i: u32, state: &[u64], layout: &Layout) -> Result<bool, Fault> {
        let lanes = &layout.channel(channel).lanes;
        for (lane, code) in &self.matches {
            if lanes[*lane].get(state, i) != code.eval(state, layout)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// An array and an index into it.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    first: ObjectId,
    len: u32,
    index: Code,
}

impl Cell {
    /// The object that is meant in this state.
    pub(crate) fn resolve(&self, state: &[u64], layout: &Layout) -> Result<ObjectId, Fault> {
        let index = self.index.eval(state, layout)?;
        match u32::try_from(index) {
            Ok(i) if i < self.len => Ok(ObjectId(self.first.0 + i)),
            _ => Err(Fault::Index { first: self.first, index }),
        }
    }
}

/// A compiled target.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    Fixed(ObjectId),
    Cell(Box<Cell>),
}

impl Place {
    pub(crate) fn resolve(&self, state: &[u64], layout: &Layout) -> Result<ObjectId, Fault> {
        match self {
            Place::Fixed(object) => Ok(*object),
            Place::Cell(cell) => cell.resolve(state, layout),
        }
    }
}

// Most operands are constants and fields: these are read where they are wanted, and only operators cost a call.
impl Code {
    #[inline(always)]
    pub(crate) fn eval(&self, state: &[u64], layout: &Layout) -> Result<i64, Fault> {
        match self {
            Code::Const(c) => Ok(*c),
            Code::Field(f) => Ok(f.get(state)),
            _ => self.operate(state, layout),
        }
    }

    fn operate(&self, state: &[u64], layout: &Layout) -> Result<i64, Fault> {
        match self {
            Code::Const(_) | Code::Field(_) => self.eval(state, layout),
            Code::Cell(cell) => Ok(layout.scalars[cell.resolve(state, layout)?.index()].get(state)),
            Code::Unary(Unary::Not, a) => Ok(i64::from(a.eval(state, layout)? == 0)),
            Code::Unary(Unary::Neg, a) => a.eval(state, layout)?.checked_neg().ok_or(Fault::Arithmetic),
            Code::Unary(Unary::BitNot, a) => Ok(!a.eval(state, layout)?),
            Code::Unary(Unary::Wrap(wrap), a) => Ok(wrap.apply(a.eval(state, layout)?)),
            Code::Binary(op, ab) => {
                let a = ab.0.eval(state, layout)?;
                match (op, a != 0) {
                    (Binary::And, false) => Ok(0),
                    (Binary::Or, true) | (Binary::Implies, false) => Ok(1),
                    _ => apply(*op, a, ab.1.eval(state, layout)?),
                }
            }
            Code::If(parts) => {
                let branch = if parts.0.eval(state, layout)? != 0 { &parts.1 } else { &parts.2 };
                branch.eval(state, layout)
            }
            Code::Offers(offer) => Ok(i64::from(offer.find(state, layout)?.1.is_some())),
        }
    }
}

impl Code {
    /// The value of an expression that can never be a fault, as [`crate::bounds`] showed: nothing is checked.
    #[inline(always)]
    pub(crate) fn value(&self, state: &[u64], layout: &Layout) -> i64 {
        match self {
            Code::Const(c) => *c,
            Code::Field(f) => f.get(state),
            _ => self.value_of_operation(state, layout),
        }
    }

    fn value_of_operation(&self, state: &[u64], layout: &Layout) -> i64 {
        match self {
            Code::Const(_) | Code::Field(_) => self.value(state, layout),
            Code::Cell(cell) => {
                let index = cell.first.index() + cell.index.value(state, layout) as usize;
                layout.scalars[index].get(state)
            }
            Code::Unary(Unary::Not, a) => i64::from(a.value(state, layout) == 0),
            Code::Unary(Unary::Neg, a) => -a.value(state, layout),
            Code::Unary(Unary::BitNot, a) => !a.value(state, layout),
            Code::Unary(Unary::Wrap(wrap), a) => wrap.apply(a.value(state, layout)),
            Code::Binary(op, ab) => {
                let a = ab.0.value(state, layout);
                match (op, a != 0) {
                    (Binary::And, false) => 0,
                    (Binary::Or, true) | (Binary::Implies, false) => 1,
                    _ => unchecked(*op, a, ab.1.value(state, layout)),
                }
            }
            Code::If(parts) => {
                let branch = if parts.0.value(state, layout) != 0 { &parts.1 } else { &parts.2 };
                branch.value(state, layout)
            }
            Code::Offers(_) => self.eval(state, layout).expect("bounds showed that this is no fault"),
        }
    }
}

/// The meaning of a binary operator where it cannot be a fault.
#[inline]
fn unchecked(op: Binary, a: i64, b: i64) -> i64 {
    match op {
        Binary::Add => a + b,
        Binary::Sub => a - b,
        Binary::Mul => a * b,
        Binary::Div => a / b,
        Binary::Rem => a % b,
        Binary::ShiftLeft => a << b,
        Binary::ShiftRight => a >> b,
        _ => relate(op, a, b),
    }
}

/// The meaning of a binary operator on two values.
#[inline]
pub(crate) fn apply(op: Binary, a: i64, b: i64) -> Result<i64, Fault> {
    match op {
        Binary::Add => a.checked_add(b).ok_or(Fault::Arithmetic),
        Binary::Sub => a.checked_sub(b).ok_or(Fault::Arithmetic),
        Binary::Mul => a.checked_mul(b).ok_or(Fault::Arithmetic),
        Binary::Div | Binary::Rem if b == 0 => Err(Fault::DivisionByZero),
        Binary::Div => a.checked_div(b).ok_or(Fault::Arithmetic),
        Binary::Rem => a.checked_rem(b).ok_or(Fault::Arithmetic),
        Binary::ShiftLeft | Binary::ShiftRight if !(0..64).contains(&b) => Err(Fault::Arithmetic),
        Binary::ShiftLeft => Ok(a << b),
        Binary::ShiftRight => Ok(a >> b),
        _ => Ok(relate(op, a, b)),
    }
}

/// The operators that are never a fault.
#[inline]
fn relate(op: Binary, a: i64, b: i64) -> i64 {
    match op {
        Binary::Min => a.min(b),
        Binary::Max => a.max(b),
        Binary::BitAnd => a & b,
        Binary::BitOr => a | b,
        Binary::BitXor => a ^ b,
        _ => i64::from(match op {
            Binary::Eq => a == b,
            Binary::Ne => a != b,
            Binary::Lt => a < b,
            Binary::Le => a <= b,
            Binary::Gt => a > b,
            Binary::Ge => a >= b,
            Binary::And => a != 0 && b != 0,
            Binary::Or => a != 0 || b != 0,
            Binary::Implies => a == 0 || b != 0,
            _ => unreachable!("arithmetic is done elsewhere"),
        }),
    }
}

/// Turns expressions and targets into code.
#[derive(Clone, Copy)]
pub(crate) struct Coder<'a> {
    pub(crate) layout: &'a Layout,
    pub(crate) objects: &'a [Object],
}

impl Coder<'_> {
    pub(crate) fn place(self, target: &Target) -> Place {
        match &target.index {
            None => Place::Fixed(target.first),
            Some(i) => Place::Cell(Box::new(Cell { first: target.first, len: target.len, index: self.code(i) })),
        }
    }

    /// The scalar of a target: its value, its holder plus one, or its length.
    fn scalar(self, target: &Target) -> Code {
        match self.place(target) {
            Place::Fixed(object) => Code::Field(self.layout.scalars[object.index()]),
            Place::Cell(cell) => Code::Cell(cell),
        }
    }

    pub(crate) fn code(self, expr: &Expr) -> Code {
        let is = |a: Code, c: i64| Code::Binary(Binary::Eq, Box::new((a, Code::Const(c))));
        match expr {
            Expr::Const(c) => Code::Const(*c),
            Expr::Read(t) | Expr::Len(t) => self.scalar(t),
            Expr::Free(t) | Expr::Empty(t) => is(self.scalar(t), 0),
            Expr::Full(t) => is(self.scalar(t), i64::from(self.capacity(t))),
            Expr::Offers(t, patterns, anywhere) => match self.offer(t, patterns, *anywhere) {
                offer if offer.matches.is_empty() => {
                    Code::Binary(Binary::Gt, Box::new((self.scalar(t), Code::Const(0))))
                }
                offer => Code::Offers(Box::new(offer)),
            },
            Expr::At(p, l) => is(Code::Field(self.layout.location_field(*p)), i64::from(l.0)),
            // Cutting down a number that is small enough anyway costs nothing.
            Expr::Unary(Unary::Wrap(wrap), a) if wrap.keeps(values(a, self.objects)) => self.code(a),
            Expr::Unary(op, a) => match (op, self.code(a)) {
                (Unary::Not, Code::Const(c)) => Code::Const(i64::from(c == 0)),
                (Unary::BitNot, Code::Const(c)) => Code::Const(!c),
                (Unary::Wrap(wrap), Code::Const(c)) => Code::Const(wrap.apply(c)),
                (op, a) => Code::Unary(*op, Box::new(a)),
            },
            Expr::Binary(op, a, b) => match (self.code(a), self.code(b)) {
                (Code::Const(x), Code::Const(y)) if apply(*op, x, y).is_ok() => {
                    Code::Const(apply(*op, x, y).unwrap_or_default())
                }
                ab => Code::Binary(*op, Box::new(ab)),
            },
            Expr::If(c, a, b) => match self.code(c) {
                Code::Const(0) => self.code(b),
                Code::Const(_) => self.code(a),
                c => Code::If(Box::new((c, self.code(a), self.code(b)))),
            },
        }
    }

    pub(crate) fn offer(self, channel: &Target, patterns: &[Pattern], anywhere: bool) -> Offer {
        let wanted = patterns.iter().enumerate().filter_map(|(i, p)| Some((i, self.code(p.matched()?))));
        Offer { channel: self.place(channel), matches: wanted.collect(), anywhere }
    }

    fn capacity(self, target: &Target) -> u32 {
        match &self.objects[target.first.index()].kind {
            Kind::Channel(c) => c.capacity,
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Builder, Domain, Wrap};

    /// A number that fits is not cut down, even where finding it may be a fault.
    #[test]
    fn a_needless_wrap_costs_nothing() {
        let mut b = Builder::new("wraps");
        let byte = || Kind::Variable(Domain::Range { lo: 0, hi: 255 });
        let (x, first) = (b.object("x", byte()), b.object("a[0]", byte()));
        b.object("a[1]", byte());
        let system = b.build().expect("three variables");
        let coder = Coder { layout: &system.layout, objects: &system.objects };
        let wrapped = |bits, e: Expr| coder.code(&Expr::Unary(Unary::Wrap(Wrap { bits, signed: false }), Box::new(e)));
        let (read, cell) = (|| Expr::read(x), Expr::Read(Target::cell(first, 2, Expr::read(x))));
        assert!(matches!(wrapped(8, read()), Code::Field(_)));
        assert!(matches!(wrapped(8, cell), Code::Cell(_)));
        assert!(matches!(wrapped(9, read().op(Binary::Add, 1)), Code::Binary(Binary::Add, _)));
        assert!(matches!(wrapped(8, read().op(Binary::Add, 1)), Code::Unary(Unary::Wrap(_), _)));
        assert!(matches!(wrapped(7, read()), Code::Unary(Unary::Wrap(_), _)));
        assert!(matches!(wrapped(4, read().op(Binary::BitAnd, 15)), Code::Binary(Binary::BitAnd, _)));
        assert!(matches!(wrapped(8, Expr::Const(300)), Code::Const(44)));
    }
}
