//! Makes a net of a document: follows references, checks arcs, makes names distinct.

use std::collections::HashSet;

use model::Span;
use model::views::{NetTransitionId, Place, PlaceId};

use super::document::Document;
use super::nodes::RawArc;
use super::symbols::{Meaning, Symbols};
use crate::Diagnostic;
use crate::loaded_net::{Draft, LoadedNet, MAX_MISTAKES};
use crate::xml::Value;

/// The net of a document.
pub(super) fn assemble(name: &str, mut document: Document<'_>) -> Result<LoadedNet, Vec<Diagnostic>> {
    let mut draft = Draft::new(name);
    nodes(&mut draft, &mut document);
    let mut mistakes = dangling_references(&mut document);
    for arc in std::mem::take(&mut document.arcs) {
        if mistakes.len() >= MAX_MISTAKES {
            break;
        }
        match Link::find(&mut document.symbols, &arc) {
            Ok(link) if link.consumes => draft.builder.consume(link.transition, link.place, arc.weight),
            Ok(link) => draft.builder.produce(link.transition, link.place, arc.weight),
            Err(d) => mistakes.push(d),
        }
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
    distinct_names(&mut document.places);
    for (id, place) in std::mem::take(&mut document.places) {
        draft.place(&id.text, place).expect("ids were found to be distinct");
    }
    for (id, name) in std::mem::take(&mut document.transitions) {
        draft.transition(&id.text, &name).expect("ids were found to be distinct");
    }
}

/// Only ids are distinct by law, but people know places by their names. A name that several places have means none of
/// them: each is called by its name and its id.
pub(super) fn distinct_names(places: &mut [(Value<'_>, Place)]) {
    let (mut names, mut shared) = (HashSet::new(), HashSet::new());
    for (_, place) in &*places {
        if !names.insert(place.name.clone()) {
            shared.insert(place.name.clone());
        }
    }
    for (id, place) in places {
        if !shared.contains(&place.name) {
            continue;
        }
        while !names.insert(place.name.clone()) {
            place.name = format!("{} ({})", place.name, id.text);
        }
    }
}

pub(super) fn dangling_references(document: &mut Document<'_>) -> Vec<Diagnostic> {
    let mut mistakes = Vec::new();
    for &(symbol, span) in &document.references {
        if document.symbols.resolve(symbol).is_none() && mistakes.len() < MAX_MISTAKES {
            mistakes.push(Diagnostic::error(span, "a reference node leads to no node of its kind"));
        }
    }
    mistakes
}

/// What an arc connects.
pub(super) struct Link {
    pub(super) place: PlaceId,
    pub(super) transition: NetTransitionId,
    /// Whether it leads from the place to the transition.
    pub(super) consumes: bool,
    pub(super) span: Span,
}

impl Link {
    pub(super) fn find(symbols: &mut Symbols<'_>, arc: &RawArc) -> Result<Self, Diagnostic> {
        let span = arc.span;
        let dangling =
            |end| Diagnostic::error(span, format!("the {end} of an arc is neither a place nor a transition"));
        let source = symbols.resolve(arc.source).ok_or_else(|| dangling("source"))?;
        let target = symbols.resolve(arc.target).ok_or_else(|| dangling("target"))?;
        match (source, target) {
            (Meaning::Place(place), Meaning::Transition(transition)) => {
                Ok(Self { place, transition, consumes: true, span })
            }
            (Meaning::Transition(transition), Meaning::Place(place)) => {
                Ok(Self { place, transition, consumes: false, span })
            }
            (Meaning::Place(_), _) => Err(Diagnostic::error(span, "an arc leads from a place to a place")),
            _ => Err(Diagnostic::error(span, "an arc leads from a transition to a transition")),
        }
    }
}

pub(super) fn ignored(span: Span, reason: &str) -> Diagnostic {
    Diagnostic::warning(span, format!("the units are ignored: {reason}")).label("does not fit the net")
}
