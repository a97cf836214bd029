//! Wang and Buy: Figure 1, its growth, and that of the modified Figure 3.

use crate::Paper;
use crate::item::{Axes, Figure, Item, Layout, Printed, Row, Search};
use crate::models::Model;

const FULL: &str = "unfold:order=total,reads=loops";
const STUBBORN: &str = "unfold:stubborn=breadth,until=end";
const FEWEST: &str = "unfold:stubborn=breadth,sets=fewest,until=end";
const SETS: &str = "explore:order=depth,finish=unlimited,persistent=stubborn";
const GRAPH: &str = "explore:order=depth,finish=unlimited";

/// What is built, and for how many philosophers and users it is tried: then it takes too long.
const METHODS: [(&str, &str, i64, i64); 4] = [
    ("full prefix", FULL, 200, 14),
    ("stubborn unfolding", STUBBORN, 200, 200),
    ("stubborn-set graph", SETS, 200, 200),
    ("full graph", GRAPH, 12, 14),
];
const COLUMNS: &[&str] = &["full prefix", "stubborn unfolding", "stubborn-set graph", "full graph"];

const USERS: &[i64] = &[2, 3, 4, 5, 6, 8, 10, 12, 14, 20, 50, 100, 200];
const PHILOSOPHERS: &[i64] = &[2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 30, 50, 75, 100, 150, 200];

pub(crate) fn paper() -> Paper {
    Paper {
        name: "wang-buy",
        title: "H. Wang, U. Buy: Deadlock Detection with Stubborn Unfoldings",
        items: vec![figure_1(), growth(), work(), figure_3()],
    }
}

fn search(model: Model, n: i64, engine: &str) -> Search {
    Search { model, set: vec![("n", n)], engine: engine.to_owned(), printed: None }
}

fn figure_1() -> Item {
    let row = |name: &str, model: Model, engine: &str, printed: Option<Printed>| {
        Row::one(["3", name], Search { printed, ..search(model, 3, engine) })
    };
    let depth = "unfold:stubborn=depth,until=end";
    Item {
        name: "figure-1",
        title: "Figure 1: three philosophers, and Figure 5, its stubborn unfolding",
        heads: &["philosophers", "method"],
        layout: Layout::Compared { figures: &[Figure::Events, Figure::Conditions, Figure::Cutoffs], relative: None },
        rows: vec![
            row("full prefix", Model::Figure1, FULL, Some(Printed::unfolding(21, 39))),
            row("stubborn", Model::Figure1, STUBBORN, Some(Printed::unfolding(12, 24))),
            row("stubborn, depth-first", Model::Figure1, depth, Some(Printed::unfolding(12, 24))),
            row("depth-first, one deadlock", Model::Figure1, "unfold:stubborn=depth", None),
            row("breadth-first, one deadlock", Model::Figure1, "unfold:stubborn=breadth", None),
            row("full, right fork back first", Model::Figure1RightFirst, FULL, None),
        ],
        notes: &[
            "The algorithm of Figure 4 ends at the first deadlock: the unfolding that the paper shows goes on to the end.",
            "The paper leaves open whether the algorithm is right. It is, if cut-offs need a smaller local configuration, \
             and either the search is breadth-first by size, or no marking is recognised. If any marking of its hash table \
             makes a cut-off, as section 5 reads, deadlocks are lost.",
            "Stubborn unfoldings are not \"never bigger than traditional unfoldings\": of the net petri-net-order.imp in the \
             corpus the full prefix has 11 events, the depth-first stubborn unfolding 12.",
        ],
        axes: None,
    }
}

fn growth() -> Item {
    let row = |&n: &i64| Row {
        labels: vec![n.to_string()],
        searches: METHODS.iter().map(|&(_, e, most, _)| (n <= most).then(|| search(Model::Figure1, n, e))).collect(),
    };
    Item {
        name: "growth",
        title: "Growth of Figure 1 with the number of philosophers",
        heads: &["philosophers"],
        layout: Layout::Grid { columns: COLUMNS, figures: &[Figure::Nodes] },
        rows: PHILOSOPHERS.iter().map(row).collect(),
        notes: &[
            "Events, cut-offs included, or states. An empty cell was not tried.",
            "Stubborn unfoldings have 4n events: linear, as the paper says. Full prefixes have 3n^2 - 2n events, where the \
             paper says that they grow exponentially. Stubborn sets visit 3n^2 - 3n + 2 states; the full graph has 3^n - 1.",
        ],
        axes: Some(Axes { x: "philosophers", x_log: true, y: Figure::Nodes }),
    }
}

fn work() -> Item {
    let row = |&n: &i64| {
        let engines = [STUBBORN, FEWEST, SETS];
        let tried =
            |(i, engine): (usize, &str)| (i < 2 || n <= METHODS[2].2).then(|| search(Model::Figure1, n, engine));
        Row { labels: vec![n.to_string()], searches: engines.into_iter().enumerate().map(tried).collect() }
    };
    Item {
        name: "work",
        title: "The work behind them: markings and firings",
        heads: &["philosophers"],
        layout: Layout::Grid {
            columns: &["stubborn unfolding", "with fewest enabled", "stubborn-set graph"],
            figures: &[Figure::States, Figure::Transitions],
        },
        rows: PHILOSOPHERS.iter().map(row).collect(),
        notes: &[
            "Not in the paper. A stubborn unfolding saves memory, not work: its search fires 4n^2 - 3n transitions over \
                  3n^2 - 3n + 2 markings, as a search with stubborn sets alone does.",
        ],
        axes: None,
    }
}

fn figure_3() -> Item {
    let row = |n: i64| {
        let drawn = Some(search(Model::Figure3, n, FULL));
        let modified = METHODS.iter().map(|&(_, e, _, most)| (n <= most).then(|| search(Model::Figure3Modified, n, e)));
        Row { labels: vec![n.to_string()], searches: [drawn].into_iter().chain(modified).collect() }
    };
    Item {
        name: "figure-3",
        title: "Growth of Figure 3 and of the modified Figure 3 with the number of users",
        heads: &["users"],
        layout: Layout::Grid {
            columns: &[
                "as drawn: full prefix",
                "full prefix",
                "stubborn unfolding",
                "stubborn-set graph",
                "full graph",
            ],
            figures: &[Figure::Nodes],
        },
        rows: USERS.iter().map(|&n| row(n)).collect(),
        notes: &[
            "Figure 3 is a drawing that we do not have. The net fits all that the text says of it: p1 and p3 are idle \
             users, p2 is the resource, p4 a job that both can make and t3 serves, p7 the job done; t6 and t7 lead back \
             to the initial marking and are the cut-offs. n users instead of two is how we scale it up.",
            "As drawn, the full prefix has 4n events. Modified, it has 2^(n-1) (3n + 2) - 1 of them: exponentially many, as the \
             paper says, since who has put the resource back may leave before or after others take it. The stubborn \
             unfolding keeps its 4n events: linear, as the paper says. The full graph has (n + 1) 2^n states.",
        ],
        axes: Some(Axes { x: "users", x_log: false, y: Figure::Nodes }),
    }
}
