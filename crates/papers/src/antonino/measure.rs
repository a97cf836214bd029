//! Asks networks, one by one or in batches. A batch is measured once, however many tables show it; and a method that
//! took too long for a network is not tried on larger ones.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use evidence::{Budget, Reason, Statistics};
use model::views::Network;
use serde::Serialize;

use super::method::Method;
use crate::item::Search;
use crate::lab::{Beyond, Cell};
use crate::models::Model;

/// What a method may take for one network: the limit of the paper.
const ONE: Duration = Duration::from_secs(40);
/// What it may take for a batch, and for one network of it.
const BATCH: Duration = Duration::from_secs(100);
const ONE_OF_BATCH: Duration = Duration::from_secs(2);
/// About what a move of a component takes in memory.
const BYTES: u64 = 32;

/// What was found out about some networks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Answers {
    /// How many there are.
    pub systems: u64,
    /// How many are proved deadlock-free.
    pub proved: u64,
    /// Of how many a deadlock is shown.
    pub deadlocks: u64,
    /// How many are deadlock-free, if all methods together tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub free: Option<u64>,
    /// One by one, whether it is deadlock-free.
    #[serde(skip)]
    decided: Vec<Option<bool>>,
}

impl Answers {
    fn new(decided: Vec<Option<bool>>) -> Self {
        let count = |answer| decided.iter().filter(|d| **d == Some(answer)).count() as u64;
        Self { systems: decided.len() as u64, proved: count(true), deadlocks: count(false), free: None, decided }
    }

    /// Tells each method what all of them together know about the same networks.
    pub(crate) fn combine<'a>(answers: impl Iterator<Item = &'a mut Answers>) {
        let answers: Vec<&mut Answers> = answers.collect();
        let all = together(answers.iter().map(|a| &a.decided[..]));
        let known = all.iter().copied().collect::<Option<Vec<bool>>>().filter(|all| !all.is_empty());
        let free = known.map(|all| all.iter().filter(|free| **free).count());
        for answer in answers {
            answer.free = free.map(|n| n as u64);
        }
    }
}

/// What is known already.
#[derive(Debug, Default)]
pub(crate) struct Networks {
    measured: HashMap<(Model, i64, Method), Cell>,
    /// Where a method took too long; and why, if it was not for the limit of the item.
    beyond: HashMap<(Model, Method), Option<String>>,
}

impl Networks {
    /// Measures, or recalls.
    pub(crate) fn search(&mut self, search: &Search, budget: &Budget) -> Cell {
        let method = Method::of(&search.engine).expect("the methods of an item exist");
        let key = (search.model, parameter(search, "n"), method);
        if let Some(known) = self.measured.get(&key) {
            return Cell { search: search.clone(), ..known.clone() };
        }
        if let Some(reason) = self.beyond.get(&(search.model, method)) {
            let beyond = reason.is_none().then_some(Beyond::Smaller);
            return Cell { beyond, reason: reason.clone(), answers: Some(Answers::default()), ..Cell::new(search) };
        }
        let known = if method == Method::Exact { self.decided(search) } else { Vec::new() };
        let cell = measure(search, method, known, budget);
        if cell.statistics.is_none() {
            self.beyond.insert((search.model, method), cell.reason.clone());
        }
        self.measured.insert(key, cell.clone());
        cell
    }

    /// What is known about each network of a batch.
    fn decided(&self, search: &Search) -> Vec<Option<bool>> {
        let same = |(model, n, _): &(Model, i64, Method)| (*model, *n) == (search.model, parameter(search, "n"));
        let answers = self.measured.iter().filter(|(key, _)| same(key)).filter_map(|(_, cell)| cell.answers.as_ref());
        together(answers.map(|a| &a.decided[..]))
    }
}

/// What several methods know about the same networks.
///
/// # Panics
///
/// If they contradict each other.
fn together<'a>(several: impl Iterator<Item = &'a [Option<bool>]>) -> Vec<Option<bool>> {
    let mut all: Vec<Option<bool>> = Vec::new();
    for (i, decided) in several.flat_map(|decided| decided.iter().enumerate()) {
        all.resize(all.len().max(i + 1), None);
        assert!(all[i].zip(*decided).is_none_or(|(a, b)| a == b), "two methods contradict each other: system {i}");
        all[i] = all[i].or(*decided);
    }
    all
}

fn parameter(search: &Search, name: &str) -> i64 {
    search.set.iter().find(|(n, _)| *n == name).map_or(0, |&(_, value)| value)
}

fn measure(search: &Search, method: Method, known: Vec<Option<bool>>, budget: &Budget) -> Cell {
    let limit = if matches!(search.model, Model::Random(_)) { BATCH } else { ONE };
    let Timed { answers, seconds, stopped } = match ask(search, method, known, budget, limit) {
        Ok(timed) => timed,
        Err(reason) => return Cell { reason: Some(reason.to_string()), ..Cell::new(search) },
    };
    let cell = Cell { answers: Some(Answers::new(answers)), ..Cell::new(search) };
    // Or else the user's limit left less than the limit of the item.
    let item = || seconds >= limit.as_secs_f64() || budget.left().is_none_or(|left| left > Duration::ZERO);
    match stopped {
        None => Cell { statistics: Some(Statistics { seconds, ..Statistics::default() }), ..cell },
        Some(Reason::Timeout) if item() => Cell { beyond: Some(Beyond::Limit), ..cell },
        Some(reason) => Cell { reason: Some(reason.to_string()), ..cell },
    }
}

fn ask(
    search: &Search,
    method: Method,
    mut known: Vec<Option<bool>>,
    budget: &Budget,
    limit: Duration,
) -> Result<Timed, Reason> {
    let n = parameter(search, "n") as usize;
    match search.model {
        Model::Network(family) => {
            budget.check(family.moves(n) * BYTES)?;
            Ok(one(&family.network(n), method, &within(budget, limit)))
        }
        Model::Random(topology) => {
            budget.check(1)?;
            known.resize(parameter(search, "systems") as usize, None);
            Ok(batch(known, |i| topology.network(n, i as u64), method, &within(budget, limit)))
        }
        _ => Err(Reason::Unsupported("it is no network".to_owned())),
    }
}

fn within(budget: &Budget, limit: Duration) -> Budget {
    budget.narrowed(limit, u64::MAX)
}

/// Answers, what they took, and why some are missing.
struct Timed {
    answers: Vec<Option<bool>>,
    seconds: f64,
    stopped: Option<Reason>,
}

fn one(network: &Network, method: Method, budget: &Budget) -> Timed {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let start = Instant::now();
    let found = method.decide(network, budget, threads);
    let seconds = start.elapsed().as_secs_f64();
    Timed { answers: vec![found.clone().unwrap_or(None)], seconds, stopped: found.err() }
}

/// Asks the networks about which nothing is known. Only the method is timed, not the making of the networks. One that
/// takes too long does not end the batch.
fn batch(known: Vec<Option<bool>>, network: impl Fn(usize) -> Network, method: Method, budget: &Budget) -> Timed {
    let mut timed = Timed { answers: known, seconds: 0.0, stopped: None };
    for (i, answer) in timed.answers.iter_mut().enumerate().filter(|(_, a)| a.is_none()) {
        if let Err(reason) = budget.check(0) {
            timed.stopped = Some(reason);
            break;
        }
        let network = network(i);
        let start = Instant::now();
        let found = method.decide(&network, &within(budget, ONE_OF_BATCH), 1);
        timed.seconds += start.elapsed().as_secs_f64();
        *answer = found.clone().unwrap_or(None);
        timed.stopped = timed.stopped.or(found.err());
    }
    timed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_put_together() {
        let mut answers = [vec![Some(true), None, None], vec![None, Some(false), Some(true)]].map(Answers::new);
        assert_eq!((answers[1].proved, answers[1].deadlocks, answers[1].free), (1, 1, None));
        Answers::combine(answers.iter_mut());
        assert_eq!(answers.map(|a| a.free), [Some(2), Some(2)]);
        let mut open = [vec![Some(true), None], vec![None, None]].map(Answers::new);
        Answers::combine(open.iter_mut());
        assert_eq!(open.map(|a| a.free), [None, None]);
        let mut untried = [Answers::default()];
        Answers::combine(untried.iter_mut());
        assert_eq!(untried[0].free, None, "nothing is known of networks that nobody asked");
    }

    #[test]
    #[should_panic(expected = "contradict")]
    fn a_contradiction_is_noticed() {
        together([&[None, Some(true)][..], &[None, Some(false)]].into_iter());
    }
}
