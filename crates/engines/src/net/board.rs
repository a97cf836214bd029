//! What is known about each goal while engines work on them.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};

use evidence::Exhausted;
use model::views::NetTransitionId;

#[cfg(doc)]
use model::nets::Goal;

/// What an engine found out about a goal.
#[derive(Clone, Debug)]
pub enum Finding {
    /// A run, from the initial marking, to a marking that was searched for.
    Reached(Vec<NetTransitionId>),
    /// There is none.
    Never(Proof),
    /// A run to a marking where the expression of a [`Goal::Maximum`] has this value.
    AtLeast(i64, Vec<NetTransitionId>),
    /// The expression never exceeds this value.
    AtMost(i64, Proof),
}

/// Why something never happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// A search visited everything it had to.
    Exhausted(Exhausted),
    /// The structure of the net excludes it: the words for the report.
    Structure(String),
}

/// A finding, with the goal that it is about and the technique it is due to.
#[derive(Clone, Debug)]
pub struct Settled {
    /// The number of the goal.
    pub goal: usize,
    /// What is known.
    pub finding: Finding,
    /// The technique, as reports name it.
    pub technique: &'static str,
}

/// Takes findings as they come, in the thread of the engine that has them.
type Sink = dyn Fn(Settled) + Send + Sync;

/// The goals of a task: which are open, and the best values so far.
pub struct Board {
    open: Vec<AtomicBool>,
    left: AtomicUsize,
    /// Sequentially consistent, so that of two engines that bring the bounds together one notices.
    least: Vec<AtomicI64>,
    most: Vec<AtomicI64>,
    sink: Box<Sink>,
}

impl Board {
    /// All goals open, and where findings will arrive.
    pub fn new(goals: usize) -> (Self, Receiver<Settled>) {
        let (sender, receiver) = channel();
        // Who no longer listens has what was wanted.
        let board = Self::with_sink(goals, move |settled| sender.send(settled).unwrap_or_default());
        (board, receiver)
    }

    /// All goals open; findings are handed to `sink`.
    pub fn with_sink(goals: usize, sink: impl Fn(Settled) + Send + Sync + 'static) -> Self {
        let values = |v: i64| (0..goals).map(|_| AtomicI64::new(v)).collect();
        let open = (0..goals).map(|_| AtomicBool::new(true)).collect();
        let (least, most) = (values(i64::MIN), values(i64::MAX));
        Self { open, left: AtomicUsize::new(goals), least, most, sink: Box::new(sink) }
    }

    /// Whether nobody has settled a goal yet.
    pub fn is_open(&self, goal: usize) -> bool {
        self.open[goal].load(Ordering::Relaxed)
    }

    /// The numbers of the open goals.
    pub fn open(&self) -> Vec<usize> {
        (0..self.open.len()).filter(|&goal| self.is_open(goal)).collect()
    }

    /// Whether nothing is left to do.
    pub fn is_done(&self) -> bool {
        self.left.load(Ordering::Relaxed) == 0
    }

    /// The greatest value reached so far, of a [`Goal::Maximum`].
    pub fn least(&self, goal: usize) -> Option<i64> {
        Some(self.least[goal].load(Ordering::SeqCst)).filter(|&v| v != i64::MIN)
    }

    /// The smallest bound proved so far, of a [`Goal::Maximum`].
    pub fn most(&self, goal: usize) -> Option<i64> {
        Some(self.most[goal].load(Ordering::SeqCst)).filter(|&v| v != i64::MAX)
    }

    /// Takes bounds of a [`Goal::Maximum`] that the one who asks knows already.
    pub fn know(&self, goal: usize, least: Option<i64>, most: Option<i64>) {
        self.least[goal].fetch_max(least.unwrap_or(i64::MIN), Ordering::SeqCst);
        self.most[goal].fetch_min(most.unwrap_or(i64::MAX), Ordering::SeqCst);
    }

    /// Closes a goal: nobody needs to work on it any more.
    pub fn close(&self, goal: usize) {
        if self.open[goal].swap(false, Ordering::Relaxed) {
            self.left.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// Takes a finding, if it says something new. A reached or excluded goal is closed, and so is a maximum whose
    /// bounds meet.
    pub fn tell(&self, goal: usize, technique: &'static str, finding: Finding) {
        let news = self.is_open(goal)
            && match finding {
                Finding::Reached(_) | Finding::Never(_) => true,
                Finding::AtLeast(value, _) => self.least[goal].fetch_max(value, Ordering::SeqCst) < value,
                Finding::AtMost(value, _) => self.most[goal].fetch_min(value, Ordering::SeqCst) > value,
            };
        if !news {
            return;
        }
        let ends = match finding {
            Finding::Reached(_) | Finding::Never(_) => true,
            Finding::AtLeast(..) | Finding::AtMost(..) => self.least(goal).is_some_and(|v| self.most(goal) == Some(v)),
        };
        if ends {
            self.close(goal);
        }
        (self.sink)(Settled { goal, finding, technique });
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Board").field("open", &self.open()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_maximum_is_settled_when_its_bounds_meet() {
        let (board, findings) = Board::new(2);
        board.tell(0, "walk", Finding::AtLeast(3, vec![]));
        board.tell(0, "walk", Finding::AtLeast(2, vec![]));
        board.tell(0, "structure", Finding::AtMost(3, Proof::Structure("a".into())));
        assert!(!board.is_open(0) && board.is_open(1) && !board.is_done());
        board.tell(1, "walk", Finding::Reached(vec![]));
        board.tell(1, "search", Finding::Never(Proof::Exhausted(Exhausted::FullStateSpace)));
        assert!(board.is_done());
        drop(board);
        let told: Vec<usize> = findings.iter().map(|s| s.goal).collect();
        assert_eq!(told, [0, 0, 1], "what is not new is not told");
    }
}
