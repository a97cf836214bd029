//! BIP 2, the language of behaviour, interaction and priority (`docs/bip.md`).

pub mod ast;
mod names;
mod options;

pub use names::ComponentType;
pub use options::{External, Options};
