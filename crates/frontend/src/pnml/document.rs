//! The document: its root, its one net, and the pages of it.

use model::Span;
use model::views::{NetTransitionId, Place, PlaceId};

use super::colour::{Element, Labels, PlaceLabels};
use super::net_type::{NetType, coloured};
use super::nodes::{Node, RawArc, ordinary};
use super::symbols::{Meaning, Symbol, Symbols};
use super::units::RawNupn;
use crate::Diagnostic;
use crate::xml::{Tag, Value, Xml};

/// Pages inside pages, so deep at most.
const MAX_PAGES: usize = 100;

/// What a document says, before it is known whether its ids fit together.
#[derive(Default)]
pub(super) struct Document<'a> {
    pub(super) symbols: Symbols<'a>,
    pub(super) places: Vec<(Value<'a>, Place)>,
    pub(super) transitions: Vec<(Value<'a>, String)>,
    pub(super) references: Vec<(Symbol, Span)>,
    pub(super) arcs: Vec<RawArc>,
    pub(super) nupn: Option<RawNupn<'a>>,
    /// What only coloured nets have.
    pub(super) colours: Option<Labels<'a>>,
}

/// Reads a whole document.
pub(super) fn read(text: &str) -> Result<Document<'_>, Diagnostic> {
    let xml = root(text)?;
    let mut reader = DocumentReader { xml, document: Document::default(), pages: 0 };
    reader.nets(text.len())?;
    Ok(reader.document)
}

/// Enters the root element.
pub(super) fn root(text: &str) -> Result<Xml<'_>, Diagnostic> {
    let mut xml = Xml::new(text);
    match xml.child()? {
        Some(tag) if tag.name == "pnml" => Ok(xml),
        Some(tag) => Err(Diagnostic::error(tag.span, format!("the root element is `{}`, not `pnml`", tag.name))),
        None => Err(Diagnostic::error(Span::new(0, 0), "the file has no `pnml` element")
            .help("this may be another format, or an empty file")),
    }
}

/// The document so far, and the stream.
pub(super) struct DocumentReader<'a> {
    pub(super) xml: Xml<'a>,
    pub(super) document: Document<'a>,
    pages: usize,
}

impl<'a> DocumentReader<'a> {
    fn nets(&mut self, end: usize) -> Result<(), Diagnostic> {
        let mut found = false;
        while let Some(tag) = self.xml.child()? {
            if tag.name != "net" {
                self.xml.skip()?;
                continue;
            }
            if std::mem::replace(&mut found, true) {
                return Err(Diagnostic::error(tag.span, "the file has several nets")
                    .label("the second one")
                    .help("give each net a file of its own"));
            }
            self.net(&tag)?;
        }
        if let Some(tag) = self.xml.child()? {
            return Err(Diagnostic::error(tag.span, "the document goes on after its root element"));
        }
        if found { Ok(()) } else { Err(Diagnostic::error(Span::new(end, end), "the file has no net")) }
    }

    fn net(&mut self, tag: &Tag<'a>) -> Result<(), Diagnostic> {
        match tag.attribute("type")? {
            Some(kind) if NetType::find(&kind)? == NetType::Coloured => self.document.colours = Some(Labels::default()),
            Some(_) => {}
            None => return Err(Diagnostic::error(tag.span, "the net has no type")),
        }
        // Some tools number nets and pages alike, and nothing refers to either.
        self.elements()
    }

    /// What a net and a page contain.
    fn elements(&mut self) -> Result<(), Diagnostic> {
        while let Some(tag) = self.xml.child()? {
            match tag.name {
                "page" => self.page(&tag)?,
                "place" => self.place(&tag)?,
                "transition" => self.transition(&tag)?,
                "arc" => self.arc(&tag)?,
                "referencePlace" => self.reference(&tag, Meaning::ReferencePlace)?,
                "referenceTransition" => self.reference(&tag, Meaning::ReferenceTransition)?,
                "declaration" => self.declaration(&tag)?,
                "toolspecific" => self.toolspecific(&tag)?,
                _ => self.xml.skip()?,
            }
        }
        Ok(())
    }

    fn declaration(&mut self, tag: &Tag<'a>) -> Result<(), Diagnostic> {
        let Some(colours) = &mut self.document.colours else { return Err(coloured(tag.span)) };
        colours.declarations.extend(Element::label(&mut self.xml, tag)?);
        Ok(())
    }

    fn page(&mut self, tag: &Tag<'a>) -> Result<(), Diagnostic> {
        self.pages += 1;
        if self.pages > MAX_PAGES {
            return Err(Diagnostic::error(tag.span, format!("more than {MAX_PAGES} pages are nested")));
        }
        self.elements()?;
        self.pages -= 1;
        Ok(())
    }

    fn place(&mut self, tag: &Tag<'a>) -> Result<(), Diagnostic> {
        let id = required(tag, "id")?;
        let node = self.node()?;
        if let Some(colours) = &mut self.document.colours {
            plain_label(tag, node.tokens)?;
            colours.places.push(PlaceLabels { sort: node.sort, marking: node.term, span: tag.span });
        }
        let number = PlaceId::new(self.document.places.len());
        self.define(&id, Meaning::Place(number))?;
        let place = Place::new(node.name.unwrap_or_else(|| id.text.to_string()), node.tokens.unwrap_or(0));
        self.document.places.push((id, place));
        Ok(())
    }

    fn transition(&mut self, tag: &Tag<'a>) -> Result<(), Diagnostic> {
        let id = required(tag, "id")?;
        let Node { name, term, .. } = self.node()?;
        if let Some(colours) = &mut self.document.colours {
            colours.conditions.push(term);
        }
        let number = NetTransitionId::new(self.document.transitions.len());
        self.define(&id, Meaning::Transition(number))?;
        let name = name.unwrap_or_else(|| id.text.to_string());
        self.document.transitions.push((id, name));
        Ok(())
    }

    fn arc(&mut self, tag: &Tag<'a>) -> Result<(), Diagnostic> {
        let id = required(tag, "id")?;
        self.define(&id, Meaning::Other)?;
        let source = required(tag, "source")?;
        let target = required(tag, "target")?;
        tag.attribute("type")?.as_ref().map_or(Ok(()), ordinary)?;
        let node = self.node()?;
        if let Some(colours) = &mut self.document.colours {
            plain_label(tag, node.weight)?;
            if let Some(kind) = node.sort {
                return Err(kind.error("an arc of a coloured net has a type"));
            }
            colours.inscriptions.push(node.term);
        }
        let weight = node.weight.unwrap_or(1);
        let (source, target) = (self.symbol(&source), self.symbol(&target));
        self.document.arcs.push(RawArc { source, target, weight, span: tag.span });
        Ok(())
    }

    fn reference(&mut self, tag: &Tag<'a>, meaning: fn(Symbol) -> Meaning) -> Result<(), Diagnostic> {
        let id = required(tag, "id")?;
        let target = required(tag, "ref")?;
        self.xml.skip()?;
        let target = self.symbol(&target);
        self.define(&id, meaning(target))?;
        let own = self.symbol(&id);
        self.document.references.push((own, tag.span));
        Ok(())
    }

    fn toolspecific(&mut self, tag: &Tag<'a>) -> Result<(), Diagnostic> {
        if tag.attribute("tool")?.is_none_or(|tool| tool.text != "nupn") {
            return self.xml.skip();
        }
        let nupn = RawNupn::read(&mut self.xml, tag.span)?;
        self.document.nupn.get_or_insert(nupn);
        Ok(())
    }

    fn symbol(&mut self, id: &Value<'a>) -> Symbol {
        self.document.symbols.symbol(id.text.clone())
    }

    fn define(&mut self, id: &Value<'a>, meaning: Meaning) -> Result<(), Diagnostic> {
        let symbol = self.symbol(id);
        if self.document.symbols.define(symbol, meaning) {
            return Ok(());
        }
        Err(Diagnostic::error(id.span, format!("the id `{}` is used twice", id.text)).label("used before"))
    }
}

/// Refuses numbers where a coloured net has terms.
fn plain_label(tag: &Tag<'_>, number: Option<u32>) -> Result<(), Diagnostic> {
    match number {
        None => Ok(()),
        Some(_) => Err(Diagnostic::error(tag.span, "a coloured net has a number where a term is expected")),
    }
}

/// The value of an attribute that must be there.
pub(super) fn required<'a>(tag: &Tag<'a>, attribute: &str) -> Result<Value<'a>, Diagnostic> {
    let missing = || Diagnostic::error(tag.span, format!("this `{}` has no `{attribute}`", tag.name));
    tag.attribute(attribute)?.filter(|value| !value.text.is_empty()).ok_or_else(missing)
}
