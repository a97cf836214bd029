//! Expectations in the comments of a package: lines such as `// expect: deadlock-free violated`.

use model::Span;

use crate::notes::Notes;
use crate::{Diagnostic, Loaded};

/// Adds to a model what the comments of its text expect; each has a line of its own.
pub(super) fn expectations(text: &str, loaded: &mut Loaded) -> Result<(), Diagnostic> {
    let (mut notes, mut start) = (Notes::default(), 0);
    for line in text.split_inclusive('\n') {
        if let Some(comment) = line.trim_start().strip_prefix("//") {
            let before = line.len() - comment.len() - 2;
            notes.read(comment, Span::new(start + before, start + line.trim_end().len()))?;
        }
        start += line.len();
    }
    notes.settle(&mut loaded.properties, &[])?;
    loaded.size = notes.size;
    Ok(())
}
