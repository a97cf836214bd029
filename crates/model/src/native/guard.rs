//! Guards: which of some candidates are enabled.

use super::emitter::Emitter;
use super::{Assembler, FAULT, NotAssembled, Op};
use crate::Binary;
use crate::code::{Code, Place};
use crate::compile::Test;

impl<A: Assembler> Emitter<'_, A> {
    /// The set of candidates whose tests hold, as bits; or the bit that says that a test is a fault.
    pub(super) fn scan<'t>(mut self, candidates: impl Iterator<Item = &'t [Test]>) -> Result<(), NotAssembled> {
        let mut found = self.constant(0);
        for (i, tests) in candidates.enumerate() {
            let next = self.asm.block(1);
            let no = self.asm.block(0);
            for test in tests {
                self.test(test, no)?;
            }
            let bit = self.constant(1 << i);
            let more = self.asm.op(Op::Or, found, bit);
            self.asm.jump(next, &[more]);
            self.asm.begin(no);
            self.asm.jump(next, &[found]);
            found = self.asm.begin(next)[0];
        }
        self.asm.result(found);
        self.asm.begin(self.fault);
        let fault = self.constant(FAULT as i64);
        self.asm.result(fault);
        Ok(())
    }

    /// Goes on only if the number is not 0.
    fn check(&mut self, condition: A::Value, no: A::Block) {
        let on = self.asm.block(0);
        self.asm.branch(condition, on, no);
        self.asm.begin(on);
    }

    fn test(&mut self, test: &Test, no: A::Block) -> Result<(), NotAssembled> {
        let condition = match test {
            Test::Bits { word, mask, bits } | Test::NotBits { word, mask, bits } => {
                let op = if matches!(test, Test::Bits { .. }) { Op::Eq } else { Op::Ne };
                let word = self.asm.load(*word);
                let word = self.op_with(Op::And, word, *mask as i64);
                self.op_with(op, word, *bits as i64)
            }
            Test::AtMost(field, k) => {
                let value = self.field(*field);
                self.op_with(Op::Le, value, *k)
            }
            Test::AtLeast(field, k) => {
                let value = self.field(*field);
                let k = self.constant(*k);
                self.asm.op(Op::Le, k, value)
            }
            Test::Code(code) => return self.condition(code, no),
            Test::Pure(code) => {
                self.proven = true;
                self.condition(code, no)?;
                self.proven = false;
                return Ok(());
            }
            Test::CellIsZero(place) => {
                let value = self.scalar(place)?;
                self.op_with(Op::Eq, value, 0)
            }
            Test::CellAtLeast(place, k) => {
                let value = self.scalar(place)?;
                let k = self.constant(*k);
                self.asm.op(Op::Le, k, value)
            }
            Test::NotFull(place) => {
                let capacity = self.layout.channel(place.any()).capacity;
                let value = self.scalar(place)?;
                let capacity = self.constant(i64::from(capacity));
                self.asm.op(Op::Lt, value, capacity)
            }
            Test::Receivable(offer) => self.offer(offer)?,
        };
        self.check(condition, no);
        Ok(())
    }

    /// The parts of a conjunction one by one.
    fn condition(&mut self, code: &Code, no: A::Block) -> Result<(), NotAssembled> {
        if let Code::Binary(Binary::And, parts) = code {
            self.condition(&parts.0, no)?;
            return self.condition(&parts.1, no);
        }
        let value = self.code(code)?;
        self.check(value, no);
        Ok(())
    }

    fn scalar(&mut self, place: &Place) -> Result<A::Value, NotAssembled> {
        let spot = self.place(place)?;
        Ok(self.get(&spot))
    }
}
