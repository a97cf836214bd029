//! Commands: what firing does to a state.

use super::emitter::{Emitter, Spot};
use super::{Assembler, NotAssembled, Op};
use crate::code::Place;
use crate::compile::{Bind, Message, Step};
use crate::layout::Lane;

impl<A: Assembler> Emitter<'_, A> {
    /// All steps in order.
    pub(super) fn command(mut self, steps: &[Step]) -> Result<(), NotAssembled> {
        for step in steps {
            self.step(step)?;
        }
        let done = self.constant(1);
        self.asm.result(done);
        self.asm.begin(self.fault);
        let fault = self.constant(0);
        self.asm.result(fault);
        Ok(())
    }

    fn step(&mut self, step: &Step) -> Result<(), NotAssembled> {
        match step {
            Step::Set { word, keep, bits } => {
                let old = self.asm.load(*word);
                let kept = self.op_with(Op::And, old, *keep as i64);
                let new = self.op_with(Op::Or, kept, *bits as i64);
                self.asm.store(*word, new);
            }
            Step::Store(field, code) => {
                self.proven = true;
                let value = self.code(code)?;
                self.proven = false;
                self.set(&Spot::Fixed(*field), value);
            }
            Step::Check(parts) => {
                let (place, domain, code) = &**parts;
                let spot = self.place(place)?;
                let value = self.code(code)?;
                self.admit(value, domain);
                self.set(&spot, value);
            }
            Step::Bump { field, delta, top, .. } => self.add(&Spot::Fixed(*field), *delta, *top),
            Step::SetCell(parts) => {
                let spot = self.place(&parts.0)?;
                let value = self.constant(parts.1);
                self.set(&spot, value);
            }
            Step::Release(parts) => {
                let spot = self.place(&parts.0)?;
                let holder = self.get(&spot);
                let right = self.op_with(Op::Eq, holder, parts.1);
                self.require(right);
                let free = self.constant(0);
                self.set(&spot, free);
            }
            Step::AddCell(parts) => {
                let spot = self.place(&parts.0)?;
                self.add(&spot, parts.1, parts.2);
            }
            Step::Send(message) => self.send(message)?,
            Step::Receive(parts) => self.receive(&parts.0, &parts.1)?,
            Step::Assert(code) => {
                let holds = self.code(code)?;
                self.require(holds);
            }
            Step::Insert(_) | Step::Retrieve(_) | Step::Unforeseen(_) => return Err(NotAssembled),
        }
        Ok(())
    }

    fn add(&mut self, spot: &Spot<A::Value>, delta: i64, top: i64) {
        let old = self.get(spot);
        let new = self.op_with(Op::Add, old, delta);
        let admitted = self.op_with(Op::Le, new, top);
        self.require(admitted);
        self.set(spot, new);
    }

    fn send(&mut self, message: &Message) -> Result<(), NotAssembled> {
        let Place::Fixed(channel) = message.channel else { return Err(NotAssembled) };
        let (layout, length) = (self.layout, Spot::Fixed(self.layout.scalars[channel.index()]));
        let channel = layout.channel(channel);
        let n = self.get(&length);
        for ((code, domain), lane) in message.fields.iter().zip(&channel.lanes) {
            let value = self.code(code)?;
            self.admit(value, domain);
            let slots: Vec<_> = (0..channel.capacity).filter_map(|i| lane.field(i)).collect();
            if !slots.is_empty() {
                let slot = self.choose(&slots, n);
                self.set(&slot, value);
            }
        }
        let longer = self.op_with(Op::Add, n, 1);
        self.set(&length, longer);
        Ok(())
    }

    /// The message leaves the channel before its fields are written, in order.
    fn receive(&mut self, channel: &Place, binds: &[Bind]) -> Result<(), NotAssembled> {
        let Place::Fixed(channel) = *channel else { return Err(NotAssembled) };
        let (layout, length) = (self.layout, Spot::Fixed(self.layout.scalars[channel.index()]));
        let lanes = &layout.channel(channel).lanes;
        let values: Vec<A::Value> = binds.iter().map(|(lane, _, _)| self.slot(lanes[*lane], 0)).collect();
        lanes.iter().for_each(|lane| self.shift_out(*lane));
        let n = self.get(&length);
        let shorter = self.op_with(Op::Add, n, -1);
        self.set(&length, shorter);
        for (value, (_, place, domain)) in values.into_iter().zip(binds) {
            let spot = self.place(place)?;
            self.admit(value, domain);
            self.set(&spot, value);
        }
        Ok(())
    }

    /// As [`Lane::shift_out`] does it.
    fn shift_out(&mut self, lane: Lane) {
        let chunks = lane.chunks();
        for (i, chunk) in chunks.iter().enumerate() {
            let old = self.field(*chunk);
            let mut new = self.op_with(Op::ShiftRight, old, i64::from(lane.width()));
            if let Some(above) = chunks.get(i + 1) {
                let above = self.field(*above);
                let first = self.op_with(Op::And, above, (1 << lane.width()) - 1);
                let high = self.op_with(Op::ShiftLeft, first, i64::from(lane.last()));
                new = self.asm.op(Op::Or, new, high);
            }
            self.set(&Spot::Fixed(*chunk), new);
        }
    }
}
