//! The labels of places, transitions and arcs.

use model::Span;

use super::colour::Element;
use super::document::DocumentReader;
use super::net_type::coloured;
use super::symbols::Symbol;
use crate::Diagnostic;
use crate::loaded_net::{tokens, weight};
use crate::xml::{Tag, Value};

/// An arc, before it is known what it connects.
#[derive(Clone, Copy, Debug)]
pub(super) struct RawArc {
    pub(super) source: Symbol,
    pub(super) target: Symbol,
    pub(super) weight: u32,
    pub(super) span: Span,
}

/// The labels of an element that mean something.
#[derive(Default)]
pub(super) struct Node<'a> {
    pub(super) name: Option<String>,
    pub(super) tokens: Option<u32>,
    pub(super) weight: Option<u32>,
    /// The sort of a place of a coloured net.
    pub(super) sort: Option<Element<'a>>,
    /// The marking, the condition or the inscription of a node or an arc of a coloured net.
    pub(super) term: Option<Element<'a>>,
}

impl<'a> DocumentReader<'a> {
    /// Reads the labels of a place, a transition or an arc.
    pub(super) fn node(&mut self) -> Result<Node<'a>, Diagnostic> {
        let mut node = Node::default();
        while let Some(tag) = self.xml.child()? {
            match tag.name {
                "name" => node.name = self.label()?.map(|v| v.text.into_owned()).or(node.name),
                "initialMarking" => {
                    let marking = self.label()?.map(|v| tokens(&v.text, "the initial marking", v.span)).transpose()?;
                    once(&mut node.tokens, marking, &tag)?;
                }
                "inscription" => {
                    let inscription = self.label()?.map(|v| weight(&v.text, v.span)).transpose()?;
                    once(&mut node.weight, inscription, &tag)?;
                }
                "type" if self.document.colours.is_some() && tag.attribute("value")?.is_none() => {
                    node.sort = Element::label(&mut self.xml, &tag)?.or(node.sort);
                }
                "type" => self.plain_type(&tag)?,
                "arctype" => self.label()?.as_ref().map_or(Ok(()), ordinary)?,
                "capacity" => self.no_capacity(&tag)?,
                "hlinitialMarking" | "hlinscription" | "condition" => self.term(&tag, &mut node)?,
                _ => self.xml.skip()?,
            }
        }
        Ok(node)
    }

    fn term(&mut self, tag: &Tag<'a>, node: &mut Node<'a>) -> Result<(), Diagnostic> {
        if self.document.colours.is_none() {
            return Err(coloured(tag.span));
        }
        if node.term.is_some() {
            return Err(Diagnostic::error(tag.span, format!("`{}` is given twice", tag.name)));
        }
        node.term = Element::label(&mut self.xml, tag)?;
        Ok(())
    }

    /// The text of a label; `None` if there is nothing but space. Editions before the standard say `value` for `text`.
    fn label(&mut self) -> Result<Option<Value<'a>>, Diagnostic> {
        let mut found = None;
        while let Some(tag) = self.xml.child()? {
            match tag.name {
                "text" | "value" => found = Some(self.xml.text()?),
                _ => self.xml.skip()?,
            }
        }
        Ok(found.and_then(trimmed))
    }

    /// Refuses places of a colour and arcs that are not ordinary.
    fn plain_type(&mut self, tag: &Tag<'a>) -> Result<(), Diagnostic> {
        match tag.attribute("value")? {
            Some(kind) => ordinary(&kind)?,
            None => return Err(coloured(tag.span)),
        }
        self.xml.skip()
    }

    /// Some tools write the capacity 0 for none.
    fn no_capacity(&mut self, tag: &Tag<'a>) -> Result<(), Diagnostic> {
        match self.label()? {
            Some(value) if value.text != "0" => {
                Err(Diagnostic::error(tag.span, "places with a capacity are not supported")
                    .help("add a complementary place that holds the room that is left"))
            }
            _ => Ok(()),
        }
    }
}

/// Refuses arcs that some tool gives another meaning.
pub(super) fn ordinary(kind: &Value<'_>) -> Result<(), Diagnostic> {
    if kind.text == "normal" {
        return Ok(());
    }
    let shown: String = kind.text.chars().take(40).collect();
    Err(Diagnostic::error(kind.span, format!("arcs of the type `{shown}` are not supported"))
        .label("expected an ordinary arc"))
}

fn once(slot: &mut Option<u32>, value: Option<u32>, tag: &Tag<'_>) -> Result<(), Diagnostic> {
    if slot.is_some() && value.is_some() {
        return Err(Diagnostic::error(tag.span, format!("`{}` is given twice", tag.name)));
    }
    *slot = value.or(*slot);
    Ok(())
}

/// A value without the space around it.
fn trimmed(value: Value<'_>) -> Option<Value<'_>> {
    let text = value.text.trim();
    if text.is_empty() {
        return None;
    }
    if text.len() == value.text.len() {
        return Some(value);
    }
    Some(Value { text: text.to_owned().into(), span: value.span })
}
