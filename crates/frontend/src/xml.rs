//! A stream of XML elements with their positions.
//!
//! The tokens are those of `quick-xml`. What a file could use to make a reader expand text (a document type with
//! entities) is refused; depth costs no stack.

use std::borrow::Cow;

use model::Span;
use quick_xml::escape::unescape;
use quick_xml::events::Event;
use quick_xml::{Error, Reader};

use crate::Diagnostic;

/// Where in a document the reader is.
pub(crate) struct Xml<'a> {
    text: &'a str,
    reader: Reader<&'a [u8]>,
    /// How many bytes of the text the reader was not given: a byte order mark.
    skipped: usize,
    /// The elements that are open, by the places of their tags.
    open: Vec<Span>,
}

/// The opening tag of an element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tag<'a> {
    /// Its name without a prefix.
    pub(crate) name: &'a str,
    /// From `<` to `>`.
    pub(crate) span: Span,
    attributes: &'a str,
    /// Where the attributes start in the text.
    offset: usize,
}

/// The value of an attribute.
#[derive(Clone, Debug)]
pub(crate) struct Value<'a> {
    pub(crate) text: Cow<'a, str>,
    pub(crate) span: Span,
}

/// What comes next in an element.
enum Part<'a> {
    Open(Tag<'a>),
    Close,
    Text(Cow<'a, str>),
    End,
}

impl<'a> Xml<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let content = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut reader = Reader::from_str(content);
        reader.config_mut().expand_empty_elements = true;
        Self { text, reader, skipped: text.len() - content.len(), open: Vec::new() }
    }

    /// The next element inside the current one; `None` if the current one ends, and is left.
    pub(crate) fn child(&mut self) -> Result<Option<Tag<'a>>, Diagnostic> {
        loop {
            match self.part()? {
                Part::Open(tag) => return Ok(Some(tag)),
                Part::Close | Part::End => return Ok(None),
                Part::Text(_) => {}
            }
        }
    }

    /// Passes over the rest of the current element.
    pub(crate) fn skip(&mut self) -> Result<(), Diagnostic> {
        let depth = self.open.len();
        while self.open.len() >= depth && depth > 0 {
            self.part()?;
        }
        Ok(())
    }

    /// How many elements are open.
    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Passes over the rest of elements until no more than so many are open.
    pub(crate) fn leave(&mut self, depth: usize) -> Result<(), Diagnostic> {
        while self.open.len() > depth {
            self.part()?;
        }
        Ok(())
    }

    /// The text of the current element without that of elements inside, and where it is; the element is left.
    pub(crate) fn text(&mut self) -> Result<Value<'a>, Diagnostic> {
        let start = self.position();
        let mut text = Cow::Borrowed("");
        loop {
            let end = self.position();
            match self.part()? {
                Part::Text(piece) if text.is_empty() => text = piece,
                Part::Text(piece) => text.to_mut().push_str(&piece),
                Part::Open(_) => self.skip()?,
                Part::Close | Part::End => return Ok(Value { text, span: Span::new(start, end) }),
            }
        }
    }

    fn position(&self) -> usize {
        self.skipped + self.reader.buffer_position() as usize
    }

    fn part(&mut self) -> Result<Part<'a>, Diagnostic> {
        loop {
            let start = self.position();
            let event = self.reader.read_event().map_err(|e| self.malformed(start, &e))?;
            let span = Span::new(start, self.position());
            match event {
                Event::Start(e) => return Ok(Part::Open(self.enter(span, e.len(), e.name().as_ref().len()))),
                Event::End(_) => {
                    self.open.pop();
                    return Ok(Part::Close);
                }
                Event::Empty(_) => unreachable!("empty elements are expanded"),
                Event::Text(_) => return Ok(Part::Text(Cow::Borrowed(&self.text[span.range()]))),
                Event::CData(e) => return Ok(Part::Text(e.into_inner())),
                Event::GeneralRef(_) => return Ok(Part::Text(resolve(&self.text[span.range()], span)?)),
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
                Event::DocType(_) => return Err(document_type(span)),
                Event::Eof => return self.end(),
            }
        }
    }

    fn enter(&mut self, span: Span, content: usize, name: usize) -> Tag<'a> {
        self.open.push(span);
        let start = span.start as usize + 1;
        let full = &self.text[start..start + name];
        let local = full.rsplit_once(':').map_or(full, |(_, local)| local);
        let offset = start + name;
        Tag { name: local, span, attributes: &self.text[offset..start + content], offset }
    }

    fn end(&self) -> Result<Part<'a>, Diagnostic> {
        let Some(last) = self.open.last() else { return Ok(Part::End) };
        let d = Diagnostic::error(*last, "the file ends inside an element").label("opened here, never closed");
        Err(d.help("the file seems to be cut off: fetch or export it again"))
    }

    fn malformed(&self, start: usize, error: &Error) -> Diagnostic {
        let at = (self.skipped + self.reader.error_position() as usize).clamp(start, self.text.len());
        let at = (0..=at).rev().find(|at| self.text.is_char_boundary(*at)).unwrap_or(0);
        let message = match error {
            Error::Syntax(_) => format!("the XML is cut off or malformed: {error}"),
            _ => format!("the XML is malformed: {error}"),
        };
        Diagnostic::error(Span::new(at, at), message)
    }
}

/// Entities are those five that every document has, and characters by number.
fn resolve(text: &str, span: Span) -> Result<Cow<'_, str>, Diagnostic> {
    unescape(text).map_err(|_| {
        Diagnostic::error(span, "an entity that is not one of XML's own is not expanded")
            .help("write the text itself; `&lt;`, `&gt;`, `&amp;`, `&apos;`, `&quot;` and `&#...;` are known")
    })
}

fn document_type(span: Span) -> Diagnostic {
    let start = span.start as usize;
    let short = Span::new(start, start + "<!DOCTYPE".len().min(span.range().len()));
    Diagnostic::error(short, "document type declarations are refused")
        .label("could define entities that expand without end")
        .help("nothing that is read here needs one: remove it")
}

impl<'a> Tag<'a> {
    /// The value of an attribute without a prefix.
    pub(crate) fn attribute(&self, name: &str) -> Result<Option<Value<'a>>, Diagnostic> {
        let mut at = 0;
        let mut found = None;
        while let Some((key, value, next)) = self.attribute_at(at)? {
            if key == name {
                let start = self.offset + next - 1 - value.len();
                let span = Span::new(start, start + value.len());
                if found.is_some() {
                    return Err(Diagnostic::error(span, format!("the attribute `{name}` is given twice")));
                }
                found = Some(Value { text: resolve(value, span)?, span });
            }
            at = next;
        }
        Ok(found)
    }

    /// The attribute that starts at or after a position: its name, its value, and the position after it.
    fn attribute_at(&self, at: usize) -> Result<Option<(&'a str, &'a str, usize)>, Diagnostic> {
        let rest = self.attributes[at..].trim_ascii_start();
        if rest.is_empty() {
            return Ok(None);
        }
        let read = || {
            let (key, after) = rest.split_once('=')?;
            let after = after.trim_ascii_start();
            let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
            let (value, after) = after[1..].split_once(quote)?;
            Some((key.trim_ascii_end(), value, self.attributes.len() - after.len()))
        };
        let malformed = || Diagnostic::error(self.span, "the attributes of an element are malformed");
        read().ok_or_else(malformed).map(Some)
    }
}
