//! Columns with the paper's figures beside ours.

use papers::{Answers, Cell, Column, Figure};

use super::paper::show;
use formats::figures::show_digits;

/// The least width of a figure.
const FIGURE: usize = 8;

/// The widths of the paper's figures, if there are some, and of ours.
fn widths(column: &Column) -> (Option<usize>, usize) {
    let width = |name: &str| name.len().max(FIGURE);
    match column.paper {
        Some(paper) => (Some(width(paper)), width(column.ours)),
        None => (None, width(column.ours).max(column.name.len())),
    }
}

/// A text for the paper, if it has figures, and one for us.
fn beside(column: &Column, paper: &str, ours: &str) -> String {
    let (left, right) = widths(column);
    let left = left.map_or_else(String::new, |w| format!("  {paper:>w$}"));
    format!(" |{left}  {ours:>right$}")
}

/// The two lines above the columns.
pub(super) fn heads(columns: &[Column]) -> (String, String) {
    let above = |column: &Column| {
        let (left, right) = widths(column);
        format!(" |{:^both$}", column.name, both = left.map_or(0, |w| w + 2) + right + 2)
    };
    let below = columns.iter().map(|c| beside(c, c.paper.unwrap_or_default(), c.ours));
    (columns.iter().map(above).collect::<String>().trim_end().to_owned(), below.collect())
}

/// The cells of a row.
pub(super) fn cells(columns: &[Column], cells: &[Option<Cell>]) -> String {
    let shown = |(column, cell): (&Column, &Option<Cell>)| match cell {
        Some(cell) => beside(column, &of_paper(column.figure, cell), &of_ours(column.figure, cell)),
        None => beside(column, "", ""),
    };
    columns.iter().zip(cells).map(shown).collect()
}

fn of_paper(figure: Figure, cell: &Cell) -> String {
    let Some(printed) = cell.search.printed else { return String::new() };
    match (printed.text, printed.proved) {
        (Some(text), _) => text.to_owned(),
        (None, Some(proved)) if figure == Figure::Accuracy => format!("({proved})"),
        _ => value(figure, figure.of_paper(&printed)),
    }
}

fn of_ours(figure: Figure, cell: &Cell) -> String {
    if let Some(digits) = cell.count(figure) {
        return show_digits(digits);
    }
    match (figure, &cell.answers) {
        (Figure::Accuracy, Some(answers)) if answers.systems > 0 => accuracy(answers),
        (Figure::Free, Some(Answers { free, .. })) => free.map_or_else(|| "?".to_owned(), |n| n.to_string()),
        (Figure::Free, None) => "?".to_owned(),
        (_, Some(answers)) if cell.statistics.is_some() => {
            let seconds = value(figure, cell.of_search(figure));
            match answers {
                Answers { systems: 1, deadlocks: 1, .. } => format!("{seconds} !"),
                Answers { systems: 1, proved: 0, .. } => "-".to_owned(),
                _ => seconds,
            }
        }
        (_, None) if cell.statistics.is_some() => value(figure, cell.of_search(figure)),
        _ => "*".to_owned(),
    }
}

/// How many percent of the deadlock-free systems are proved; how many are proved, if nobody knows that.
fn accuracy(answers: &Answers) -> String {
    match answers.free {
        Some(0) => "-".to_owned(),
        Some(free) => format!("{:.2}", 100.0 * answers.proved as f64 / free as f64),
        None => format!("({})", answers.proved),
    }
}

fn value(figure: Figure, value: Option<f64>) -> String {
    match (figure, value) {
        (Figure::Accuracy, Some(percent)) => format!("{percent:.2}"),
        _ => show(figure, value),
    }
}
