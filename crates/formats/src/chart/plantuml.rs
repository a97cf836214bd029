//! Sequence charts in PlantUML's language.

use std::fmt::Write as _;

use explain::{Chart, ExchangeKind, Row};

/// The text of a chart.
pub fn plantuml(chart: &Chart) -> String {
    let mut out = String::new();
    write(&mut out, chart).expect("writing to a string cannot fail");
    out
}

fn write(out: &mut String, chart: &Chart) -> std::fmt::Result {
    writeln!(out, "@startuml\ntitle {}", escape(&chart.title))?;
    for (i, lane) in chart.lanes.iter().enumerate() {
        let what = if lane.is_channel { "queue" } else { "participant" };
        writeln!(out, "{what} \"{}\" as l{i}", escape(&lane.name))?;
    }
    let mut repeats = false;
    for row in &chart.rows {
        if repeats && matches!(row, Row::Fate { .. }) {
            repeats = false;
            writeln!(out, "end")?;
        }
        match row {
            Row::Arrow { from, to, kind, text } => {
                let arrow = match kind {
                    ExchangeKind::Rendezvous | ExchangeKind::Send | ExchangeKind::Receive => "->",
                    ExchangeKind::Joint => "<->",
                    ExchangeKind::Lost => "->x",
                };
                writeln!(out, "l{from} {arrow} l{to} : {}", escape(text))?;
            }
            Row::Note { lane, text } | Row::Fate { lane, text } => {
                writeln!(out, "note over l{lane} : {}", escape(text))?;
            }
            Row::Remark(text) => writeln!(out, "... {} ...", escape(text))?,
            Row::ForEver => {
                repeats = true;
                writeln!(out, "loop for ever")?;
            }
        }
    }
    if repeats {
        writeln!(out, "end")?;
    }
    writeln!(out, "@enduml")
}

/// A text in which nothing means anything to PlantUML: signs of its markup are two of the same kind.
fn escape(text: &str) -> String {
    let mut out = String::new();
    let mut before = ' ';
    for c in text.chars() {
        let doubled = c == before && !c.is_alphanumeric() && c != ' ';
        match c {
            '\n' | '\r' | '\t' => out.push(' '),
            '\\' | '<' | '"' | '~' | '%' | '$' => out.push_str(&format!("<U+{:04X}>", u32::from(c))),
            _ if doubled => out.push_str(&format!("<U+{:04X}>", u32::from(c))),
            _ => out.push(c),
        }
        // What was escaped is no half of a pair any more.
        before = if doubled { ' ' } else { c };
    }
    out
}
