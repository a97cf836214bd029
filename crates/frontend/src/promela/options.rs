//! What the reader of a model chooses.

use model::Strength;

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
    /// Cycles without progress are asked for even where nothing is labelled as progress (SPIN's `-l`).
    pub non_progress: bool,
    /// Only runs that are fair to every process count (SPIN's `-f` is weak).
    pub fairness: Option<Strength>,
    /// Statements inside `atomic` and `d_step` that cannot block become one transition with the one before them.
    pub merge: bool,
}

impl Options {
    /// The properties of programs that are not asked for, though comments may expect something of them.
    pub(crate) fn left_out(&self) -> Vec<&'static str> {
        let choices = [(self.ignore_end_states, "deadlock-free"), (self.ignore_assertions, "no-errors")];
        choices.into_iter().filter(|(chosen, _)| *chosen).map(|(_, name)| name).collect()
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            defines: Vec::new(),
            set: Vec::new(),
            ignore_assertions: false,
            empty_channels: false,
            ignore_end_states: false,
            non_progress: false,
            fairness: None,
            merge: true,
        }
    }
}
