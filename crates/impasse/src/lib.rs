//! Proves in a unit test that a concurrent design cannot get stuck, or shows the run that gets it stuck.
//!
//! Write down what your threads do to locks, queues and semaphores, and assert that they cannot deadlock. Every
//! interleaving is considered: the assertion is a proof, not a stress test. If it fails, the message says how the threads get
//! there, step by step with the lines of your Rust code, and who waits for whom.
//!
//! ```
//! use impasse::{Model, assert_deadlock_free, assert_holds, invariant};
//!
//! let mut bank = Model::new("bank");
//! let (giro, savings) = (bank.lock("giro"), bank.lock("savings"));
//! for name in ["clerk", "customer"] {
//!     bank.thread(name, |t| {
//!         t.forever(|t| {
//!             t.acquire(giro); // everybody takes the locks in this order
//!             t.acquire(savings);
//!             t.at("transfers");
//!             t.release(savings);
//!             t.release(giro);
//!         });
//!     });
//! }
//! assert_deadlock_free!(bank);
//! assert_holds!(bank, invariant("!(clerk at transfers && customer at transfers)"));
//! ```
//!
//! With the locks in different orders the same assertion panics with the text that `impasse check` prints:
//!
//! ```should_panic
//! # use impasse::{Model, assert_deadlock_free};
//! let mut bank = Model::new("bank");
//! let (giro, savings) = (bank.lock("giro"), bank.lock("savings"));
//! bank.thread("clerk", |t| {
//!     t.acquire(giro);
//!     t.acquire(savings);
//!     t.release(savings);
//!     t.release(giro);
//! });
//! bank.thread("customer", |t| {
//!     t.acquire(savings);
//!     t.acquire(giro);
//!     t.release(giro);
//!     t.release(savings);
//! });
//! assert_deadlock_free!(bank);
//! // Wait-for cycle:
//! //   clerk waits for savings, held by customer
//! //   customer waits for giro, held by clerk
//! ```
//!
//! # What is a deadlock
//!
//! A state in which no thread can go on, although one is neither done nor at a place where it [may stop](Thread::may_stop). A
//! server that waits for requests that nobody will send is such a thread: say `t.may_stop()` before its `t.receive(requests)`.
//!
//! A thread that can always go on hides that others cannot: as long as a timer ticks there is no deadlock. Ask whether some
//! thread can get stuck for good all the same, [`partial_deadlock_free`], or, which is more, whether the others get on:
//! `ltl("always eventually client at idle under weak fairness")`.
//!
//! # What can be asked
//!
//! [`deadlock_free`], [`partial_deadlock_free`], and in the words of the native language [`invariant`], [`reachable`] and [`ltl`]: names are those that
//! the model gives, those that are no words stand between backquotes. All of it is on one page, `docs/language.md`.
//!
//! # Exact, or not at all
//!
//! An assertion passes only if the property was decided. Out of time or memory it fails and says so: a timeout is never a
//! pass. [`Check`] has the limits; unless you say otherwise 60 seconds and 2 GB.
//!
//! # More than threads
//!
//! [`Model`] is a thin layer over [`Builder`], in which every kind of model can be made: shared actions, rendezvous, lossy
//! channels, guards over several objects, whole Petri nets. All assertions take a [`System`] that a builder made as well.
#![forbid(unsafe_code)]

mod answer;
mod assertion;
mod check;
mod handles;
mod model;
mod question;
mod subject;
mod term;
mod thread;

pub use ::model::{Binary, Builder, Command, Domain, Edge, Expr, Kind, Ltl, Property, System, Temporal};
pub use answer::{Answer, Verdict};
pub use check::Check;
pub use handles::{Lock, Queue, Semaphore, Variable};
pub use model::Model;
pub use question::{Question, deadlock_free, invariant, ltl, partial_deadlock_free, reachable};
pub use subject::{Mistakes, Subject};
pub use term::Term;
pub use thread::{Choices, Thread};

#[doc(hidden)]
pub use assertion::assert_verdict;

/// Panics unless the model is proved to be free of deadlocks.
///
/// `assert_deadlock_free!(model)`, or `assert_deadlock_free!(model, check)` with other limits or another engine than those of
/// [`Check::default`]. The value is the [`Answer`].
#[macro_export]
macro_rules! assert_deadlock_free {
    ($model:expr $(,)?) => {
        $crate::assert_holds!($model, $crate::deadlock_free())
    };
    ($model:expr, $check:expr $(,)?) => {
        $crate::assert_holds!($model, $crate::deadlock_free(), $check)
    };
}

/// Panics unless the answer to a question is proved to be yes.
///
/// `assert_holds!(model, invariant("x <= 3"))`, or with a [`Check`] behind it. The value is the [`Answer`].
#[macro_export]
macro_rules! assert_holds {
    ($model:expr, $question:expr $(,)?) => {
        $crate::assert_holds!($model, $question, $crate::Check::default())
    };
    ($model:expr, $question:expr, $check:expr $(,)?) => {
        $crate::assert_verdict(&$model, $question.into(), &$check, $crate::Verdict::Holds)
    };
}

/// Panics unless the answer to a question is shown to be no: for designs that are known to be wrong, so that the test fails when
/// somebody repairs them, or breaks the model.
///
/// `assert_violated!(model, deadlock_free())`, or with a [`Check`] behind it. The value is the [`Answer`].
#[macro_export]
macro_rules! assert_violated {
    ($model:expr, $question:expr $(,)?) => {
        $crate::assert_violated!($model, $question, $crate::Check::default())
    };
    ($model:expr, $question:expr, $check:expr $(,)?) => {
        $crate::assert_verdict(&$model, $question.into(), &$check, $crate::Verdict::Violated)
    };
}
