//! Places in a text, as editors count them: lines from 0, columns in units of UTF-16.

use serde_json::{Value, json};

use crate::diagnostics::Position;

/// A text and where its lines begin.
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub(super) text: String,
    starts: Vec<usize>,
}

impl Text {
    pub(super) fn new(text: String) -> Self {
        let newlines = text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1);
        let starts = std::iter::once(0).chain(newlines).collect();
        Self { text, starts }
    }

    /// A line without its end; empty beyond the last.
    fn line(&self, number: usize) -> &str {
        let Some(start) = self.starts.get(number) else { return "" };
        let end = self.starts.get(number + 1).map_or(self.text.len(), |next| next - 1);
        self.text[*start..end].trim_end_matches('\r')
    }

    /// The place of a byte.
    pub(super) fn position(&self, at: usize) -> Value {
        let at = (0..=at.min(self.text.len())).rev().find(|at| self.text.is_char_boundary(*at)).unwrap_or(0);
        let line = self.starts.partition_point(|start| *start <= at) - 1;
        json!({ "line": line, "character": utf16(&self.text[self.starts[line]..at]) })
    }

    pub(super) fn range(&self, (start, end): (usize, usize)) -> Value {
        json!({ "start": self.position(start), "end": self.position(end.max(start)) })
    }

    /// The byte at a place; the end of the line if it has no such column.
    pub(super) fn offset(&self, position: &Value) -> Option<usize> {
        let number = usize::try_from(position["line"].as_u64()?).ok()?;
        let column = usize::try_from(position["character"].as_u64()?).ok()?;
        let (start, line) = (*self.starts.get(number)?, self.line(number));
        let mut units = 0;
        for (at, c) in line.char_indices() {
            if units >= column {
                return Some(start + at);
            }
            units += c.len_utf16();
        }
        Some(start + line.len())
    }

    /// From one place to another that are counted from 1 in lines and characters.
    pub(super) fn between(&self, start: Position, end: Position) -> Value {
        let place = |p: Position| {
            let line = p.line.saturating_sub(1);
            let before: String = self.line(line).chars().take(p.column.saturating_sub(1)).collect();
            json!({ "line": line, "character": utf16(&before) })
        };
        json!({ "start": place(start), "end": place(end) })
    }

    /// What is written on a line that is counted from 1.
    pub(super) fn whole_line(&self, number: usize) -> Value {
        let line = number.saturating_sub(1);
        let text = self.line(line);
        let indent = &text[..text.len() - text.trim_start().len()];
        json!({
            "start": { "line": line, "character": utf16(indent) },
            "end": { "line": line, "character": utf16(text) },
        })
    }

    /// The line around a byte, as it is written.
    pub(super) fn line_around(&self, at: usize) -> &str {
        self.line(self.starts.partition_point(|start| *start <= at) - 1).trim()
    }
}

fn utf16(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_units_of_utf16() {
        let text = Text::new("a\u{1f600}b\r\n\u{e9}x".to_owned());
        let at = |line: u64, character: u64| json!({ "line": line, "character": character });
        assert_eq!(text.position(5), at(0, 3));
        assert_eq!(text.position(6), at(0, 4));
        assert_eq!(text.position(10), at(1, 1));
        assert_eq!(text.position(99), at(1, 2));
        // In the middle of a character.
        assert_eq!(text.position(3), at(0, 1));
        let offset = |line, character| text.offset(&at(line, character));
        assert_eq!([offset(0, 0), offset(0, 3), offset(0, 99), offset(1, 1)], [Some(0), Some(5), Some(6), Some(10)]);
        assert_eq!(offset(7, 0), None);
        let place = |line, column| Position { line, column };
        assert_eq!(text.between(place(1, 3), place(2, 2)), json!({ "start": at(0, 3), "end": at(1, 1) }));
    }
}
