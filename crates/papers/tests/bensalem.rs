//! What the items on invariants and rings claim, on sizes that take little time.

use std::time::Duration;

use evidence::{Budget, Silent};
use papers::{Beyond, Cell, Figure, Item, Lab, Layout, Measured, Plot};

fn item(name: &str) -> Item {
    let papers = papers::papers();
    let paper = papers.iter().find(|p| p.name == "bensalem").expect("the paper is there");
    paper.items.iter().find(|i| i.name == name).expect("the item is there").clone()
}

/// The rows that are chosen, with all the time they take.
fn measure(item: &mut Item, chosen: impl Fn(&[String]) -> bool) -> Vec<Measured> {
    item.rows.retain(|r| chosen(&r.labels));
    let budget = Budget::unlimited();
    let mut lab = Lab::new([&*item], &budget, &Silent).each(Some(Duration::from_secs(600)));
    item.rows.iter().map(|row| lab.measure(row)).collect()
}

/// What was counted in each cell.
fn counts(row: &Measured, figures: &[Figure]) -> Vec<String> {
    let of = |(cell, figure): (&Option<Cell>, &Figure)| {
        let cell = cell.as_ref().expect("a search");
        cell.count(*figure).unwrap_or_else(|| panic!("{:?}: {cell:?}", row.labels)).to_owned()
    };
    row.cells.iter().zip(figures).map(of).collect()
}

/// Counted by other means before: suspects of traps, deadlocks and states.
const KNOWN: &[(&str, &str, &str, &str, &str)] = &[
    ("philosopher1", "2", "1", "1", "8"),
    ("philosopher1", "3", "1", "1", "20"),
    ("philosopher1", "4", "1", "1", "56"),
    ("philosopher1", "5", "1", "1", "152"),
    ("philosopher2", "2", "3", "1", "6"),
    ("philosopher2", "3", "1", "1", "14"),
    ("philosopher2", "4", "3", "1", "34"),
    ("philosopher2", "5", "1", "1", "82"),
    ("confused philosopher", "2", "7", "3", "16"),
    ("confused philosopher", "3", "7", "3", "38"),
    ("confused philosopher", "4", "11", "3", "92"),
    ("confused philosopher", "5", "10", "3", "222"),
    ("gas station", "2 x 2", "237", "4", "29"),
    ("gas station", "2 x 3", "6197", "9", "55"),
    ("gas station", "3 x 2", "5641", "8", "179"),
    ("ATM", "1", "", "1", "16"),
    ("ATM", "2", "4", "1", "237"),
    ("ATM", "3", "8", "1", "3484"),
    ("ATM without fault", "2", "", "0", "223"),
    ("ATM without fault", "3", "", "0", "3289"),
];

#[test]
fn suspects_and_deadlocks_are_as_counted_before() {
    let figures = [Figure::Suspects, Figure::Suspects, Figure::Suspects, Figure::Deadlocks, Figure::Count];
    let rows = measure(&mut item("suspects"), |l| KNOWN.iter().any(|k| (k.0, k.1) == (l[0].as_str(), l[1].as_str())));
    assert_eq!(rows.len(), KNOWN.len());
    for row in rows {
        let &(.., traps, deadlocks, states) =
            KNOWN.iter().find(|k| (k.0, k.1) == (row.labels[0].as_str(), row.labels[1].as_str())).expect("chosen");
        let found = counts(&row, &figures);
        if !traps.is_empty() {
            assert_eq!(found[0], traps, "{:?}", row.labels);
        }
        let both = if row.labels == ["confused philosopher", "2"] { "4" } else { deadlocks };
        assert_eq!(found[2..], [both, deadlocks, states], "{:?}: both kinds leave the deadlocks", row.labels);
        if row.labels[0].starts_with("philosopher") {
            assert_eq!(found[1], "1", "{:?}: linear invariants alone do", row.labels);
        }
        if (row.labels[0].as_str(), row.labels[1].as_str()) == ("ATM", "2") {
            assert_eq!(found[1], "7", "linear invariants alone do not");
        }
    }
}

#[test]
fn every_mode_finds_the_deadlocks_of_philosophers() {
    for (name, suspects, deadlocks) in [("figure-4", "1", "1"), ("figure-5", "3", "1"), ("figure-6", "11", "3")] {
        let mut item = item(name);
        for row in measure(&mut item, |l| l[0] == "4") {
            let cells: Vec<&Cell> = row.cells.iter().flatten().collect();
            let count = |k: usize, figure| cells[k].count(figure);
            assert!(cells.iter().all(|c| c.statistics.is_some()), "{name}: {row:?}");
            let of_traps = [1, 2, 3].map(|k| count(k, Figure::Suspects));
            assert_eq!(of_traps, [Some(suspects); 3], "{name}");
            assert_eq!(count(4, Figure::Suspects), Some(deadlocks), "{name}: no suspect is false");
            assert_eq!([1, 4, 5].map(|k| count(k, Figure::Deadlocks)), [Some(deadlocks); 3], "{name}");
            assert_eq!(count(0, Figure::Deadlocks), None, "{name}: one was looked for");
        }
    }
}

#[test]
fn the_tables_are_those_of_the_paper() {
    for (name, first, last) in [("table-1", [16, 65, 40], [96, 385, 360]), ("table-2", [12, 114, 85], [72, 774, 595])] {
        let item = item(name);
        let sizes = |k: usize| [1, 2, 3].map(|l| item.rows[k].labels[l].parse::<u64>().expect("a number"));
        assert_eq!((sizes(0), sizes(6), item.rows.len()), (first, last, 7), "{name}");
        let Layout::Beside { columns } = item.layout else { panic!("{name}: the paper is beside") };
        assert!(item.rows.iter().all(|r| r.searches.len() == columns.len()));
        let printed = |row: usize, cell: usize| {
            item.rows[row].searches[cell].as_ref().and_then(|s| s.printed).and_then(|p| p.seconds)
        };
        assert_eq!(printed(0, 4), None, "{name}: ours");
        assert_eq!(printed(6, 0), None, "{name}: a dash");
        assert!(printed(6, 3) > Some(100.0), "{name}: minutes and seconds");
    }
}

#[test]
fn full_modes_of_the_tables_find_all_deadlocks() {
    for (name, label, deadlocks, runs) in [("table-1", "5 ps x 10 ctms", "32", "10"), ("table-2", "5 atms", "1", "1")] {
        for row in measure(&mut item(name), |l| l[0] == label) {
            let cells: Vec<&Cell> = row.cells.iter().flatten().collect();
            let found = [0, 1, 4, 5].map(|k| cells[k].count(Figure::Deadlocks));
            assert_eq!(found, [Some(deadlocks); 4], "{name}");
            assert!(cells.iter().take(5).all(|c| c.count(Figure::Suspects) == Some(deadlocks)), "{name}");
            let shown = |k: usize| cells[k].counts.iter().find(|c| c.of == "runs").map(|c| c.number.as_str());
            assert_eq!([0, 1, 2, 3, 4, 5].map(shown), [runs, runs, "1", "1", runs, "1"].map(Some), "{name}");
        }
    }
}

/// Smaller rings are smaller, and those inside an invariant are smaller than those outside.
#[test]
fn rings_shrink_inside_the_invariant() {
    let rows = measure(&mut item("rings"), |l| l[1] == "10" || l == ["ATM", "3"]);
    assert_eq!(rows.len(), 4);
    for row in rows {
        let nodes: Vec<u64> = counts(&row, &[Figure::Ring; 6]).iter().map(|n| n.parse().expect("a number")).collect();
        let [mc, one_shot, opt, full, rmfp, both] = nodes[..] else { panic!("{:?}", row.labels) };
        assert!(mc > one_shot && one_shot > opt && full >= rmfp && opt >= both, "{:?}: {nodes:?}", row.labels);
    }
}

#[test]
fn invariants_alone_prove_what_has_no_deadlock() {
    let rows = measure(&mut item("alone"), |l| ["10", "20 x 2", "100"].contains(&l[1].as_str()));
    assert_eq!(rows.len(), 4);
    for row in rows {
        assert_eq!(row.cells[1].as_ref().and_then(|c| c.count(Figure::Suspects)), Some("0"), "{:?}", row.labels);
    }
}

/// A mode that took too long is not tried again, and what is left of the plot is a plot.
#[test]
fn a_mode_ends_where_it_takes_too_long() {
    let item = item("figure-4");
    let budget = Budget::unlimited();
    let mut lab = Lab::new([&item], &budget, &Silent).each(Some(Duration::ZERO));
    let rows: Vec<Measured> = item.rows.iter().map(|row| lab.measure(row)).collect();
    assert!(rows[0].cells.iter().flatten().all(|c| c.beyond == Some(Beyond::Limit)), "{:?}", rows[0]);
    assert!(rows[1..].iter().all(Measured::is_empty));
    assert!(rows.iter().flat_map(|r| r.cells.iter().flatten()).all(|c| c.reason.is_none()));
    let plot = Plot::new(&item, &rows).expect("it is a plot");
    assert_eq!(plot.series.len(), 6);
    assert!(plot.series.iter().all(|s| s.points.is_empty()) && plot.svg().contains("philosophers"));
}

/// Smaller ones are, wherever they come.
#[test]
fn a_smaller_model_is_tried_after_a_larger_one_took_too_long() {
    let mut item = item("figure-4");
    item.rows = vec![item.rows[8].clone(), item.rows[0].clone(), item.rows[9].clone()];
    item.rows.iter_mut().for_each(|r| r.searches.truncate(1));
    let budget = Budget::unlimited();
    let mut lab = Lab::new([&item], &budget, &Silent).each(Some(Duration::from_millis(400)));
    let beyond = item.rows.iter().map(|row| lab.measure(row).cells[0].as_ref().and_then(|c| c.beyond));
    assert_eq!(beyond.collect::<Vec<_>>(), [Some(Beyond::Limit), None, Some(Beyond::Smaller)]);
}

/// Without time nothing is measured, and everything says why.
#[test]
fn the_limit_of_the_user_is_told() {
    let item = item("table-1");
    let spent = Budget::unlimited().with_timeout(Duration::ZERO);
    let mut lab = Lab::new([&item], &spent, &Silent);
    for cell in item.rows.iter().flat_map(|row| lab.measure(row).cells).flatten() {
        assert_eq!((cell.reason.as_deref(), cell.beyond), (Some("the time limit was reached"), None));
    }
}
