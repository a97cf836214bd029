//! What can be asked about: models of threads, and systems that a builder made.

use std::fmt;

use explain::SourceText;
use frontend::Diagnostic;
use model::{BuildError, System};

/// Something that a question can be about.
pub trait Subject {
    /// The system.
    fn system(&self) -> Result<System, Mistakes>;

    /// Where its parts are written.
    fn source(&self) -> SourceText;
}

impl Subject for System {
    fn system(&self) -> Result<System, Mistakes> {
        Ok(self.clone())
    }

    fn source(&self) -> SourceText {
        SourceText::new(self.name(), "")
    }
}

impl<S: Subject + ?Sized> Subject for &S {
    fn system(&self) -> Result<System, Mistakes> {
        (**self).system()
    }

    fn source(&self) -> SourceText {
        (**self).source()
    }
}

/// Why nothing can be asked: mistakes in the model, or in the question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistakes(Vec<String>);

impl Mistakes {
    pub(crate) fn in_model(errors: &[BuildError], source: &SourceText) -> Self {
        let told = |e: &BuildError| match e.span {
            Some(span) => format!("{}  [{}]", e.message, source.place(span)),
            None => e.message.clone(),
        };
        Self(errors.iter().map(told).collect())
    }

    pub(crate) fn no_threads(model: &str) -> Self {
        Self(vec![format!("the model `{model}` has no threads: add some with `Model::thread`")])
    }

    pub(crate) fn in_question(text: &str, diagnostics: &[Diagnostic]) -> Self {
        let told = |d: &Diagnostic| {
            let help = d.help.as_ref().map_or_else(String::new, |help| format!(" ({help})"));
            format!("`{text}`: {}{help}", d.message)
        };
        Self(diagnostics.iter().map(told).collect())
    }
}

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("\n"))
    }
}

impl std::error::Error for Mistakes {}
