//! Sequence charts in Mermaid's language.

use std::fmt::Write as _;

use explain::{Chart, ExchangeKind, Row};

/// The text of a chart.
pub fn mermaid(chart: &Chart) -> String {
    let mut out = String::new();
    write(&mut out, chart).expect("writing to a string cannot fail");
    out
}

fn write(out: &mut String, chart: &Chart) -> std::fmt::Result {
    writeln!(out, "%% {}\nsequenceDiagram", one_line(&chart.title))?;
    for (i, lane) in chart.lanes.iter().enumerate() {
        let what = if lane.is_channel { "channel " } else { "" };
        writeln!(out, "  participant l{i} as {what}{}", escape(&lane.name))?;
    }
    let last = chart.lanes.len() - 1;
    let mut repeats = false;
    for row in &chart.rows {
        if repeats && matches!(row, Row::Fate { .. }) {
            repeats = false;
            writeln!(out, "  end")?;
        }
        match row {
            Row::Arrow { from, to, kind, text } => {
                let arrow = match kind {
                    ExchangeKind::Rendezvous | ExchangeKind::Send | ExchangeKind::Receive => "->>",
                    ExchangeKind::Joint => "->",
                    ExchangeKind::Lost => "-x",
                };
                writeln!(out, "  l{from}{arrow}l{to}: {}", escape(text))?;
            }
            Row::Note { lane, text } | Row::Fate { lane, text } => {
                writeln!(out, "  Note over l{lane}: {}", escape(text))?;
            }
            Row::Remark(text) if last == 0 => writeln!(out, "  Note over l0: {}", escape(text))?,
            Row::Remark(text) => writeln!(out, "  Note over l0,l{last}: {}", escape(text))?,
            Row::ForEver => {
                repeats = true;
                writeln!(out, "  loop for ever")?;
            }
        }
    }
    if repeats { writeln!(out, "  end") } else { Ok(()) }
}

/// The text of a comment: only the end of the line would end it. One that opens with a brace would be a directive.
fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ").replace('{', "(").replace('}', ")")
}

/// A text in which nothing means anything to Mermaid: not even the word that ends a block.
fn escape(text: &str) -> String {
    let mut out = String::new();
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let rest = &text[at..];
        let is_end = rest.get(..3).is_some_and(|word| word.eq_ignore_ascii_case("end"))
            && !before.is_alphanumeric()
            && !rest[3..].starts_with(char::is_alphanumeric);
        match c {
            '\n' | '\r' | '\t' => out.push(' '),
            '#' | ';' | ':' | '<' | '>' | '&' | '"' | '%' | '\\' | '`' | '{' | '}' => {
                out.push_str(&format!("#{};", u32::from(c)));
            }
            _ if is_end => out.push_str(&format!("#{};", u32::from(c))),
            _ => out.push(c),
        }
        before = c;
    }
    out
}
