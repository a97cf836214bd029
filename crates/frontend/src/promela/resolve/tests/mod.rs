//! The graphs have SPIN's control states and transitions, in SPIN's order; mistakes are reported.

mod automaton;
mod corpus;
mod meaning;
mod messages;
mod mutants;
mod ours;
mod programs;
mod random;
mod spin;

use super::super::ast::Program;
use super::super::{Options, parse};

/// The tree of a text without includes.
fn tree(text: &str) -> Program {
    let none = |name: &str| Err(format!("{name} is not there"));
    match parse(text, &none, &Options::default()) {
        Ok(parsed) => parsed.program,
        Err(reports) => panic!("{reports:#?}\n{text}"),
    }
}
