//! What is behind the times: suspects, deadlocks and rings; and what invariants prove alone.

use super::family::Family;
use super::method::{ALONE, FORWARD, MC, ONE_SHOT, OPT_ONE_SHOT, RMFP, RMFP_PLAIN};
use crate::item::{Column, Figure, Item, Layout, Printed, Row, Search};
use crate::models::Model;

const TRAPS: &str = "invariant:components=off,traps=symbolic,linear=off,exact=none";
const LINEAR: &str = "invariant:components=off,traps=none,exact=none";
const BOTH: &str = "invariant:components=off,traps=symbolic,exact=none";
/// Both kinds of invariants, and the first deadlock with smaller rings.
const BOTH_RINGS: &str = "invariant:traps=symbolic,exact=rings,restrict=on";

const STARS: &str =
    "* means that it takes longer than one search may (1 s, or 2 s for gas stations and ATMs, or what --each says).";

fn name(family: Family) -> &'static str {
    match family {
        Family::Philosopher1 => "philosopher1",
        Family::Philosopher2 => "philosopher2",
        Family::ConfusedPhilosopher => "confused philosopher",
        Family::GasStation => "gas station, 5 pumps",
        Family::GasStationOfPumps => "gas station",
        Family::CashMachines => "ATM",
        Family::SoundCashMachines => "ATM without fault",
        Family::AsymmetricPhilosophers => "asymmetric philosophers",
        Family::SoundGasStation => "gas station without deadlock",
    }
}

fn search(family: Family, set: &[(&'static str, i64)], engine: &str, printed: Option<&'static str>) -> Search {
    let printed = printed.map(Printed::text);
    Search { model: Model::Components(family), set: set.to_vec(), engine: engine.to_owned(), printed }
}

/// The parameters of a size, and how it is shown: there are customers or not.
fn sized((n, customers): (i64, i64)) -> (Vec<(&'static str, i64)>, String) {
    match customers {
        0 => (vec![("n", n)], n.to_string()),
        _ => (vec![("n", n), ("customers", customers)], format!("{n} x {customers}")),
    }
}

/// A model, its sizes, and what the paper says of its suspects and of its deadlocks.
type Counted = (Family, &'static [(i64, i64)], Option<&'static str>, Option<&'static str>);

const COUNTED: [Counted; 8] = [
    (Family::Philosopher1, &[(2, 0), (3, 0), (4, 0), (5, 0), (20, 0)], Some("1"), Some("1")),
    (Family::Philosopher2, &[(2, 0), (4, 0), (6, 0), (20, 0)], Some("3"), Some("1")),
    (Family::Philosopher2, &[(3, 0), (5, 0)], None, Some("1")),
    (Family::ConfusedPhilosopher, &[(2, 0), (3, 0), (4, 0), (5, 0), (20, 0), (100, 0)], Some("hundreds"), Some("3")),
    (Family::GasStationOfPumps, &[(2, 2), (2, 3), (3, 2), (5, 2)], None, None),
    (Family::GasStationOfPumps, &[(5, 6)], None, Some("thousands")),
    (Family::CashMachines, &[(1, 0), (2, 0), (3, 0), (5, 0), (10, 0)], Some("thousands"), Some("1")),
    (Family::SoundCashMachines, &[(2, 0), (3, 0)], None, None),
];

pub(super) fn suspects() -> Item {
    let row = |family: Family, size: (i64, i64), of_traps, deadlocks| {
        let (set, size) = sized(size);
        let cells = [(TRAPS, of_traps), (LINEAR, None), (BOTH, None), (FORWARD, deadlocks), (FORWARD, None)];
        let searches = cells.iter().map(|(engine, printed)| Some(search(family, &set, engine, *printed)));
        Row { labels: vec![name(family).to_owned(), size], searches: searches.collect() }
    };
    let rows = COUNTED.iter().flat_map(|&(family, sizes, of_traps, deadlocks)| {
        sizes.iter().map(move |&size| row(family, size, of_traps, deadlocks))
    });
    Item {
        name: "suspects",
        title: "Suspects that invariants leave, and deadlocks that are reachable",
        heads: &["model", "size"],
        layout: Layout::Beside {
            columns: const {
                &[
                    Column::both("traps", Figure::Suspects),
                    Column::ours("linear", Figure::Suspects),
                    Column::ours("both", Figure::Suspects),
                    Column::both("deadlocks", Figure::Deadlocks),
                    Column::ours("states", Figure::Count),
                ]
            },
        },
        rows: rows.collect(),
        notes: &[
            "What the paper says in words, for sizes that it does not name: \"several hundred\" suspects with a confused \
             philosopher, \"thousands of false positives even for small numbers of ATMs\", \"several thousand\" deadlocks for \
             30 customers. Traps leave 2^n suspects of n cash machines, n > 1. The two kinds of invariants together leave \
             nothing but the deadlocks, with one exception: the smallest table with a confused philosopher.",
            "A gas station of p pumps with m customers each has m^p deadlocks: one customer at every pump has paid.",
        ],
        axes: None,
    }
}

const RINGS: [(Family, &[i64]); 5] = [
    (Family::Philosopher1, &[6, 10, 16, 24]),
    (Family::Philosopher2, &[6, 10, 16, 24]),
    (Family::ConfusedPhilosopher, &[6, 10, 16, 20]),
    (Family::GasStation, &[2]),
    (Family::CashMachines, &[2, 3, 5]),
];

pub(super) fn rings() -> Item {
    let row = |family: Family, n: i64| {
        let engines = [MC, ONE_SHOT, OPT_ONE_SHOT, RMFP_PLAIN, RMFP, BOTH_RINGS];
        let searches = engines.iter().map(|engine| Some(search(family, &[("n", n)], engine, None)));
        Row { labels: vec![name(family).to_owned(), n.to_string()], searches: searches.collect() }
    };
    Item {
        name: "rings",
        title: "The largest ring, in nodes",
        heads: &["model", "n"],
        layout: Layout::Beside {
            columns: const {
                &[
                    Column::ours("mc", Figure::Ring),
                    Column::ours("1-shot", Figure::Ring),
                    Column::ours("opt 1-shot", Figure::Ring),
                    Column::ours("full", Figure::Ring),
                    Column::ours("rmfp", Figure::Ring),
                    Column::ours("both kinds", Figure::Ring),
                ]
            },
        },
        rows: RINGS.iter().flat_map(|&(family, sizes)| sizes.iter().map(move |&n| row(family, n))).collect(),
        notes: &[
            "Not in the paper, which says that restricting rings to the invariant reduces them: it does, most where there are few \
             false suspects. All but mc use traps; both \
             kinds is opt 1-shot with conserved quantities as well. full is rmfp without smaller rings.",
            STARS,
        ],
        axes: None,
    }
}

/// A model without deadlock, its size, and what the paper says that it took.
const PROVED: [(Family, (i64, i64), Option<&str>); 9] = [
    (Family::AsymmetricPhilosophers, (100, 0), None),
    (Family::AsymmetricPhilosophers, (1000, 0), None),
    (Family::AsymmetricPhilosophers, (10_000, 0), None),
    (Family::SoundCashMachines, (10, 0), None),
    (Family::SoundCashMachines, (100, 0), None),
    (Family::SoundGasStation, (20, 2), None),
    (Family::SoundGasStation, (100, 2), None),
    (Family::SoundGasStation, (300, 2), Some("30:00")),
    (Family::SoundGasStation, (50, 10), None),
];

pub(super) fn alone() -> Item {
    let row = |&(family, size, printed): &(Family, (i64, i64), Option<&'static str>)| {
        let (set, size) = sized(size);
        let searches = [(ALONE, printed), (ALONE, None)].map(|(engine, p)| Some(search(family, &set, engine, p)));
        Row { labels: vec![name(family).to_owned(), size], searches: searches.to_vec() }
    };
    Item {
        name: "alone",
        title: "What invariants prove alone",
        heads: &["model", "size"],
        layout: Layout::Beside {
            columns: const { &[Column::both("seconds", Figure::Seconds), Column::ours("suspects", Figure::Suspects)] },
        },
        rows: PROVED.iter().map(row).collect(),
        notes: &[
            "Without suspects a model is free of deadlock; no state of the whole is looked at. The paper's time is that of \
             its predecessor for 300 pumps (minutes:seconds); how many customers they had it does not say.",
            "* means that it takes longer than 20 s, or than --each says.",
        ],
        axes: None,
    }
}
