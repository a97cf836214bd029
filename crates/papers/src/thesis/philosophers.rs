//! The dining philosophers of section 2.3, algorithm by algorithm.

use crate::algorithms::search;
use crate::item::{Figure, Item, Layout, Row};
use crate::models::Model;

const SWITCHES: [&str; 6] = [
    "",
    ",persistent=overman",
    ",persistent=overman,sleep",
    ",persistent=stubborn",
    ",persistent=stubborn,sleep",
    ",sleep",
];

pub(crate) fn item() -> Item {
    let row = |n: i64| Row {
        labels: vec![n.to_string()],
        searches: SWITCHES.iter().map(|s| Some(search(Model::Philosophers, &[("n", n)], s))).collect(),
    };
    Item {
        name: "philosophers",
        title: "Dining philosophers of section 2.3 by algorithm",
        heads: &["philosophers"],
        layout: Layout::Grid {
            columns: &["classical", "Alg. 2", "Alg. 2 + sleep", "Alg. 3", "Alg. 3 + sleep", "sleep alone"],
            figures: &[Figure::States, Figure::Transitions],
        },
        rows: (2..=10).map(row).collect(),
        notes: &[
            "Not a table of the thesis. Algorithm 1 reduces nothing here; Algorithm 4 gives what Algorithm 3 gives.",
            "Algorithm 3 takes necessary enabling sets that add least, and the smallest set of all starts: quadratic.",
        ],
        axes: None,
    }
}
