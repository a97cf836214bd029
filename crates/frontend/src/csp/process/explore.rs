//! The whole behaviour of a term as one explicit automaton.

use model::Span;

use super::event::Event;
use super::moves::compute;
use super::store::force;
use super::term::TermId;
use super::{Checked, Limits, World};
use crate::Diagnostic;
use crate::csp::interner::FastMap;

/// The states that a term can reach and the moves between them; the first state is the initial one.
#[derive(Debug)]
pub(crate) struct Explored {
    /// The term of each state; none is a call.
    pub(crate) states: Vec<TermId>,
    /// From, event, to.
    pub(crate) moves: Vec<(u32, Event, u32)>,
}

/// How to speak of the process that is explored.
#[derive(Clone, Debug)]
pub(crate) struct Subject {
    /// Its name.
    pub(crate) name: String,
    /// Where it is written.
    pub(crate) span: Span,
}

/// How many states are explored between two looks at the clock.
const CLOCK: usize = 256;

/// Explores a term within the limits.
pub(crate) fn explore<W: World>(world: &mut W, term: TermId, subject: &Subject, limits: &Limits) -> Checked<Explored> {
    let initial = force(world, term)?;
    let mut explored = Explored { states: vec![initial], moves: vec![] };
    let mut numbers = FastMap::from_iter([(initial, 0)]);
    let mut next = 0;
    while next < explored.states.len() {
        for &(event, to) in compute(world, explored.states[next])?.iter() {
            let number = *numbers.entry(to).or_insert(explored.states.len() as u32);
            if number as usize == explored.states.len() {
                explored.states.push(to);
            }
            explored.moves.push((next as u32, event, number));
        }
        explored.check(subject, limits)?;
        if next % CLOCK == 0 {
            limits.check_time(subject.span)?;
        }
        next += 1;
    }
    Ok(explored)
}

impl Explored {
    fn check(&self, subject: &Subject, limits: &Limits) -> Checked<()> {
        let what = if self.states.len() > limits.states {
            format!("{} states", limits.states)
        } else if self.moves.len() > limits.moves {
            format!("{} moves", limits.moves)
        } else {
            return Ok(());
        };
        let error = Diagnostic::error(subject.span, format!("the process `{}` has more than {what}", subject.name))
            .label("it is explored state by state")
            .help("make its data smaller, or compose it of smaller processes outside of all choices and recursion");
        Err(Box::new(error))
    }
}
