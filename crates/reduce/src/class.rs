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

/// Dead markings and observations.
#[derive(Clone, Copy, Debug)]
pub enum Everything {}

/// Which sequences of token counts of the observed places the maximal runs have, one entry a step.
#[derive(Clone, Copy, Debug)]
pub enum Runs {}

/// The same up to repeated entries: runs that go on unseen for ever, and those that end, repeat their last entry.
#[derive(Clone, Copy, Debug)]
pub enum Stuttering {}

/// Which finite sequences of token counts of the observed places runs have, up to repeated entries, wherever they stop.
#[derive(Clone, Copy, Debug)]
pub enum Prefixes {}

impl Class for Deadlocks {}
impl Class for Observations {}
impl Class for Everything {}
impl Class for Runs {}
impl Class for Stuttering {}
impl Class for Prefixes {}

/// A rule that leaves the answers to a class of questions as they are, and whose runs can be taken back.
///
/// A rule that preserves dead markings and observations may be used where both are asked: each answer is preserved by
/// itself. One that preserves runs step by step preserves them up to stuttering, and then what they begin with.
pub trait Preserves<C: Class> {}

impl<R: Preserves<Deadlocks> + Preserves<Observations>> Preserves<Everything> for R {}

impl<R: Preserves<Runs>> Preserves<Stuttering> for R {}
impl<R: Preserves<Stuttering>> Preserves<Prefixes> for R {}
