//! Guards and commands as machine code. Whoever can make such code is told what to make, one elementary operation after
//! the other ([`System::assemble_scan`], [`System::assemble_command`]), and hands in the result ([`System::accelerate`]).
//!
//! The interpreter stays, and is the only one that knows faults: native code says no more than that there is one, and
//! the interpreter says which. It also does everything for which there is no native code.

mod assembler;
mod command;
mod emitter;
mod guard;

pub use assembler::{Assembler, Op};

use std::fmt::Debug;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use emitter::Emitter;

use crate::{State, System, TransitionId};

/// Set in the result of a scan if some guard is a fault: then nothing else of the result counts.
pub const FAULT: u64 = 1 << 63;

/// The most candidates of a scan.
const SCANNED: usize = 63;

/// Machine code for the guards and commands of one system.
pub trait Native: Debug + Send + Sync {
    /// Tests some candidates: bit `i` of the result is set if the `i`-th one is enabled. `None` if there is no code.
    fn scan(&self, scan: ScanId, state: &State) -> Option<u64>;

    /// Runs the command of an enabled transition: whether it is no fault. A fault leaves a state that is of no use.
    /// `None` if there is no code.
    fn run(&self, t: TransitionId, state: &mut State) -> Option<bool>;
}

/// Candidates that are tested together: the position of the first of them among all candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ScanId(pub u32);

/// What is known of a piece of code before it is used: an operation that only the interpreter knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAssembled;

/// The place for the native code of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slot(OnceLock<Arc<dyn Native>>);

impl Slot {
    /// Tests the candidates from a position on, if there is code for them and no guard is a fault.
    #[inline]
    pub(crate) fn scan(&self, first: u32, state: &State) -> Option<u64> {
        self.0.get()?.scan(ScanId(first), state).filter(|mask| mask & FAULT == 0)
    }

    /// Runs a command; see [`Native::run`].
    #[inline]
    pub(crate) fn run(&self, t: TransitionId, state: &mut State) -> Option<bool> {
        self.0.get()?.run(t, state)
    }
}

impl System {
    /// From now on uses native code where there is some; it must have been made for this system. Results stay the same,
    /// so this is no change; code that is there already stays.
    pub fn accelerate(&self, code: Arc<dyn Native>) {
        // Two who do this at the same time have the same code.
        let _ = self.program.native.0.set(code);
    }

    /// Whether there is native code.
    pub fn is_accelerated(&self) -> bool {
        self.program.native.0.get().is_some()
    }

    /// What can be scanned.
    pub fn scans(&self) -> Vec<ScanId> {
        let mut scans: Vec<ScanId> = self.scanned().map(|range| ScanId(range.start)).collect();
        scans.sort();
        scans
    }

    fn scanned(&self) -> impl Iterator<Item = Range<u32>> {
        let own = self.program.ranges.iter().map(|&(from, to)| from..to);
        let held = self.program.control.iter().flat_map(|control| control.ranges());
        own.chain(held).filter(|range| (1..=SCANNED).contains(&range.len()))
    }

    /// Says what a scan does: the code ends with its result.
    pub fn assemble_scan<A: Assembler>(&self, scan: ScanId, asm: &mut A) -> Result<(), NotAssembled> {
        let range = self.scanned().find(|range| range.start == scan.0).ok_or(NotAssembled)?;
        let candidates = &self.program.candidates[range.start as usize..range.end as usize];
        Emitter::new(asm, &self.layout).scan(candidates.iter().map(|&t| self.program.tests_of(t)))
    }

    /// Says what the command of a transition does: the code ends with 1, or with 0 for a fault.
    pub fn assemble_command<A: Assembler>(&self, t: TransitionId, asm: &mut A) -> Result<(), NotAssembled> {
        Emitter::new(asm, &self.layout).command(self.program.steps_of(t))
    }
}
