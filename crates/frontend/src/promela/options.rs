//! What the reader of a model chooses.

/// What the reader of a model chooses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Macros that are there before the text begins: names and what they stand for, as `-D` gives them to a compiler.
    pub defines: Vec<(String, String)>,
}
