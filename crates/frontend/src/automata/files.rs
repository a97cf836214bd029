//! The automata and expressions that an expression refers to.
//!
//! Files are named relative to the one that refers to them. Each automaton is read once, however often it is used.

use std::collections::HashMap;
use std::rc::Rc;

use model::Span;

use super::lts::Lts;
use super::{Files, aut};
use crate::Diagnostic;
use crate::loaded_net::utf8;

/// What a reference leads to.
#[derive(Clone, Debug)]
pub(super) enum Found {
    Automaton(Rc<Lts>),
    /// The text of another expression, with its name.
    Expression(String, Rc<str>),
}

/// Reads files and remembers automata.
pub(super) struct Library<'a> {
    files: Files<'a>,
    known: HashMap<String, Found>,
}

impl<'a> Library<'a> {
    pub(super) fn new(files: Files<'a>) -> Self {
        Self { files, known: HashMap::new() }
    }

    /// What a file refers to by a name. Without extension, an automaton is preferred to an expression.
    pub(super) fn find(
        &mut self,
        from: &str,
        reference: &str,
        span: Span,
        warnings: &mut Vec<Diagnostic>,
    ) -> Result<Found, Diagnostic> {
        let name = relative(from, reference);
        match extension(&name).as_str() {
            "aut" | "exp" => self.read(&name, span),
            "bcg" => self.instead_of_bcg(&name, span, warnings),
            "" => match self.read(&format!("{name}.aut"), span) {
                Err(first) => self.read(&format!("{name}.exp"), span).map_err(|_| first),
                found => found,
            },
            other => Err(Diagnostic::error(span, format!("`{reference}`: files of the kind `.{other}` are not read"))
                .help("components are read from `.aut`, expressions from `.exp`")),
        }
    }

    /// BCG files are binary; but somebody may have converted this one.
    fn instead_of_bcg(&mut self, name: &str, span: Span, warnings: &mut Vec<Diagnostic>) -> Result<Found, Diagnostic> {
        let stem = name.strip_suffix(".bcg").unwrap_or(name);
        let text = format!("{stem}.aut");
        if (self.files)(&text).is_err() {
            let message = format!("`{name}` is in the binary format BCG, which is not read");
            let help = format!("convert it with `bcg_io {name} {text}`; the reference may stay as it is");
            return Err(Diagnostic::error(span, message).help(help));
        }
        let remark = format!("`{text}` is read instead of `{name}`, because BCG is binary");
        if !warnings.iter().any(|w| w.message == remark) {
            warnings.push(Diagnostic::warning(span, remark));
        }
        self.read(&text, span)
    }

    fn read(&mut self, name: &str, span: Span) -> Result<Found, Diagnostic> {
        if let Some(found) = self.known.get(name) {
            return Ok(found.clone());
        }
        let problem = |why: String| Diagnostic::error(span, format!("`{name}` cannot be read: {why}"));
        let bytes = (self.files)(name).map_err(problem)?;
        let found = if extension(name) == "exp" {
            let text = utf8(&bytes).map_err(|d| inside(name, &bytes, &d, span))?;
            Found::Expression(name.to_owned(), text.into())
        } else {
            let lts = utf8(&bytes).and_then(aut::parse).map_err(|d| inside(name, &bytes, &d, span))?;
            Found::Automaton(Rc::new(lts))
        };
        self.known.insert(name.to_owned(), found.clone());
        Ok(found)
    }
}

/// A message about another file, shown where that file is mentioned.
pub(super) fn inside(name: &str, text: &[u8], diagnostic: &Diagnostic, span: Span) -> Diagnostic {
    let (line, column) = diagnostic.position(text);
    let message = format!("`{name}`, line {line}, column {column}: {}", diagnostic.message);
    Diagnostic { span, message, label: String::new(), ..diagnostic.clone() }
}

/// The extension of a file, in lower case.
pub(super) fn extension(name: &str) -> String {
    let file = name.rsplit(['/', '\\']).next().unwrap_or_default();
    file.rsplit_once('.').map_or_else(String::new, |(_, e)| e.to_ascii_lowercase())
}

/// The name of a file without folders and extension.
pub(super) fn stem(name: &str) -> &str {
    let file = name.rsplit(['/', '\\']).next().unwrap_or_default();
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

/// A name that is meant relative to the folder of a file.
fn relative(from: &str, name: &str) -> String {
    let name = name.strip_prefix("./").unwrap_or(name);
    match from.rfind('/') {
        Some(end) if !name.starts_with('/') => format!("{}{name}", &from[..=end]),
        _ => name.to_owned(),
    }
}
