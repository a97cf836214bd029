//! Figure 8.1: how the state space of the dining philosophers grows.

use crate::algorithms::{DFS, PS_SLEEP, STUBBORN_SLEEP};
use crate::item::{Axes, Figure, Item, Layout, Row};
use crate::models::Model;

/// Up to here the full state space takes seconds.
const MOST: i64 = 12;

pub(crate) fn item() -> Item {
    Item {
        name: "figure-8.1",
        title: "Figure 8.1: dining philosophers, states of the full and of the reduced state space",
        heads: &["philosophers"],
        layout: Layout::Grid {
            columns: &["full", PS_SLEEP.name, STUBBORN_SLEEP.name],
            figures: &[Figure::States, Figure::Transitions],
        },
        rows: (2..=MOST).map(row).collect(),
        notes: &[
            "The paper has a curve without figures. The full state space has 3^n - 1 states.",
            "PS is Algorithm 2: it still grows exponentially, with a smaller base. stubborn is Algorithm 3: 3n^2 - 6n + 8 states with sleep sets.",
        ],
        axes: Some(Axes { x: "philosophers", x_log: false, y: Figure::States }),
    }
}

fn row(n: i64) -> Row {
    let set = &[("n", n)];
    let searches = [DFS, PS_SLEEP, STUBBORN_SLEEP].map(|algorithm| Some(algorithm.search(Model::Philosophers, set)));
    Row { labels: vec![n.to_string()], searches: searches.to_vec() }
}
