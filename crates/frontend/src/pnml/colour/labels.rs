//! The labels of a coloured net, before they are understood.

use model::Span;

use super::element::Element;

/// All labels. Those of nodes and arcs are in the order of the document.
#[derive(Default)]
pub(in crate::pnml) struct Labels<'a> {
    pub(in crate::pnml) declarations: Vec<Element<'a>>,
    pub(in crate::pnml) places: Vec<PlaceLabels<'a>>,
    /// The conditions of the transitions.
    pub(in crate::pnml) conditions: Vec<Option<Element<'a>>>,
    /// The inscriptions of the arcs.
    pub(in crate::pnml) inscriptions: Vec<Option<Element<'a>>>,
}

/// The labels of a place.
pub(in crate::pnml) struct PlaceLabels<'a> {
    pub(in crate::pnml) sort: Option<Element<'a>>,
    pub(in crate::pnml) marking: Option<Element<'a>>,
    pub(in crate::pnml) span: Span,
}
