//! `impasse paper`: the tables and figures of the papers, row by row as they are measured.

use std::fs;
use std::path::Path;

use papers::{Item, Lab, Measured, Paper, Plot};
use serde_json::{Value, json};

use crate::args::{PaperArgs, TableFormat};
use crate::exit::{Done, Exit, Failure};
use crate::progress::Live;
use crate::render::paper::{self, Widths};
use crate::{budget, output};

/// Lists the papers, or measures one.
pub(crate) fn run(args: &PaperArgs) -> Done {
    let papers = papers::papers();
    let Some(name) = &args.name else {
        output::emit(&match args.format {
            TableFormat::Text => paper::list(&papers),
            TableFormat::Json => document("papers", papers.iter().map(listed).collect()),
        })?;
        return Ok(Exit::Holds);
    };
    let names = papers.iter().map(|p| p.name);
    let paper = papers.iter().find(|p| p.name == name).ok_or_else(|| unknown("paper", name, names))?;
    let items = chosen(paper, &args.only)?;
    if let Some(directory) = &args.svg {
        let problem = |e| Failure::input(format!("cannot make the directory {}: {e}", directory.display()));
        fs::create_dir_all(directory).map_err(problem)?;
    }
    measure(args, &items)
}

/// The items that are asked for, in the order of the paper; all if none is.
fn chosen<'p>(paper: &'p Paper, only: &[String]) -> Result<Vec<&'p Item>, Failure> {
    let names = || paper.items.iter().map(|i| i.name);
    match only.iter().find(|o| names().all(|n| n != *o)) {
        Some(wrong) => Err(unknown("item", wrong, names())),
        None => Ok(paper.items.iter().filter(|i| only.is_empty() || only.iter().any(|o| o == i.name)).collect()),
    }
}

fn unknown(what: &str, name: &str, known: impl Iterator<Item = &'static str>) -> Failure {
    let known: Vec<&str> = known.collect();
    Failure::usage(format!("there is no {what} `{name}`; there are: {}", known.join(", ")))
}

fn measure(args: &PaperArgs, items: &[&Item]) -> Done {
    let budget = budget::within(Some(args.timeout), args.memory);
    let progress = Live::new(args.progress);
    let mut lab = Lab::new(items.iter().copied(), &budget, &progress).each(args.each);
    let text = args.format == TableFormat::Text;
    let mut done = Vec::new();
    for (i, item) in items.iter().enumerate() {
        let widths = Widths::new(item);
        let mut rows: Vec<Measured> = Vec::new();
        if text {
            output::emit(&(if i > 0 { "\n" } else { "" }.to_owned() + &widths.header(item)))?;
        }
        for row in &item.rows {
            rows.push(lab.measure(row));
            progress.clear();
            if text && rows.last().is_some_and(|r| !r.is_empty()) {
                output::emit(&widths.row(item, &rows))?;
            }
        }
        if text {
            output::emit(&paper::footer(item, &rows))?;
        }
        args.svg.as_deref().map_or(Ok(()), |directory| draw(directory, item, &rows))?;
        done.push((*item, rows));
    }
    if !text {
        output::emit(&document("items", done.iter().map(|(item, rows)| measured(item, rows)).collect()))?;
    }
    let mut cells = done.iter().flat_map(|(_, rows)| rows).flat_map(|r| r.cells.iter().flatten());
    Ok(if cells.any(|c| c.reason.is_some()) { Exit::Unknown } else { Exit::Holds })
}

fn draw(directory: &Path, item: &Item, rows: &[Measured]) -> Result<(), Failure> {
    let Some(plot) = Plot::new(item, rows) else { return Ok(()) };
    output::write_file(&directory.join(format!("{}.svg", item.name)), &plot.svg())
}

fn document(what: &str, content: Vec<Value>) -> String {
    let report = json!({ "schema": "impasse-paper-1", "tool": driver::ToolInfo::default(), what: content });
    serde_json::to_string_pretty(&report).expect("a value is always JSON") + "\n"
}

fn listed(paper: &Paper) -> Value {
    let item = |i: &Item| json!({ "name": i.name, "title": i.title });
    json!({ "name": paper.name, "title": paper.title, "items": paper.items.iter().map(item).collect::<Vec<_>>() })
}

fn measured(item: &Item, rows: &[Measured]) -> Value {
    json!({ "name": item.name, "title": item.title, "rows": rows, "notes": item.notes })
}
