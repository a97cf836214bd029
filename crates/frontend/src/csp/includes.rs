//! Puts the tokens of included files in the place of `include "file"`, between two marks, so that no declaration can
//! begin in one file and end in another. Whoever calls reads the files.

use model::Span;

use super::limits;
use super::token::{Kind, Token, tokens};
use crate::sources::{Reader, Sources};
use crate::{Diagnostic, MAX_TEXT};

/// A script with its included files, as tokens.
pub(super) struct Expanded {
    pub(super) sources: Sources,
    pub(super) tokens: Vec<Token>,
    pub(super) reports: Vec<Diagnostic>,
}

/// Reads a script and all that it includes.
pub(super) fn expand(text: &str, reader: Reader<'_>) -> Expanded {
    let mut expander = Expander {
        sources: Sources::new(""),
        tokens: Vec::new(),
        reports: Vec::new(),
        reader,
        open: Vec::new(),
        files: 0,
    };
    if let Some(mistake) = refusal(text, Span::new(0, 0), 0) {
        expander.reports.push(mistake);
    } else {
        expander.sources = Sources::new(text);
        expander.file(Span::new(0, text.len()));
    }
    Expanded { sources: expander.sources, tokens: expander.tokens, reports: expander.reports }
}

/// Why a text is not even looked at.
fn refusal(text: &str, at: Span, before: usize) -> Option<Diagnostic> {
    if text.len() + before > MAX_TEXT {
        let message = format!("the text has {} bytes; at most {MAX_TEXT} are accepted", text.len() + before);
        return Some(Diagnostic::error(at, message).label("too long"));
    }
    text.contains('\0')
        .then(|| Diagnostic::error(at, "this is not a text: it contains a zero byte").label("not a script"))
}

struct Expander<'r> {
    sources: Sources,
    tokens: Vec<Token>,
    reports: Vec<Diagnostic>,
    reader: Reader<'r>,
    /// The files that are being read, each included by the one before.
    open: Vec<String>,
    files: usize,
}

impl Expander<'_> {
    /// Adds the tokens of the file that is this part of the joined text.
    fn file(&mut self, part: Span) {
        let found = tokens(self.sources.text(), part, &mut self.reports);
        let mut next = 0;
        while next < found.len() && self.reports.len() < limits::DIAGNOSTICS {
            match directive(&found[next..]) {
                Some(directive) => {
                    self.include(directive);
                    next += 2;
                }
                None => {
                    self.tokens.push(found[next]);
                    next += 1;
                }
            }
            if self.tokens.len() > limits::TOKENS {
                let message = format!("the script is longer than {} tokens", limits::TOKENS);
                self.tokens.clear();
                return self.reports.push(Diagnostic::error(part, message).label("one too many"));
            }
        }
    }

    fn include(&mut self, at: Span) {
        let line = &self.sources.text()[at.range()];
        let name = line.split('"').nth(1).unwrap_or_default().to_owned();
        match self.open(&name, at) {
            Err(mistake) => self.reports.push(mistake.label("included here")),
            Ok(part) => {
                self.tokens.push(Token { kind: Kind::Included, span: at, first: true });
                self.open.push(name);
                self.file(part);
                self.open.pop();
                let end = Span { start: part.end, end: part.end };
                self.tokens.push(Token { kind: Kind::IncludedEnd, span: end, first: true });
            }
        }
    }

    /// Reads a file and puts its text to the others.
    fn open(&mut self, name: &str, at: Span) -> Result<Span, Diagnostic> {
        if self.open.iter().any(|open| open == name) {
            return Err(Diagnostic::error(at, format!("the file {name:?} includes itself")));
        }
        self.files += 1;
        if self.open.len() == limits::INCLUDES || self.files > limits::FILES {
            let message =
                format!("more than {} files, or more than {} within each other", limits::FILES, limits::INCLUDES);
            return Err(Diagnostic::error(at, message));
        }
        let text = (self.reader)(name)
            .map_err(|why| Diagnostic::error(at, format!("the file {name:?} cannot be included: {why}")))?;
        match refusal(&text, at, self.sources.text().len()) {
            Some(mistake) => Err(mistake),
            None => Ok(self.sources.add(name, &text, at)),
        }
    }
}

/// The place of `include "file"`, if that is what stands here, alone on its line.
fn directive(tokens: &[Token]) -> Option<Span> {
    match tokens {
        [include, name, rest @ ..] if include.kind == Kind::Include && include.first && name.kind == Kind::String => {
            let alone = !name.first && rest.first().is_none_or(|next| next.first);
            alone.then_some(include.span.to(name.span))
        }
        _ => None,
    }
}
