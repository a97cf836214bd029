//! The front end's messages with the text they are about.

use std::io::IsTerminal;

use ariadne::{Config, IndexType, Label, Report, ReportKind, Source};
use frontend::{Diagnostic, Severity};

use crate::exit::{Exit, Failure};

/// More messages than this help nobody.
const SHOWN: usize = 20;

/// The failure of a text that has mistakes.
pub(crate) fn failure(name: &str, text: &str, diagnostics: &[Diagnostic]) -> Failure {
    let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
    let message = format!("{}\n{errors} {} in {name}", render(name, text, diagnostics).trim_end(), plural(errors));
    Failure { exit: Exit::BadInput, message }
}

fn plural(errors: usize) -> &'static str {
    if errors == 1 { "error" } else { "errors" }
}

/// The messages as text, in colour only if standard error is a terminal and nobody objects.
pub(crate) fn render(name: &str, text: &str, diagnostics: &[Diagnostic]) -> String {
    let colour = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let mut out = Vec::new();
    for d in diagnostics.iter().take(SHOWN) {
        // Writing to a vector cannot fail.
        let _ = report(name, text, d, colour).write((name, Source::from(text)), &mut out);
    }
    let mut out: String = String::from_utf8_lossy(&out).lines().flat_map(|l| [l.trim_end(), "\n"]).collect();
    if diagnostics.len() > SHOWN {
        out.push_str(&format!("... and {} more\n", diagnostics.len() - SHOWN));
    }
    out
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
