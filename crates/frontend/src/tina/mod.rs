//! TINA's textual nets (`.net`): lines that describe transitions, places, notes and labels.
//!
//! Nodes exist as soon as they are mentioned, and what several lines say about one node adds up. Labels and notes are
//! passed over. Test arcs take tokens and give them back. Whatever makes behaviour depend on time, on priorities or on
//! the absence of tokens is refused.

mod line;
mod node;

use model::Span;
use model::views::{NetTransitionId, Place, PlaceId};

use crate::Diagnostic;
use crate::loaded_net::{Draft, LoadedNet, utf8};
use line::{Cursor, Word};

/// Reads a net; `name` is what it will be called.
pub fn read(name: &str, bytes: &[u8]) -> Result<LoadedNet, Vec<Diagnostic>> {
    let parse = || {
        let mut reader = Tina { cursor: Cursor::new(utf8(bytes)?), draft: Draft::new(name), marked: Vec::new() };
        reader.file()?;
        Ok(reader.draft)
    };
    parse().map_err(|d| vec![d])?.finish()
}

struct Tina<'a> {
    cursor: Cursor<'a>,
    draft: Draft,
    /// By place: whether its marking was given.
    marked: Vec<bool>,
}

impl<'a> Tina<'a> {
    fn file(&mut self) -> Result<(), Diagnostic> {
        while let Some(start) = self.cursor.line() {
            let Some(keyword) = self.cursor.word()? else { return Err(self.cursor.unexpected("a keyword")) };
            match &*keyword.text {
                "net" | "nt" | "lb" => self.cursor.skip_line()?,
                "tr" => self.transition_line()?,
                "pl" => self.place_line()?,
                "pr" => return Err(refused(keyword.span, "priorities between transitions")),
                _ => return Err(unknown_line(start, &keyword)),
            }
        }
        Ok(())
    }

    /// The place with a name; it is made if there is none.
    fn place(&mut self, name: &str) -> PlaceId {
        if let Some(p) = self.draft.ids.places.single(name) {
            return p;
        }
        self.marked.push(false);
        self.draft.place(name, Place::new(name, 0)).expect("the name was free")
    }

    /// The transition with a name; it is made if there is none. It may be called like a place.
    fn transition(&mut self, name: &str) -> NetTransitionId {
        if let Some(t) = self.draft.ids.transitions.single(name) {
            return t;
        }
        self.draft.transition(name, name).expect("the name was free")
    }
}

fn unknown_line(start: usize, keyword: &Word<'_>) -> Diagnostic {
    let shown: String = keyword.text.chars().take(40).collect();
    Diagnostic::error(
        Span::new(start, keyword.span.end as usize),
        format!("lines that start with `{shown}` are unknown"),
    )
    .label("expected `tr`, `pl`, `net`, `nt` or `lb`")
}

/// What changes the behaviour in a way that plain nets cannot express.
fn refused(span: Span, what: &str) -> Diagnostic {
    Diagnostic::error(span, format!("{what} cannot be expressed by a place/transition net"))
        .help("remove it if the answer does not depend on it")
}
