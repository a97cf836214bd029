//! Messages for the person who wrote the model: where, what, what was expected, what to try.

use model::Span;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// There is no model.
    Error,
    /// There is a model, but perhaps not the intended one.
    Warning,
}

/// One message about a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The mistake in one sentence.
    pub message: String,
    /// The offending part of the text.
    pub span: Span,
    /// What to write beneath the underlined text: what was expected there.
    pub label: String,
    /// What to try.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A mistake, without label and help yet.
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        let (severity, label, help) = (Severity::Error, String::new(), None);
        Self { severity, message: message.into(), span, label, help }
    }

    /// A remark, without label and help yet.
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(span, message) }
    }

    /// Says what to write beneath the underlined text.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Says what to try.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Says what to try, if there is an idea.
    #[must_use]
    pub fn maybe_help(mut self, help: Option<String>) -> Self {
        self.help = help.or(self.help);
        self
    }
}

impl Diagnostic {
    /// Line and column of the first character in question, both counted from 1.
    pub fn position(&self, text: &[u8]) -> (usize, usize) {
        let before = &text[..text.len().min(self.span.start as usize)];
        let line_start = before.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
        let line = 1 + before.iter().filter(|b| **b == b'\n').count();
        // Every byte but the continuing ones of UTF-8 begins a character.
        let column = 1 + before[line_start..].iter().filter(|b| (**b & 0xc0) != 0x80).count();
        (line, column)
    }
}
