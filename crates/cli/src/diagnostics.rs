//! The front end's messages with the text they are about.

use std::io::IsTerminal;

use ariadne::{Config, IndexType, Label, Report, ReportKind, Source};
use formats::Region;
use frontend::{Diagnostic, Severity};
use serde::{Deserialize, Serialize};

use crate::exit::Failure;

/// More messages than this help nobody.
const SHOWN: usize = 20;
/// Longer lines are not shown.
const LONG_LINE: usize = 1000;

/// The failure of a text that has mistakes.
pub(crate) fn failure(name: &str, text: &str, diagnostics: &[Diagnostic]) -> Failure {
    let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
    let summary = format!("{errors} {} in {name}", plural(errors));
    let message = format!("{}\n{summary}", render(name, text, diagnostics).trim_end());
    let mistakes = diagnostics.iter().map(|d| Mistake::new(name, text, d)).collect();
    Failure { message, mistakes, ..Failure::input(summary) }
}

/// One message for programs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Mistake {
    pub(crate) severity: String,
    pub(crate) message: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) label: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) help: Option<String>,
    pub(crate) file: String,
    pub(crate) start: Position,
    pub(crate) end: Position,
}

/// A place in a text, counted from 1 in lines and characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Position {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl Mistake {
    /// A message about the text of a file.
    pub(crate) fn new(name: &str, text: &str, d: &Diagnostic) -> Self {
        let severity = match d.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let severity = severity.to_owned();
        let range = d.span.range();
        let (start, end) = (Position::of(text, range.start), Position::of(text, range.end));
        let (message, label, help, file) = (d.message.clone(), d.label.clone(), d.help.clone(), name.to_owned());
        Self { severity, message, label, help, file, start, end }
    }
}

impl Mistake {
    /// The message with what goes with it.
    pub(crate) fn sentence(&self) -> String {
        let parts = [Some(&self.message), Some(&self.label).filter(|l| !l.is_empty()), self.help.as_ref()];
        parts.into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join("; ")
    }

    /// Where it is.
    pub(crate) fn region(&self) -> Region {
        let columns = Some((self.start.column, (self.end.line, self.end.column)));
        Region { file: self.file.clone(), line: self.start.line, columns }
    }
}

impl Position {
    fn of(text: &str, at: usize) -> Self {
        let before = text.get(..at).unwrap_or(text);
        let line = before.rfind('\n').map_or(before, |newline| &before[newline + 1..]);
        Self { line: before.matches('\n').count() + 1, column: line.chars().count() + 1 }
    }
}

fn plural(errors: usize) -> &'static str {
    if errors == 1 { "error" } else { "errors" }
}

/// The messages as text, in colour only if standard error is a terminal and nobody objects.
pub(crate) fn render(name: &str, text: &str, diagnostics: &[Diagnostic]) -> String {
    let colour = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let mut out = Vec::new();
    for d in diagnostics.iter().take(SHOWN) {
        if line_length(text, d.span.range().start) > LONG_LINE {
            out.extend_from_slice(plain(name, text, d).as_bytes());
            continue;
        }
        // Writing to a vector cannot fail.
        let _ = report(name, text, d, colour).write((name, Source::from(text)), &mut out);
    }
    let mut out: String = String::from_utf8_lossy(&out).lines().flat_map(|l| [l.trim_end(), "\n"]).collect();
    if diagnostics.len() > SHOWN {
        out.push_str(&format!("... and {} more\n", diagnostics.len() - SHOWN));
    }
    out
}

/// The length of the line around a position.
fn line_length(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let at = at.min(bytes.len());
    let before = bytes[..at].iter().rev().take_while(|b| **b != b'\n').count();
    before + bytes[at..].iter().take_while(|b| **b != b'\n').count()
}

/// A message about a text whose lines nobody can look at, as programs write them.
fn plain(name: &str, text: &str, d: &Diagnostic) -> String {
    let Mistake { severity, start: Position { line, column }, .. } = Mistake::new(name, text, d);
    let notes: String = [("here", Some(&d.label)), ("help", d.help.as_ref())]
        .into_iter()
        .filter_map(|(what, note)| note.filter(|n| !n.is_empty()).map(|n| format!("  {what}: {n}\n")))
        .collect();
    format!("{severity}: {}\n  at {name}:{line}:{column}\n{notes}", d.message)
}

type Span<'a> = (&'a str, std::ops::Range<usize>);

fn report<'a>(name: &'a str, text: &str, d: &Diagnostic, colour: bool) -> Report<'a, Span<'a>> {
    let kind = match d.severity {
        Severity::Error => ReportKind::Error,
        Severity::Warning => ReportKind::Warning,
    };
    let range = d.span.range();
    let range = range.start.min(text.len())..range.end.min(text.len());
    let config = Config::default().with_color(colour).with_index_type(IndexType::Byte);
    let mut report = Report::build(kind, (name, range.clone())).with_config(config).with_message(&d.message);
    report = report.with_label(Label::new((name, range)).with_message(&d.label));
    if let Some(help) = &d.help {
        report = report.with_help(help);
    }
    report.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters() {
        let at = |byte| {
            let Position { line, column } = Position::of("a\n\u{e9}b\n", byte);
            (line, column)
        };
        assert_eq!([at(0), at(1), at(2), at(4), at(6)], [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1)]);
        assert_eq!(at(99), (3, 1));
    }
}
