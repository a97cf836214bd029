//! The figures of the papers that are exact, through the tables that show them.

use evidence::{Budget, Silent};
use papers::{Figure, Item, Lab, Layout, Measured};

fn item(paper: &str, name: &str) -> Item {
    let papers = papers::papers();
    let paper = papers.iter().find(|p| p.name == paper).expect("the paper is there");
    paper.items.iter().find(|i| i.name == name).expect("the item is there").clone()
}

/// The item with those of its rows whose first label is one of some.
fn rows(mut item: Item, labels: &[&str]) -> Item {
    item.rows.retain(|r| labels.contains(&r.labels[0].as_str()));
    item
}

fn measure(item: &Item) -> Vec<Measured> {
    let budget = Budget::unlimited();
    let mut lab = Lab::new([item], &budget, &Silent);
    item.rows.iter().map(|row| lab.measure(row)).collect()
}

/// States and transitions of every cell of a row.
fn sizes(row: &Measured) -> Vec<(u64, u64)> {
    let figure = |f: Figure, cell: &papers::Cell| cell.of_search(f).expect("it finished") as u64;
    row.cells.iter().flatten().map(|c| (figure(Figure::States, c), figure(Figure::Transitions, c))).collect()
}

/// Where both have a figure, it is the same; returns how many figures were compared.
fn same_as_printed(rows: &[Measured]) -> usize {
    let mut compared = 0;
    for row in rows {
        for figure in [Figure::States, Figure::Transitions] {
            let cell = row.cells[0].as_ref().expect("a search");
            if let Some(printed) = cell.of_paper(figure) {
                assert_eq!(cell.of_search(figure), Some(printed), "{:?}: {}", row.labels, figure.name());
                compared += 1;
            }
        }
    }
    compared
}

#[test]
fn table_1_is_exactly_as_printed() {
    let rows = measure(&item("godefroid-wolper", "table-1"));
    assert_eq!(same_as_printed(&rows), 16);
    let of = |name: &str| -> Vec<(u64, u64)> { rows.iter().filter(|r| r.labels[1] == name).flat_map(sizes).collect() };
    assert_eq!(of("new, as printed"), [(144, 160), (360, 400), (864, 960), (2016, 2240)]);
    assert_eq!(of("stubborn"), of("new"));
}

#[test]
fn example_8_1_is_exactly_as_printed() {
    let rows = measure(&item("thesis", "example-8.1"));
    assert_eq!(same_as_printed(&rows), 18);
    let full: Vec<(u64, u64)> = rows.iter().filter(|r| r.labels[1] == "DFS").flat_map(sizes).collect();
    assert_eq!(full, [(11, 20), (1001, 2000), (10_001, 20_000)]);
}

#[test]
fn philosophers_grow_as_they_should() {
    let overman = [(8, 10), (20, 30), (48, 76), (102, 165), (205, 336), (394, 651)];
    let overman_sleep = [(8, 9), (18, 23), (39, 54), (78, 112), (151, 222), (279, 414)];
    let item = rows(item("thesis", "philosophers"), &["2", "3", "4", "5", "6", "7"]);
    for (i, row) in measure(&item).iter().enumerate() {
        let n = i as u64 + 2;
        let power = 3u64.pow(n as u32 - 1);
        let sizes = sizes(row);
        assert_eq!(sizes[..3], [(3 * power - 1, n * (2 * power - 1)), overman[i], overman_sleep[i]], "{n}");
        let sleeping = if n == 2 { (8, 9) } else { (3 * n * n - 6 * n + 8, 4 * n * n - 7 * n + 7) };
        assert_eq!(sizes[3..5], [(3 * n * n - 3 * n + 2, 4 * n * n - 3 * n), sleeping], "{n}");
        assert_eq!(sizes[5].0, 3 * power - 1, "{n}: sleep sets alone visit every state");
    }
}

/// Whatever the algorithm, the deadlocks are the same; sleep sets alone visit every state; sets leave states out.
#[test]
fn reductions_of_the_protocols_agree() {
    for protocol in ["MULOG3", "DTP"] {
        let rows = measure(&rows(item("thesis", "table-8.1"), &[protocol]));
        let deadlocks = |row: &Measured| row.cells[0].as_ref().and_then(|c| c.statistics?.deadlocks);
        assert!(rows.iter().all(|r| deadlocks(r).is_some() && deadlocks(r) == deadlocks(&rows[0])), "{protocol}");
        let of = |name: &str| rows.iter().find(|r| r.labels[1] == name).map(|r| sizes(r)[0]).expect("it is there");
        assert_eq!(of("SLEEP").0, of("DFS").0, "{protocol}");
        assert!(of("SLEEP").1 < of("DFS").1 && of("PS").0 < of("DFS").0, "{protocol}");
        assert!(of("PS+SLEEP").0 <= of("PS").0 && of("PS+SLEEP").1 <= of("PS").1, "{protocol}");
        assert!(of("stubborn+SLEEP").1 <= of("stubborn").1, "{protocol}");
    }
}

/// Figure 8.3: with persistent and sleep sets a small cache costs little; with persistent sets alone it costs much.
#[test]
fn a_small_cache_is_enough_with_sleep_sets() {
    let rows = measure(&rows(item("thesis", "figure-8.3"), &["25000", "150"]));
    let transitions = |row: &Measured| -> Vec<u64> { sizes(row).iter().map(|s| s.1).collect() };
    let (all, few) = (transitions(&rows[0]), transitions(&rows[1]));
    assert!(few[0] > all[0] && few[0] * 100 < all[0] * 120, "PS+SLEEP: {} instead of {}", few[0], all[0]);
    assert!(few[1] * 100 < all[1] * 125, "stubborn+SLEEP: {} instead of {}", few[1], all[1]);
    assert!(few[2] > all[2] * 10, "PS: {} instead of {}", few[2], all[2]);
    let stored = sizes(&rows[1])[0].0;
    assert!(stored < 300, "{stored} states are left of 150 and the stack");
}

#[test]
fn every_search_can_be_made() {
    let spent = Budget::unlimited().with_memory(0);
    for paper in papers::papers() {
        for item in &paper.items {
            let mut lab = Lab::new([item], &spent, &Silent);
            for row in &item.rows {
                assert_eq!(row.labels.len(), item.heads.len(), "{}", item.name);
                if let Layout::Grid { columns, .. } = item.layout {
                    assert_eq!(row.searches.len(), columns.len(), "{}", item.name);
                }
                // Without memory a search ends at once, with its reason and without figures.
                for cell in lab.measure(row).cells.into_iter().flatten() {
                    assert!(cell.statistics.is_some() != cell.reason.is_some(), "{}", item.name);
                }
            }
        }
    }
}

#[test]
fn a_search_without_time_has_a_reason_and_no_figures() {
    let item = item("godefroid-wolper", "table-1");
    let spent = Budget::unlimited().with_timeout(std::time::Duration::ZERO);
    let measured = Lab::new([&item], &spent, &Silent).measure(&item.rows[0]);
    let cell = measured.cells[0].as_ref().expect("a search");
    assert_eq!(cell.reason.as_deref(), Some("the time limit was reached"));
    assert_eq!(cell.of_search(Figure::States), None);
    assert_eq!(cell.of_paper(Figure::States), Some(144.0));
}

/// Wang and Buy's Figure 1: what the paper prints, and what it leaves open.
#[test]
fn the_unfoldings_of_figure_1_are_exactly_as_printed() {
    let rows = measure(&item("wang-buy", "figure-1"));
    let of = |row: &Measured, figure| row.cells[0].as_ref().and_then(|c| c.of_search(figure)).map(|n| n as u64);
    let size =
        |row: &Measured| [Figure::Events, Figure::Conditions, Figure::Cutoffs].map(|f| of(row, f).expect("it ended"));
    let found: Vec<[u64; 3]> = rows.iter().map(size).collect();
    assert_eq!(found, [[21, 39, 6], [12, 24, 3], [12, 24, 3], [9, 19, 2], [7, 14, 0], [27, 45, 6]]);
    let printed = |row: &Measured| row.cells[0].as_ref().and_then(|c| c.of_paper(Figure::Events));
    assert_eq!(rows.iter().map(printed).collect::<Vec<_>>()[..4], [Some(21.0), Some(12.0), Some(12.0), None]);
}

#[test]
fn stubborn_unfoldings_grow_as_they_should() {
    let nodes = |row: &Measured| -> Vec<u64> {
        row.cells
            .iter()
            .flatten()
            .map(|c| c.of_search(Figure::Nodes).unwrap_or_else(|| panic!("{c:?}")) as u64)
            .collect()
    };
    let rows_of = |name, labels: &[&str]| measure(&rows(item("wang-buy", name), labels));
    for (row, n) in rows_of("growth", &["4", "8", "10"]).iter().zip([4u64, 8, 10]) {
        let power = 3u64.pow(n as u32);
        assert_eq!(nodes(row), [3 * n * n - 2 * n, 4 * n, 3 * n * n - 3 * n + 2, power - 1]);
    }
    for (row, n) in rows_of("work", &["4", "8", "16"]).iter().zip([4u64, 8, 16]) {
        assert_eq!(sizes(row), [(3 * n * n - 3 * n + 2, 4 * n * n - 3 * n); 3], "{n}");
    }
    for (row, n) in rows_of("figure-3", &["2", "3", "5", "8"]).iter().zip([2u64, 3, 5, 8]) {
        let power = 2u64.pow(n as u32);
        let expected = [4 * n, power / 2 * (3 * n + 2) - 1, 4 * n, 3 * n + 1, (n + 1) * power];
        assert_eq!(nodes(row), expected, "{n}");
    }
}
