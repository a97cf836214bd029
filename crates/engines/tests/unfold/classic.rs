//! The classic nets of the unfolding literature, where they are there: prefix sizes as published, and deadlocks as known.
//! The folder is `IMPASSE_DATA`, or `../shared/data`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::net_common::work;
use engines::unfold::{AdequateOrder, Reads, Unfolding, lexical_prefix};
use evidence::Budget;
use model::nets::Goal;
use model::views::Net;

/// The answers to the questions about a net, and its file.
struct Known {
    file: PathBuf,
    answers: BTreeMap<String, String>,
}

impl Known {
    fn net(&self) -> Net {
        let bytes = std::fs::read(&self.file).expect("a readable file");
        frontend::ll_net::read("net", &bytes).expect("a net").net
    }

    /// Events, conditions and cut-offs for an order.
    fn size(&self, order: &str) -> Option<[usize; 3]> {
        let figure = |kind: &str| self.answers.get(&format!("prefix_{kind}[{order}]"))?.parse().ok();
        Some([figure("events")?, figure("conditions")?, figure("cutoffs")?])
    }
}

fn nets() -> BTreeMap<String, Known> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let data = std::env::var_os("IMPASSE_DATA").map_or_else(|| root.join("../shared/data"), PathBuf::from);
    let Ok(table) = std::fs::read_to_string(data.join("classic/verdicts.csv")) else {
        eprintln!("skipped: there are no nets in {}", data.join("classic").display());
        return BTreeMap::new();
    };
    let mut nets: BTreeMap<String, Known> = BTreeMap::new();
    for line in table.lines().skip(1) {
        let [name, path, question, answer, ..] = line.split(',').collect::<Vec<_>>()[..] else { continue };
        let known = || Known { file: data.join("classic").join(path), answers: BTreeMap::new() };
        nets.entry(name.to_owned()).or_insert_with(known).answers.insert(question.to_owned(), answer.to_owned());
    }
    nets
}

/// Prefixes with more events are left to the bench.
const LARGE: usize = 20_000;

#[test]
fn prefixes_are_as_large_as_published() {
    let orders =
        [("mole_order", Some(AdequateOrder::Total)), ("mcmillan", Some(AdequateOrder::McMillan)), ("erv_order", None)];
    let mut compared = 0;
    let nets = nets();
    for (name, known) in &nets {
        for (order_name, order) in orders {
            let Some(expected) = known.size(order_name).filter(|[events, ..]| *events < LARGE) else { continue };
            let (net, budget) = (known.net(), Budget::unlimited());
            let prefix = match order {
                Some(order) => Unfolding { order, reads: Reads::Loops }.prefix(&net, &budget),
                None => lexical_prefix(&net, &budget),
            };
            let prefix = prefix.expect("no limits");
            let found = [prefix.events(), prefix.conditions(), prefix.cutoffs()];
            assert_eq!(found, expected, "{name}, {order_name}");
            compared += 1;
        }
    }
    assert!(nets.is_empty() || compared > 190, "{compared}");
}

#[test]
fn deadlocks_are_as_known() {
    let mut compared = 0;
    let nets = nets();
    for (name, known) in &nets {
        if known.size("mole_order").is_none_or(|[events, ..]| events >= LARGE / 4) {
            continue;
        }
        let (net, budget) = (known.net(), Budget::unlimited().with_timeout(Duration::from_secs(60)));
        for reads in [Reads::Loops, Reads::Replicas] {
            let unfolding = Unfolding { reads, ..Unfolding::default() };
            let found = work(&net, &[Goal::Dead], &budget, |task| {
                unfolding.settle(task).1.expect("there is time enough");
            });
            let expected = known.answers["ReachabilityDeadlock"] == "TRUE";
            assert_eq!(
                (!found.reached.is_empty(), !found.never.is_empty()),
                (expected, !expected),
                "{name}, {reads:?}"
            );
            compared += 1;
        }
    }
    assert!(nets.is_empty() || compared > 120, "{compared}");
}
