//! From spans to line numbers: the only thing that explanations need of the model's text.

use std::fmt;

use model::Span;
use serde::Serialize;

/// The name of a text and where its lines begin.
#[derive(Clone, Debug)]
pub struct SourceText {
    name: String,
    starts: Vec<usize>,
    native: bool,
}

/// A line of a text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Place {
    /// The name of the text.
    pub file: String,
    /// The line, counted from 1.
    pub line: usize,
}

impl SourceText {
    /// A text that is shown as `name`.
    pub fn new(name: impl Into<String>, text: &str) -> Self {
        let starts = text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1);
        Self { name: name.into(), starts: std::iter::once(0).chain(starts).collect(), native: false }
    }

    /// The same text, in the native language: advice can be given in its words.
    #[must_use]
    pub fn in_native_language(self) -> Self {
        Self { native: true, ..self }
    }

    /// Whether it is known to be in the native language.
    pub(crate) fn is_native(&self) -> bool {
        self.native
    }

    /// The name of the text.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The line on which a span begins.
    pub fn place(&self, span: Span) -> Place {
        let line = self.starts.partition_point(|start| *start <= span.range().start);
        Place { file: self.name.clone(), line }
    }

    /// The lines of several spans, each once, in their order.
    pub fn places(&self, spans: &[Span]) -> Vec<Place> {
        let mut out: Vec<Place> = Vec::new();
        for place in spans.iter().map(|s| self.place(*s)) {
            if !out.contains(&place) {
                out.push(place);
            }
        }
        out
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_from_one() {
        let source = SourceText::new("a.imp", "x\n\nyz\n");
        let line = |at| source.place(Span::new(at, at + 1)).line;
        assert_eq!([line(0), line(1), line(2), line(3), line(4)], [1, 1, 2, 3, 3]);
        assert_eq!(source.place(Span::new(3, 4)).to_string(), "a.imp:3");
        assert_eq!(source.places(&[Span::new(3, 4), Span::new(4, 5), Span::new(0, 1)]).len(), 2);
    }
}
