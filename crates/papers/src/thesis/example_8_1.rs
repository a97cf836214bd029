//! Example 8.1 and Figure 8.2: a reduced state space that does not depend on the length of a channel.

use crate::algorithms::{DFS, PS, search};
use crate::item::{Figure, Item, Layout, Printed, Row, Search};
use crate::models::Model;

pub(crate) fn item() -> Item {
    Item {
        name: "example-8.1",
        title: "Example 8.1 and Figure 8.2: a producer and a consumer with a channel of N messages",
        heads: &["channel", "algorithm"],
        layout: Layout::Compared { figures: &[Figure::States, Figure::Transitions], relative: None },
        rows: [10, 1000, 10_000].into_iter().flat_map(rows).collect(),
        notes: &[
            "The paper prints the reduced state space, which is the same for every N, and says that the full one is \
             proportional to N.",
            "Not(Full) and Not(Empty) count as the definedness of Send and Receive, not as operations of their own: else \
             nothing would be reduced.",
        ],
        axes: None,
    }
}

fn rows(n: i64) -> [Row; 4] {
    let (set, label) = (&[("N", n)], format!("N = {n}"));
    let model = Model::ProducerConsumer;
    let two = |search: Search| search.printed(Printed::size(2, 2));
    [
        Row::one([&label, DFS.name], DFS.search(model, set)),
        Row::one([&label, PS.name], two(PS.search(model, set))),
        Row::one([&label, "Algorithm 3"], two(search(model, set, ",persistent=stubborn"))),
        Row::one([&label, "Algorithm 4"], two(search(model, set, ",persistent=conditional"))),
    ]
}
