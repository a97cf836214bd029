//! Goals about a net, searched for in its unfolding while it grows.
//!
//! Each time the prefix has doubled, it is asked for configurations that are what is searched for: so a deadlock that is
//! not far is found long before the prefix is complete. When it is, what is not found there does not exist.

use evidence::{Exhausted, Reason};
use model::nets::Goal;
use model::views::{Net, NetTransitionId};

use super::encoding::{Encoding, Found, Unfolded};
use super::order::AdequateOrder;
use super::prepared::Prepared;
use super::unfolder::{Stopped, Unfolder};
use super::{Sizes, Unfolding};
use crate::net::{Finding, Proof, Task};

/// The technique, as reports name it.
const TECHNIQUE: &str = "UNFOLDING_TO_NET";
/// The events of the first prefix that is asked.
const FIRST: usize = 256;

impl Unfolding {
    /// Settles goals. What ended the construction, if that was not that the prefix is complete or all are settled; and
    /// how far it came.
    pub fn settle(self, task: &Task<'_>) -> (Sizes, Result<(), Reason>) {
        self.settle_and(task, &mut || {})
    }

    /// The same; each time that the prefix was asked, somebody may look what was settled, and close goals.
    pub(super) fn settle_and(self, task: &Task<'_>, asked: &mut dyn FnMut()) -> (Sizes, Result<(), Reason>) {
        let prepared = Prepared::new(task.net, self.reads);
        let mut inquiry = Inquiry { task, prepared: &prepared, sizes: Sizes::default(), asked };
        let ended = match inquiry.build(self.order) {
            Err(Stopped::NotSafe(_)) => inquiry.build(AdequateOrder::Parikh),
            other => other,
        };
        (inquiry.sizes, ended.map_err(|stopped| prepared.reason(task.net, stopped)))
    }
}

struct Inquiry<'a> {
    task: &'a Task<'a>,
    prepared: &'a Prepared<'a>,
    sizes: Sizes,
    asked: &'a mut dyn FnMut(),
}

impl Inquiry<'_> {
    fn build(&mut self, order: AdequateOrder) -> Result<(), Stopped> {
        let budget = self.task.budget;
        let mut unfolder = Unfolder::new(&self.prepared.net, order, budget)?;
        let mut next = FIRST;
        loop {
            let grown = unfolder.grow(budget);
            self.sizes = Sizes::of(unfolder.prefix(), unfolder.bytes());
            let complete = !grown?;
            if complete || self.sizes.events >= next {
                next = 2 * self.sizes.events;
                self.ask(&unfolder, complete).map_err(Stopped::Limit)?;
                (self.asked)();
            }
            self.sizes.complete = complete;
            if complete || self.task.board.is_done() {
                return Ok(());
            }
        }
    }

    /// Asks the prefix for every open goal.
    fn ask(&mut self, unfolder: &Unfolder<'_>, complete: bool) -> Result<(), Reason> {
        let Task { net, goals, board, .. } = *self.task;
        let is_safe = unfolder.is_safe();
        let unfolded = Unfolded { net, prepared: self.prepared, prefix: unfolder.prefix(), is_safe };
        let mut asking =
            Asking { task: self.task, encoding: Encoding::new(unfolded), used: unfolder.bytes(), complete };
        for goal in board.open() {
            match &goals[goal] {
                Goal::Dead => {
                    let dead = asking.encoding.dead(unfolder.waiting().map(|w| &*w.preset));
                    asking.search(goal, dead, |net, marking| is_dead(net, marking) && !net.at_end(marking))?;
                }
                Goal::Satisfies(predicate) => {
                    let literal = asking.encoding.predicate(predicate);
                    asking.search(goal, literal, |_, marking| predicate.holds(marking))?;
                }
                Goal::Maximum(expression) => asking.maximise(goal, expression)?,
            }
        }
        Ok(())
    }
}

/// The questions to one prefix.
struct Asking<'a> {
    task: &'a Task<'a>,
    encoding: Encoding<'a>,
    /// The bytes of the prefix itself.
    used: u64,
    complete: bool,
}

impl Asking<'_> {
    /// Searches for a run to what a literal implies; what is found is looked at before it is told.
    fn search(
        &mut self,
        goal: usize,
        literal: solve::sat::Literal,
        test: impl Fn(&Net, &[u64]) -> bool,
    ) -> Result<(), Reason> {
        match self.found(goal, literal)? {
            Found::Run(run) if test(self.task.net, &marking(self.task.net, &run)) => {
                self.task.board.tell(goal, TECHNIQUE, Finding::Reached(run));
            }
            Found::Nothing if self.complete => {
                let proof = Proof::Exhausted(Exhausted::CompletePrefix);
                self.task.board.tell(goal, TECHNIQUE, Finding::Never(proof));
            }
            Found::Run(_) if self.complete => return Err(too_many_tokens()),
            Found::Run(_) | Found::Nothing | Found::Unknown => {}
        }
        Ok(())
    }

    /// Raises a value until nothing reaches it.
    fn maximise(&mut self, goal: usize, expression: &model::nets::Linear) -> Result<(), Reason> {
        let initial = expression.value(&self.task.net.initial_marking());
        let Ok(mut value) = i64::try_from(initial) else { return Ok(()) };
        self.task.board.tell(goal, TECHNIQUE, Finding::AtLeast(value, Vec::new()));
        loop {
            value = self.task.board.least(goal).map_or(value, |known| value.max(known));
            let more = value.checked_add(1).and_then(|v| self.encoding.at_least(expression, v));
            let Some(more) = more else { return Ok(()) };
            match self.found(goal, more)? {
                Found::Run(run) => match i64::try_from(expression.value(&marking(self.task.net, &run))) {
                    Ok(found) if found > value => {
                        value = found;
                        self.task.board.tell(goal, TECHNIQUE, Finding::AtLeast(value, run));
                    }
                    _ if self.complete => return Err(too_many_tokens()),
                    _ => return Ok(()),
                },
                Found::Nothing if self.complete => {
                    let proof = Proof::Exhausted(Exhausted::CompletePrefix);
                    self.task.board.tell(goal, TECHNIQUE, Finding::AtMost(value, proof));
                    return Ok(());
                }
                Found::Nothing | Found::Unknown => return Ok(()),
            }
        }
    }

    fn found(&mut self, goal: usize, literal: solve::sat::Literal) -> Result<Found, Reason> {
        let Task { board, budget, .. } = *self.task;
        let mut limit = Ok(());
        let found = self.encoding.run_to(literal, &mut |bytes| {
            limit = budget.check(self.used + bytes);
            limit.is_err() || !board.is_open(goal)
        });
        limit.map(|()| found)
    }
}

fn too_many_tokens() -> Reason {
    Reason::Unsupported("places of the unfolding have too many tokens to be counted".to_owned())
}

/// Where a run leads.
fn marking(net: &Net, run: &[NetTransitionId]) -> Vec<u64> {
    let mut marking = net.initial_marking();
    for &t in run {
        debug_assert!(net.is_enabled(t, &marking), "a configuration is a run");
        marking = net.fire(t, &marking);
    }
    marking
}

fn is_dead(net: &Net, marking: &[u64]) -> bool {
    !net.transition_ids().any(|t| net.is_enabled(t, marking))
}
