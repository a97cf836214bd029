//! The engines: each decides a class of problems exactly, or says that it cannot. None imports another, but that
//! `liveness` leaves model errors to `explore`.

mod bits;
pub mod closed;
mod components;
pub mod diagrams;
pub mod exchange;
pub mod explore;
pub mod invariant;
mod lemma;
pub mod liveness;
pub mod local;
mod lock;
pub mod net;
mod patience;
pub mod persistent;
pub mod question;
pub mod refuter;
mod sealed;
mod shared;
mod store;
mod structure;
pub mod symbolic;
mod tokens;
pub mod unfold;

use std::time::Duration;

use evidence::{Budget, Outcome, Progress};
use model::{Property, System};

/// A question about a system.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// The system.
    pub system: &'a System,
    /// The question.
    pub property: &'a Property,
}

/// A way to answer questions.
pub trait Engine: Sync {
    /// The name on the command line and in reports.
    fn name(&self) -> &'static str;

    /// Whether this engine can treat the problem at all; if not, why, in terms of the model.
    fn supports(&self, problem: &Problem<'_>) -> Result<(), String>;

    /// Answers within the budget. The trace of the outcome, if any, is of the problem's system.
    fn run(&self, problem: &Problem<'_>, budget: &Budget, progress: &dyn Progress) -> Outcome;

    /// Answers several questions about one system, in one search if the engine can; each must be supported by itself.
    /// The budget is for all of them.
    fn run_all(
        &self,
        system: &System,
        properties: &[&Property],
        budget: &Budget,
        progress: &dyn Progress,
    ) -> Vec<Outcome> {
        let open = (1..=properties.len()).rev();
        let ask = |(property, open)| self.run(&Problem { system, property }, &budget.share(open), progress);
        properties.iter().copied().zip(open).map(ask).collect()
    }
}

/// How long it may take to find out whether an engine can treat a problem.
const GLANCE: Duration = Duration::from_millis(500);

/// Whether an engine can treat a problem, as far as can be seen within half a second. Where it is not seen by then, the
/// engine finds out while it works, within its own budget.
pub fn at_a_glance<T>(look: impl FnOnce(&Budget) -> Result<T, String>) -> Result<(), String> {
    let glance = Budget::unlimited().with_timeout(GLANCE);
    match look(&glance) {
        Err(_) if glance.check(0).is_err() => Ok(()),
        seen => seen.map(|_| ()),
    }
}
