//! The sizes beyond which a script is refused: far above any real one, far below what would exhaust a machine.

/// The deepest nesting of brackets, declarations and operators with one operand.
pub(super) const NESTING: u32 = 200;
/// The longest way down through prefixes, guards and `else if`: they nest the tree, but not the parser.
pub(super) const STEPS: u32 = 2_000;
/// The most operators of falling precedence, calls of calls and renamings that one operand can collect.
pub(super) const WRAPS: u32 = 20;
/// Tokens of a script and its included files.
pub(super) const TOKENS: usize = 4_000_000;
/// Files that include each other.
pub(super) const INCLUDES: usize = 16;
/// Files in all.
pub(super) const FILES: usize = 1_000;
/// Messages to the author in one run.
pub(super) const DIAGNOSTICS: usize = 50;
