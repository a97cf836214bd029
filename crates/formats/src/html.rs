//! A report as one page that needs nothing else: to be mailed, archived, opened anywhere. It has no scripts and loads nothing.

use std::fmt::Write as _;

use explain::Place;
use explain::text::{self as explained, Limits};

use crate::case::related;
use crate::text::price_of;
use crate::waiting::Waiting;
use crate::xml::escape;
use crate::{Case, Outcome, Times};

/// What a page is made of.
#[derive(Clone, Debug, Default)]
pub struct Document<'a> {
    /// What it is about.
    pub title: String,
    /// What was asked and what came of it.
    pub cases: &'a [Case],
    /// The sequence chart of each case that has one, as a drawing.
    pub charts: Vec<Option<String>>,
    /// The texts of the models, by the names that places have for them.
    pub sources: Vec<(String, String)>,
    /// Whether times are left out.
    pub timeless: bool,
}

/// Pictures of more processes than this say nothing.
const DRAWN: usize = 60;
/// Longer texts are not part of a page.
const MAX_SOURCE: usize = 400_000;

const STYLE: &str = "\
:root { color-scheme: light dark; --ink: #1d2430; --paper: #ffffff; --soft: #f3f5f8; --line: #d5dae2; --dim: #5b6575;
  --good: #1c6b34; --bad: #b3261e; --open: #8a5a00; --mark: #fff3c4; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e6e6; --paper: #16181c; --soft: #20242b; --line: #3a414d; --dim: #a0a9b7;
  --good: #7ad394; --bad: #ff8a7d; --open: #f0c060; --mark: #4a3f14; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; border-top: 1px solid var(--line); padding-top: 1rem; }
pre { font: 13px/1.5 ui-monospace, monospace; background: var(--soft); padding: .8rem; border-radius: 6px; overflow-x: auto; white-space: pre-wrap; }
table { border-collapse: collapse; } td, th { text-align: left; padding: .25rem .8rem .25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
figure { margin: 1rem 0; overflow-x: auto; } figcaption { color: var(--dim); } img { max-width: none; }
.passed { color: var(--good); } .failed, .unusable { color: var(--bad); } .undecided, .noted { color: var(--open); }
h1, h2, p, td, th, pre { overflow-wrap: anywhere; } td.verdict { overflow-wrap: normal; }
.verdict { font-weight: 600; } footer, .dim { color: var(--dim); font-size: .9rem; }
ol.source { font: 13px/1.5 ui-monospace, monospace; background: var(--soft); border-radius: 6px; padding: .8rem .8rem .8rem 4rem; overflow-x: auto; }
ol.source li { white-space: pre; } ol.source li.taken { background: var(--mark); } ol.source li::marker { color: var(--dim); }";

/// The whole page.
pub fn render(document: &Document<'_>) -> String {
    let title = escape(&document.title);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n<style>\n{STYLE}\n</style>\n</head>\n\
         <body>\n<main>\n<h1>{title}</h1>\n"
    );
    table(&mut out, document.cases);
    for (number, case) in document.cases.iter().enumerate() {
        let chart = document.charts.get(number).and_then(Option::as_deref);
        section(&mut out, number, case, chart, if document.timeless { Times::Hidden } else { Times::Shown });
    }
    let taken: Vec<&Place> = document.cases.iter().flat_map(places).collect();
    for (name, text) in document.sources.iter().filter(|(_, text)| text.len() <= MAX_SOURCE) {
        source(&mut out, name, text, &taken);
    }
    let tool = driver::ToolInfo::default();
    write(
        &mut out,
        format_args!("</main>\n<footer><p>{} {}</p></footer>\n</body>\n</html>\n", tool.name, tool.version),
    );
    out
}

fn write(out: &mut String, what: std::fmt::Arguments<'_>) {
    out.write_fmt(what).expect("writing to a string cannot fail");
}

/// The outcome as a class, and as a word: nothing is told by colour alone.
fn word(case: &Case) -> (&'static str, &'static str) {
    match (case.outcome, case.result.as_ref().map(|r| r.verdict)) {
        (Outcome::Passed, verdict) => ("passed", verdict.unwrap_or("passed")),
        (Outcome::Noted, _) => ("noted", "violated"),
        (Outcome::Failed, verdict) => ("failed", verdict.unwrap_or("failed")),
        (Outcome::Undecided, _) => ("undecided", "unknown"),
        (Outcome::Unusable, _) => ("unusable", "unusable"),
    }
}

fn table(out: &mut String, cases: &[Case]) {
    out.push_str(
        "<table>\n<tr><th scope=\"col\">property</th><th scope=\"col\">verdict</th><th scope=\"col\">model</th></tr>\n",
    );
    for (number, case) in cases.iter().enumerate() {
        let (class, word) = word(case);
        let (name, file) = (escape(&case.name), escape(&case.file));
        write(
            out,
            format_args!(
                "<tr><td><a href=\"#case-{number}\">{name}</a></td><td class=\"verdict {class}\">{word}</td><td>{file}</td></tr>\n"
            ),
        );
    }
    out.push_str("</table>\n");
}

fn section(out: &mut String, number: usize, case: &Case, chart: Option<&str>, times: Times) {
    let (class, _) = word(case);
    let (name, message) = (escape(&case.name), escape(&case.message));
    write(
        out,
        format_args!(
            "<section aria-labelledby=\"case-{number}\">\n<h2 id=\"case-{number}\">{name}</h2>\n\
             <p class=\"verdict {class}\">{message}</p>\n"
        ),
    );
    if let Some(region) = &case.region {
        write(out, format_args!("<p class=\"dim\">{}:{}</p>\n", escape(&region.file), region.line));
    }
    if let Some(result) = &case.result {
        if let Some(explanation) = &result.explanation {
            let text = escape(&explained::explanation(explanation, Limits { rest: "the trace", ..Limits::SHORT }));
            write(out, format_args!("<pre>{text}</pre>\n"));
        }
        result.hints.iter().for_each(|hint| write(out, format_args!("<p>Hint: {}</p>\n", escape(hint))));
        if let Some(deadlock) = result.explanation.as_ref().and_then(|e| e.conclusion.deadlock())
            && let Some(graph) = Waiting::new(&case.name, deadlock).filter(|_| deadlock.processes.len() <= DRAWN)
        {
            figure(out, "Who waits for whom", &graph.svg());
        }
        if let Some(chart) = chart {
            figure(out, "The run: a lane for each process, time going down", chart);
        }
        let price = price_of(result, 1, false, times);
        if !price.is_empty() {
            write(out, format_args!("<pre class=\"dim\">{}</pre>\n", escape(&price)));
        }
    }
    out.push_str("</section>\n");
}

/// A drawing, as a picture of its own: its names and styles stay within.
fn figure(out: &mut String, caption: &str, svg: &str) {
    let data: String = svg.bytes().map(encode).collect();
    write(
        out,
        format_args!(
            "<figure><img alt=\"{caption}\" src=\"data:image/svg+xml,{data}\"><figcaption>{caption}</figcaption></figure>\n"
        ),
    );
}

fn encode(byte: u8) -> String {
    match byte {
        b'a'..=b'z'
        | b'A'..=b'Z'
        | b'0'..=b'9'
        | b'-'
        | b'.'
        | b'_'
        | b'~'
        | b'/'
        | b':'
        | b'='
        | b' '
        | b','
        | b';' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    }
}

/// The lines that a case is about.
fn places(case: &Case) -> Vec<&Place> {
    let Some(result) = &case.result else { return Vec::new() };
    let steps = result.explanation.iter().flat_map(|e| e.steps.iter().flat_map(|step| &step.source));
    steps.chain(related(result)).collect()
}

fn source(out: &mut String, name: &str, text: &str, taken: &[&Place]) {
    write(
        out,
        format_args!(
            "<h2>{}</h2>\n<p class=\"dim\">The lines of the runs are marked.</p>\n<ol class=\"source\">\n",
            escape(name)
        ),
    );
    for (line, number) in text.lines().zip(1..) {
        let is_taken = taken.iter().any(|p| p.line == number && p.file == name);
        let class = if is_taken { " class=\"taken\"" } else { "" };
        write(out, format_args!("<li id=\"L{number}\"{class}>{}</li>\n", escape(line)));
    }
    out.push_str("</ol>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_never_taken_for_markup() {
        let bad = "<script>alert(\"x\")</script>";
        let cases = [Case::unusable(bad, bad.to_owned(), None)];
        let svg = Some(format!("<svg>\"'{bad}#</svg>"));
        let sources = vec![(bad.to_owned(), format!("{bad}\n&"))];
        let page =
            render(&Document { title: bad.to_owned(), cases: &cases, charts: vec![svg], sources, timeless: true });
        assert!(
            !page.contains("<script") && page.contains("&lt;script&gt;") && page.contains("<li id=\"L2\">&amp;</li>")
        );
        assert!(
            page.contains("default-src 'none'") && !page.contains("http:") && !page.contains("https:"),
            "it loads nothing"
        );
    }

    #[test]
    fn what_was_not_decided_does_not_look_like_a_success() {
        let undecided = driver::ReportResult::undecided("p".to_owned(), "ltl", "no time".to_owned());
        let cases = [Case::of("m.imp", undecided)];
        let page = render(&Document { cases: &cases, ..Document::default() });
        assert!(page.contains("verdict undecided\">unknown<") && !page.contains("verdict passed"));
    }
}
