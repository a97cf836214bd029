//! The elementary operations as `cranelift`'s.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, Block, BlockArg, InstBuilder, MemFlagsData, Value, types};
use cranelift_frontend::FunctionBuilder;
use model::native::{Assembler, Op};

/// Writes one function, which takes the address of a state and gives a number.
pub(crate) struct Translator<'a> {
    builder: FunctionBuilder<'a>,
    state: Value,
    /// The tables that the code looks into, which must live as long as it.
    tables: &'a mut Vec<Box<[i64]>>,
}

impl<'a> Translator<'a> {
    pub(crate) fn new(mut builder: FunctionBuilder<'a>, tables: &'a mut Vec<Box<[i64]>>) -> Self {
        let entry = builder.create_block();
        builder.append_block_params_for_function_params(entry);
        builder.switch_to_block(entry);
        builder.seal_block(entry);
        let state = builder.block_params(entry)[0];
        Self { builder, state, tables }
    }

    pub(crate) fn finish(self, config: cranelift_codegen::isa::TargetFrontendConfig) {
        self.builder.finalize(config);
    }

    /// The address of a word of the state.
    fn address(&mut self, word: Value) -> Value {
        let offset = self.builder.ins().ishl_imm_u(word, 3);
        self.builder.ins().iadd(self.state, offset)
    }

    fn compare(&mut self, condition: IntCC, a: Value, b: Value) -> Value {
        let truth = self.builder.ins().icmp(condition, a, b);
        self.builder.ins().uextend(types::I64, truth)
    }
}

/// Where a word stands, in bytes. A state of more than 2^28 words cannot be packed.
fn offset(word: u32) -> i32 {
    i32::try_from(8 * u64::from(word)).expect("the words of a state have 32-bit offsets")
}

/// Addresses are aligned and valid: see `machine`.
fn trusted() -> MemFlagsData {
    MemFlagsData::trusted()
}

impl Assembler for Translator<'_> {
    type Value = Value;
    type Block = Block;

    fn constant(&mut self, value: i64) -> Value {
        self.builder.ins().iconst(types::I64, value)
    }

    fn load(&mut self, word: u32) -> Value {
        self.builder.ins().load(types::I64, trusted(), self.state, offset(word))
    }

    fn store(&mut self, word: u32, value: Value) {
        self.builder.ins().store(trusted(), value, self.state, offset(word));
    }

    fn load_at(&mut self, word: Value) -> Value {
        let address = self.address(word);
        self.builder.ins().load(types::I64, trusted(), address, 0)
    }

    fn store_at(&mut self, word: Value, value: Value) {
        let address = self.address(word);
        self.builder.ins().store(trusted(), value, address, 0);
    }

    fn table(&mut self, entries: &[i64], index: Value) -> Value {
        let entries: Box<[i64]> = entries.into();
        let first = self.builder.ins().iconst(types::I64, entries.as_ptr() as i64);
        self.tables.push(entries);
        let offset = self.builder.ins().ishl_imm_u(index, 3);
        let address = self.builder.ins().iadd(first, offset);
        self.builder.ins().load(types::I64, trusted(), address, 0)
    }

    fn op(&mut self, op: Op, a: Value, b: Value) -> Value {
        match op {
            Op::Add => self.builder.ins().iadd(a, b),
            Op::Sub => self.builder.ins().isub(a, b),
            Op::Mul => self.builder.ins().imul(a, b),
            Op::Div => self.builder.ins().sdiv(a, b),
            Op::Rem => self.builder.ins().srem(a, b),
            Op::And => self.builder.ins().band(a, b),
            Op::Or => self.builder.ins().bor(a, b),
            Op::Xor => self.builder.ins().bxor(a, b),
            Op::ShiftLeft => self.builder.ins().ishl(a, b),
            Op::ShiftRight => self.builder.ins().ushr(a, b),
            Op::ShiftRightSigned => self.builder.ins().sshr(a, b),
            Op::Min => self.builder.ins().smin(a, b),
            Op::Max => self.builder.ins().smax(a, b),
            Op::Eq => self.compare(IntCC::Equal, a, b),
            Op::Ne => self.compare(IntCC::NotEqual, a, b),
            Op::Lt => self.compare(IntCC::SignedLessThan, a, b),
            Op::Le => self.compare(IntCC::SignedLessThanOrEqual, a, b),
            Op::Below => self.compare(IntCC::UnsignedLessThan, a, b),
        }
    }

    fn overflowing(&mut self, op: Op, a: Value, b: Value) -> (Value, Value) {
        let (value, wrong) = match op {
            Op::Add => self.builder.ins().sadd_overflow(a, b),
            Op::Sub => self.builder.ins().ssub_overflow(a, b),
            Op::Mul => self.builder.ins().smul_overflow(a, b),
            _ => unreachable!("only sums, differences and products are asked for"),
        };
        (value, self.builder.ins().uextend(types::I64, wrong))
    }

    fn select(&mut self, condition: Value, a: Value, b: Value) -> Value {
        self.builder.ins().select(condition, a, b)
    }

    fn block(&mut self, numbers: usize) -> Block {
        let block = self.builder.create_block();
        for _ in 0..numbers {
            self.builder.append_block_param(block, types::I64);
        }
        block
    }

    fn jump(&mut self, to: Block, numbers: &[Value]) {
        let numbers: Vec<BlockArg> = numbers.iter().map(|&v| BlockArg::Value(v)).collect();
        self.builder.ins().jump(to, &numbers);
    }

    fn branch(&mut self, condition: Value, yes: Block, no: Block) {
        self.builder.ins().brif(condition, yes, &[], no, &[]);
    }

    fn begin(&mut self, block: Block) -> Vec<Value> {
        self.builder.switch_to_block(block);
        self.builder.seal_block(block);
        self.builder.block_params(block).to_vec()
    }

    fn result(&mut self, value: Value) {
        let results: [ir::Value; 1] = [value];
        self.builder.ins().return_(&results);
    }
}
