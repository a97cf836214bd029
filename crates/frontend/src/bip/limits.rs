//! The sizes beyond which a text is refused: far above any real model, far below what would exhaust a machine.

/// The deepest nesting of parentheses, operators with one operand and `if`.
pub(super) const NESTING: u32 = 100;
/// Tokens of a package.
pub(super) const TOKENS: usize = 4_000_000;
/// Packages of a model.
pub(super) const PACKAGES: usize = 1_000;
/// Messages to the author in one run.
pub(super) const DIAGNOSTICS: usize = 50;
