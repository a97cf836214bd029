//! Tables 1 and 2: how many random systems are proved, and in what time.

use super::method::Method;
use super::random::Topology;
use crate::item::{Column, Figure, Item, Layout, Printed, Row, Search};
use crate::models::Model;

const SIZES: [i64; 11] = [3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 25];
const TOPOLOGIES: [(Topology, &str); 3] =
    [(Topology::Rings, "Rings"), (Topology::Grid, "Grid"), (Topology::Fully, "Fully")];
/// How many systems a batch has.
const SYSTEMS: i64 = 900;

/// Table 1 by topology and size: what Pair and SDD prove. Above the bar, percentages of the deadlock-free systems; below,
/// numbers of systems.
const ACCURACY: [[(f64, f64); 11]; 3] = [
    [
        (99.13, 64.34),
        (99.67, 68.19),
        (99.71, 73.57),
        (98.98, 77.41),
        (100.0, 76.14),
        (469.0, 385.0),
        (500.0, 422.0),
        (517.0, 444.0),
        (590.0, 491.0),
        (645.0, 547.0),
        (680.0, 566.0),
    ],
    [
        (100.0, 34.44),
        (599.0, 106.0),
        (635.0, 96.0),
        (644.0, 92.0),
        (771.0, 30.0),
        (773.0, 57.0),
        (779.0, 28.0),
        (774.0, 8.0),
        (900.0, 0.0),
        (900.0, 0.0),
        (887.0, 0.0),
    ],
    [
        (93.98, 18.67),
        (98.76, 6.4),
        (98.11, 1.8),
        (99.25, 1.1),
        (99.28, 0.1),
        (99.65, 0.0),
        (99.83, 0.0),
        (99.52, 0.0),
        (692.0, 0.0),
        (703.0, 0.0),
        (742.0, 0.0),
    ],
];
/// By topology, for how many sizes the percentage is known.
const KNOWN: [usize; 3] = [5, 1, 8];

/// Table 2 by topology and size: seconds for a batch by Pair, by SDD, and by FDR3; infinity where it did not end.
const SECONDS: [[(f64, f64, f64); 11]; 3] = [
    [
        (37.38, 66.04, 40.91),
        (37.88, 67.65, 42.89),
        (39.00, 68.30, 51.60),
        (39.67, 69.97, 103.83),
        (41.07, 71.69, 788.03),
        (41.12, 73.11, f64::INFINITY),
        (41.90, 73.71, f64::INFINITY),
        (42.67, 75.31, f64::INFINITY),
        (46.75, 80.52, f64::INFINITY),
        (52.09, 89.03, f64::INFINITY),
        (57.48, 95.74, f64::INFINITY),
    ],
    [
        (40.47, 71.01, 70.27),
        (44.89, 76.57, f64::INFINITY),
        (52.67, 90.50, f64::INFINITY),
        (60.85, 104.07, f64::INFINITY),
        (70.39, 113.95, f64::INFINITY),
        (84.67, 128.41, f64::INFINITY),
        (101.18, 142.65, f64::INFINITY),
        (124.80, 157.76, f64::INFINITY),
        (326.56, 249.27, f64::INFINITY),
        (797.25, 385.99, f64::INFINITY),
        (1745.72, 566.27, f64::INFINITY),
    ],
    [
        (37.39, 65.64, 42.74),
        (39.04, 70.02, 43.36),
        (39.74, 74.19, 43.97),
        (42.46, 83.18, 48.96),
        (45.50, 92.91, 61.47),
        (49.24, 103.08, 118.78),
        (53.91, 115.87, 415.87),
        (60.32, 125.60, 1897.71),
        (108.99, 210.65, f64::INFINITY),
        (208.37, 372.44, f64::INFINITY),
        (382.89, 645.74, f64::INFINITY),
    ],
];

const DESCRIBED: &str = "The paper says only that its systems are live and how they are joined. Ours: a pair of rings is \
     two rings of N components with one joint between them, a grid has N x N components, fully connected are N. A joint \
     is one event of both components (two if fully connected). A component has 4 states (5 in rings) on a cycle: in \
     each, one event, drawn at random, leads on, and each other event is offered with a probability and leads anywhere. \
     The probability is 10 %, 20 %, ..., 90 %, for a hundred systems each. Seeds are fixed.";

/// A row for each topology and size; the last of the methods is a matter of the table.
fn rows(last: Method, printed: impl Fn(usize, usize, Method) -> Option<Printed>) -> Vec<Row> {
    let row = |(t, s): (usize, usize)| {
        let (topology, name) = TOPOLOGIES[t];
        let search = |method: Method| Search {
            model: Model::Random(topology),
            set: vec![("n", SIZES[s]), ("systems", SYSTEMS)],
            engine: method.engine().to_owned(),
            printed: printed(t, s, method),
        };
        let labels = vec![name.to_owned(), SIZES[s].to_string()];
        Row {
            labels,
            searches: [Method::Pair, Method::Sdd, Method::Whole, last].into_iter().map(|m| Some(search(m))).collect(),
        }
    };
    (0..TOPOLOGIES.len()).flat_map(|t| (0..SIZES.len()).map(move |s| (t, s))).map(row).collect()
}

pub(super) fn table_1() -> Item {
    let printed = |t: usize, s: usize, method: Method| {
        let (pair, sdd) = ACCURACY[t][s];
        let share = match method {
            Method::Pair => pair,
            Method::Sdd => sdd,
            _ => return None,
        };
        Some(if s < KNOWN[t] { Printed::percent(share) } else { Printed::proved(share as u64) })
    };
    Item {
        name: "table-1",
        title: "Table 1: of 900 random systems, how many of the deadlock-free ones are proved",
        heads: &["topology", "N"],
        layout: Layout::Beside {
            columns: const {
                &[
                    Column::both("Pair", Figure::Accuracy),
                    Column::both("SDD", Figure::Accuracy),
                    Column::ours("local", Figure::Accuracy),
                    Column::ours("deadlock-free", Figure::Free),
                ]
            },
        },
        rows: rows(Method::Exact, printed),
        notes: &[
            "Percentages of the deadlock-free systems; in parentheses, numbers of systems, where it is not known of all \
             whether they are deadlock-free. `local` is all of our local analysis: pairs, linear invariants, traps, larger \
             groups, and a search for the candidates that are left. What it leaves open is decided by a search of the \
             state space, if that takes less than two seconds.",
            DESCRIBED,
        ],
        axes: None,
    }
}

pub(super) fn table_2() -> Item {
    let printed = |t: usize, s: usize, method: Method| {
        let (pair, sdd, fdr) = SECONDS[t][s];
        let seconds = match method {
            Method::Pair => pair,
            Method::Sdd => sdd,
            Method::Search => fdr,
            _ => return None,
        };
        Some(if seconds.is_finite() { Printed::seconds(seconds) } else { Printed::text("*") })
    };
    Item {
        name: "table-2",
        title: "Table 2: seconds for the 900 systems",
        heads: &["topology", "N"],
        layout: Layout::Beside {
            columns: const {
                &[
                    Column::both("Pair", Figure::Seconds),
                    Column::both("SDD", Figure::Seconds),
                    Column::ours("local", Figure::Seconds),
                    Column::both("explicit", Figure::Seconds).called("FDR3", "explore"),
                ]
            },
        },
        rows: rows(Method::Search, printed),
        notes: &[
            "* means that a system took too long: in the paper the 900 more than 2000 s, here one of them more than \
             two seconds or all more than a hundred; then larger ones are not tried. The systems are those of Table 1.",
            "The paper's seconds include the start of a program and the reading of a script for each system, on a \
             machine of 2014; ours are without making the networks. FDR3 with partial order reduction for rings.",
        ],
        axes: None,
    }
}
