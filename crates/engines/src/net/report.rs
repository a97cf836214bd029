//! Telling the board what is true in a marking that was reached.

use model::nets::Goal;
use model::views::NetTransitionId;

use super::watch::Watch;
use super::{Finding, Task};
use crate::tokens::live::Live;

/// An engine that visits markings: which goals it looks for, and under which name it reports.
#[derive(Debug)]
pub(super) struct Reporter<'t> {
    pub(super) task: &'t Task<'t>,
    technique: &'static str,
    /// The goals that are dead markings.
    dead: Vec<usize>,
    /// Maxima that rose here and were not told yet.
    risen: Vec<(usize, i64)>,
    /// Whether a maximum was seen that does not fit into 64 bits.
    pub(super) beyond: bool,
}

impl<'t> Reporter<'t> {
    pub(super) fn new(task: &'t Task<'t>, technique: &'static str, open: &[usize]) -> Self {
        let dead = open.iter().copied().filter(|&g| matches!(task.goals[g], Goal::Dead)).collect();
        Self { task, technique, dead, risen: Vec::new(), beyond: false }
    }

    /// How many goals are dead markings.
    pub(super) fn dead(&self) -> usize {
        self.dead.len()
    }

    /// Tells what is true here; `run` is asked for the way, if anybody wants to know.
    #[inline]
    pub(super) fn report(&mut self, live: &Live, watch: &mut Watch, run: impl Fn() -> Vec<NetTransitionId>) {
        if watch.has_hits() || live.enabled().is_empty() {
            self.tell(live, watch, &run);
            while let Some((goal, value)) = self.risen.pop() {
                self.rose(goal, value, run());
            }
        }
    }

    /// The same, but maxima that rose are handed to the caller, who tells them later: where a place grows without end,
    /// a run for each new value would cost the square of the walk.
    #[inline]
    pub(super) fn report_but_maxima(
        &mut self,
        live: &Live,
        watch: &mut Watch,
        run: impl Fn() -> Vec<NetTransitionId>,
    ) -> &mut Vec<(usize, i64)> {
        if watch.has_hits() || live.enabled().is_empty() {
            self.tell(live, watch, &run);
        }
        &mut self.risen
    }

    /// Tells that a maximum has a value at the end of a run.
    pub(super) fn rose(&self, goal: usize, value: i64, run: Vec<NetTransitionId>) {
        self.task.board.tell(goal, self.technique, Finding::AtLeast(value, run));
    }

    fn tell(&mut self, live: &Live, watch: &mut Watch, run: impl Fn() -> Vec<NetTransitionId>) {
        if live.enabled().is_empty() {
            self.dead.iter().for_each(|&goal| self.reached(goal, &run));
        }
        while let Some(goal) = watch.next_hit() {
            if matches!(self.task.goals[goal], Goal::Maximum(_)) {
                self.improve(goal, watch);
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

    fn improve(&mut self, goal: usize, watch: &mut Watch) {
        let value = watch.value(goal);
        let known = self.task.board.least(goal);
        watch.expect_more(goal, known.map_or(value, |k| value.max(k.into())));
        let Ok(value) = i64::try_from(value) else {
            self.beyond = true;
            return;
        };
        if self.task.board.is_open(goal) && known.is_none_or(|k| k < value) {
            self.risen.push((goal, value));
        }
    }
}
