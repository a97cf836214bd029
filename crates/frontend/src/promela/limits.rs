//! The sizes beyond which a text is refused: far above any real model, far below what would exhaust a machine.

/// The deepest nesting of statements, parentheses and operators with one operand.
pub(super) const NESTING: u32 = 150;
/// The deepest tree of an expression: chains of operators nest the tree, but not the parser.
pub(super) const DEPTH: u32 = 1_000;
/// Tokens of a model, after all macros and `inline`s.
pub(super) const TOKENS: usize = 2_000_000;
/// Tokens that the macros of a model may move around.
pub(super) const WORK: usize = 2_000_000;
/// Macros within the text of macros.
pub(super) const MACROS: u32 = 200;
/// Macros within the arguments of macros.
pub(super) const ARGUMENTS: u32 = 50;
/// Files that include each other.
pub(super) const INCLUDES: usize = 32;
/// Files in all.
pub(super) const FILES: usize = 1_000;
/// Messages to the author in one run.
pub(super) const DIAGNOSTICS: usize = 50;
