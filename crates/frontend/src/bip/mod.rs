//! BIP 2, the language of behaviour, interaction and priority (`docs/bip.md`).

mod abstraction;
pub mod ast;
mod check;
mod elaborate;
mod expect;
mod limits;
mod names;
mod options;
mod parse;
mod token;

use crate::sources::Reader;
use crate::{Diagnostic, Loaded};
use abstraction::Abstraction;
pub use names::ComponentType;
pub use options::{External, Options};
pub use parse::parse;

/// Reads a model; `name` is what the system will be called, and `reader` gives the texts of packages that it uses.
///
/// What is abstracted comes as warnings; what properties are expected to be, from comments.
pub fn read(name: &str, text: &str, reader: Reader<'_>, options: &Options) -> Result<Loaded, Vec<Diagnostic>> {
    let mut loaded = elaborate::elaborate(name, &parse(text, reader)?, options)?;
    expect::expectations(text, &mut loaded).map_err(|mistake| vec![mistake])?;
    Ok(loaded)
}
