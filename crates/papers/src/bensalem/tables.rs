//! Tables I and II: gas stations and cash machines.

use super::family::Family;
use super::method::FORWARD;
use crate::item::{Column, Figure, Item, Layout, Printed, Row, Search};
use crate::models::Model;

/// Both kinds of invariants: the paper's modes, and passes over all rules.
const MODES: [&str; 6] = [
    "invariant:traps=symbolic,exact=rings,restrict=off --all",
    "invariant:traps=symbolic,exact=rings,restrict=on --all",
    "invariant:traps=symbolic,exact=rings,restrict=off",
    "invariant:traps=symbolic,exact=rings,restrict=on",
    super::method::CHAINS,
    FORWARD,
];

const COLUMNS: &[Column] = &[
    Column::both("full", Figure::Seconds),
    Column::both("opt-full", Figure::Seconds),
    Column::both("1shot", Figure::Seconds),
    Column::both("opt-1shot", Figure::Seconds),
    Column::ours("chains", Figure::Seconds),
    Column::ours("forward", Figure::Seconds),
];

/// The size, how the paper calls it; components, locations, interactions; and its times, in minutes and seconds.
type Line = (i64, &'static str, [u32; 3], [&'static str; 4]);

const GAS: [Line; 7] = [
    (2, "5 ps x 10 ctms", [16, 65, 40], ["0:06", "0:06", "0:06", "0:06"]),
    (4, "5 ps x 20 ctms", [26, 105, 80], ["0:11", "0:10", "0:10", "0:11"]),
    (6, "5 ps x 30 ctms", [36, 145, 120], ["0:20", "0:20", "0:20", "0:21"]),
    (8, "5 ps x 40 ctms", [46, 185, 160], ["0:32", "0:32", "0:31", "0:33"]),
    (10, "5 ps x 50 ctms", [56, 225, 200], ["-", "0:46", "-", "0:46"]),
    (14, "5 ps x 70 ctms", [76, 305, 280], ["-", "1:15", "-", "1:15"]),
    (18, "5 ps x 90 ctms", [96, 385, 360], ["-", "1:44", "-", "1:41"]),
];

const CASH: [Line; 7] = [
    (5, "5 atms", [12, 114, 85], ["0:14", "0:13", "0:11", "0:10"]),
    (10, "10 atms", [22, 224, 170], ["0:32", "0:27", "0:18", "0:28"]),
    (15, "15 atms", [32, 334, 255], ["5:36", "4:47", "0:45", "0:40"]),
    (20, "20 atms", [42, 444, 340], ["4:19", "2:50", "2:11", "1:43"]),
    (25, "25 atms", [52, 554, 425], ["-", "9:47", "4:30", "2:37"]),
    (30, "30 atms", [62, 664, 510], ["-", "-", "-", "3:19"]),
    (35, "35 atms", [72, 774, 595], ["-", "-", "-", "5:24"]),
];

const NOTES: [&str; 3] = [
    "The paper's times are minutes:seconds on a laptop of 2011, - is none; ours are seconds. full: every suspect decided \
     (and runs to ten of the deadlocks); 1shot: the first deadlock; opt: with smaller rings. chains decides every suspect \
     by passes over all rules, forward finds all reachable states by saturation; neither is in the paper.",
    "All but forward use both traps and conserved quantities, which the paper did not have.",
    "* means that it takes longer than one search may (2 s, or what --each says); then larger ones are not tried.",
];

/// The seconds of minutes and seconds.
fn seconds(text: &str) -> Option<f64> {
    let (minutes, seconds) = text.split_once(':')?;
    Some(60.0 * minutes.parse::<f64>().ok()? + seconds.parse::<f64>().ok()?)
}

fn row(family: Family, (n, scale, sizes, times): &Line) -> Row {
    let printed = |text: &'static str| Printed { seconds: seconds(text), ..Printed::text(text) };
    let times = times.iter().map(|text| Some(printed(text))).chain([None, None]);
    let search = |(engine, printed): (&&str, Option<Printed>)| Search {
        model: Model::Components(family),
        set: vec![("n", *n)],
        engine: (*engine).to_owned(),
        printed,
    };
    let labels = [(*scale).to_owned()].into_iter().chain(sizes.iter().map(u32::to_string));
    Row { labels: labels.collect(), searches: MODES.iter().zip(times).map(|s| Some(search(s))).collect() }
}

fn table(name: &'static str, title: &'static str, rows: Vec<Row>) -> Item {
    Item {
        name,
        title,
        heads: &["scale", "comps", "locs", "intrs"],
        layout: Layout::Beside { columns: COLUMNS },
        rows,
        notes: &NOTES,
        axes: None,
    }
}

pub(super) fn table_1() -> Item {
    let rows = GAS.iter().map(|line| row(Family::GasStation, line)).collect();
    table("table-1", "Table I: gas station", rows)
}

pub(super) fn table_2() -> Item {
    let rows = CASH.iter().map(|line| row(Family::CashMachines, line)).collect();
    table("table-2", "Table II: automatic teller machines", rows)
}
