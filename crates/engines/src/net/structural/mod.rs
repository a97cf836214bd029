//! Proofs from the structure of a net, without its states.
//!
//! Every reachable marking solves the state equation, keeps marked traps marked, and is reached by a run that begins
//! somewhere. A goal without a marking that does all this is never reached; a solution that remains is a hint to walks:
//! how often each transition would have to fire. Exact: linear refutations are confirmed in integers.

mod causality;
mod certificate;
mod dead;
mod equation;
mod flows;
mod formula;
mod prune;
mod query;
mod reason;
mod restarts;
mod trap;

use std::time::{Duration, Instant};

use evidence::{Budget, Exclusion};
use model::nets::{Goal, Linear, Predicate};
use model::views::{Net, NetTransitionId, PlaceId};
use solve::lp::Variable;

pub(super) use self::dead::Needs;
pub use self::flows::{Flow, Flows};
pub(super) use self::trap::marked_traps;

use self::equation::{Equation, column};
use self::query::{Progress, Query};
use self::restarts::Restarts;
use super::{Board, Finding, Proof, Task};

/// The technique, as reports name it.
const TECHNIQUE: &str = "STATE_EQUATION";
/// The time that each goal gets in the first round; four times as much in each later one.
const SLICE: Duration = Duration::from_millis(30);

/// The time for the search for place invariants.
const FLOWS: Duration = Duration::from_secs(2);

/// A run that may lead to a goal: how often each transition fires, in no order.
pub type Parikh = Vec<(NetTransitionId, u64)>;

/// Proves goals unreachable, and bounds of expressions. Tells `candidates` the number of a goal and a solution of the
/// state equation that could not be excluded.
pub fn run(task: &Task<'_>, candidates: &mut dyn FnMut(usize, Parikh)) {
    let mut engine = Structural::new(task);
    engine.glance();
    let mut slice = SLICE;
    while engine.round(slice, candidates) {
        slice *= 4;
    }
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
    flows: Flows,
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
        let needs = if dead { Needs::new(task.net) } else { Needs::default() };
        let (start, budget) = (Instant::now(), task.budget);
        let flows = Flows::new(task.net, &mut || start.elapsed() > FLOWS || budget.check(0).is_err());
        Self {
            task,
            equation,
            facts: Facts {
                needs,
                flows,
                never_marked: never.map(|never| never.set).unwrap_or_default(),
                reasons: false,
            },
            restarts: Restarts::default(),
            states: task.goals.iter().map(|_| State::New).collect(),
        }
    }

    /// Settles what place invariants settle alone.
    fn glance(&mut self) {
        for (number, goal) in self.task.goals.iter().enumerate() {
            if self.task.board.is_done() || self.task.budget.check(0).is_err() {
                return;
            }
            if matches!(goal, Goal::Dead | Goal::Maximum(_)) || !self.task.board.is_open(number) {
                continue;
            }
            let query = Query::new(&mut self.equation, goal, &self.facts, self.task.budget);
            if query.is_some_and(|mut query| query.is_impossible()) {
                self.task.board.tell(number, TECHNIQUE, Finding::Never(proof("place invariants exclude it")));
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
            let end = Instant::now() + slice;
            self.work(goal, end, candidates);
            again |= !matches!(self.states[goal], State::Done);
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
                self.task.board.tell(goal, TECHNIQUE, Finding::Never(proof(NO_SOLUTION)));
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
        let mut stop = || Instant::now() >= end || budget.check(0).is_err() || !board.is_open(goal);
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
                self.task.board.tell(goal, TECHNIQUE, Finding::AtMost(value, proof(NO_SOLUTION)));
                State::Done
            }
            Progress::Refused | Progress::Candidate(_) => self.next_value(goal, expression, value, end),
        }
    }

    /// After a value that seems to be exceeded: the smallest greater one that is not, found by doubling and halving.
    fn next_value(&mut self, goal: usize, expression: &Linear, value: i64, end: Instant) -> State {
        let (mut low, mut step) = (value, 1_i64);
        let mut high = None;
        while high.is_none_or(|high| high - low > 1) && Instant::now() < end {
            let middle = match high {
                None => low.saturating_add(step),
                Some(high) => low + (high - low) / 2,
            };
            step = step.saturating_mul(2);
            let Some(mut query) = self.exceeding(expression, middle) else { break };
            match self.advance(goal, &mut query, end) {
                Progress::Impossible => {
                    self.task.board.tell(goal, TECHNIQUE, Finding::AtMost(middle, proof(NO_SOLUTION)));
                    high = Some(middle);
                }
                Progress::Candidate(_) => low = middle,
                Progress::Open | Progress::Refused => break,
            }
        }
        State::Done
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

/// The words of the proof that the state equation gives.
const NO_SOLUTION: &str = "the state equation, with traps and causality, has no solution";

fn proof(words: &str) -> Proof {
    Proof::Structure(words.to_owned())
}
