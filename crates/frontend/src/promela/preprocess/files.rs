//! The files of a model: those that are open, and their texts, joined.

use std::collections::HashSet;

use model::Span;

use super::Preprocessor;
use crate::promela::limits;
use crate::sources::{Reader, Sources};
use crate::{Diagnostic, MAX_TEXT};

/// The files so far.
pub(super) struct Files<'r> {
    pub(super) sources: Sources,
    reader: Reader<'r>,
    /// The files that are being read, each included by the one before.
    open: Vec<String>,
    /// Those that asked to be read only once.
    once: HashSet<String>,
    count: usize,
}

/// Why a text is not even looked at.
pub(super) fn refusal(text: &str, at: Span, before: usize) -> Option<Diagnostic> {
    if text.len() + before > MAX_TEXT {
        let message = format!("the text has {} bytes; at most {MAX_TEXT} are accepted", text.len() + before);
        return Some(Diagnostic::error(at, message).label("too long"));
    }
    text.contains('\0')
        .then(|| Diagnostic::error(at, "this is not a text: it contains a zero byte").label("not a model"))
}

impl<'r> Files<'r> {
    pub(super) fn new(text: &str, reader: Reader<'r>) -> Self {
        let sources = Sources::new(if refusal(text, Span::new(0, 0), 0).is_some() { "" } else { text });
        Self { sources, reader, open: Vec::new(), once: HashSet::new(), count: 0 }
    }

    /// The file at hand is not to be read again.
    pub(super) fn only_once(&mut self) {
        self.once.extend(self.open.last().cloned());
    }

    /// Reads a file and puts its text to the others; nothing if that is not to be done again.
    fn open(&mut self, name: &str, at: Span) -> Result<Option<(String, Span)>, Diagnostic> {
        let error = |message: String| Diagnostic::error(at, message).label("included here");
        if self.open.len() == limits::INCLUDES || self.count == limits::FILES {
            let (files, deep) = (limits::FILES, limits::INCLUDES);
            return Err(error(format!("more than {files} files, or more than {deep} within each other"))
                .help("a file that includes itself never ends, unless an `#ifndef` prevents it"));
        }
        self.count += 1;
        let (path, text) =
            self.find(name).map_err(|why| error(format!("the file {name:?} cannot be included: {why}")))?;
        if self.once.contains(&path) {
            return Ok(None);
        }
        match refusal(&text, at, self.sources.text().len()) {
            Some(mistake) => Err(mistake),
            None => {
                let part = self.sources.add(&path, &text, at);
                Ok(Some((path, part)))
            }
        }
    }

    /// The text of a file that is named relative to the file at hand, or to the model.
    fn find(&self, name: &str) -> Result<(String, String), String> {
        let folder = self.open.last().and_then(|file| file.rsplit_once('/')).map(|(folder, _)| folder);
        let near = folder.filter(|_| !name.starts_with('/')).map(|folder| format!("{folder}/{name}"));
        let found = near.and_then(|path| Some((path.clone(), (self.reader)(&path).ok()?)));
        match found {
            Some(found) => Ok(found),
            None => Ok((name.to_owned(), (self.reader)(name)?)),
        }
    }
}

impl Preprocessor<'_> {
    /// Adds the tokens of an included file.
    pub(super) fn include(&mut self, name: &str, at: Span) {
        match self.files.open(name, at) {
            Err(mistake) => self.reports.push(mistake),
            Ok(None) => {}
            Ok(Some((path, part))) => {
                self.files.open.push(path);
                self.file(part);
                self.files.open.pop();
            }
        }
    }
}
