//! Goals about a net, searched for in its unfolding while it grows.
//!
//! Each time the prefix has doubled, it is asked for configurations that are what is searched for: so a deadlock that is
//! not far is found long before the prefix is complete. When it is, what is not found there does not exist.

use evidence::{Budget, Exhausted, Reason};
use model::nets::{Goal, Linear, Predicate};
use model::views::{Net, NetTransitionId};
use solve::sat::Literal;

use super::contextual;
use super::encoding::{Encoding, Found, Unfolded};
use super::order::AdequateOrder;
use super::prepared::{Prepared, Reads};
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
        let reads = self.reads.resolved(task.net);
        let prepared = Prepared::new(task.net, reads);
        let mut inquiry = Inquiry { task, prepared: &prepared, sizes: Sizes::default(), asked };
        let ended = match reads {
            Reads::Contexts => inquiry.build_contextual(self.order),
            _ => inquiry.build(self.order),
        };
        let ended = match ended {
            Err(Stopped::NotSafe(_)) if reads == Reads::Contexts => {
                return Self { order: AdequateOrder::Parikh, reads: Reads::Loops }.settle_and(task, inquiry.asked);
            }
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
        let unfolder = Unfolder::new(&self.prepared.net, order.into(), self.task.budget)?;
        self.grow(Ordinary { unfolder, prepared: self.prepared })
    }

    fn build_contextual(&mut self, order: AdequateOrder) -> Result<(), Stopped> {
        self.grow(contextual::Unfolder::new(self.task.net, order, self.task.budget)?)
    }

    fn grow(&mut self, mut growing: impl Growing) -> Result<(), Stopped> {
        let mut next = FIRST;
        loop {
            let grown = growing.grow(self.task.budget);
            self.sizes = growing.sizes();
            let complete = !grown?;
            self.sizes.complete = complete;
            if complete || self.sizes.events >= next {
                next = 2 * self.sizes.events;
                let answered = growing.ask(self.task, complete);
                (self.asked)();
                answered.map_err(Stopped::Limit)?;
            }
            if complete || self.task.board.is_done() {
                return Ok(());
            }
        }
    }
}

/// A prefix that grows and can be asked.
pub(super) trait Growing {
    /// Adds what is next. Whether there was anything.
    fn grow(&mut self, budget: &Budget) -> Result<bool, Stopped>;

    /// How large it is.
    fn sizes(&self) -> Sizes;

    /// Asks for every open goal.
    fn ask(&self, task: &Task<'_>, complete: bool) -> Result<(), Reason>;
}

/// The clauses of the configurations of a prefix.
pub(super) trait Configurations {
    /// A literal that implies that the marking is dead and no end.
    fn dead(&mut self) -> Literal;

    /// A literal that implies a predicate about the marking, as far as its tokens are counted.
    fn predicate(&mut self, predicate: &Predicate) -> Literal;

    /// A run to a marking for which a literal holds, if there is one.
    fn run_to(&mut self, goal: Literal, is_over: &mut dyn FnMut(u64) -> bool) -> Found;
}

struct Ordinary<'a> {
    unfolder: Unfolder<'a>,
    prepared: &'a Prepared<'a>,
}

impl Growing for Ordinary<'_> {
    fn grow(&mut self, budget: &Budget) -> Result<bool, Stopped> {
        self.unfolder.grow(budget)
    }

    fn sizes(&self) -> Sizes {
        Sizes::of(self.unfolder.prefix(), self.unfolder.bytes())
    }

    fn ask(&self, task: &Task<'_>, complete: bool) -> Result<(), Reason> {
        let Self { unfolder, prepared } = self;
        let (prefix, is_safe) = (unfolder.prefix(), unfolder.is_safe());
        let unfolded = Unfolded { net: task.net, prepared, prefix, is_safe, budget: task.budget };
        let waiting = unfolder.waiting().map(|w| &*w.preset).collect();
        Asking { task, encoding: Encoding::new(unfolded, waiting), used: unfolder.bytes(), complete }.ask()
    }
}

/// The questions to one prefix.
pub(super) struct Asking<'a, C> {
    pub(super) task: &'a Task<'a>,
    pub(super) encoding: C,
    /// The bytes of the prefix itself.
    pub(super) used: u64,
    pub(super) complete: bool,
}

impl<C: Configurations> Asking<'_, C> {
    /// Asks the prefix for every open goal. What cannot be decided is no reason not to ask for the others.
    pub(super) fn ask(&mut self) -> Result<(), Reason> {
        let mut result = Ok(());
        for goal in self.task.board.open() {
            let asked = match &self.task.goals[goal] {
                Goal::Dead => {
                    let dead = self.encoding.dead();
                    self.search(goal, dead, |net, marking| is_dead(net, marking) && !net.at_end(marking))
                }
                Goal::Satisfies(predicate) => {
                    let literal = self.encoding.predicate(predicate);
                    self.search(goal, literal, |_, marking| predicate.holds(marking))
                }
                Goal::Maximum(expression) => self.maximise(goal, expression),
            };
            match asked {
                Ok(()) => {}
                Err(Reason::Unsupported(_)) => result = asked,
                Err(_) => return asked,
            }
        }
        result
    }

    /// Searches for a run to what a literal implies; what is found is looked at before it is told.
    fn search(&mut self, goal: usize, literal: Literal, test: impl Fn(&Net, &[u64]) -> bool) -> Result<(), Reason> {
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
    fn maximise(&mut self, goal: usize, expression: &Linear) -> Result<(), Reason> {
        let initial = expression.value(&self.task.net.initial_marking());
        let Ok(mut value) = i64::try_from(initial) else { return Ok(()) };
        self.task.board.tell(goal, TECHNIQUE, Finding::AtLeast(value, Vec::new()));
        loop {
            value = self.task.board.least(goal).map_or(value, |known| value.max(known));
            let Some(more) = Predicate::exceeds(expression, value) else { return Ok(()) };
            let more = self.encoding.predicate(&more);
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

    fn found(&mut self, goal: usize, literal: Literal) -> Result<Found, Reason> {
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
