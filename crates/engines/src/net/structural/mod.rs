//! Proofs from the structure of a net, without its states.
//!
//! Every reachable marking solves the state equation, keeps marked traps marked, and is reached by a run that begins
//! somewhere. A goal without a marking that does all this is never reached; a solution that remains is a hint to walks:
//! how often each transition would have to fire. Exact: linear refutations are confirmed in integers.

mod causality;
mod certificate;
mod concurrency;
mod dead;
mod equation;
mod exclusive;
mod flows;
mod formula;
mod glance;
mod invariants;
mod judge;
mod prune;
mod query;
mod reason;
mod restarts;
#[cfg(test)]
mod tests;
mod trap;

use std::time::{Duration, Instant};

use evidence::{Budget, Exclusion};
use model::nets::{Goal, Linear, Predicate};
use model::views::{Net, NetTransitionId, PlaceId};
use solve::lp::Variable;

pub(super) use self::dead::Needs;
pub(super) use self::equation::gcd;
pub use self::flows::{Flow, Flows};
pub use self::glance::glance;
pub(super) use self::trap::marked_traps;

use self::equation::{Equation, column, place_row};
use self::glance::judge;
use self::invariants::Invariants;
use self::query::{Progress, Query};
use self::restarts::Restarts;
use super::{Board, Finding, Proof, Task};

/// The technique, as reports name it.
const TECHNIQUE: &str = "STATE_EQUATION";
/// The time that each goal gets in the first round; four times as much in each later one.
const SLICE: Duration = Duration::from_millis(30);

/// The longest time for the search for place invariants, and for what else is found out before questions are asked.
const FLOWS: Duration = Duration::from_secs(2);
/// The part of the time that each of these may take.
const PART: usize = 5;

/// A run that may lead to a goal: how often each transition fires, in no order.
pub type Parikh = Vec<(NetTransitionId, u64)>;

/// Proves goals unreachable, and bounds of expressions. Tells `candidates` the number of a goal and a solution of the
/// state equation that could not be excluded.
pub fn run(task: &Task<'_>, candidates: &mut dyn FnMut(usize, Parikh)) {
    let mut engine = Structural::new(task);
    engine.strengthen();
    engine.glance();
    let mut slice = SLICE;
    while engine.round(slice, candidates) {
        slice = slice.saturating_mul(4);
    }
}

/// The time for what is found out before questions are asked.
fn part(budget: &Budget) -> Budget {
    budget.share(PART).narrowed(FLOWS, u64::MAX)
}

/// Ends with a budget, or when nothing is left to do.
fn stop<'a>(task: &Task<'a>, budget: Budget) -> impl FnMut() -> bool + use<'a> {
    let board = task.board;
    move || board.is_done() || budget.check(0).is_err()
}

/// A certificate that no reachable marking satisfies a goal, within the budget; `None` if none is found. For the bound of
/// an expression ask for a marking that [exceeds](Predicate::exceeds) it.
pub fn certify(net: &Net, goal: &Goal, budget: &Budget) -> Option<Exclusion> {
    let (goals, (board, _findings)) = ([goal.clone()], Board::new(1));
    let task = Task { net, goals: &goals, board: &board, budget };
    let mut engine = Structural::new(&task);
    engine.facts.reasons = true;
    let mut query = Query::new(&mut engine.equation, goal, &engine.facts, budget)?;
    match query.go_on(&mut engine.equation, &mut || budget.check(0).is_err()) {
        Progress::Impossible => certificate::exclusion(query.atoms(), &engine.equation, &engine.facts.never_marked),
        _ => None,
    }
}

/// What is kept between the rounds.
struct Structural<'a> {
    task: &'a Task<'a>,
    equation: Equation<'a>,
    facts: Facts,
    restarts: Restarts,
    states: Vec<State>,
}

/// What holds of the net, whatever is asked.
#[derive(Debug, Default)]
struct Facts {
    needs: Needs,
    invariants: Invariants,
    never_marked: Vec<PlaceId>,
    /// Whether the reasons of clauses are kept, for a certificate.
    reasons: bool,
}

/// How far the work on a goal is.
enum State {
    New,
    Asked(Box<Query>),
    /// Of a maximum: the value that is asked to be exceeded.
    Exceeding(i64, Box<Query>),
    Done,
}

impl<'a> Structural<'a> {
    fn new(task: &'a Task<'a>) -> Self {
        let mut equation = Equation::new(task.net);
        let never = causality::never(task.net);
        for &t in never.iter().flat_map(|never| &never.takers) {
            equation.hold(Variable::Column(column(t)), Some(0), Some(0));
        }
        let dead = task.goals.iter().any(|goal| matches!(goal, Goal::Dead));
        let needs = if dead { Needs::new(task.net, &mut stop(task, part(task.budget))) } else { Needs::default() };
        Self {
            task,
            equation,
            facts: Facts {
                needs,
                invariants: Invariants::linear(task.net, &mut stop(task, part(task.budget))),
                never_marked: never.map(|never| never.set).unwrap_or_default(),
                reasons: false,
            },
            restarts: Restarts::default(),
            states: task.goals.iter().map(|_| State::New).collect(),
        }
    }

    /// Adds what has no place in a certificate: the concurrency relation, and the bounds that follow from it.
    fn strengthen(&mut self) {
        let (net, flows) = (self.task.net, std::mem::take(&mut self.facts.invariants.flows));
        let mut invariants = Invariants::default();
        invariants.add_flows(net, flows);
        invariants.relate(self.task, part(self.task.budget));
        for p in net.place_ids() {
            let (lower, upper) = self.equation.held(place_row(p));
            let growth = |tokens: u64| i64::try_from(tokens).ok().map(|n| n - i64::from(net.place(p).initial));
            let (least, most) = (growth(invariants.least(p)), invariants.most(p).and_then(growth));
            // The equation implies what the place invariants do.
            let implied = invariants.flows.bound(p).and_then(growth);
            if least > lower || most.is_some_and(|most| implied.is_none_or(|implied| most < implied)) {
                self.equation.hold(place_row(p), least.max(lower), most.or(upper));
            }
        }
        for t in net.transition_ids().filter(|&t| !invariants.may_fire(t)) {
            self.equation.hold(Variable::Column(column(t)), Some(0), Some(0));
        }
        self.facts.invariants = invariants;
    }

    /// Settles what follows from facts about the net as a whole.
    fn glance(&mut self) {
        judge(self.task, &self.facts.invariants);
        for (number, goal) in self.task.goals.iter().enumerate() {
            if self.task.board.is_done() || self.task.budget.check(0).is_err() {
                return;
            }
            if matches!(goal, Goal::Dead | Goal::Maximum(_)) || !self.task.board.is_open(number) {
                continue;
            }
            let query = Query::new(&mut self.equation, goal, &self.facts, self.task.budget);
            if query.is_some_and(|mut query| query.is_impossible()) {
                self.task.board.tell(number, TECHNIQUE, Finding::Never(proof(self.facts.invariants.words())));
            }
        }
    }

    /// Gives each open goal some time. False when nothing more can be done.
    fn round(&mut self, slice: Duration, candidates: &mut dyn FnMut(usize, Parikh)) -> bool {
        let mut again = false;
        for goal in 0..self.states.len() {
            if self.task.board.is_done() || self.task.budget.check(0).is_err() {
                return false;
            }
            if !self.task.board.is_open(goal) {
                self.states[goal] = State::Done;
                continue;
            }
            let end = self.task.budget.now() + slice;
            self.work(goal, end, candidates);
            // What is open before its time is so for want of memory.
            again |= !matches!(self.states[goal], State::Done) && self.task.budget.now() >= end;
        }
        again
    }

    fn work(&mut self, goal: usize, end: Instant, candidates: &mut dyn FnMut(usize, Parikh)) {
        let state = std::mem::replace(&mut self.states[goal], State::Done);
        self.states[goal] = match (&self.task.goals[goal], state) {
            (_, State::Done) => State::Done,
            (Goal::Maximum(expression), state) => self.maximum(goal, expression, state, end),
            (_, State::Asked(query)) => self.ask(goal, query, end, candidates),
            (asked, _) => match Query::new(&mut self.equation, asked, &self.facts, self.task.budget) {
                Some(query) => self.ask(goal, Box::new(query), end, candidates),
                None => State::Done,
            },
        };
    }

    fn ask(&mut self, goal: usize, mut query: Box<Query>, end: Instant, tell: &mut dyn FnMut(usize, Parikh)) -> State {
        match self.advance(goal, &mut query, end) {
            Progress::Open => State::Asked(query),
            Progress::Refused => State::Done,
            Progress::Impossible => {
                self.task.board.tell(goal, TECHNIQUE, Finding::Never(self.no_solution()));
                State::Done
            }
            Progress::Candidate(counts) => {
                tell(goal, counts);
                State::Done
            }
        }
    }

    fn advance(&mut self, goal: usize, query: &mut Query, end: Instant) -> Progress {
        let (budget, board): (&Budget, _) = (self.task.budget, self.task.board);
        let bytes = self.equation.program.bytes();
        let mut stop = || budget.now() >= end || budget.check(bytes).is_err() || !board.is_open(goal);
        let (forgets, before) = (self.restarts.forgets(), self.equation.program.pivots());
        if forgets {
            self.equation.program.restart();
        }
        let progress = query.go_on(&mut self.equation, &mut stop);
        self.restarts.learn(forgets, self.equation.program.pivots() - before);
        progress
    }

    /// Asks for more than the best value known, then for much more, until that is impossible.
    fn maximum(&mut self, goal: usize, expression: &Linear, state: State, end: Instant) -> State {
        let least = self.task.board.least(goal).or_else(|| self.initial(expression));
        let Some(least) = least else { return State::Done };
        let (value, mut query) = match state {
            State::Exceeding(value, query) if value >= least => (value, query),
            _ => match self.exceeding(expression, least) {
                Some(query) => (least, Box::new(query)),
                None => return State::Done,
            },
        };
        match self.advance(goal, &mut query, end) {
            Progress::Open => State::Exceeding(value, query),
            Progress::Impossible => {
                self.task.board.tell(goal, TECHNIQUE, Finding::AtMost(value, self.no_solution()));
                State::Done
            }
            Progress::Refused | Progress::Candidate(_) => self.next_value(goal, expression, value, end),
        }
    }

    /// After a value that seems to be exceeded: the smallest greater one that is not, found by doubling and halving.
    fn next_value(&mut self, goal: usize, expression: &Linear, value: i64, end: Instant) -> State {
        let (mut low, mut step) = (value, 1_i64);
        let mut high = None;
        while high.is_none_or(|high| high - low > 1) && self.task.budget.now() < end {
            let middle = match high {
                None => low.saturating_add(step),
                Some(high) => low + (high - low) / 2,
            };
            step = step.saturating_mul(2);
            let Some(mut query) = self.exceeding(expression, middle) else { break };
            match self.advance(goal, &mut query, end) {
                Progress::Impossible => {
                    self.task.board.tell(goal, TECHNIQUE, Finding::AtMost(middle, self.no_solution()));
                    high = Some(middle);
                }
                Progress::Candidate(_) => low = middle,
                Progress::Open | Progress::Refused => break,
            }
        }
        State::Done
    }

    /// The proof that the state equation gives, with what it was strengthened by.
    fn no_solution(&self) -> Proof {
        proof(match self.facts.invariants.concurrency {
            None => "the state equation, with traps and causality, has no solution",
            Some(_) => {
                "the state equation, with traps, causality and pairs of places that are never marked together, has no \
                 solution"
            }
        })
    }

    fn initial(&self, expression: &Linear) -> Option<i64> {
        i64::try_from(expression.value(&self.task.net.initial_marking())).ok()
    }

    /// Asks for a value greater than this one.
    fn exceeding(&mut self, expression: &Linear, value: i64) -> Option<Query> {
        let goal = Goal::Satisfies(Predicate::exceeds(expression, value)?);
        Query::new(&mut self.equation, &goal, &self.facts, self.task.budget)
    }
}

fn proof(words: &str) -> Proof {
    Proof::Structure(words.to_owned())
}
