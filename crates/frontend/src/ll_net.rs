//! PEP's low-level nets (`.ll_net`): sections of lines, each with an object and its attributes.
//!
//! Objects are numbered: by the number in front of their names or, without one, by the line. A letter in front of a
//! value says what it is: `M` the initial tokens of a place, `w` the weight of an arc; the others are for drawing. Read
//! arcs take a token and give it back. Nothing here needs the text to be in any encoding: old files are in several.

use std::collections::HashMap;

use model::Span;
use model::views::{NetTransitionId, Place, PlaceId};

use crate::Diagnostic;
use crate::loaded_net::{Draft, LoadedNet, check_size, tokens, weight};

/// Reads a net; `name` is what it will be called.
pub fn read(name: &str, bytes: &[u8]) -> Result<LoadedNet, Vec<Diagnostic>> {
    let parse = || {
        check_size(bytes)?;
        let mut reader =
            LlNet { draft: Draft::new(name), places: HashMap::new(), transitions: HashMap::new(), next: 1 };
        reader.file(bytes)?;
        Ok(reader.draft)
    };
    parse().map_err(|d| vec![d])?.finish()
}

#[derive(Clone, Copy, PartialEq)]
enum Section {
    /// Before the first section, and in those about drawing and blocks.
    Ignored,
    Places,
    Transitions,
    /// From transitions to places.
    Produce,
    /// From places to transitions.
    Consume,
    Read,
}

impl Section {
    fn of(line: &[u8]) -> Option<Self> {
        Some(match line {
            b"PL" => Self::Places,
            b"TR" => Self::Transitions,
            b"TP" => Self::Produce,
            b"PT" => Self::Consume,
            b"RA" => Self::Read,
            b"PTR" | b"PTP" | b"PPT" | b"TX" | b"BL" => Self::Ignored,
            _ => return None,
        })
    }
}

struct LlNet {
    draft: Draft,
    places: HashMap<u32, PlaceId>,
    transitions: HashMap<u32, NetTransitionId>,
    /// The number of the next object that has none.
    next: u32,
}

impl LlNet {
    fn file(&mut self, bytes: &[u8]) -> Result<(), Diagnostic> {
        let mut section = None;
        let mut start = 0;
        for (number, full) in bytes.split_inclusive(|b| *b == b'\n').enumerate() {
            let mut line = Line { bytes: full.trim_ascii_end(), at: 0, start };
            start += full.len();
            if number == 0 {
                line.header()?;
            } else if let Some(next) = Section::of(line.bytes) {
                section = Some(next);
                self.next = 1;
            } else if !line.bytes.is_empty() {
                self.line(section.unwrap_or(Section::Ignored), &mut line)?;
            }
        }
        let end = Span::new(bytes.len(), bytes.len());
        section.map(|_| ()).ok_or_else(|| Diagnostic::error(end, "the file has no net: no section starts in it"))
    }

    fn line(&mut self, section: Section, line: &mut Line<'_>) -> Result<(), Diagnostic> {
        match section {
            Section::Ignored => Ok(()),
            Section::Places => self.place(line),
            Section::Transitions => self.transition(line),
            Section::Produce | Section::Consume | Section::Read => self.arc(section, line),
        }
    }

    fn place(&mut self, line: &mut Line<'_>) -> Result<(), Diagnostic> {
        let (number, name) = self.object(line)?;
        let initial = match line.attribute(b'M')? {
            Some(value) => tokens(&value, "the marking", line.span())?,
            None => 0,
        };
        let place = self.draft.place(&name, Place::new(name.as_str(), initial));
        let p = place.ok_or_else(|| line.error(format!("there are two places called `{name}`")))?;
        match self.places.insert(number, p) {
            Some(_) => Err(line.error(format!("there are two places with the number {number}"))),
            None => Ok(()),
        }
    }

    fn transition(&mut self, line: &mut Line<'_>) -> Result<(), Diagnostic> {
        let (number, name) = self.object(line)?;
        let t = self.draft.transition(&name, &name);
        let t = t.ok_or_else(|| line.error(format!("there are two transitions called `{name}`")))?;
        match self.transitions.insert(number, t) {
            Some(_) => Err(line.error(format!("there are two transitions with the number {number}"))),
            None => Ok(()),
        }
    }

    /// The number and the name in front of a line.
    fn object(&mut self, line: &mut Line<'_>) -> Result<(u32, String), Diagnostic> {
        let digits = line.digits();
        let number = if digits.is_empty() { self.next } else { tokens(&digits, "the number", line.span())? };
        self.next = number.saturating_add(1);
        line.spaces();
        let name = line.string()?.ok_or_else(|| line.error("expected a name in quotes".to_owned()))?;
        Ok((number, name))
    }

    /// `t<p` or `p>t`.
    fn arc(&mut self, section: Section, line: &mut Line<'_>) -> Result<(), Diagnostic> {
        let first = tokens(&line.digits(), "the number", line.span())?;
        let sign = if section == Section::Consume { b'>' } else { b'<' };
        if line.peek() != Some(sign) {
            return Err(line.error(format!("expected two numbers with `{}` between them", char::from(sign))));
        }
        line.at += 1;
        let second = tokens(&line.digits(), "the number", line.span())?;
        let weight = line.attribute(b'w')?.map_or(Ok(1), |w| weight(&w, line.span()))?;
        let (p, t) = if section == Section::Consume { (first, second) } else { (second, first) };
        let place = self.places.get(&p).copied();
        let transition = self.transitions.get(&t).copied();
        let p = place.ok_or_else(|| line.error(format!("there is no place with the number {p}")))?;
        let t = transition.ok_or_else(|| line.error(format!("there is no transition with the number {t}")))?;
        match section {
            Section::Produce => self.draft.builder.produce(t, p, weight),
            Section::Consume => self.draft.builder.consume(t, p, weight),
            _ => self.draft.read(t, p, weight, line.span()),
        }
        Ok(())
    }
}

/// A line, and how far it was read.
struct Line<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Where it starts in the file.
    start: usize,
}

impl Line<'_> {
    fn header(&self) -> Result<(), Diagnostic> {
        if self.bytes == b"PEP" { Ok(()) } else { Err(self.error("the first line is not `PEP`".to_owned())) }
    }

    fn span(&self) -> Span {
        Span::new(self.start, self.start + self.bytes.len())
    }

    fn error(&self, message: String) -> Diagnostic {
        Diagnostic::error(self.span(), message)
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn take_while(&mut self, fits: impl Fn(u8) -> bool) -> String {
        let from = self.at;
        while self.peek().is_some_and(&fits) {
            self.at += 1;
        }
        String::from_utf8_lossy(&self.bytes[from..self.at]).into_owned()
    }

    fn spaces(&mut self) {
        self.take_while(|b| b.is_ascii_whitespace());
    }

    fn digits(&mut self) -> String {
        self.take_while(|b| b.is_ascii_digit() || b == b'-')
    }

    fn string(&mut self) -> Result<Option<String>, Diagnostic> {
        if self.peek() != Some(b'"') {
            return Ok(None);
        }
        self.at += 1;
        let text = self.take_while(|b| b != b'"');
        if self.peek().is_none() {
            return Err(self.error("a name is not closed".to_owned()));
        }
        self.at += 1;
        Ok(Some(text))
    }

    /// Reads the attributes up to the end of the line; the value of the one with this letter, which may be repeated.
    fn attribute(&mut self, letter: u8) -> Result<Option<String>, Diagnostic> {
        let mut found = None;
        while let Some(key) = self.peek() {
            // A position `x@y` has no letter.
            if key.is_ascii_alphabetic() || key == b'@' || key.is_ascii_whitespace() {
                self.at += 1;
            }
            let before = self.at;
            let value = match self.string()? {
                Some(text) => text,
                None => self.digits(),
            };
            if key == b'k' && !value.is_empty() {
                let help = "leave the capacity out if it never matters, or add a place for what is left of it";
                return Err(self.error("a place with a capacity is not supported".to_owned()).help(help));
            }
            if key == letter && found.replace(value.clone()).is_some_and(|old| old != value) {
                return Err(self.error(format!("`{}` is given twice", char::from(letter))));
            }
            if self.at == before && !(key.is_ascii_alphabetic() || key == b'@' || key.is_ascii_whitespace()) {
                return Err(self.error("the line is malformed".to_owned()).label("unexpected character"));
            }
        }
        Ok(found)
    }
}
