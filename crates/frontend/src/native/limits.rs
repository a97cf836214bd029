//! The sizes beyond which a text is refused: far above any real model, far below what would exhaust a machine.

/// The deepest nesting of parentheses, operators with one operand, indices, quantifiers and blocks.
pub(super) const NESTING: u32 = 200;
/// The deepest expression after expansion: what is accepted can be printed and read again.
pub(super) const EXPRESSION_DEPTH: u32 = 180;
/// Chains of at most this many operands stay as written; longer ones are balanced, so that they stay shallow.
pub(super) const PLAIN_CHAIN: usize = 24;
/// Tokens of a text.
pub(super) const TOKENS: usize = 4_000_000;
/// Objects, each cell of an array counted.
pub(super) const OBJECTS: usize = 1_000_000;
/// Processes, each member of a family counted.
pub(super) const PROCESSES: usize = 100_000;
/// States, over all processes.
pub(super) const STATES: usize = 4_000_000;
/// Steps, each repetition counted.
pub(super) const STEPS: usize = 1_000_000;
/// Actions, each member of a family counted.
pub(super) const ACTIONS: usize = 1_000_000;
/// Messages that channels hold at the start.
pub(super) const MESSAGES: usize = 1_000_000;
/// Parts of joint steps: processes taking part, over all combinations.
pub(super) const JOINT_PARTS: u64 = 16_000_000;
/// Parts of expressions that are looked at while families, loops and quantifiers are expanded.
pub(super) const WORK: u64 = 20_000_000;
/// Messages to the author in one run.
pub(super) const DIAGNOSTICS: usize = 50;
