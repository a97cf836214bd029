//! Lines of output, and the columns of neighbouring ones: arrows below arrows, clauses below clauses, comments below
//! comments.

use crate::native::parse::Mark;
use crate::native::token::Kind;

/// Columns further apart than this are not worth aligning.
const WIDEST: usize = 32;

/// One line; an empty one is blank.
#[derive(Debug, Default)]
pub(super) struct Line {
    indent: usize,
    text: String,
    /// Where the arrow and the first clause of a step begin in `text`.
    arrow: Option<usize>,
    clause: Option<usize>,
    /// A comment after the text.
    comment: Option<String>,
}

impl Line {
    /// A line without text yet.
    pub(super) fn new(indent: usize) -> Self {
        Self { indent, ..Self::default() }
    }

    /// Appends a token.
    pub(super) fn push(&mut self, token: &str, space: bool, kind: Kind, mark: Option<Mark>) {
        if kind == Kind::LineComment && !self.text.is_empty() {
            self.comment = Some(token.to_owned());
            return;
        }
        if space {
            self.text.push(' ');
        }
        match mark {
            Some(Mark::Arrow) => self.arrow = Some(self.text.len()),
            Some(Mark::Clause) => self.clause = Some(self.text.len()),
            _ => {}
        }
        self.text.push_str(token);
    }

    /// The columns can be aligned only on a single line that says where they are.
    fn is_step(&self) -> bool {
        self.arrow.is_some() && !self.text.contains('\n')
    }

    fn width(&self) -> usize {
        self.indent + self.text.chars().count()
    }

    fn pad(&mut self, at: usize, spaces: usize) {
        self.text.insert_str(at, &" ".repeat(spaces));
        if self.arrow.is_some_and(|a| a >= at) {
            self.arrow = self.arrow.map(|a| a + spaces);
        }
        if self.clause.is_some_and(|c| c >= at) {
            self.clause = self.clause.map(|c| c + spaces);
        }
    }
}

/// The aligned lines as one text.
pub(super) fn render(lines: &mut [Line]) -> String {
    for group in lines.chunk_by_mut(|a, b| a.is_step() && b.is_step() && a.indent == b.indent) {
        align(group, |line| line.arrow.filter(|_| line.is_step()));
        align(group, |line| line.clause.filter(|_| line.is_step()));
    }
    let mut out = String::new();
    for group in lines.chunk_by(|a, b| a.comment.is_some() && b.comment.is_some()) {
        let column = group.iter().map(Line::width).max().unwrap_or(0);
        for line in group {
            if !line.text.is_empty() {
                out.push_str(&" ".repeat(line.indent));
                out.push_str(&line.text);
            }
            if let Some(comment) = &line.comment {
                out.push_str(&" ".repeat(column - line.width() + 2));
                out.push_str(comment);
            }
            out.push('\n');
        }
    }
    out
}

/// Moves the part at `column` of each line to where the furthest one is.
fn align(group: &mut [Line], column: impl Fn(&Line) -> Option<usize>) {
    let furthest = group.iter().filter_map(&column).filter(|&c| c <= WIDEST).max().unwrap_or(0);
    for line in group {
        if let Some(at) = column(line).filter(|&at| at < furthest) {
            line.pad(at, furthest - at);
        }
    }
}
