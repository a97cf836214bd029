//! Which questions a rule leaves as they are, as types: a rule that does not preserve a class cannot be scheduled for it.
//!
//! ```compile_fail
//! use reduce::{Deadlocks, Scheduler, rules::{FreeAgglomeration, Growth}};
//! Scheduler::<Deadlocks>::new().local(0, FreeAgglomeration(Growth::SMALL));
//! ```
//!
//! ```
//! use reduce::{Observations, Scheduler, rules::{FreeAgglomeration, Growth}};
//! Scheduler::<Observations>::new().local(0, FreeAgglomeration(Growth::SMALL));
//! ```

/// A class of questions about a net.
pub trait Class: std::fmt::Debug {}

/// Whether a dead marking is reachable.
#[derive(Clone, Copy, Debug)]
pub enum Deadlocks {}

/// Which token counts of the observed places are reachable together.
#[derive(Clone, Copy, Debug)]
pub enum Observations {}

/// Both of them.
#[derive(Clone, Copy, Debug)]
pub enum Everything {}

impl Class for Deadlocks {}
impl Class for Observations {}
impl Class for Everything {}

/// A rule that leaves the answers to a class of questions as they are, and whose runs can be taken back.
///
/// A rule that preserves both classes may be used where both are asked: each answer is preserved by itself.
pub trait Preserves<C: Class> {}

impl<R: Preserves<Deadlocks> + Preserves<Observations>> Preserves<Everything> for R {}
