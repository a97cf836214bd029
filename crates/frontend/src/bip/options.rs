//! What the reader of a model chooses.

/// What becomes of data and functions that are not defined in the language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum External {
    /// Their values are unknown: every one is possible.
    #[default]
    Abstract,
    /// They are mistakes.
    Refuse,
}

/// What the reader of a model chooses.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The compound type that is the system: without a name, the last one of the package without parameters.
    pub root: Option<String>,
    /// What becomes of data and functions that are not defined in the language.
    pub external: External,
}
