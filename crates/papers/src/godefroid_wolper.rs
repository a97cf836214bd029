//! Godefroid and Wolper 1993, Table 1.

use crate::Paper;
use crate::algorithms::search;
use crate::item::{Figure, Item, Layout, Printed, Row};
use crate::models::Model;

const ALGORITHMS: &[(&str, &str)] = &[
    ("classical", ""),
    ("new", ",persistent=conflict,sleep"),
    ("new, as printed", ",sleep"),
    ("stubborn", ",persistent=stubborn"),
];

/// What the paper prints, for the first two algorithms: states and transitions.
const PRINTED: &[(i64, [(u64, u64); 2])] = &[
    (4, [(144, 368), (20, 24)]),
    (5, [(360, 1100), (25, 30)]),
    (6, [(864, 3072), (30, 36)]),
    (7, [(2016, 8176), (35, 42)]),
];

pub(crate) fn paper() -> Paper {
    Paper {
        name: "godefroid-wolper",
        title: "P. Godefroid, P. Wolper: Using Partial Orders for the Efficient Verification of Deadlock Freedom and \
                Safety Properties (1993)",
        items: vec![table_1()],
    }
}

fn table_1() -> Item {
    let row = |n: i64, printed: &[(u64, u64)], i: usize| {
        let (name, switches) = ALGORITHMS[i];
        let mut search = search(Model::RoundRobin, &[("n", n)], switches);
        search.printed = printed.get(i).map(|(states, transitions)| Printed::size(*states, *transitions));
        Row::one([&format!("rr{n}"), name], search)
    };
    let rows = PRINTED.iter().flat_map(|(n, printed)| (0..ALGORITHMS.len()).map(move |i| row(*n, printed, i)));
    Item {
        name: "table-1",
        title: "Table 1: round robin access protocol for 4 to 7 participants",
        heads: &["protocol", "algorithm"],
        layout: Layout::Compared { figures: &[Figure::States, Figure::Transitions], relative: None },
        rows: rows.collect(),
        notes: &[
            "The model is a reconstruction that fits all the figures of the table.",
            "new: Figures 1 and 2. Figure 2 ends with return(T), which must be return(selection): as printed, only \
             sleep sets are left, which visit every state.",
            "stubborn is Algorithm 3 of the thesis. Among equally small selections the one that ends a job is taken; other ties give up to 7n states.",
        ],
        axes: None,
    }
}
