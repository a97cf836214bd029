//! Asks networks, one by one or in batches. A batch is measured once, however many tables show it; and a method that
//! took too long for a network is not tried on larger ones.

use std::collections::{HashMap, HashSet};
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
const BATCH: Duration = Duration::from_secs(60);
const ONE_OF_BATCH: Duration = Duration::from_secs(1);
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

    /// Puts together what several methods found out about the same networks.
    ///
    /// # Panics
    ///
    /// If they contradict each other.
    pub(crate) fn combine<'a>(answers: impl Iterator<Item = &'a mut Answers>) {
        let answers: Vec<&mut Answers> = answers.collect();
        let mut all: Vec<Option<bool>> = Vec::new();
        for (i, decided) in answers.iter().flat_map(|a| a.decided.iter().enumerate()) {
            all.resize(all.len().max(i + 1), None);
            assert!(all[i].zip(*decided).is_none_or(|(a, b)| a == b), "two methods contradict each other: system {i}");
            all[i] = all[i].or(*decided);
        }
        let free = all.iter().copied().collect::<Option<Vec<bool>>>().map(|all| all.iter().filter(|f| **f).count());
        for answer in answers {
            answer.free = free.map(|n| n as u64);
        }
    }
}

/// What is known already.
#[derive(Debug, Default)]
pub(crate) struct Networks {
    measured: HashMap<(Model, i64, Method), Cell>,
    beyond: HashSet<(Model, Method)>,
}

impl Networks {
    /// Measures, or recalls.
    pub(crate) fn search(&mut self, search: &Search, budget: &Budget) -> Cell {
        let method = Method::of(&search.engine).expect("the methods of an item exist");
        let key = (search.model, parameter(search, "n"), method);
        if let Some(known) = self.measured.get(&key) {
            return Cell { search: search.clone(), ..known.clone() };
        }
        if self.beyond.contains(&(search.model, method)) {
            let answers = Some(Answers::default());
            return Cell { beyond: Some(Beyond::Smaller), answers, ..Cell::new(search) };
        }
        let cell = measure(search, method, budget);
        if cell.statistics.is_none() {
            self.beyond.insert((search.model, method));
        }
        self.measured.insert(key, cell.clone());
        cell
    }
}

fn parameter(search: &Search, name: &str) -> i64 {
    search.set.iter().find(|(n, _)| *n == name).map_or(0, |&(_, value)| value)
}

fn measure(search: &Search, method: Method, budget: &Budget) -> Cell {
    let n = parameter(search, "n") as usize;
    let (limit, found) = match search.model {
        Model::Network(family) => {
            let ready = budget.check(family.moves(n) * BYTES).map(|()| family.network(n));
            (ONE, ready.map(|network| one(&network, method, &within(budget, ONE))))
        }
        Model::Random(topology) => {
            let network = |i| topology.network(n, i as u64);
            let count = parameter(search, "systems") as usize;
            (BATCH, budget.check(1).map(|()| batch(count, network, method, &within(budget, BATCH))))
        }
        _ => unreachable!("only networks are asked here"),
    };
    let Timed { answers, seconds, stopped } = match found {
        Ok(timed) => timed,
        Err(reason) => return Cell { reason: Some(reason.to_string()), ..Cell::new(search) },
    };
    let answers = Some(Answers::new(answers));
    match stopped {
        None => {
            Cell { statistics: Some(Statistics { seconds, ..Statistics::default() }), answers, ..Cell::new(search) }
        }
        // The user's limit leaves less than the limit of the item.
        Some(Reason::Timeout)
            if budget.left().is_none_or(|left| left > Duration::ZERO) || seconds >= limit.as_secs_f64() =>
        {
            Cell { beyond: Some(Beyond::Limit), answers, ..Cell::new(search) }
        }
        Some(reason) => Cell { reason: Some(reason.to_string()), answers, ..Cell::new(search) },
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

/// Only the method is timed, not the making of the networks. One that takes too long does not end the batch.
fn batch(count: usize, network: impl Fn(usize) -> Network, method: Method, budget: &Budget) -> Timed {
    let mut timed = Timed { answers: vec![None; count], seconds: 0.0, stopped: None };
    for (i, answer) in timed.answers.iter_mut().enumerate() {
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
