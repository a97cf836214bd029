//! Expressions as elementary operations.
//!
//! Every access whose place depends on the state is checked in the code itself, whatever was shown about it before, so
//! that the code never touches anything but the state it was given.

use super::{Assembler, NotAssembled, Op};
use crate::code::{Cell, Code, Offer, Place};
use crate::layout::{Field, Lane, Layout};
use crate::{Binary, Domain, ObjectId, Unary};

/// The most comparisons that looking for a message may take.
const LOOKED_AT: usize = 64;

/// Says what code does.
pub(super) struct Emitter<'a, A: Assembler> {
    pub(super) asm: &'a mut A,
    pub(super) layout: &'a Layout,
    /// Where faults go.
    pub(super) fault: A::Block,
    /// Whether it was shown that no result of what comes next can overflow.
    pub(super) proven: bool,
}

/// A field whose place is known now, or only when the code runs.
pub(super) enum Spot<V> {
    Fixed(Field),
    /// A word, a shift, and a field for what is the same in all cells.
    Chosen(V, V, Field),
}

impl<'a, A: Assembler> Emitter<'a, A> {
    pub(super) fn new(asm: &'a mut A, layout: &'a Layout) -> Self {
        let fault = asm.block(0);
        Self { asm, layout, fault, proven: false }
    }

    pub(super) fn constant(&mut self, value: i64) -> A::Value {
        self.asm.constant(value)
    }

    /// An operation with a constant, left out where it changes nothing.
    pub(super) fn op_with(&mut self, op: Op, a: A::Value, b: i64) -> A::Value {
        let neutral = match op {
            Op::And => -1,
            _ => 0,
        };
        if b == neutral && matches!(op, Op::Add | Op::And | Op::ShiftLeft | Op::ShiftRight) {
            return a;
        }
        let b = self.constant(b);
        self.asm.op(op, a, b)
    }

    /// Goes on only if the number is not 0; otherwise there is a fault.
    pub(super) fn require(&mut self, condition: A::Value) {
        let on = self.asm.block(0);
        self.asm.branch(condition, on, self.fault);
        self.asm.begin(on);
    }

    /// Goes on only if the number is 0; otherwise there is a fault.
    pub(super) fn refuse(&mut self, condition: A::Value) {
        let on = self.asm.block(0);
        self.asm.branch(condition, self.fault, on);
        self.asm.begin(on);
    }

    /// Whether a number is within bounds.
    pub(super) fn within(&mut self, value: A::Value, (lo, hi): (i64, i64)) -> A::Value {
        let above = self.op_with(Op::Add, value, lo.wrapping_neg());
        let size = self.constant(hi.wrapping_sub(lo).wrapping_add(1));
        self.asm.op(Op::Below, above, size)
    }

    pub(super) fn admit(&mut self, value: A::Value, domain: &Domain) {
        let admitted = self.within(value, (domain.lo(), domain.hi()));
        self.require(admitted);
    }

    pub(super) fn get(&mut self, spot: &Spot<A::Value>) -> A::Value {
        let (raw, field) = match *spot {
            Spot::Fixed(field) => {
                let word = self.asm.load(field.word);
                (self.op_with(Op::ShiftRight, word, i64::from(field.shift)), field)
            }
            Spot::Chosen(word, shift, field) => {
                let word = self.asm.load_at(word);
                (self.asm.op(Op::ShiftRight, word, shift), field)
            }
        };
        let raw = self.op_with(Op::And, raw, field.mask as i64);
        self.op_with(Op::Add, raw, field.base)
    }

    pub(super) fn field(&mut self, field: Field) -> A::Value {
        self.get(&Spot::Fixed(field))
    }

    /// Writes a number that the field can hold.
    pub(super) fn set(&mut self, spot: &Spot<A::Value>, value: A::Value) {
        match *spot {
            Spot::Fixed(field) => {
                let raw = self.op_with(Op::Add, value, field.base.wrapping_neg());
                let raw = self.op_with(Op::ShiftLeft, raw, i64::from(field.shift));
                let word = self.asm.load(field.word);
                let word = self.op_with(Op::And, word, !(field.mask << field.shift) as i64);
                let word = self.asm.op(Op::Or, word, raw);
                self.asm.store(field.word, word);
            }
            Spot::Chosen(at, shift, field) => {
                let raw = self.op_with(Op::Add, value, field.base.wrapping_neg());
                let raw = self.asm.op(Op::ShiftLeft, raw, shift);
                let mask = self.constant(field.mask as i64);
                let mask = self.asm.op(Op::ShiftLeft, mask, shift);
                let keep = self.op_with(Op::Xor, mask, -1);
                let word = self.asm.load_at(at);
                let word = self.asm.op(Op::And, word, keep);
                let word = self.asm.op(Op::Or, word, raw);
                self.asm.store_at(at, word);
            }
        }
    }

    /// One of some fields that differ only in their places; an index of none of them is a fault.
    pub(super) fn choose(&mut self, fields: &[Field], index: A::Value) -> Spot<A::Value> {
        let fields: Vec<Field> = fields.to_vec();
        let inside = self.within(index, (0, fields.len() as i64 - 1));
        self.require(inside);
        let words: Vec<i64> = fields.iter().map(|f| i64::from(f.word)).collect();
        let shifts: Vec<i64> = fields.iter().map(|f| i64::from(f.shift)).collect();
        let word = match words.iter().all(|w| *w == words[0]) {
            true => self.constant(words[0]),
            false => self.asm.table(&words, index),
        };
        let step = shifts.get(1).map_or(0, |second| second - shifts[0]);
        let even = shifts.iter().zip(0..).all(|(shift, i)| *shift == shifts[0] + step * i);
        let shift = if even {
            let step = self.constant(step);
            let shift = self.asm.op(Op::Mul, index, step);
            self.op_with(Op::Add, shift, shifts[0])
        } else {
            self.asm.table(&shifts, index)
        };
        Spot::Chosen(word, shift, fields[0])
    }

    fn cell(&mut self, cell: &Cell) -> Result<Spot<A::Value>, NotAssembled> {
        let index = self.code(&cell.index)?;
        let first = cell.first.index();
        Ok(self.choose(&self.layout.scalars[first..first + cell.len as usize], index))
    }

    /// The scalar of a place.
    pub(super) fn place(&mut self, place: &Place) -> Result<Spot<A::Value>, NotAssembled> {
        match place {
            Place::Fixed(object) => Ok(Spot::Fixed(self.layout.scalars[object.index()])),
            Place::Cell(cell) => self.cell(cell),
        }
    }

    /// A slot of a lane whose number is known now.
    pub(super) fn slot(&mut self, lane: Lane, index: u32) -> A::Value {
        match lane.field(index) {
            None => self.constant(lane.lowest()),
            Some(field) => self.field(field),
        }
    }

    /// The value of an expression.
    pub(super) fn code(&mut self, code: &Code) -> Result<A::Value, NotAssembled> {
        Ok(match code {
            Code::Const(c) => self.constant(*c),
            Code::Field(f) => self.field(*f),
            Code::Cell(cell) => {
                let spot = self.cell(cell)?;
                self.get(&spot)
            }
            Code::Unary(op, a) => {
                let a = self.code(a)?;
                self.unary(*op, a)
            }
            Code::Binary(op, ab) => self.binary(*op, &ab.0, &ab.1)?,
            Code::If(parts) => self.choice(&parts.0, &parts.1, &parts.2)?,
            Code::Offers(offer) => self.offer(offer)?,
        })
    }

    fn unary(&mut self, op: Unary, a: A::Value) -> A::Value {
        match op {
            Unary::Not => self.op_with(Op::Eq, a, 0),
            Unary::BitNot => self.op_with(Op::Xor, a, -1),
            Unary::Neg => {
                let zero = self.constant(0);
                self.exact(Op::Sub, zero, a)
            }
            Unary::Wrap(wrap) if wrap.signed => {
                let unused = 64 - i64::from(wrap.bits);
                let high = self.op_with(Op::ShiftLeft, a, unused);
                self.op_with(Op::ShiftRightSigned, high, unused)
            }
            Unary::Wrap(wrap) => self.op_with(Op::And, a, wrap.range().1),
        }
    }

    /// An operation whose overflow is a fault.
    fn exact(&mut self, op: Op, a: A::Value, b: A::Value) -> A::Value {
        if self.proven {
            return self.asm.op(op, a, b);
        }
        let (value, wrong) = self.asm.overflowing(op, a, b);
        self.refuse(wrong);
        value
    }

    fn binary(&mut self, op: Binary, left: &Code, right: &Code) -> Result<A::Value, NotAssembled> {
        if matches!(op, Binary::And | Binary::Or | Binary::Implies) {
            return self.logic(op, left, right);
        }
        let a = self.code(left)?;
        let b = self.code(right)?;
        Ok(match op {
            Binary::Add => self.exact(Op::Add, a, b),
            Binary::Sub => self.exact(Op::Sub, a, b),
            Binary::Mul => self.exact(Op::Mul, a, b),
            Binary::Div | Binary::Rem => self.division(op, a, (b, right)),
            Binary::ShiftLeft | Binary::ShiftRight => {
                let admitted = self.within(b, (0, 63));
                self.require(admitted);
                self.asm.op(if op == Binary::ShiftLeft { Op::ShiftLeft } else { Op::ShiftRightSigned }, a, b)
            }
            Binary::Gt => self.asm.op(Op::Lt, b, a),
            Binary::Ge => self.asm.op(Op::Le, b, a),
            Binary::Eq => self.asm.op(Op::Eq, a, b),
            Binary::Ne => self.asm.op(Op::Ne, a, b),
            Binary::Lt => self.asm.op(Op::Lt, a, b),
            Binary::Le => self.asm.op(Op::Le, a, b),
            Binary::Min => self.asm.op(Op::Min, a, b),
            Binary::Max => self.asm.op(Op::Max, a, b),
            Binary::BitAnd => self.asm.op(Op::And, a, b),
            Binary::BitOr => self.asm.op(Op::Or, a, b),
            Binary::BitXor => self.asm.op(Op::Xor, a, b),
            Binary::And | Binary::Or | Binary::Implies => unreachable!("logic is done elsewhere"),
        })
    }

    /// Processors divide neither by 0 nor the least number by -1. By -1 is left to the interpreter altogether.
    fn division(&mut self, op: Binary, a: A::Value, (b, code): (A::Value, &Code)) -> A::Value {
        let plain = matches!(code, Code::Const(c) if *c != 0 && *c != -1);
        if !plain {
            let above = self.op_with(Op::Add, b, 1);
            let two = self.constant(2);
            let wrong = self.asm.op(Op::Below, above, two);
            self.refuse(wrong);
        }
        self.asm.op(if op == Binary::Div { Op::Div } else { Op::Rem }, a, b)
    }

    /// 0 or 1.
    pub(super) fn truth(&mut self, code: &Code) -> Result<A::Value, NotAssembled> {
        let value = self.code(code)?;
        Ok(if is_truth(code) { value } else { self.op_with(Op::Ne, value, 0) })
    }

    fn logic(&mut self, op: Binary, left: &Code, right: &Code) -> Result<A::Value, NotAssembled> {
        let a = self.truth(left)?;
        if is_plain(right) {
            let b = self.truth(right)?;
            return Ok(match op {
                Binary::And => self.asm.op(Op::And, a, b),
                Binary::Or => self.asm.op(Op::Or, a, b),
                _ => self.asm.op(Op::Le, a, b),
            });
        }
        let (on, known, end) = (self.asm.block(0), self.asm.block(0), self.asm.block(1));
        match op {
            Binary::Or => self.asm.branch(a, known, on),
            _ => self.asm.branch(a, on, known),
        }
        self.asm.begin(known);
        let decided = self.constant(i64::from(op != Binary::And));
        self.asm.jump(end, &[decided]);
        self.asm.begin(on);
        let b = self.truth(right)?;
        self.asm.jump(end, &[b]);
        Ok(self.asm.begin(end)[0])
    }

    fn choice(&mut self, condition: &Code, a: &Code, b: &Code) -> Result<A::Value, NotAssembled> {
        let condition = self.code(condition)?;
        if is_plain(a) && is_plain(b) {
            let (a, b) = (self.code(a)?, self.code(b)?);
            return Ok(self.asm.select(condition, a, b));
        }
        let (yes, no, end) = (self.asm.block(0), self.asm.block(0), self.asm.block(1));
        self.asm.branch(condition, yes, no);
        for (block, code) in [(yes, a), (no, b)] {
            self.asm.begin(block);
            let value = self.code(code)?;
            self.asm.jump(end, &[value]);
        }
        Ok(self.asm.begin(end)[0])
    }

    /// Whether there is such a message.
    pub(super) fn offer(&mut self, offer: &Offer) -> Result<A::Value, NotAssembled> {
        let Place::Fixed(object) = offer.channel else { return Err(NotAssembled) };
        let looked_at = if offer.anywhere { self.layout.channel(object).capacity } else { 1 };
        if looked_at as usize * offer.matches.len() > LOOKED_AT {
            return Err(NotAssembled);
        }
        let end = self.asm.block(1);
        for i in 0..looked_at {
            self.look_at(offer, (object, i), end)?;
        }
        let none = self.constant(0);
        self.asm.jump(end, &[none]);
        Ok(self.asm.begin(end)[0])
    }

    /// Ends the search at one message, if it fits or is not there.
    fn look_at(&mut self, offer: &Offer, (channel, i): (ObjectId, u32), end: A::Block) -> Result<(), NotAssembled> {
        let (there, other, past) = (self.asm.block(0), self.asm.block(0), self.asm.block(0));
        let length = self.field(self.layout.scalars[channel.index()]);
        let i_value = self.constant(i64::from(i));
        let exists = self.asm.op(Op::Lt, i_value, length);
        self.asm.branch(exists, there, past);
        self.asm.begin(past);
        let none = self.constant(0);
        self.asm.jump(end, &[none]);
        self.asm.begin(there);
        for (lane, code) in &offer.matches {
            let found = self.slot(self.layout.channel(channel).lanes[*lane], i);
            let wanted = self.code(code)?;
            let same = self.asm.op(Op::Eq, found, wanted);
            let on = self.asm.block(0);
            self.asm.branch(same, on, other);
            self.asm.begin(on);
        }
        let yes = self.constant(1);
        self.asm.jump(end, &[yes]);
        self.asm.begin(other);
        Ok(())
    }
}

/// Whether evaluating is cheap and never a fault, so that it may be done needlessly.
fn is_plain(code: &Code) -> bool {
    match code {
        Code::Const(_) | Code::Field(_) => true,
        Code::Unary(op, a) => !matches!(op, Unary::Neg) && is_plain(a),
        Code::Binary(op, ab) => is_comparison(*op) && is_plain(&ab.0) && is_plain(&ab.1),
        Code::Cell(_) | Code::If(_) | Code::Offers(_) => false,
    }
}

/// Whether the value is 0 or 1.
fn is_truth(code: &Code) -> bool {
    match code {
        Code::Const(c) => (0..=1).contains(c),
        Code::Field(f) => f.mask == 1 && f.base == 0,
        Code::Unary(op, _) => *op == Unary::Not,
        Code::Binary(op, _) => is_comparison(*op),
        Code::Offers(_) => true,
        Code::Cell(_) | Code::If(_) => false,
    }
}

fn is_comparison(op: Binary) -> bool {
    matches!(
        op,
        Binary::Eq
            | Binary::Ne
            | Binary::Lt
            | Binary::Le
            | Binary::Gt
            | Binary::Ge
            | Binary::And
            | Binary::Or
            | Binary::Implies
    )
}
