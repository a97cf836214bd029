//! The texts of a model and of the files that it includes, joined, so that one span names a place in any of them.

use model::Span;

use crate::Diagnostic;

/// Gives the text of a file, or says why it cannot.
pub type Reader<'r> = &'r dyn Fn(&str) -> Result<String, String>;

/// One file: its name, where it begins in the joined text, and which part of the main file asked for it.
#[derive(Clone, Debug)]
struct File {
    name: String,
    start: u32,
    included_at: Span,
}

/// The joined texts: the script itself comes first, so that its spans are those of its own text.
#[derive(Clone, Debug)]
pub struct Sources {
    text: String,
    main: u32,
    files: Vec<File>,
}

impl Sources {
    /// The script alone.
    pub(crate) fn new(text: &str) -> Self {
        Self { text: text.to_owned(), main: text.len() as u32, files: Vec::new() }
    }

    /// Adds an included file; `at` is the place of its `include` in whichever file has it.
    pub(crate) fn add(&mut self, name: &str, text: &str, at: Span) -> Span {
        let included_at = self.file_of(at).map_or(at, |file| file.included_at);
        self.text.push('\n');
        let start = self.text.len();
        self.text.push_str(text);
        self.files.push(File { name: name.to_owned(), start: start as u32, included_at });
        Span::new(start, self.text.len())
    }

    /// The joined text, which spans refer to.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The line of a place in its own file, counted from 1.
    pub(crate) fn line(&self, span: Span) -> usize {
        1 + self.text[self.start_of(span)..span.start as usize].matches('\n').count()
    }

    /// The column of a place, in bytes counted from 0.
    pub(crate) fn column(&self, span: Span) -> usize {
        let before = &self.text[self.start_of(span)..span.start as usize];
        before.len() - before.rfind('\n').map_or(0, |at| at + 1)
    }

    /// Where the file of a place begins.
    fn start_of(&self, span: Span) -> usize {
        self.file_of(span).map_or(0, |file| file.start as usize)
    }

    /// The included file that has this place; nothing for the script itself.
    fn file_of(&self, span: Span) -> Option<&File> {
        let after = self.files.partition_point(|file| file.start <= span.start);
        if span.start <= self.main { None } else { self.files[..after].last() }
    }

    /// The place as the reader of the script alone knows it: a place in an included file is that of its `include`.
    pub(crate) fn in_main(&self, span: Span) -> Span {
        self.file_of(span).map_or(span, |file| file.included_at)
    }

    /// The message as the reader of the script alone can place it: what is wrong with an included file is said at its
    /// `include`, with line and column in words.
    pub fn placed(&self, diagnostic: Diagnostic) -> Diagnostic {
        let Some(file) = self.file_of(diagnostic.span) else { return diagnostic };
        let start = diagnostic.span.start - file.start;
        let own = Diagnostic { span: Span { start, end: start }, ..diagnostic };
        let (line, column) = own.position(&self.text.as_bytes()[file.start as usize..]);
        let message = format!("in {:?}, line {line}, column {column}: {}", file.name, own.message);
        let label = if own.label.is_empty() { "included here".to_owned() } else { format!("there: {}", own.label) };
        Diagnostic { message, span: file.included_at, label, ..own }
    }
}
