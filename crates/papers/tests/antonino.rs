//! What the tables on local analysis claim, on sizes that take no time.

use evidence::{Budget, Silent};
use papers::{Cell, Figure, Item, Lab, Measured};

fn item(name: &str) -> Item {
    let papers = papers::papers();
    let paper = papers.iter().find(|p| p.name == "antonino").expect("the paper is there");
    paper.items.iter().find(|i| i.name == name).expect("the item is there").clone()
}

/// The rows of some sizes with the first of their columns, and with fewer systems in a batch.
fn measure(name: &str, sizes: &[&str], columns: usize, systems: i64) -> Vec<Measured> {
    let mut item = item(name);
    item.rows.retain(|r| sizes.contains(&r.labels[1].as_str()));
    item.rows.iter_mut().for_each(|r| r.searches.truncate(columns));
    for search in item.rows.iter_mut().flat_map(|r| r.searches.iter_mut().flatten()) {
        search.set.iter_mut().filter(|(name, _)| *name == "systems").for_each(|(_, value)| *value = systems);
    }
    let budget = Budget::unlimited();
    let mut lab = Lab::new([&item], &budget, &Silent);
    item.rows.iter().map(|row| lab.measure(row)).collect()
}

/// One answer about one network: deadlock-free, deadlocking, or open.
fn answer(cell: &Cell) -> Option<bool> {
    let answers = cell.answers.as_ref().unwrap_or_else(|| panic!("{cell:?}"));
    assert_eq!(answers.systems, 1, "{cell:?}");
    match (answers.proved, answers.deadlocks) {
        (1, 0) => Some(true),
        (0, 1) => Some(false),
        _ => None,
    }
}

fn answers(row: &Measured) -> Vec<Option<bool>> {
    row.cells.iter().flatten().map(answer).collect()
}

#[test]
fn whatever_pair_proves_in_the_paper_is_proved() {
    let (yes, open) = (Some(true), None);
    for row in measure("table-3", &["3", "4", "5", "100", "1000"], 3, 0) {
        let problem = row.labels[0].as_str();
        let sdd = if ["Butler", "Telephone"].contains(&problem) { open } else { yes };
        let cells: Vec<&Cell> = row.cells.iter().flatten().collect();
        assert_eq!([answer(cells[0]), answer(cells[1]), answer(cells[2])], [yes, sdd, yes], "{:?}", row.labels);
        if let Some(printed) = cells[1].search.printed.and_then(|p| p.text) {
            assert_eq!(printed == "-", sdd.is_none(), "{:?}: as in the paper", row.labels);
        }
    }
}

#[test]
fn invariants_prove_what_pairs_do_not() {
    for row in measure("beyond", &["3", "10", "100"], 3, 0) {
        let expected = match row.labels[0].as_str() {
            "plain philosophers" => Some(false),
            _ => Some(true),
        };
        let found = answers(&row);
        assert_eq!((found[0], found[1]), (None, None), "{:?}: neither Pair nor SDD", row.labels);
        assert_eq!(found[2], expected, "{:?}", row.labels);
    }
}

/// No method contradicts another one (else measuring panics); Pair proves more than SDD, and all of local analysis more
/// than Pair.
#[test]
fn random_systems_are_proved_as_the_methods_can() {
    for row in measure("table-1", &["3", "4"], 4, 90) {
        let proved: Vec<u64> = row.cells.iter().flatten().map(|c| c.answers.as_ref().expect("asked").proved).collect();
        let free = row.cells[0].as_ref().and_then(|c| c.answers.as_ref()?.free).expect("all are decided");
        assert!(proved[1] < proved[0] && proved[0] <= proved[2] && proved[2] <= free, "{:?}: {proved:?}", row.labels);
        assert_eq!(proved[3], free, "{:?}", row.labels);
        assert!((30..75).contains(&free), "{:?}: a fair share of {free} in 90", row.labels);
        assert!(proved[0] * 100 >= 90 * free, "{:?}: {proved:?} of {free}", row.labels);
    }
}

/// Both tables show one measurement.
#[test]
fn a_batch_is_measured_once() {
    let items = [item("table-1"), item("table-2")].map(|mut item| {
        item.rows.truncate(1);
        item.rows[0].searches.truncate(3);
        item
    });
    let budget = Budget::unlimited();
    let mut lab = Lab::new(&items, &budget, &Silent);
    let [first, second] = [&items[0], &items[1]].map(|item| lab.measure(&item.rows[0]));
    let seconds = |row: &Measured| -> Vec<f64> {
        row.cells.iter().flatten().filter_map(|c| c.of_search(Figure::Seconds)).collect()
    };
    assert_eq!(seconds(&first).len(), 3);
    assert_eq!(seconds(&first), seconds(&second), "to the last digit");
    assert_eq!(second.cells[0].as_ref().and_then(|c| c.of_paper(Figure::Seconds)), Some(37.38));
    assert_eq!(first.cells[0].as_ref().and_then(|c| c.of_paper(Figure::Accuracy)), Some(99.13));
}

/// Without time nothing is measured, and everything says why.
#[test]
fn the_limit_of_the_user_is_told() {
    let item = item("table-3");
    let spent = Budget::unlimited().with_timeout(std::time::Duration::ZERO);
    let mut lab = Lab::new([&item], &spent, &Silent);
    for cell in item.rows.iter().flat_map(|row| lab.measure(row).cells).flatten() {
        assert_eq!((cell.reason.as_deref(), cell.beyond), (Some("the time limit was reached"), None));
    }
}
