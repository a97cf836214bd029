//! How a question is answered: limits and engine.

use std::time::Duration;

use driver::{Choice, Inquiry};
use evidence::{Budget, Silent};
use explain::text::Limits;

use crate::answer::Answer;
use crate::question::Question;
use crate::subject::{Mistakes, Subject};

/// Limits of time and memory, and the engine.
///
/// ```
/// use std::time::Duration;
/// use impasse::{Check, Model, assert_deadlock_free};
///
/// # let mut model = Model::new("m");
/// # model.thread("t", |t| t.step("works"));
/// let patient = Check::default().timeout(Duration::from_secs(600)).memory(8 << 30);
/// assert_deadlock_free!(model, patient);
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Check {
    timeout: Duration,
    memory: u64,
    engine: Choice,
    limits: Limits,
}

impl Default for Check {
    /// One minute, 2 GB, the engine that suits the question.
    fn default() -> Self {
        let limits = Limits { rest: "Check::all_steps", ..Limits::SHORT };
        Self { timeout: Duration::from_secs(60), memory: 2 << 30, engine: Choice::Auto, limits }
    }
}

impl Check {
    /// Gives up after this time.
    pub fn timeout(self, time: Duration) -> Self {
        Self { timeout: time, ..self }
    }

    /// Gives up when the tables of the search take this many bytes.
    pub fn memory(self, bytes: u64) -> Self {
        Self { memory: bytes, ..self }
    }

    /// Uses an engine with its options, spelled as for `impasse check --engine`.
    ///
    /// # Panics
    ///
    /// If there is no such engine, or it has no such option.
    #[track_caller]
    pub fn engine(self, name: &str) -> Self {
        match name.parse() {
            Ok(engine) => Self { engine, ..self },
            Err(e) => panic!("`{name}` is no engine: {e}"),
        }
    }

    /// Shows every step of a long run.
    pub fn all_steps(self) -> Self {
        Self { limits: Limits { rest: self.limits.rest, ..Limits::NONE }, ..self }
    }

    /// Answers a question about a model.
    ///
    /// # Panics
    ///
    /// If an engine and the checker contradict each other: then no answer can be trusted.
    #[track_caller]
    pub fn ask(&self, subject: &impl Subject, question: &Question) -> Result<Answer, Mistakes> {
        let (system, source) = (subject.system()?, subject.source());
        let properties = [question.property(&system)?];
        // On one thread: tests run side by side already.
        let inquiry = Inquiry::new(&system, &properties, &source);
        let budget = Budget::unlimited().with_timeout(self.timeout).with_memory(self.memory);
        let report = driver::check(&inquiry, &self.engine, &budget, &Silent);
        match report {
            Ok(report) => Ok(Answer::new(report, self.limits)),
            Err(contradiction) => panic!("{contradiction}"),
        }
    }
}
