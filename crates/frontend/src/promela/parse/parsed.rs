//! What was read.

use model::{NamedProperty, Property, Span, Strength, System};

use crate::fairness::to_takers;
use crate::name::Words;
use crate::notes::Notes;
use crate::promela::ast::Program;
use crate::promela::preprocess::Macros;
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
    /// What a question about the model may use.
    pub(super) macros: Macros,
    pub(super) words: Words,
}

impl Parsed {
    /// The tree, with what the comments of the model's own text expect.
    pub(super) fn new(
        text: &str,
        program: Program,
        warnings: Vec<Diagnostic>,
        (sources, macros, words): (Sources, Macros, Words),
    ) -> Result<Self, Vec<Diagnostic>> {
        let notes = notes(text).map_err(|mistake| vec![mistake])?;
        Ok(Self { program, sources, warnings, notes, macros, words })
    }

    /// What comments expect of fair runs, each a question of its own.
    pub fn fair_questions(&self, properties: &[NamedProperty], system: &System) -> Vec<NamedProperty> {
        let fair = |(of, strength, name): (&str, Strength, String)| {
            let mut property = properties.iter().find(|p| p.name == of)?.property.clone();
            let Property::Temporal(temporal) = &mut property else { return None };
            temporal.fairness = to_takers(system, strength);
            Some(NamedProperty { name, property, expect: None, span: None })
        };
        self.notes.fairly().filter_map(fair).collect()
    }

    /// Gives the properties what comments expect of them, and says how large the state space is expected to be. Of some
    /// properties something may be expected that are left out on purpose.
    pub fn expectations(
        &self,
        properties: &mut Vec<NamedProperty>,
        left_out: &[&str],
    ) -> Result<ExpectedSize, Diagnostic> {
        self.notes.settle(properties, left_out)?;
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
