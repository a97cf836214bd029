//! Infinite runs of silent steps, in time linear in the state space.
//!
//! The store is a queue of states that were met. From each that is still new the search goes depth-first along silent
//! steps; what visible steps lead to waits in the queue. So every state is expanded once, and every silent step taken
//! once. There is a cycle of silent steps if and only if one of them leads to a state on the stack: when the search leaves
//! the first state of a cycle that it enters, it has been round.

use evidence::{Reason, Trace};
use model::TransitionId;

use super::parents::Parents;
use super::search::{End, Search};
use super::shorter;
use super::silent::Silent;
use crate::store::{Inserted, StateIndex, hash};

/// What became of a state.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Colour {
    /// It was met.
    White,
    /// It is on the stack.
    Grey,
    /// It was left.
    Black,
}

/// A state on the stack, and the last transition that was tried from it.
#[derive(Clone, Copy)]
struct Frame {
    state: StateIndex,
    last: TransitionId,
}

const NONE: TransitionId = TransitionId(u32::MAX);

struct SilentSearch<'s, 'a> {
    search: &'s mut Search<'a>,
    silent: &'s Silent<'s>,
    /// Whether runs are to be made shorter.
    shorten: bool,
    stack: Vec<Frame>,
    colours: Vec<Colour>,
    parents: Parents,
    /// All states before this one were left, or are on the stack.
    root: usize,
    /// The topmost state and its successor.
    state: Vec<u64>,
    next: Vec<u64>,
}

/// Searches everything for an infinite run of silent steps; `shorten` says whether it is then made shorter.
pub(super) fn run(search: &mut Search<'_>, silent: &Silent<'_>, shorten: bool) -> Result<End, Reason> {
    let (state, next) = (search.system.initial_state(), vec![0; search.system.words()]);
    search.insert(&state, hash(&state), 0)?;
    let (stack, colours, parents) = (Vec::new(), vec![Colour::White], Parents(vec![0]));
    SilentSearch { search, silent, shorten, stack, colours, parents, root: 0, state, next }.run()
}

impl SilentSearch<'_, '_> {
    fn run(&mut self) -> Result<End, Reason> {
        while let Some(&colour) = self.colours.get(self.root) {
            if colour == Colour::White && self.explore()? == End::Stopped {
                return Ok(End::Stopped);
            }
            self.root += 1;
        }
        Ok(End::Complete)
    }

    /// Goes along all silent steps from the root.
    fn explore(&mut self) -> Result<End, Reason> {
        let root = self.root as StateIndex;
        self.state.copy_from_slice(self.search.store.get(root));
        self.enter(root);
        while !self.stack.is_empty() {
            // Any run will do: in this order a shortest one is not promised.
            if self.search.may_stop() {
                return Ok(End::Stopped);
            }
            self.tick()?;
            match self.step()? {
                Some(state) => {
                    std::mem::swap(&mut self.state, &mut self.next);
                    self.enter(state);
                }
                None => self.leave(),
            }
        }
        Ok(End::Complete)
    }

    fn tick(&mut self) -> Result<(), Reason> {
        let (waiting, others) = (self.colours.len() - self.root, self.bytes());
        self.search.tick(0, waiting as u64, others)
    }

    fn bytes(&self) -> u64 {
        (8 * self.stack.capacity() + self.colours.capacity()) as u64 + self.parents.bytes()
    }

    fn enter(&mut self, state: StateIndex) {
        self.colours[state as usize] = Colour::Grey;
        self.stack.push(Frame { state, last: NONE });
        self.search.depth = self.search.depth.max(self.stack.len() as u64 - 1);
    }

    fn leave(&mut self) {
        if let Some(frame) = self.stack.pop() {
            self.colours[frame.state as usize] = Colour::Black;
        }
        if let Some(below) = self.stack.last() {
            self.state.copy_from_slice(self.search.store.get(below.state));
        }
    }

    /// Takes the transitions of the topmost state until a silent one leads to a state that was only met before, or none
    /// is left.
    fn step(&mut self) -> Result<Option<StateIndex>, Reason> {
        let (system, top) = (self.search.system, self.stack.len() - 1);
        let Frame { state: from, last } = self.stack[top];
        // The iterator borrows the state, and what happens to the rest must not concern it.
        let state = std::mem::take(&mut self.state);
        let mut enabled = if last == NONE { system.enabled(&state) } else { system.enabled_after(last, &state) };
        let entered = loop {
            let Some(candidate) = enabled.next() else { break Ok(None) };
            let t = candidate.unwrap_or_else(|(t, _)| t);
            self.stack[top].last = t;
            if candidate.is_err() || system.fire(t, &state, &mut self.next).is_err() {
                self.error(t);
                continue;
            }
            match self.fired(t, from) {
                Ok(None) => {}
                entered => break entered,
            }
        };
        if self.stack[top].last == NONE {
            self.search.standstill(&state, u64::MAX, |_| Vec::new());
        }
        self.state = state;
        entered
    }

    /// Stores the state that a transition led to; gives it if the search is to go there.
    fn fired(&mut self, t: TransitionId, from: StateIndex) -> Result<Option<StateIndex>, Reason> {
        self.search.fired(t);
        self.tick()?;
        let others = self.bytes();
        let to = match self.search.insert(&self.next, hash(&self.next), others)? {
            Inserted::Old(index) => index,
            Inserted::New(index) => {
                self.parents.0.push(from);
                self.colours.push(Colour::White);
                index
            }
        };
        match self.colours[to as usize] {
            Colour::White if self.silent.contains(t) => return Ok(Some(to)),
            Colour::Grey if self.silent.contains(t) && !self.search.diverges() => self.divergence(to),
            _ => {}
        }
        Ok(None)
    }

    /// Takes note of a transition that is a model error in the topmost state.
    #[cold]
    fn error(&mut self, t: TransitionId) {
        let at = self.stack[self.stack.len() - 1].state;
        let (stack, parents, shorten) = (&self.stack, &self.parents, self.shorten);
        self.search.error(t, u64::MAX, |search| {
            let short = shorten.then(|| shorter::run(search, |s| s == at)).flatten();
            let steps = short.map(|(run, _)| run.into_iter().chain([t]).collect());
            steps.unwrap_or_else(|| run_along(search, parents, stack))
        });
    }

    /// Takes note of the cycle that the last step closes: from this state, which is on the stack, to the topmost one.
    #[cold]
    fn divergence(&mut self, start: StateIndex) {
        let first = self.stack.iter().position(|f| f.state == start).expect("a grey state is on the stack");
        let steps = run_along(self.search, &self.parents, &self.stack);
        let (stem, cycle) = steps.split_at(steps.len() - (self.stack.len() - first));
        let trace = Trace { stem: stem.to_vec(), cycle: cycle.to_vec() };
        let states = self.stack[first..].iter().map(|f| f.state).collect();
        let short = self.shorten.then(|| shorter::round(self.search, self.silent, &states)).flatten();
        self.search.divergence(short.unwrap_or(trace));
    }
}

/// The run to the lowest state of the stack and then along the stack, its last transition included.
fn run_along(search: &Search<'_>, parents: &Parents, stack: &[Frame]) -> Vec<TransitionId> {
    let mut run = stack.first().map_or_else(Vec::new, |root| parents.run(search, root.state));
    run.extend(stack.iter().map(|f| f.last));
    run
}
