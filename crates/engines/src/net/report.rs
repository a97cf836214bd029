//! Telling the board what is true in a marking that was reached.

use model::nets::Goal;
use model::views::NetTransitionId;

use super::live::Live;
use super::watch::Watch;
use super::{Finding, Task};

/// An engine that visits markings: which goals it looks for, and under which name it reports.
#[derive(Debug)]
pub(super) struct Reporter<'t> {
    pub(super) task: &'t Task<'t>,
    technique: &'static str,
    /// The goals that are dead markings.
    dead: Vec<usize>,
    /// Whether a maximum was seen that does not fit into 64 bits.
    pub(super) beyond: bool,
}

impl<'t> Reporter<'t> {
    pub(super) fn new(task: &'t Task<'t>, technique: &'static str, open: &[usize]) -> Self {
        let dead = open.iter().copied().filter(|&g| matches!(task.goals[g], Goal::Dead)).collect();
        Self { task, technique, dead, beyond: false }
    }

    /// How many goals are dead markings.
    pub(super) fn dead(&self) -> usize {
        self.dead.len()
    }

    /// Tells what is true here; `run` is asked for the way, if anybody wants to know.
    #[inline]
    pub(super) fn report(&mut self, live: &Live, watch: &mut Watch, run: impl Fn() -> Vec<NetTransitionId>) {
        if watch.has_hits() || live.enabled().is_empty() {
            self.tell(live, watch, run);
        }
    }

    fn tell(&mut self, live: &Live, watch: &mut Watch, run: impl Fn() -> Vec<NetTransitionId>) {
        if live.enabled().is_empty() {
            self.dead.iter().for_each(|&goal| self.reached(goal, &run));
        }
        while let Some(goal) = watch.next_hit() {
            if matches!(self.task.goals[goal], Goal::Maximum(_)) {
                self.improve(goal, watch, &run);
            } else {
                self.reached(goal, &run);
            }
        }
    }

    fn reached(&self, goal: usize, run: impl Fn() -> Vec<NetTransitionId>) {
        if self.task.board.is_open(goal) {
            self.task.board.tell(goal, self.technique, Finding::Reached(run()));
        }
    }

    fn improve(&mut self, goal: usize, watch: &mut Watch, run: impl Fn() -> Vec<NetTransitionId>) {
        let value = watch.value(goal);
        let known = self.task.board.least(goal);
        watch.expect_more(goal, known.map_or(value, |k| value.max(k.into())));
        let Ok(value) = i64::try_from(value) else {
            self.beyond = true;
            return;
        };
        if self.task.board.is_open(goal) && known.is_none_or(|k| k < value) {
            self.task.board.tell(goal, self.technique, Finding::AtLeast(value, run()));
        }
    }
}
