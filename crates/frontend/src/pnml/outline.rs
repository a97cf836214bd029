//! The places and transitions of a document.

use super::document;
use crate::loaded_net::utf8;
use crate::outline::{Outline, Symbol, SymbolKind};

/// The ids of places and transitions, if the document can be read.
pub fn outline(bytes: &[u8]) -> Vec<Symbol> {
    let mut out = Outline::default();
    if let Ok(document) = utf8(bytes).and_then(document::read) {
        document.places.iter().for_each(|(id, _)| out.add(SymbolKind::Place, &id.text, id.span));
        document.transitions.iter().for_each(|(id, _)| out.add(SymbolKind::Transition, &id.text, id.span));
    }
    out.symbols
}
