//! IC3: an inductive invariant that excludes the goal, found clause by clause, or a run to the goal.
//!
//! Bradley's algorithm (VMCAI 2011), on nets. Clauses of level `i` hold of all markings that are reached within `i`
//! steps. A *cube*, a conjunction of bounds of sums of tokens, from which the goal is reached is excluded at a level if
//! no step leads into it from what the level before leaves; if one does, the cube of markings from which it does is to
//! be excluded there first. When all clauses of a level hold at the next one as well they are inductive.
//!
//! Two things are better here than on circuits. A transition adds fixed numbers to sums, so that the markings from which
//! it leads into a cube are themselves a cube, and the solver needs no variables for the marking after a step. And a
//! step into a cube from outside makes one of its constraints true: so for each constraint, and each transition that
//! can make it true, the solver says which other constraints exclude it, and a clause is a set of constraints that is
//! closed under this ([`search`]). Place invariants are known to hold; they are added where a solution breaks them.
//!
//! What others say holds of every reachable marking ([`Clause`]) is where the first level begins, if one step does not break
//! it. It is lifted from level to level like every other clause, as long as it is inductive with the rest: nobody is
//! trusted, and an invariant that is written down needs no reason but itself.
//!
//! Exact: an invariant is written down as a certificate, for the checker to accept; a run is to be replayed. Nets need no bounds. Without them it
//! may go on for ever.

mod certificate;
mod constraint;
mod frames;
mod search;
mod target;

use std::time::Duration;

use evidence::{Budget, Exclusion};
use model::nets::Goal;
use model::views::{Net, NetTransitionId, PlaceId};

use self::constraint::Sums;
use self::search::Search;
use super::structural::Flows;

/// The time for the search for place invariants.
const FLOWS: Duration = Duration::from_secs(2);

/// One of these places is marked, or is not, in every reachable marking, as somebody says.
pub type Clause = Vec<(PlaceId, bool)>;

/// What became of a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It is never reached: the certificate.
    Never(Box<Exclusion>),
    /// A run that reaches it.
    Reached(Vec<NetTransitionId>),
}

/// Decides whether a goal is reached; `None` if the budget does not suffice, if somebody stops it, or for maxima.
pub fn decide(net: &Net, goal: &Goal, budget: &Budget, stop: &dyn Fn() -> bool) -> Option<Decision> {
    decide_with(net, goal, &[], budget, stop)
}

/// The same with what others say.
pub fn decide_with(
    net: &Net,
    goal: &Goal,
    said: &[Clause],
    budget: &Budget,
    stop: &dyn Fn() -> bool,
) -> Option<Decision> {
    let predicate = target::predicate(net, goal)?;
    if predicate.holds(&net.initial_marking()) {
        return Some(Decision::Reached(Vec::new()));
    }
    let start = budget.now();
    let flows = Flows::new(net, &mut || budget.now() - start > FLOWS || budget.check(0).is_err() || stop());
    let mut over = |bytes: u64| budget.check(bytes).is_err() || stop();
    let mut search = Search::new(Sums::new(net), flows, &predicate, &mut over)?;
    search.listen(said).ok()?;
    match search.run().ok()? {
        search::Outcome::Reached(run) => Some(Decision::Reached(run)),
        search::Outcome::Never(invariant) => {
            let limit = budget.clone();
            let stop = Box::new(move || limit.check(0).is_err());
            let written = certificate::certificate(&search.sums, &search.frames, &search.target, &invariant, stop)?;
            Some(Decision::Never(Box::new(written)))
        }
    }
}
