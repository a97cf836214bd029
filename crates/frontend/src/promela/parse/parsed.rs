//! What was read.

use model::{NamedProperty, Span};

use crate::notes::Notes;
use crate::promela::ast::Program;
use crate::sources::Sources;
use crate::{Diagnostic, ExpectedSize};

/// A model as a syntax tree.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The tree.
    pub program: Program,
    /// The texts that its places refer to.
    pub sources: Sources,
    /// Remarks that do not prevent an answer.
    pub warnings: Vec<Diagnostic>,
    notes: Notes,
}

impl Parsed {
    /// The tree, with what the comments of the model's own text expect.
    pub(super) fn new(
        text: &str,
        program: Program,
        warnings: Vec<Diagnostic>,
        sources: Sources,
    ) -> Result<Self, Vec<Diagnostic>> {
        let notes = notes(text).map_err(|mistake| vec![mistake])?;
        Ok(Self { program, sources, warnings, notes })
    }

    /// Gives the properties what comments expect of them, and says how large the state space is expected to be.
    pub fn expectations(&self, properties: &mut [NamedProperty]) -> Result<ExpectedSize, Diagnostic> {
        self.notes.settle(properties)?;
        Ok(self.notes.size)
    }
}

/// What comments with a line of their own expect: `// expect: ...` or `/* expect: ... */`.
fn notes(text: &str) -> Result<Notes, Diagnostic> {
    let (mut notes, mut start) = (Notes::default(), 0);
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        let block = trimmed.strip_prefix("/*").and_then(|rest| rest.strip_suffix("*/"));
        if let Some(comment) = trimmed.strip_prefix("//").or(block) {
            let at = start + (line.len() - line.trim_start().len());
            notes.read(comment, Span::new(at, at + trimmed.len()))?;
        }
        start += line.len();
    }
    Ok(notes)
}
