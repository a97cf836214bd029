//! How long the work on one goal may go on.

use std::time::Instant;

use crate::net::Task;

/// Ends with the time, the budget, or when somebody else has settled the goal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience<'a> {
    pub(super) task: &'a Task<'a>,
    pub(super) goal: usize,
    pub(super) end: Instant,
}

impl Patience<'_> {
    /// Whether work that takes so many bytes must end.
    pub(super) fn is_over(&self, bytes: u64) -> bool {
        self.task.budget.now() >= self.end
            || self.task.budget.check(bytes).is_err()
            || !self.task.board.is_open(self.goal)
    }
}
