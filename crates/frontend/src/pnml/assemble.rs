//! Makes a net of a document: follows references, checks arcs, makes names distinct.

use std::collections::HashSet;

use model::Span;

use super::document::Document;
use super::nodes::RawArc;
use super::symbols::{Meaning, Symbols};
use crate::Diagnostic;
use crate::loaded_net::{Draft, LoadedNet};

/// So many mistakes are reported at once.
const MAX_MISTAKES: usize = 20;

/// The net of a document.
pub(super) fn assemble(name: &str, mut document: Document<'_>) -> Result<LoadedNet, Vec<Diagnostic>> {
    let mut draft = Draft::new(name);
    nodes(&mut draft, &mut document);
    let mut mistakes = dangling_references(&mut document);
    for arc in std::mem::take(&mut document.arcs) {
        if mistakes.len() >= MAX_MISTAKES {
            break;
        }
        mistakes.extend(connect(&mut draft, &mut document.symbols, &arc).err());
    }
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let mut loaded = draft.finish()?;
    if let Some(raw) = &document.nupn {
        match raw.check(&loaded.net, &document.symbols) {
            Ok(nupn) => loaded.nupn = Some(nupn),
            Err(reason) => loaded.warnings.push(ignored(raw.span, &reason)),
        }
    }
    Ok(loaded)
}

fn nodes(draft: &mut Draft, document: &mut Document<'_>) {
    let mut names = HashSet::new();
    for (id, mut place) in std::mem::take(&mut document.places) {
        // Only ids are distinct by law, but people know places by their names.
        while !names.insert(place.name.clone()) {
            place.name = format!("{} ({})", place.name, id.text);
        }
        draft.place(&id.text, place).expect("ids were found to be distinct");
    }
    for (id, name) in std::mem::take(&mut document.transitions) {
        draft.transition(&id.text, &name).expect("ids were found to be distinct");
    }
}

fn dangling_references(document: &mut Document<'_>) -> Vec<Diagnostic> {
    let mut mistakes = Vec::new();
    for &(symbol, span) in &document.references {
        if document.symbols.resolve(symbol).is_none() && mistakes.len() < MAX_MISTAKES {
            mistakes.push(Diagnostic::error(span, "a reference node leads to no node of its kind"));
        }
    }
    mistakes
}

fn connect(draft: &mut Draft, symbols: &mut Symbols<'_>, arc: &RawArc) -> Result<(), Diagnostic> {
    let dangling =
        |end| Diagnostic::error(arc.span, format!("the {end} of an arc is neither a place nor a transition"));
    let source = symbols.resolve(arc.source).ok_or_else(|| dangling("source"))?;
    let target = symbols.resolve(arc.target).ok_or_else(|| dangling("target"))?;
    match (source, target) {
        (Meaning::Place(p), Meaning::Transition(t)) => draft.builder.consume(t, p, arc.weight),
        (Meaning::Transition(t), Meaning::Place(p)) => draft.builder.produce(t, p, arc.weight),
        (Meaning::Place(_), _) => return Err(Diagnostic::error(arc.span, "an arc leads from a place to a place")),
        _ => return Err(Diagnostic::error(arc.span, "an arc leads from a transition to a transition")),
    }
    Ok(())
}

fn ignored(span: Span, reason: &str) -> Diagnostic {
    Diagnostic::warning(span, format!("the units are ignored: {reason}")).label("does not fit the net")
}
