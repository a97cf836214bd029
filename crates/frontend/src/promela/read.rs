//! From the text to a system.

use super::elaborate::{Reading, Source};
use super::{Options, parse, resolve};
use crate::sources::Reader;
use crate::{Diagnostic, Loaded};

/// Reads a model; `name` is what the system will be called, and `reader` gives the texts of files that it includes.
///
/// A search of the system may meet [`model::Fault::Unforeseen`]: then more processes are created than was foreseen, and
/// [`reading`] gives the way to a system with them.
pub fn read(name: &str, text: &str, reader: Reader<'_>, options: &Options) -> Result<Loaded, Vec<Diagnostic>> {
    Ok(reading(name, text, reader, options)?.into_loaded())
}

/// Reads a model whose system may have to be widened.
pub fn reading(name: &str, text: &str, reader: Reader<'_>, options: &Options) -> Result<Reading, Vec<Diagnostic>> {
    let parsed = parse(text, reader, options)?;
    let placed = |all: Vec<Diagnostic>| all.into_iter().map(|d| parsed.sources.placed(d)).collect::<Vec<_>>();
    let (program, remarks) = resolve(&parsed.program).map_err(placed)?;
    let (name, options) = (name.to_owned(), options.clone());
    Reading::new(Source { name, parsed, program, remarks, options })
}
