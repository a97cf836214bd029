//! The Hanoi Omega-Automata format, version 1: what Spot, Owl and others write. Read are automata whose acceptance
//! needs no `Fin`, with marks on states or edges, explicit or implicit labels, and aliases; any other acceptance and
//! alternation are refused by name.

mod acceptance;
mod header;
mod label;
mod lex;
mod read;
mod write;

use std::fmt;
use std::ops::Range;

use crate::automaton::Automaton;

pub use read::{read, read_placed};
pub use write::write;

/// An automaton with the names that its file gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The name of the automaton, often a formula.
    pub name: Option<String>,
    /// `atoms[i]` is the name of atom `i`.
    pub atoms: Vec<String>,
    /// The automaton.
    pub automaton: Automaton,
}

/// An automaton, and where its text names its atoms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The automaton.
    pub named: Named,
    /// `atoms[i]` is where the name of atom `i` stands, with its quotes.
    pub atoms: Vec<Range<usize>>,
}

/// Why a text gives no automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HoaError {
    /// The line, from 1.
    pub line: usize,
    /// The part of the text in question.
    pub place: Range<usize>,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for HoaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for HoaError {}
