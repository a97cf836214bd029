//! Whether a new question begins with the basis of the last one: measured in pivots, as questions are answered.
//!
//! On some nets the basis of another question is a good beginning, on others it is far from it.

/// Every so many questions the way that seems worse is tried again.
const AGAIN: u64 = 16;

/// The steps that questions took, by the way they began.
#[derive(Clone, Debug, Default)]
pub(super) struct Restarts {
    asked: u64,
    kept: Mean,
    forgotten: Mean,
}

#[derive(Clone, Debug, Default)]
struct Mean {
    questions: f64,
    pivots: f64,
}

impl Mean {
    fn add(&mut self, pivots: u64) {
        self.questions += 1.0;
        self.pivots += pivots as f64;
    }

    fn value(&self) -> f64 {
        self.pivots / self.questions.max(1.0)
    }
}

impl Restarts {
    /// Whether the next question should forget the basis.
    pub(super) fn forgets(&mut self) -> bool {
        self.asked += 1;
        let better = self.forgotten.value() < self.kept.value();
        if self.asked.is_multiple_of(AGAIN) { !better } else { better }
    }

    /// What a question took that began in this way.
    pub(super) fn learn(&mut self, forgot: bool, pivots: u64) {
        if forgot { self.forgotten.add(pivots) } else { self.kept.add(pivots) }
    }
}
