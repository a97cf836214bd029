//! Table 3: benchmark problems, sizes beyond those of the paper, and problems that Pair cannot prove.

use super::method::Method;
use super::models::Family;
use crate::item::{Column, Figure, Item, Layout, Printed, Row, Search};
use crate::models::Model;

/// What the paper prints for a size: by Pair, by SDD, and by FDR3: plain, with compression, with partial order reduction.
type Line = (i64, &'static str, &'static str, &'static str);

/// A problem, what the paper prints, and larger sizes.
struct Problem {
    family: Family,
    name: &'static str,
    lines: &'static [Line],
    beyond: &'static [i64],
}

const PROBLEMS: [Problem; 6] = [
    Problem {
        family: Family::Abp,
        name: "ABP",
        lines: &[
            (3, "0.04", "0.09", "0.05//0.05"),
            (4, "0.04", "0.09", "0.06//0.05"),
            (5, "0.04", "0.11", "0.05//0.05"),
            (10, "0.04", "0.12", "0.06//0.06"),
            (15, "0.04", "0.14", "0.07//0.07"),
            (30, "0.05", "0.21", "0.06//0.44"),
            (50, "0.05", "0.29", "0.16//0.12"),
        ],
        beyond: &[100, 1000, 10_000, 100_000],
    },
    Problem {
        family: Family::Swp,
        name: "SWP",
        lines: &[
            (3, "0.14", "0.88", "0.29/0.24/0.21"),
            (4, "0.58", "40.83", "2.83/1.13/3.57"),
            (5, "3.23", "*", "42.79/4.62/*"),
            (6, "18.38", "*", "*/25.25/*"),
            (7, "*", "*", "*/*/*"),
            (8, "*", "*", "*/*/*"),
            (9, "*", "*", "*/*/*"),
        ],
        beyond: &[],
    },
    Problem {
        family: Family::Telephone,
        name: "Telephone",
        lines: &[
            (3, "0.06", "-", "*/0.17/*"),
            (4, "0.11", "-", "*/2.93/*"),
            (5, "0.32", "-", "*/*/*"),
            (6, "1.34", "-", "*/*/*"),
            (7, "6.27", "-", "*/*/*"),
            (8, "31.68", "-", "*/*/*"),
            (9, "*", "-", "*/*/*"),
        ],
        beyond: &[10, 11, 12, 13, 14],
    },
    Problem {
        family: Family::Routing,
        name: "Routing",
        lines: &[
            (3, "0.06", "0.10", "*/0.10/*"),
            (4, "0.09", "0.11", "*/0.14/*"),
            (5, "0.13", "0.13", "*/0.18/*"),
            (10, "0.99", "0.30", "*/0.71/*"),
            (20, "13.27", "1.11", "*/4.45/*"),
            (30, "*", "3.30", "*/16.72/*"),
        ],
        beyond: &[50, 100, 150, 200, 300],
    },
    Problem {
        family: Family::Phils,
        name: "Phils",
        lines: &[
            (3, "0.05", "0.13", "0.06/0.08/0.07"),
            (4, "0.05", "0.13", "0.07/0.09/0.07"),
            (5, "0.05", "0.13", "0.07/0.09/0.07"),
            (10, "0.06", "0.13", "122.15/0.14/0.42"),
            (25, "0.08", "0.17", "*/0.40/*"),
            (50, "0.13", "0.23", "*/1.64/*"),
            (100, "0.31", "0.36", "*/15.83/*"),
        ],
        beyond: &[1000, 10_000, 30_000, 100_000],
    },
    Problem {
        family: Family::Butler,
        name: "Butler",
        lines: &[
            (3, "0.06", "-", "0.06/0.09/0.06"),
            (4, "0.6", "-", "0.07/0.10/0.07"),
            (5, "0.6", "-", "0.26/0.10/0.43"),
            (6, "0.7", "-", "0.11/0.12/0.08"),
            (7, "0.9", "-", "0.32/0.14/0.13"),
            (8, "0.12", "-", "1.91/0.17/0.22"),
            (9, "0.19", "-", "16.80/0.22/0.52"),
        ],
        beyond: &[10, 12, 14, 16, 17, 18, 19, 20],
    },
];

/// Problems with a proof that is not a matter of pairs, and one without a proof.
const OTHERS: [(Family, &str, &[i64]); 4] = [
    (Family::Milner, "Milner", &[3, 10, 100, 1000, 10_000]),
    (Family::TokenRing, "token ring", &[3, 10, 100, 1000, 10_000]),
    (Family::CountingButler, "butler that counts", &[3, 10, 30, 100, 300]),
    (Family::PlainPhils, "plain philosophers", &[3, 10, 100, 1000, 10_000]),
];

const METHODS: [Method; 4] = [Method::Pair, Method::Sdd, Method::Whole, Method::Reduced];

fn row(name: &str, family: Family, n: i64, printed: [Option<Printed>; 4]) -> Row {
    let search = |(method, printed): (Method, Option<Printed>)| Search {
        model: Model::Network(family),
        set: vec![("n", n)],
        engine: method.engine().to_owned(),
        printed,
    };
    let searches = METHODS.into_iter().zip(printed).map(|s| Some(search(s))).collect();
    Row { labels: vec![name.to_owned(), n.to_string()], searches }
}

fn rows(problem: &Problem) -> impl Iterator<Item = Row> {
    let &Problem { family, name, lines, beyond } = problem;
    let printed = |text: &'static str| Some(Printed { seconds: text.parse().ok(), ..Printed::text(text) });
    let of_paper = move |&(n, pair, sdd, fdr): &Line| {
        row(name, family, n, [printed(pair), printed(sdd), None, Some(Printed::text(fdr))])
    };
    lines.iter().map(of_paper).chain(beyond.iter().map(move |&n| row(name, family, n, [None; 4])))
}

pub(super) fn table_3() -> Item {
    Item {
        name: "table-3",
        title: "Table 3: benchmark problems",
        heads: &["problem", "N"],
        layout: Layout::Beside {
            columns: const {
                &[
                    Column::both("Pair", Figure::Seconds),
                    Column::both("SDD", Figure::Seconds),
                    Column::ours("local", Figure::Seconds),
                    Column::both("explicit", Figure::Seconds).called("FDR3 plain/c/por", "explore"),
                ]
            },
        },
        rows: PROBLEMS.iter().flat_map(rows).collect(),
        notes: &[
            "* means more than 40 s, as in the paper; then larger ones are not tried. - means that the method does not \
             prove the system. FDR3 is printed plain, with compression (c) and with partial order reduction (por); \
             `explore` uses stubborn sets; `local` is all of our local analysis.",
            "The paper's models, from Roscoe's \"Understanding Concurrent Systems\", were not used; ours follow common \
             descriptions. ABP: the media lose at most N messages in a row; four components of up to 3 (N + 1) states. \
             SWP: windows of N one-bit messages numbered modulo 2 N; a sender of 2 N (2^(N+1) - 1) states, a receiver of \
             2 N 3^N, media of one place. Telephone: a switch of N layers of 2^N nodes with 6 states, each of which passes \
             a call on or over to its neighbour. Routing: the mad postman on N x N nodes, each with two components of up \
             to 4 states, one for messages that go right and up, one for left and down. Phils: one of N takes the \
             forks in the other order. Butler: 2 N + 1 components, the butler has 2^N - 1 states.",
        ],
        axes: None,
    }
}

pub(super) fn beyond() -> Item {
    let rows =
        OTHERS.iter().flat_map(|&(family, name, sizes)| sizes.iter().map(move |&n| row(name, family, n, [None; 4])));
    Item {
        name: "beyond",
        title: "What Pair cannot prove: seconds",
        heads: &["problem", "N"],
        layout: Layout::Beside {
            columns: const {
                &[
                    Column::ours("Pair", Figure::Seconds),
                    Column::ours("SDD", Figure::Seconds),
                    Column::ours("local", Figure::Seconds),
                    Column::ours("explore", Figure::Seconds),
                ]
            },
        },
        rows: rows.collect(),
        notes: &[
            "Not tabulated in the paper, which names Milner's scheduler as out of reach: that there is exactly one token is \
             no matter of pairs. One linear invariant says so, and another one that the butler counts right.",
            "- means that the method proves nothing, ! that it shows a deadlock, * that it takes more than 40 s.",
        ],
        axes: None,
    }
}
