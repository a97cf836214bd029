//! From the text to a system.

use model::Span;

use super::elaborate::{NoSystem, Patience, Reading, Source};
use super::ir::Program;
use super::{Options, parse, resolve};
use crate::sources::Reader;
use crate::{Diagnostic, Loaded};

/// Reads a model; `name` is what the system will be called, and `reader` gives the texts of files that it includes.
///
/// A search of the system may meet [`model::Fault::Unforeseen`]: then more processes are created than was foreseen, and
/// [`reading`] gives the way to a system with them.
pub fn read(name: &str, text: &str, reader: Reader<'_>, options: &Options) -> Result<Loaded, Vec<Diagnostic>> {
    match reading(name, text, reader, options, Patience::default()) {
        Ok(reading) => Ok(reading.into_loaded()),
        Err(NoSystem::Mistakes(mistakes)) => Err(mistakes),
        Err(NoSystem::GivenUp { .. }) => unreachable!("who waits for ever never gives up"),
    }
}

/// Reads a model whose system may have to be widened, while somebody waits for it.
pub fn reading(
    name: &str,
    text: &str,
    reader: Reader<'_>,
    options: &Options,
    patience: Patience,
) -> Result<Reading, NoSystem> {
    let parsed = parse(text, reader, options)?;
    let placed = |all: Vec<Diagnostic>| all.into_iter().map(|d| parsed.sources.placed(d)).collect::<Vec<_>>();
    let (program, remarks) = resolve(&parsed.program).map_err(placed)?;
    lifeless(&program).map_or(Ok(()), |mistake| Err(placed(vec![mistake])))?;
    let (name, options) = (name.to_owned(), options.clone());
    Reading::new(Source { name, parsed, program, remarks, options, patience })
}

/// What is wrong with a program of which nothing runs from the start.
fn lifeless(program: &Program) -> Option<Diagnostic> {
    if program.proctypes.iter().any(|p| p.active > 0) {
        return None;
    }
    let what = "no process runs: nothing would ever happen";
    Some(match program.proctypes.first() {
        Some(p) => {
            let given = if p.parameters == 0 { "" } else { "..." };
            let help = format!("write `active proctype {0}`, or start it: `init {{ run {0}({given}) }}`", p.name);
            Diagnostic::error(p.span, what).label("only described, nowhere started").help(help)
        }
        None => {
            let help = "add `init { ... }`, or `active proctype P() { ... }`";
            Diagnostic::error(Span::new(0, 0), what).label("there is no `init` and no `proctype`").help(help)
        }
    })
}
