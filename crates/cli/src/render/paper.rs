//! Tables of papers as text. Widths are known before anything is measured, so that rows can be shown one by one.

use std::fmt::Write as _;

use papers::{Cell, Figure, Item, Layout, Measured, Paper};

use super::beside;
use formats::figures::show_count;

/// The least width of a figure.
const FIGURE: usize = 11;
/// The width of notes.
const WIDTH: usize = 110;
/// The least width of a percentage.
const PERCENT: usize = 7;

/// The papers and what is in them.
pub(crate) fn list(papers: &[Paper]) -> String {
    let mut out = String::new();
    for paper in papers {
        writeln!(out, "{}\n  {}", paper.name, paper.title).expect("writing to a string cannot fail");
        for item in &paper.items {
            writeln!(out, "    {:14}{}", item.name, item.title).expect("writing to a string cannot fail");
        }
    }
    out
}

/// The widths of the columns of labels and of cells.
pub(crate) struct Widths {
    labels: Vec<usize>,
    cells: Vec<usize>,
}

impl Widths {
    /// For an item whose rows are not measured yet.
    pub(crate) fn new(item: &Item) -> Self {
        let label = |(i, head): (usize, &&str)| {
            let labels = item.rows.iter().map(|r| r.labels[i].chars().count());
            labels.max().unwrap_or_default().max(head.chars().count())
        };
        let cells = match item.layout {
            Layout::Compared { figures, .. } => figures.iter().map(|f| f.name().len().max(FIGURE)).collect(),
            Layout::Grid { columns, figures } => {
                columns.iter().map(|c| c.chars().count().max(figures.len() * (FIGURE - 2))).collect()
            }
            Layout::Beside { .. } => Vec::new(),
        };
        Self { labels: item.heads.iter().enumerate().map(label).collect(), cells }
    }

    /// The title and the names of the columns.
    pub(crate) fn header(&self, item: &Item) -> String {
        let heads = self.labels(item.heads.iter().copied());
        match item.layout {
            Layout::Compared { figures, relative } => {
                let names = self.columns(figures.iter().map(|f| f.name()));
                let (half, indent) = (names.len(), heads.chars().count());
                let (above, below) = relative.map_or_else(Default::default, percentage_heads);
                let above = format!("{:indent$}{:^half$} |{:^half$}{above}", "", "paper", "ours");
                format!("{}\n{}\n{heads}{names} |{names}{below}\n", item.title, above.trim_end())
            }
            Layout::Grid { columns, figures } => {
                let shown: Vec<&str> = figures.iter().map(|f| f.name()).collect();
                format!("{} ({})\n{heads}{}\n", item.title, shown.join("/"), self.columns(columns.iter().copied()))
            }
            Layout::Beside { columns } => {
                let (above, below) = beside::heads(columns);
                format!("{}\n{:indent$}{above}\n{heads}{below}\n", item.title, "", indent = heads.chars().count())
            }
        }
    }

    fn columns<T: std::fmt::Display>(&self, cells: impl Iterator<Item = T>) -> String {
        cells.zip(&self.cells).map(|(cell, w)| format!("  {cell:>w$}")).collect()
    }

    /// The last of the rows that are measured.
    pub(crate) fn row(&self, item: &Item, rows: &[Measured]) -> String {
        let Some(row) = rows.last() else { return String::new() };
        let cells = match item.layout {
            Layout::Compared { figures, relative } => {
                let cells: String = only(row).map_or_else(String::new, |cell| self.compared(figures, cell));
                cells + &relative.map_or_else(String::new, |relative| percentages(relative, rows))
            }
            Layout::Grid { figures, .. } => self.columns(row.cells.iter().map(|c| grid_cell(figures, c.as_ref()))),
            Layout::Beside { columns } => beside::cells(columns, &row.cells),
        };
        format!("{}\n", (self.labels(row.labels.iter().map(String::as_str)) + &cells).trim_end())
    }

    fn labels<'l>(&self, labels: impl Iterator<Item = &'l str>) -> String {
        let padded: Vec<String> = labels.zip(&self.labels).map(|(label, w)| format!("{label:w$}")).collect();
        padded.join("  ")
    }

    fn compared(&self, figures: &[Figure], cell: &Cell) -> String {
        let printed = |f: &Figure| cell.search.printed.map_or_else(String::new, |_| show(*f, cell.of_paper(*f)));
        let paper = self.columns(figures.iter().map(printed));
        paper + " |" + &self.columns(figures.iter().map(|f| show(*f, cell.of_search(*f))))
    }
}

/// Why some searches have no figures, and the notes.
pub(crate) fn footer(item: &Item, rows: &[Measured]) -> String {
    let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
    for (search, reason) in rows.iter().flat_map(|row| unfinished(item, row)) {
        match reasons.iter_mut().find(|(r, _)| *r == reason) {
            Some((_, searches)) => searches.push(search),
            None => reasons.push((reason, vec![search])),
        }
    }
    let reasons = reasons.iter().map(|(reason, searches)| wrapped(&format!("- {reason}: {}", searches.join(", "))));
    reasons.chain(item.notes.iter().map(|note| wrapped(note))).collect()
}

/// The searches of a row that did not finish, by name, and why.
fn unfinished<'m>(item: &Item, row: &'m Measured) -> impl Iterator<Item = (String, &'m str)> {
    let columns = item.layout.columns();
    let labels = row.labels.join(" ");
    row.cells.iter().enumerate().filter_map(move |(i, cell)| {
        let column = columns.get(i).map_or_else(String::new, |c| format!(" {c}"));
        Some((format!("{labels}{column}"), cell.as_ref()?.reason.as_deref()?))
    })
}

/// A note in lines that are not too long.
fn wrapped(note: &str) -> String {
    let mut lines = vec![String::from(" ")];
    for word in note.split(' ') {
        if lines[lines.len() - 1].len() + word.len() >= WIDTH {
            lines.push(String::from("   "));
        }
        let line = lines.len() - 1;
        lines[line] += &format!(" {word}");
    }
    lines.join("\n") + "\n"
}

/// What percentages are of, and how wide each is.
fn percentage_of(figure: Figure, base: &str) -> (String, usize) {
    let what = format!("{} / {base}", figure.name());
    let width = what.len().div_ceil(2).saturating_sub(2).max(PERCENT);
    (what, width)
}

/// The two lines above percentages.
fn percentage_heads((base, figures): (&str, &[Figure])) -> (String, String) {
    let (mut above, mut below) = (String::new(), String::new());
    for figure in figures {
        let (what, w) = percentage_of(*figure, base);
        above += &format!(" |{what:^both$}", both = 2 * (w + 2));
        below += &format!(" |  {:>w$}  {:>w$}", "paper", "ours");
    }
    (above, below)
}

/// The last row as percentages of the row with this last label and otherwise the same labels, if that came before.
fn percentages((base, figures): (&str, &[Figure]), rows: &[Measured]) -> String {
    let Some((row, whole)) = rows.last().and_then(|row| only(row).zip(base_of(row, base, rows))) else {
        return String::new();
    };
    let shown = |f: &Figure| {
        let (_, w) = percentage_of(*f, base);
        let paper = row.search.printed.map_or_else(String::new, |_| percent(row.of_paper(*f), whole.of_paper(*f)));
        format!(" |  {paper:>w$}  {:>w$}", percent(row.of_search(*f), whole.of_search(*f)))
    };
    figures.iter().map(shown).collect()
}

fn base_of<'r>(row: &Measured, base: &str, rows: &'r [Measured]) -> Option<&'r Cell> {
    let is_base =
        |r: &&Measured| r.labels.split_last().is_some_and(|(l, rest)| l == base && row.labels.starts_with(rest));
    rows.iter().find(is_base).and_then(only)
}

/// The search of a row that has one.
fn only(row: &Measured) -> Option<&Cell> {
    row.cells.first()?.as_ref()
}

fn percent(part: Option<f64>, whole: Option<f64>) -> String {
    part.zip(whole).map_or_else(|| "-".to_owned(), |(part, whole)| format!("{:.1} %", 100.0 * part / whole))
}

/// The figures of a cell, or why there are none: a dash if the search did not finish, a star if it was beyond the limit of
/// the item, nothing if there is none.
fn grid_cell(figures: &[Figure], cell: Option<&Cell>) -> String {
    let Some(cell) = cell else { return String::new() };
    if cell.reason.is_some() {
        return "-".to_owned();
    }
    if cell.beyond.is_some() {
        return "*".to_owned();
    }
    figures.iter().map(|f| show(*f, cell.of_search(*f))).collect::<Vec<_>>().join("/")
}

pub(super) fn show(figure: Figure, value: Option<f64>) -> String {
    match (figure, value) {
        (_, None) => "-".to_owned(),
        (Figure::Seconds, Some(seconds)) => format!("{seconds:.2}"),
        (_, Some(count)) => show_count(count as u64),
    }
}
