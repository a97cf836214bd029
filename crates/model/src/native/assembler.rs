//! The elementary operations that guards and commands are made of.

/// Operations on two 64-bit numbers that are never a fault. Comparisons give 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Op {
    /// Overflow is lost.
    Add,
    Sub,
    Mul,
    /// Only where the divisor is not 0, and not -1.
    Div,
    Rem,
    And,
    Or,
    Xor,
    /// By 0 to 63.
    ShiftLeft,
    /// With zeros, by 0 to 63.
    ShiftRight,
    /// With the sign, by 0 to 63.
    ShiftRightSigned,
    Eq,
    Ne,
    Lt,
    Le,
    /// Without sign.
    Below,
    Min,
    Max,
}

/// Makes code that works on one state. Code is written into one block after the other; each block is begun once, after
/// all jumps to it, and ends with a jump, a branch or a result.
pub trait Assembler {
    /// A number that the code has at hand.
    type Value: Copy;
    /// A place in the code.
    type Block: Copy;

    /// A constant.
    fn constant(&mut self, value: i64) -> Self::Value;

    /// A word of the state.
    fn load(&mut self, word: u32) -> Self::Value;

    /// Changes a word of the state.
    fn store(&mut self, word: u32, value: Self::Value);

    /// The word of the state that a number gives; the number is one of a [`Assembler::table`] of word numbers.
    fn load_at(&mut self, word: Self::Value) -> Self::Value;

    /// Changes the word of the state that a number gives.
    fn store_at(&mut self, word: Self::Value, value: Self::Value);

    /// An entry of a table of constants; the index was checked against its length.
    fn table(&mut self, entries: &[i64], index: Self::Value) -> Self::Value;

    /// An operation.
    fn op(&mut self, op: Op, a: Self::Value, b: Self::Value) -> Self::Value;

    /// `Add`, `Sub` or `Mul`, and 1 if the result is not right, else 0.
    fn overflowing(&mut self, op: Op, a: Self::Value, b: Self::Value) -> (Self::Value, Self::Value);

    /// The second or the third number, depending on whether the first is not 0.
    fn select(&mut self, condition: Self::Value, a: Self::Value, b: Self::Value) -> Self::Value;

    /// A new block that takes so many numbers.
    fn block(&mut self, numbers: usize) -> Self::Block;

    /// Goes on in a block.
    fn jump(&mut self, to: Self::Block, numbers: &[Self::Value]);

    /// Goes on in the first block if the number is not 0, else in the second; neither takes numbers.
    fn branch(&mut self, condition: Self::Value, yes: Self::Block, no: Self::Block);

    /// Writes into a block from now on; the numbers that it takes.
    fn begin(&mut self, block: Self::Block) -> Vec<Self::Value>;

    /// Ends the code with a result.
    fn result(&mut self, value: Self::Value);
}
