//! Runs the searches of an item. A search that does not finish gives a reason and no figures.

use std::time::{Duration, Instant};

use driver::Choice;
use engines::Problem;
use engines::net::search::{reduced_state_space, state_space};
use engines::unfold::stubborn::End;
use evidence::{Budget, Count, Outcome, Progress, Reason, Snapshot, Statistics, Verdict};
use model::Property;
use model::views::Net;
use serde::Serialize;

use crate::antonino::{Answers, Networks};
use crate::bensalem::Diagrams;
use crate::item::{Figure, Item, Row, Search};
use crate::models::Model;

/// A search and what came of it.
#[derive(Clone, Debug, Serialize)]
pub struct Cell {
    /// What was searched, and how.
    #[serde(flatten)]
    pub search: Search,
    /// What the search found; only if it finished.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistics: Option<Statistics>,
    /// Why it did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Of networks, what was found out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answers: Option<Answers>,
    /// Of sets of states, how large they are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<Count>,
    /// Of networks, whether they are too large for the method.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beyond: Option<Beyond>,
}

/// Why a network is called too large for a method: the limit is that of the item, not the user's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Beyond {
    /// It took longer than it may.
    Limit,
    /// A smaller one did: it was not tried.
    Smaller,
}

impl Cell {
    /// Before anything is found.
    pub(crate) fn new(search: &Search) -> Self {
        Self { search: search.clone(), statistics: None, reason: None, answers: None, counts: Vec::new(), beyond: None }
    }

    /// What the paper prints.
    pub fn of_paper(&self, figure: Figure) -> Option<f64> {
        self.search.printed.as_ref().and_then(|p| figure.of_paper(p))
    }

    /// What the search found.
    pub fn of_search(&self, figure: Figure) -> Option<f64> {
        let counted = || self.count(figure).and_then(|number| number.parse().ok());
        self.statistics.as_ref().and_then(|s| figure.of_search(s)).or_else(counted)
    }

    /// The number of what was counted exactly, in digits.
    pub fn count(&self, figure: Figure) -> Option<&str> {
        let what = figure.counted()?;
        self.counts.iter().find(|count| count.of == what).map(|count| count.number.as_str())
    }
}

/// A row whose searches have ended.
#[derive(Clone, Debug, Serialize)]
pub struct Measured {
    /// What it is about.
    pub labels: Vec<String>,
    /// One for each search; none where there is no search.
    pub cells: Vec<Option<Cell>>,
}

impl Measured {
    /// Whether there is nothing to show: everything is too large, and the paper has no figures.
    pub fn is_empty(&self) -> bool {
        let empty = |c: &Cell| c.beyond == Some(Beyond::Smaller) && c.search.printed.is_none();
        self.cells.iter().any(Option::is_some) && self.cells.iter().flatten().all(empty)
    }
}

/// A search may take this part of the time that is left when its turn comes, or an equal share if that is more: most
/// searches take next to nothing, and one that is hopeless must not keep the others from being tried.
const PART: usize = 10;

/// Runs searches within one budget.
#[expect(missing_debug_implementations, reason = "whoever hears the progress need not be shown")]
pub struct Lab<'a> {
    budget: &'a Budget,
    progress: &'a dyn Progress,
    open: usize,
    networks: Networks,
    diagrams: Diagrams,
}

impl<'a> Lab<'a> {
    /// For all searches of these items.
    pub fn new<'i>(items: impl IntoIterator<Item = &'i Item>, budget: &'a Budget, progress: &'a dyn Progress) -> Self {
        let rows = items.into_iter().flat_map(|item| &item.rows);
        let open = rows.map(|r| r.searches.iter().flatten().count()).sum();
        Self { budget, progress, open, networks: Networks::default(), diagrams: Diagrams::default() }
    }

    /// What one search may take where models grow until they take longer; the limit of the item if none is given.
    #[must_use]
    pub fn each(mut self, limit: Option<Duration>) -> Self {
        self.diagrams.each = limit;
        self
    }

    /// Runs the searches of a row.
    pub fn measure(&mut self, row: &Row) -> Measured {
        let mut cells: Vec<Option<Cell>> =
            row.searches.iter().map(|search| search.as_ref().map(|s| self.search(s))).collect();
        Answers::combine(cells.iter_mut().flatten().filter_map(|c| c.answers.as_mut()));
        Measured { labels: row.labels.clone(), cells }
    }

    fn search(&mut self, search: &Search) -> Cell {
        let budget = self.budget.share(self.open.min(PART));
        self.open = self.open.saturating_sub(1);
        if search.model.is_network() {
            return self.networks.search(search, &budget);
        }
        if matches!(search.model, Model::Components(_)) {
            return self.diagrams.search(search, &budget);
        }
        let found = budget.check(0).and_then(|()| run(search, &budget, self.progress));
        let (statistics, reason) = match found {
            Ok(statistics) => (Some(statistics), None),
            Err(reason) => (None, Some(reason.to_string())),
        };
        Cell { statistics, reason, ..Cell::new(search) }
    }
}

/// Hears how far a search is, but not that a cache is small: that is what some items are about.
struct Unwarned<'a>(&'a dyn Progress);

impl Progress for Unwarned<'_> {
    fn update(&self, snapshot: &Snapshot) {
        self.0.update(snapshot);
    }
}

/// Looks for deadlocks and goes on to the end, whatever it meets.
fn run(search: &Search, budget: &Budget, progress: &dyn Progress) -> Result<Statistics, Reason> {
    let choice: Choice = search.engine.parse().expect("the switches of an item exist");
    if let Some(net) = search.model.net(&search.set) {
        return on_net(&net, &choice, budget);
    }
    let system = search.model.system(&search.set);
    let problem = Problem { system: &system, property: &Property::DeadlockFree };
    let Outcome { verdict, statistics, .. } = choice.engine().run(&problem, budget, &Unwarned(progress));
    match verdict {
        Verdict::Unknown(reason) => Err(reason),
        // With a cache a full search does not claim to know the size of the state space: then neither is there.
        _ if statistics.reduced.or(statistics.complete) != Some(false) => Ok(statistics),
        // A deadlock was found and then the budget was spent.
        Verdict::Holds(_) | Verdict::Violated(_) => Err(budget.check(0).err().unwrap_or(Reason::Memory)),
    }
}

/// Unfolds a net, or visits its markings, to the end also if there are deadlocks. A search with persistent sets is one
/// with the stubborn sets of nets.
fn on_net(net: &Net, choice: &Choice, budget: &Budget) -> Result<Statistics, Reason> {
    let start = Instant::now();
    match choice {
        Choice::Unfold(unfolding) => unfolding.prefix(net, budget).map(|prefix| Statistics {
            events: Some(prefix.events() as u64),
            conditions: Some(prefix.conditions() as u64),
            cutoffs: Some(prefix.cutoffs() as u64),
            complete: Some(true),
            seconds: start.elapsed().as_secs_f64(),
            ..Statistics::default()
        }),
        Choice::Stubborn(stubborn) => stubborn.run(net, budget).and_then(|found| match &found.end {
            End::Stopped(reason) => Err(reason.clone()),
            End::Complete | End::AtDeadlock => Ok(found.statistics(stubborn.order, start)),
        }),
        Choice::Explore(explore) => {
            let count = if explore.reduce.persistent.is_some() { reduced_state_space } else { state_space };
            count(net, budget).map(|counts| Statistics {
                states: Some(counts.states),
                transitions: Some(counts.firings),
                seconds: start.elapsed().as_secs_f64(),
                ..Statistics::default()
            })
        }
        _ => Err(Reason::Unsupported("it counts nothing that a table shows".to_owned())),
    }
}
