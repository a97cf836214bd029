//! The canonical layout: one item or step a line, two spaces for each block, comments and single blank lines kept.
//! Line breaks within an item stay where the author put them. Only white space changes.

mod align;

use super::parse::{Mark, Marks, parse_marks};
use super::report::Reports;
use super::token::{Kind, Token, tokens};
use crate::Diagnostic;
use align::Line;

/// How much further the later lines of an item are indented.
const CONTINUATION: usize = 4;

/// The text in its canonical layout.
pub(super) fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    let mut reports = Reports::default();
    let tokens = tokens(text, &mut reports).unwrap_or_default();
    let marks = parse_marks(text, &tokens, &mut reports);
    if !reports.is_empty() {
        return Err(reports.sorted());
    }
    let mut writer = Writer { text, tokens: &tokens, marks, lines: Vec::new(), depth: 0 };
    for i in 0..tokens.len() {
        writer.token(i);
    }
    Ok(align::render(&mut writer.lines))
}

struct Writer<'a> {
    text: &'a str,
    tokens: &'a [Token],
    marks: Marks,
    lines: Vec<Line>,
    depth: usize,
}

/// What comes before a token.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gap {
    None,
    Space,
    Break,
    Blank,
}

impl Writer<'_> {
    fn mark(&self, i: usize) -> Option<Mark> {
        self.marks.get(self.tokens[i].span)
    }

    fn token(&mut self, i: usize) {
        let token = self.tokens[i];
        let mark = self.mark(i);
        if mark == Some(Mark::Close) {
            self.depth -= 1;
        }
        let gap = self.gap(i);
        if gap == Gap::Blank {
            self.lines.push(Line::default());
        }
        if self.lines.is_empty() || matches!(gap, Gap::Break | Gap::Blank) {
            let continued = if self.continues(i) { CONTINUATION } else { 0 };
            self.lines.push(Line::new(2 * self.depth + continued));
        }
        let text = self.text[token.span.range()].trim_end();
        let line = self.lines.last_mut().expect("a line was begun");
        line.push(text, gap == Gap::Space, token.kind, mark);
        if mark == Some(Mark::Open) {
            self.depth += 1;
        }
    }

    /// Whether the token stands within an item that began on an earlier line. Comments belong to what follows them.
    fn continues(&self, i: usize) -> bool {
        let next = (i..self.tokens.len()).find(|&j| !self.tokens[j].kind.is_comment());
        match next.map(|j| (self.mark(j), self.text[self.tokens[j].span.range()].trim())) {
            None | Some((Some(Mark::Start | Mark::Close | Mark::Free), _)) => false,
            // `else` on a line of its own stands below its `if`.
            Some((_, "else" | ";")) => false,
            Some(_) => true,
        }
    }

    fn gap(&self, i: usize) -> Gap {
        let Some(before) = i.checked_sub(1) else { return Gap::None };
        let (last, token) = (self.tokens[before], self.tokens[i]);
        let breaks = self.text[last.span.end as usize..token.span.start as usize].matches('\n').count();
        let (left, right) = (self.mark(before), self.mark(i));
        let must_break = last.kind == Kind::LineComment
            || (!self.follows_on_line(i, breaks) && (left == Some(Mark::Open) || is_line(right)));
        let may_break = breaks > 0 && !self.sticks(i);
        if must_break || may_break {
            let inside = left == Some(Mark::Open) || right == Some(Mark::Close) || self.continues(i);
            return if breaks > 1 && !inside { Gap::Blank } else { Gap::Break };
        }
        if self.tight(before, i) { Gap::None } else { Gap::Space }
    }

    /// A comment, or a `;`, on the line of what it belongs to.
    fn follows_on_line(&self, i: usize, breaks: usize) -> bool {
        (breaks == 0 && self.tokens[i].kind.is_comment()) || self.tokens[i].kind == Kind::Semicolon
    }

    /// Tokens that never begin a line, unless a comment forces them to.
    fn sticks(&self, i: usize) -> bool {
        let else_after_block =
            self.mark(i - 1) == Some(Mark::Close) && &self.text[self.tokens[i].span.range()] == "else";
        self.mark(i) == Some(Mark::Open)
            || else_after_block
            || matches!(self.tokens[i].kind, Kind::Semicolon | Kind::Comma | Kind::Close | Kind::CloseBracket)
    }

    /// Whether two neighbours on a line touch.
    fn tight(&self, before: usize, i: usize) -> bool {
        let (left, right) = (self.tokens[before].kind, self.tokens[i].kind);
        if right.is_comment() {
            return false;
        }
        if left.is_comment() {
            return matches!(right, Kind::Comma | Kind::Semicolon | Kind::Close | Kind::CloseBracket);
        }
        matches!(self.mark(before), Some(Mark::Tight | Mark::Right))
            || matches!(self.mark(i), Some(Mark::Tight | Mark::Left))
            || matches!(left, Kind::Open | Kind::OpenBracket)
            || matches!(right, Kind::Comma | Kind::Semicolon | Kind::Close | Kind::CloseBracket)
    }
}

/// Whether a token with this mark begins a line.
fn is_line(mark: Option<Mark>) -> bool {
    matches!(mark, Some(Mark::Start | Mark::Close))
}
