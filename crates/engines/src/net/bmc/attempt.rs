//! More and more steps, and after some of them the question whether a goal is reached.

use std::time::{Duration, Instant};

use model::nets::Predicate;
use model::views::NetTransitionId;
use solve::sat::Answer;

use super::Covered;
use super::chain::Chain;
use super::windows::{Whole, Windows};
use crate::net::target::replay;
use crate::net::{Finding, Proof, Task};

/// The technique, as reports name it.
const TECHNIQUE: &str = "BMC";
/// A question gets at least so much time.
const MOMENT: Duration = Duration::from_millis(100);
/// More steps are not tried.
const DEEPEST: usize = 1000;

/// A goal that is worked on.
pub(super) struct Sought {
    pub(super) goal: usize,
    pub(super) predicate: Predicate,
}

/// Work with windows of one width.
pub(super) struct Attempt<'a> {
    task: &'a Task<'a>,
    windows: &'a Windows,
    chain: Chain<'a>,
    start: Instant,
    /// How long it may take, if there are others to be tried.
    slice: Option<Duration>,
    /// No run has something in every step.
    exhausted: bool,
}

impl<'a> Attempt<'a> {
    pub(super) fn new(
        task: &'a Task<'a>,
        order: &'a [NetTransitionId],
        windows: &'a Windows,
        slice: Option<Duration>,
    ) -> Self {
        let chain = Chain::new(task.net, order, windows);
        Self { task, windows, chain, start: task.budget.now(), slice, exhausted: false }
    }

    /// Deepens until nothing is left to do. Whether more time might help: what ends before its time does so for want of memory.
    pub(super) fn work(mut self, sought: &[Sought], covered: &mut Covered) -> bool {
        let mut left: Vec<&Sought> = sought.iter().collect();
        loop {
            left.retain(|sought| self.task.board.is_open(sought.goal) && self.ask(sought, covered));
            if left.is_empty() || self.exhausted || self.chain.depth() >= DEEPEST {
                return false;
            }
            if self.deepen().is_none() {
                return self.end().is_some_and(|end| self.task.budget.now() >= end);
            }
        }
    }

    /// Some steps more, the more there are; `None` if there is no time for them.
    fn deepen(&mut self) -> Option<()> {
        for _ in 0..1 + self.chain.depth() / 4 {
            let mut over = over(self.task, self.end());
            self.chain.deepen(&mut over)?;
        }
        let mut over = over(self.task, self.soon());
        self.exhausted = self.chain.goes_on(&mut over) == Answer::Impossible;
        Some(())
    }

    /// Asks whether a goal is reached. Whether more steps may help.
    fn ask(&mut self, sought: &Sought, covered: &mut Covered) -> bool {
        let &Sought { goal, ref predicate } = sought;
        let (task, end) = (self.task, if self.exhausted { self.end() } else { self.soon() });
        let mut over = over(task, end);
        let literal = self.chain.reached(predicate);
        match self.chain.ask(literal, &mut |bytes| over(bytes) || !task.board.is_open(goal)) {
            Answer::Unknown => true,
            Answer::Impossible => {
                if let Some(whole) = self.windows.whole() {
                    covered.note(goal, self.chain.depth(), whole);
                    self.exclude(goal, whole);
                }
                true
            }
            Answer::Model => {
                let run = replay(task.net, predicate, self.chain.run());
                run.into_iter().for_each(|run| task.board.tell(goal, TECHNIQUE, Finding::Reached(run)));
                false
            }
        }
    }

    /// A goal that is not reached is never reached if there are no longer runs.
    fn exclude(&self, goal: usize, _: Whole) {
        if self.exhausted {
            let words = format!("that every run has fewer than {} steps excludes it", self.chain.depth());
            self.task.board.tell(goal, TECHNIQUE, Finding::Never(Proof::Structure(words)));
        }
    }

    /// When a question has taken as long as all before it.
    fn soon(&self) -> Option<Instant> {
        let now = self.task.budget.now();
        let soon = now + (now - self.start).max(MOMENT);
        Some(self.end().map_or(soon, |end| soon.min(end)))
    }

    fn end(&self) -> Option<Instant> {
        self.slice.map(|slice| self.start + slice)
    }
}

/// Whether work that takes so many bytes must end.
fn over<'t>(task: &'t Task<'t>, end: Option<Instant>) -> impl FnMut(u64) -> bool + 't {
    move |bytes| {
        end.is_some_and(|end| task.budget.now() >= end) || task.budget.check(bytes).is_err() || task.board.is_done()
    }
}
