//! BIP 2, the language of behaviour, interaction and priority (`docs/bip.md`).

pub mod ast;
mod check;
mod limits;
mod names;
mod options;
mod parse;
mod token;

pub use names::ComponentType;
pub use options::{External, Options};
pub use parse::parse;
