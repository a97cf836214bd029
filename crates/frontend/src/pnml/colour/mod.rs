//! Symmetric (coloured) nets: their labels are read, typed and unfolded to a place/transition net.
//!
//! Tokens have colours, arcs have terms over variables, a transition stands for one instance for each value of its
//! variables that its condition allows. Colours that can never be marked and instances that can never be enabled are
//! left out: see [`ground`].

mod build;
mod declarations;
mod element;
mod facts;
mod ground;
mod guard;
mod join;
mod labels;
mod limits;
mod net;
mod resolve;
mod sorts;
mod term;

pub(super) use element::Element;
pub(super) use labels::{Labels, PlaceLabels};
pub use limits::UnfoldLimits;

use super::assemble::{Link, dangling_references, distinct_names};
use super::document::Document;
use crate::loaded_net::{Draft, LoadedNet, Origin};
use crate::{Diagnostic, loaded_net::MAX_MISTAKES};

/// Unfolds the net of a document.
pub(super) fn assemble(
    name: &str,
    mut document: Document<'_>,
    labels: &Labels<'_>,
    limits: UnfoldLimits,
) -> Result<LoadedNet, Vec<Diagnostic>> {
    let mut mistakes = dangling_references(&mut document);
    let mut links = Vec::with_capacity(document.arcs.len());
    for arc in &document.arcs {
        match Link::find(&mut document.symbols, arc) {
            Ok(link) => links.push(link),
            Err(d) if mistakes.len() < MAX_MISTAKES => mistakes.push(d),
            Err(_) => break,
        }
    }
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    distinct_names(&mut document.places);
    unfold(name, &document, (labels, &links), limits).map_err(|d| vec![*d])?.finish().map(|mut loaded| {
        loaded.origin = Origin::Unfolded;
        loaded
    })
}

fn unfold(
    name: &str,
    document: &Document<'_>,
    (labels, links): (&Labels<'_>, &[Link]),
    limits: UnfoldLimits,
) -> Result<Draft, Box<Diagnostic>> {
    let net = resolve::resolve(document, labels, links, limits)?;
    let ground = ground::ground(&net, limits)?;
    let mut draft = Draft::new(name);
    if let Some(nupn) = &document.nupn {
        draft.warnings.push(super::assemble::ignored(nupn.span, "the net is coloured"));
    }
    let places: Vec<&str> = document.places.iter().map(|(id, _)| &*id.text).collect();
    let transitions: Vec<&str> = document.transitions.iter().map(|(id, _)| &*id.text).collect();
    build::build(&mut draft, &net, &ground, (&places, &transitions))?;
    Ok(draft)
}
