//! CADP's networks of automata (`.exp`, version 2): components composed in parallel, by gates or by vectors, with
//! labels hidden, cut and renamed. The static structure becomes the rules of a network.

mod ast;
mod flatten;
mod parallel;
mod parse;
mod pattern;
mod relabel;
mod rules;
mod token;
mod vectors;

pub(super) use flatten::load;

use crate::Diagnostic;
use crate::notes::Notes;
use ast::Behaviour;

/// A text as a behaviour, and what its comments expect.
fn read(text: &str, warnings: &mut Vec<Diagnostic>) -> Result<(Behaviour, Notes), Diagnostic> {
    let (tokens, comments) = token::tokens(text)?;
    let mut notes = Notes::default();
    comments.iter().try_for_each(|c| notes.read(c.text, c.span))?;
    Ok((parse::parse(&tokens, warnings)?, notes))
}
