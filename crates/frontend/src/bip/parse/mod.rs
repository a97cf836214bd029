//! Recursive descent: tokens to syntax tree. After a mistake the parser goes on at the next declaration, so that one run
//! reports several; `nested` bounds the recursion.

mod actions;
mod atom;
mod body;
mod compound;
mod connector;
mod cursor;
mod expr;
mod externs;
mod package;
mod types;

use model::Span;

use super::ast::{Model, Package};
use super::token::tokens;
use super::{check, limits};
use crate::name::Words;
use crate::sources::{Reader, Sources};
use crate::{Diagnostic, MAX_TEXT};
use cursor::Parser;

/// Reads a package and, through `reader`, those that it uses: `a.b` is asked for as `a/b.bip`. The places of messages
/// refer to `text` itself.
pub fn parse(text: &str, reader: Reader<'_>) -> Result<Model, Vec<Diagnostic>> {
    if let Some(mistake) = refusal(text, Span::new(0, 0), 0) {
        return Err(vec![mistake]);
    }
    let (sources, reports) = (Sources::new(text), Vec::new());
    let mut files = Files { sources, packages: Vec::new(), words: Words::default(), reports };
    files.package(Span::new(0, text.len()));
    files.used(reader);
    let Files { sources, packages, mut reports, .. } = files;
    let model = Model { packages, sources };
    if reports.is_empty() {
        reports = check::check(&model);
    }
    if reports.is_empty() {
        return Ok(model);
    }
    let mut placed: Vec<Diagnostic> = reports.into_iter().map(|report| model.sources.placed(report)).collect();
    placed.sort_by_key(|report| report.span);
    Err(placed)
}

/// Why a text is not even looked at.
fn refusal(text: &str, at: Span, before: usize) -> Option<Diagnostic> {
    if text.len() + before > MAX_TEXT {
        let message = format!("the text has {} bytes; at most {MAX_TEXT} are accepted", text.len() + before);
        return Some(Diagnostic::error(at, message).label("too long"));
    }
    text.contains('\0')
        .then(|| Diagnostic::error(at, "this is not a text: it contains a zero byte").label("not a package"))
}

/// The packages so far, and the texts that they come from.
struct Files {
    sources: Sources,
    packages: Vec<Package>,
    words: Words,
    reports: Vec<Diagnostic>,
}

impl Files {
    /// Adds the package of one file, which is this part of the joined text; with mistakes it is incomplete.
    fn package(&mut self, part: Span) {
        let mistakes = self.reports.len();
        let tokens = tokens(self.sources.text(), part, &mut self.reports);
        // Characters that mean nothing may be parts of anything: what they leave cannot be trusted.
        if self.reports.len() == mistakes {
            let parser = Parser::new(self.sources.text(), tokens, &mut self.words, &mut self.reports);
            self.packages.extend(parser.file(part));
        }
    }

    /// Adds the packages that are used, each once.
    fn used(&mut self, reader: Reader<'_>) {
        let mut next = 0;
        while next < self.packages.len() && self.reports.len() < limits::DIAGNOSTICS {
            for path in std::mem::take(&mut self.packages[next].uses) {
                let name = path.text();
                if !self.packages.iter().any(|package| package.name.text() == name) {
                    let read = self.open(&name, path.span, reader);
                    self.reports.extend(read.err());
                }
                self.packages[next].uses.push(path);
            }
            next += 1;
        }
    }

    /// Reads the file of a package.
    fn open(&mut self, name: &str, at: Span, reader: Reader<'_>) -> Result<(), Diagnostic> {
        let error = |message: String| Diagnostic::error(at, message).label("used here");
        if self.packages.len() >= limits::PACKAGES {
            return Err(error(format!("more than {} packages", limits::PACKAGES)));
        }
        let file = format!("{}.bip", name.replace('.', "/"));
        let text = reader(&file).map_err(|why| error(format!("the package `{name}` cannot be read: {why}")))?;
        if let Some(mistake) = refusal(&text, at, self.sources.text().len()) {
            return Err(mistake);
        }
        let part = self.sources.add(&file, &text, at);
        let (known, mistakes) = (self.packages.len(), self.reports.len());
        self.package(part);
        match self.packages.get(known) {
            Some(package) if package.name.text() != name && self.reports.len() == mistakes => {
                Err(error(format!("{file:?} holds the package `{}`, not `{name}`", package.name.text())))
            }
            _ => Ok(()),
        }
    }
}
