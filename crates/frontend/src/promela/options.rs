//! What the reader of a model chooses.

/// What the reader of a model chooses; the meaning of SPIN's options among them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Macros that are there before the text begins: names and what they stand for, as `-D` gives them to a compiler.
    pub defines: Vec<(String, String)>,
    /// Macros that have this value whatever the text defines them as.
    pub set: Vec<(String, String)>,
    /// Assertions are not checked (SPIN's `-A`).
    pub ignore_assertions: bool,
    /// A state where nothing can happen is in order only if all channels are empty besides (SPIN's `-q`).
    pub empty_channels: bool,
    /// States where nothing can happen are always in order (SPIN's `-E`).
    pub ignore_end_states: bool,
    /// Statements inside `atomic` and `d_step` that cannot block become one transition with the one before them.
    pub merge: bool,
}

impl Default for Options {
    fn default() -> Self {
        let (ignore_assertions, empty_channels, ignore_end_states) = (false, false, false);
        Self { defines: Vec::new(), set: Vec::new(), ignore_assertions, empty_channels, ignore_end_states, merge: true }
    }
}
