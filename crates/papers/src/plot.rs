//! Curves from the rows of an item.

use crate::item::{Item, Layout};
use crate::lab::Measured;

/// Curves over two axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// What it shows.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The curves.
    pub series: Vec<Series>,
}

/// An axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// What is along it.
    pub label: String,
    /// Whether each step is a factor.
    pub log: bool,
}

/// A curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// What it is called.
    pub name: String,
    /// Its points, from left to right or back.
    pub points: Vec<(f64, f64)>,
}

impl Plot {
    /// The plot of an item, if it is one: a curve for each column, a point for each search that finished.
    pub fn new(item: &Item, rows: &[Measured]) -> Option<Self> {
        let (axes, Layout::Grid { columns, .. }) = (item.axes?, item.layout) else { return None };
        let point = |row: &Measured, column: usize| {
            let cell = row.cells[column].as_ref()?;
            Some((row.labels[0].parse().ok()?, cell.of_search(axes.y)?))
        };
        let series = columns.iter().enumerate().map(|(column, name)| Series {
            name: (*name).to_owned(),
            points: rows.iter().filter_map(|row| point(row, column)).collect(),
        });
        Some(Self {
            title: item.title.to_owned(),
            x: Axis { label: axes.x.to_owned(), log: axes.x_log },
            y: Axis { label: axes.y.name().to_owned(), log: true },
            series: series.collect(),
        })
    }
}
