//! What a table or a figure consists of: rows of searches, and what the paper prints for them.

use evidence::Statistics;
use serde::{Serialize, Serializer};

use crate::models::Model;

/// A table or a figure.
#[derive(Clone, Debug)]
pub struct Item {
    /// The name on the command line.
    pub name: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// What the labels of its rows are.
    pub heads: &'static [&'static str],
    /// How it is laid out.
    pub layout: Layout,
    /// Its rows.
    pub rows: Vec<Row>,
    /// What a reader must know.
    pub notes: &'static [&'static str],
    /// If it is a plot: rows are places on the horizontal axis, columns are curves.
    pub axes: Option<Axes>,
}

/// How an item is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// One search a row, the paper's figures beside ours.
    Compared {
        /// What is compared.
        figures: &'static [Figure],
        /// The last label of the row that others are given as percentages of, and for which figures.
        relative: Option<(&'static str, &'static [Figure])>,
    },
    /// One search a cell.
    Grid {
        /// The names of the columns.
        columns: &'static [&'static str],
        /// What a cell shows.
        figures: &'static [Figure],
    },
    /// One search a cell, the paper's figure beside each.
    Beside {
        /// The columns.
        columns: &'static [Column],
    },
}

impl Layout {
    /// The names of the columns, if there is a search a column.
    pub fn columns(self) -> Vec<&'static str> {
        match self {
            Layout::Compared { .. } => Vec::new(),
            Layout::Grid { columns, .. } => columns.to_vec(),
            Layout::Beside { columns, .. } => columns.iter().map(|c| c.name).collect(),
        }
    }
}

/// A column with the paper's figures beside ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// What it is about.
    pub name: &'static str,
    /// What the paper calls it, if it has figures.
    pub paper: Option<&'static str>,
    /// What ours is called.
    pub ours: &'static str,
    /// What a cell shows.
    pub figure: Figure,
}

impl Column {
    /// The paper's figures beside ours.
    pub(crate) const fn both(name: &'static str, figure: Figure) -> Self {
        Self { name, paper: Some("paper"), ours: "ours", figure }
    }

    /// Only ours.
    pub(crate) const fn ours(name: &'static str, figure: Figure) -> Self {
        Self { name, paper: None, ours: "ours", figure }
    }

    /// With other names for the paper's figures and ours.
    pub(crate) const fn called(self, paper: &'static str, ours: &'static str) -> Self {
        Self { paper: Some(paper), ours, ..self }
    }
}

/// The axes of a plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axes {
    /// The label of the horizontal axis.
    pub x: &'static str,
    /// Whether it is logarithmic.
    pub x_log: bool,
    /// What is measured upwards, always on a logarithmic scale.
    pub y: Figure,
}

/// A row.
#[derive(Clone, Debug)]
pub struct Row {
    /// What it is about.
    pub labels: Vec<String>,
    /// Its searches; none where a search would be hopeless.
    pub searches: Vec<Option<Search>>,
}

impl Row {
    /// A row of one search.
    pub(crate) fn one(labels: [&str; 2], search: Search) -> Self {
        Self { labels: labels.map(str::to_owned).to_vec(), searches: vec![Some(search)] }
    }
}

/// A search of a model.
#[derive(Clone, Debug, Serialize)]
pub struct Search {
    /// The model.
    pub model: Model,
    /// Its parameters.
    #[serde(serialize_with = "name_value")]
    pub set: Vec<(&'static str, i64)>,
    /// The engine with its switches, as `impasse check --engine` reads them.
    pub engine: String,
    /// What the paper prints.
    #[serde(rename = "paper", skip_serializing_if = "Option::is_none")]
    pub printed: Option<Printed>,
}

impl Search {
    /// With what the paper prints.
    pub(crate) fn printed(mut self, printed: Printed) -> Self {
        self.printed = Some(printed);
        self
    }
}

/// `name=value`, as on the command line.
fn name_value<S: Serializer>(set: &[(&'static str, i64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(set.iter().map(|(name, value)| format!("{name}={value}")))
}

/// The figures of a paper; absent where it has a dash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Printed {
    /// States stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
    /// Times that a state was removed from the cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cleared: Option<u64>,
    /// Transitions that led to a stored state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched: Option<u64>,
    /// Transitions fired.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transitions: Option<u64>,
    /// Events of an unfolding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events: Option<u64>,
    /// Conditions of an unfolding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conditions: Option<u64>,
    /// Run time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Of the deadlock-free systems of a batch, how many percent are proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub percent: Option<f64>,
    /// How many systems of a batch are proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proved: Option<u64>,
    /// What is printed where it is not one number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<&'static str>,
}

impl Printed {
    const NOTHING: Self = Self {
        states: None,
        cleared: None,
        matched: None,
        transitions: None,
        events: None,
        conditions: None,
        seconds: None,
        percent: None,
        proved: None,
        text: None,
    };

    /// States and transitions.
    pub(crate) const fn size(states: u64, transitions: u64) -> Self {
        Self { states: Some(states), transitions: Some(transitions), ..Self::NOTHING }
    }

    /// A percentage of the deadlock-free systems of a batch.
    pub(crate) const fn percent(percent: f64) -> Self {
        Self { percent: Some(percent), ..Self::NOTHING }
    }

    /// A number of systems of a batch.
    pub(crate) const fn proved(proved: u64) -> Self {
        Self { proved: Some(proved), ..Self::NOTHING }
    }

    /// Run time.
    pub(crate) const fn seconds(seconds: f64) -> Self {
        Self { seconds: Some(seconds), ..Self::NOTHING }
    }

    /// A sign that a method failed, or several run times.
    pub(crate) const fn text(text: &'static str) -> Self {
        Self { text: Some(text), ..Self::NOTHING }
    }

    /// Events and conditions.
    pub(crate) const fn unfolding(events: u64, conditions: u64) -> Self {
        Self { events: Some(events), conditions: Some(conditions), ..Self::NOTHING }
    }
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// States stored at the end.
    States,
    /// Times that a state was removed from the cache.
    Cleared,
    /// Transitions that led to a stored state.
    Matched,
    /// Transitions fired.
    Transitions,
    /// Events of an unfolding, cut-offs included.
    Events,
    /// Conditions of an unfolding.
    Conditions,
    /// Cut-off events.
    Cutoffs,
    /// Nodes of what is built: events of an unfolding, else states.
    Nodes,
    /// Run time.
    Seconds,
    /// How many of the deadlock-free systems of a batch are proved.
    Accuracy,
    /// How many systems of a batch are deadlock-free.
    Free,
    /// States that invariants do not tell from deadlocks.
    Suspects,
    /// Deadlocks that are reachable.
    Deadlocks,
    /// States that are reachable, however many.
    Count,
    /// Nodes of the largest ring.
    Ring,
}

impl Figure {
    /// The word at the head of a column.
    pub fn name(self) -> &'static str {
        match self {
            Figure::States => "states",
            Figure::Cleared => "cleared",
            Figure::Matched => "matched",
            Figure::Transitions => "transitions",
            Figure::Events => "events",
            Figure::Conditions => "conditions",
            Figure::Cutoffs => "cut-offs",
            Figure::Nodes => "events or states",
            Figure::Seconds => "seconds",
            Figure::Accuracy => "percent proved",
            Figure::Free => "deadlock-free",
            Figure::Suspects => "suspects",
            Figure::Deadlocks => "deadlocks",
            Figure::Count => "states",
            Figure::Ring => "nodes of a ring",
        }
    }

    /// What a count of it is called, if it is counted exactly.
    pub(crate) fn counted(self) -> Option<&'static str> {
        match self {
            Figure::Suspects => Some("suspects"),
            Figure::Deadlocks => Some("deadlocks"),
            Figure::Count => Some("states"),
            Figure::Ring => Some("ring"),
            _ => None,
        }
    }

    /// As the paper has it.
    pub fn of_paper(self, printed: &Printed) -> Option<f64> {
        let count = match self {
            Figure::States => printed.states,
            Figure::Cleared => printed.cleared,
            Figure::Matched => printed.matched,
            Figure::Transitions => printed.transitions,
            Figure::Events => printed.events,
            Figure::Conditions => printed.conditions,
            Figure::Cutoffs | Figure::Free => None,
            Figure::Suspects | Figure::Deadlocks | Figure::Count | Figure::Ring => None,
            Figure::Nodes => printed.events.or(printed.states),
            Figure::Seconds => return printed.seconds,
            Figure::Accuracy => return printed.percent,
        };
        count.map(|n| n as f64)
    }

    /// As a search has it. What was removed from a cache is not stored at the end.
    pub fn of_search(self, statistics: &Statistics) -> Option<f64> {
        let count = match self {
            Figure::States => statistics.states.map(|n| n - statistics.cleared.unwrap_or(0)),
            Figure::Cleared => statistics.cleared.or(Some(0)),
            Figure::Matched => statistics.matched,
            Figure::Transitions => statistics.transitions,
            Figure::Events => statistics.events,
            Figure::Conditions => statistics.conditions,
            Figure::Cutoffs => statistics.cutoffs,
            Figure::Nodes => statistics.events.or(statistics.states),
            Figure::Seconds => return Some(statistics.seconds),
            Figure::Accuracy | Figure::Free => None,
            Figure::Suspects | Figure::Deadlocks | Figure::Count | Figure::Ring => None,
        };
        count.map(|n| n as f64)
    }
}
