//! Texts of files that somebody else may have written: none of them may look like a line of ours, or steer a terminal.

use evidence::{CertificateFile, Question, TraceFile};

/// A text as part of one line: what would end it, or steer a terminal, is written out.
pub(crate) fn line(text: &str) -> String {
    text.chars().map(|c| if steers(c) { c.escape_default().to_string() } else { c.to_string() }).collect()
}

/// Control characters, and those that change the order or the lines of what is shown.
fn steers(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Complains of texts in certificates that are in no file that `impasse check` writes.
pub(crate) fn certificates(file: &CertificateFile) -> Result<(), String> {
    file.set.iter().chain(&file.options).chain(file.proofs.iter().map(|p| &p.model)).try_for_each(|text| name(text))?;
    file.proofs.iter().try_for_each(|p| asked(&p.property, p.question.as_ref()))
}

/// The same of a saved run.
pub(crate) fn run(file: &TraceFile) -> Result<(), String> {
    let steps = file.stem.iter().chain(&file.cycle).map(|step| &step.name);
    file.set.iter().chain(&file.options).chain([&file.model]).chain(steps).try_for_each(|text| name(text))?;
    asked(&file.property, file.question.as_ref())
}

/// Questions and automata may have several lines, and so may properties that are called after them.
fn asked(property: &str, question: Option<&Question>) -> Result<(), String> {
    let Some(Question { kind, text, file }) = question else { return name(property) };
    [Some(kind), file.as_ref()].into_iter().flatten().try_for_each(|text| name(text))?;
    [property, text].into_iter().try_for_each(|t| refuse(t, |c| steers(c) && !matches!(c, '\n' | '\r' | '\t')))
}

fn name(text: &str) -> Result<(), String> {
    refuse(text, steers)
}

fn refuse(text: &str, bad: impl Fn(char) -> bool) -> Result<(), String> {
    if text.contains(bad) { Err(format!("it has control characters in `{}`", line(text))) } else { Ok(()) }
}
