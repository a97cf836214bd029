//! Measures models of growing size. A mode that took too long for one is not tried on larger ones; what is measured once
//! is shown wherever it belongs.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use driver::Choice;
use evidence::{Budget, Reason, Statistics};

use super::family::Family;
use super::method::{ask, choice};
use crate::item::Search;
use crate::lab::{Beyond, Cell};
use crate::models::Model;

/// What a search may take unless the user says otherwise: so little that all of the paper takes about a minute.
const EACH: Duration = Duration::from_secs(1);
/// The same for what the paper has times of.
const TABLED: Duration = Duration::from_secs(2);
/// The same where nothing but invariants is used.
const ALONE: Duration = Duration::from_secs(20);
/// About what a component takes in memory before it is asked anything.
const BYTES: u64 = 1 << 10;

/// What is known already.
#[derive(Debug, Default)]
pub(crate) struct Diagrams {
    /// What a search may take, if the user said so.
    pub(crate) each: Option<Duration>,
    measured: HashMap<(Family, Vec<i64>, String), Cell>,
    /// The smallest size for which a mode took too long; and why, if it was not for the limit of the item.
    beyond: HashMap<(Family, String), (i64, Option<String>)>,
}

impl Diagrams {
    /// Measures, or recalls.
    pub(crate) fn search(&mut self, search: &Search, budget: &Budget) -> Cell {
        let Model::Components(family) = search.model else { return Cell::new(search) };
        let key = (family, search.set.iter().map(|s| s.1).collect(), search.engine.clone());
        if let Some(known) = self.measured.get(&key) {
            return Cell { search: search.clone(), ..known.clone() };
        }
        let mode = (family, search.engine.clone());
        let size = search.set.iter().map(|s| s.1).product();
        if let Some((_, reason)) = self.beyond.get(&mode).filter(|(least, _)| *least <= size) {
            let beyond = reason.is_none().then_some(Beyond::Smaller);
            return Cell { beyond, reason: reason.clone(), ..Cell::new(search) };
        }
        let cell = self.measure(search, family, budget);
        if cell.statistics.is_none() {
            self.beyond.insert(mode, (size, cell.reason.clone()));
        }
        self.measured.insert(key, cell.clone());
        cell
    }

    fn measure(&self, search: &Search, family: Family, budget: &Budget) -> Cell {
        let choice = choice(&search.engine);
        let limit = self.each.unwrap_or_else(|| usual(family, &choice.0));
        let [n, customers] = ["n", "customers"].map(|name| parameter(search, name));
        if let Err(reason) = budget.check(n as u64 * customers.max(1) as u64 * BYTES) {
            return Cell { reason: Some(reason.to_string()), ..Cell::new(search) };
        }
        let subject = family.subject(n, customers);
        let start = Instant::now();
        let found = ask(&subject, &choice, &budget.narrowed(limit, budget.memory().unwrap_or(4 << 30)));
        let seconds = start.elapsed().as_secs_f64();
        // Or else the user's limit for the whole left less than that of one search.
        let item = || seconds >= limit.as_secs_f64() || budget.left().is_none_or(|left| left > Duration::ZERO);
        let cell = Cell::new(search);
        match found {
            Ok(counts) => {
                let statistics = Statistics { seconds, ..Statistics::default() };
                Cell { counts, statistics: Some(statistics), ..cell }
            }
            Err(Reason::Timeout) if item() => Cell { beyond: Some(Beyond::Limit), ..cell },
            Err(reason) => Cell { reason: Some(reason.to_string()), ..cell },
        }
    }
}

fn usual(family: Family, choice: &Choice) -> Duration {
    match (choice, family) {
        (Choice::Local(_), _) => ALONE,
        (_, Family::GasStation | Family::CashMachines) => TABLED,
        _ => EACH,
    }
}

fn parameter(search: &Search, name: &str) -> usize {
    search.set.iter().find(|(n, _)| *n == name).map_or(0, |&(_, value)| value as usize)
}
