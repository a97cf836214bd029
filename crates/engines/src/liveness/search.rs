//! Emptiness of the product, on the fly: a depth-first search that joins nodes into strongly connected components as
//! cycles close (after Couvreur), and stops as soon as a component has every mark. Node numbers are depth-first numbers.
//!
//! With strong fairness a component is looked at again when it is complete (see `streett`).

use automata::automaton::State as Place;
use evidence::{Budget, Progress, Reason, Snapshot, Statistics};
use model::TransitionId;

use super::product::{Marks, Product, STAY};
use super::reduction::OnStack;
use super::streett;
use crate::store::{Inserted, StateIndex, Store, hash};

/// More steps on the stack, and those of one node with them, could not be numbered.
const MOST_STEPS: usize = (u32::MAX / 2) as usize;

/// What became of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// On the stack.
    Open,
    /// Left, but its component is not complete.
    Live,
    /// Its component is complete, and nothing was found there.
    Dead,
}

/// A node on the stack.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub(super) node: StateIndex,
    /// Where its steps begin in `steps`, and which is taken next, or again.
    first: u32,
    next: u32,
    /// The next edge of the automaton for that step.
    edge: u32,
    /// The fairness sets that are offered in its state.
    offered: Marks,
}

/// A component, as far as it is known: its first node, and what its cycles have done.
struct Root {
    node: StateIndex,
    /// The marks of the step by which it was entered.
    entered: Marks,
    within: Marks,
    /// Whether there is a cycle.
    cyclic: bool,
}

/// Why a search was over early.
pub(super) enum Found {
    /// A component, or a part of one, in which a run can stay that breaks the claim: its nodes, in order, and the marks
    /// that the run must have.
    Component { nodes: Vec<StateIndex>, marks: Marks },
    /// From this node on, every run breaks the claim.
    Whatever(StateIndex),
    /// The last step on the way along the stack, or this one from there, is a model error.
    Error(Vec<TransitionId>),
}

pub(super) struct Search<'a, 'b> {
    pub(super) product: &'b Product<'a>,
    pub(super) store: Store,
    status: Vec<Status>,
    pub(super) stack: Vec<Frame>,
    transitions: u64,
    depth: u64,
    peak: u64,
    pub(super) budget: &'b Budget,
    progress: &'b dyn Progress,
    /// The steps of all frames, one frame after the other.
    pub(super) steps: Vec<TransitionId>,
    /// The nodes that are not dead, in order.
    live: Vec<StateIndex>,
    roots: Vec<Root>,
    /// By place, whether the automaton accepts whatever comes.
    terminal: Vec<bool>,
    reduction: Option<OnStack<'b>>,
    enabled: Vec<TransitionId>,
    chosen: Vec<TransitionId>,
    /// The topmost node, and one that a step leads to.
    node: Vec<u64>,
    next: Vec<u64>,
    work: u32,
}

impl<'a, 'b> Search<'a, 'b> {
    pub(super) fn new(
        product: &'b Product<'a>,
        terminal: Vec<bool>,
        reduction: Option<OnStack<'b>>,
        budget: &'b Budget,
        progress: &'b dyn Progress,
    ) -> Self {
        let words = product.words();
        Self {
            product,
            store: Store::new(words),
            status: Vec::new(),
            stack: Vec::new(),
            transitions: 0,
            depth: 0,
            peak: 0,
            budget,
            progress,
            steps: Vec::new(),
            live: Vec::new(),
            roots: Vec::new(),
            terminal,
            reduction,
            enabled: Vec::new(),
            chosen: Vec::new(),
            node: vec![0; words],
            next: vec![0; words],
            work: 0,
        }
    }

    /// Searches everything, or until something is found.
    pub(super) fn run(&mut self) -> Result<Option<Found>, Reason> {
        let (system, start) = (self.product.system, self.product.automaton.initial);
        let state = system.initial_state();
        let Ok(reading) = self.product.read_first(&state) else { return Ok(Some(Found::Error(Vec::new()))) };
        let mut edge = 0;
        while let Some((after, _, place)) = self.product.edge(start, reading, edge) {
            edge = after;
            self.next[..state.len()].copy_from_slice(&state);
            if let Inserted::New(node) = self.insert(place)? {
                let found = match self.enter(node, place, 0) {
                    None => self.explore()?,
                    found => found,
                };
                if found.is_some() {
                    return Ok(found);
                }
            }
        }
        Ok(None)
    }

    fn explore(&mut self) -> Result<Option<Found>, Reason> {
        while let Some(frame) = self.stack.last().copied() {
            self.tick()?;
            let found = match self.steps.get(frame.next as usize).copied() {
                Some(t) => self.take(t, frame)?,
                None => self.leave()?,
            };
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Takes a step from the topmost node, with all edges of the automaton until one leads to a new node.
    fn take(&mut self, t: TransitionId, frame: Frame) -> Result<Option<Found>, Reason> {
        let top = self.stack.len() - 1;
        let (state, place) = self.product.parts(&self.node);
        let Ok(reading) = self.product.fire(t, state, &mut self.next) else {
            return Ok(Some(Found::Error(self.run_along())));
        };
        let fair = self.product.fairness_of(t, frame.offered);
        self.transitions += u64::from(frame.edge == 0 && t != STAY);
        let mut edge = frame.edge;
        while let Some((after, marks, target)) = self.product.edge(place, reading, edge) {
            edge = after;
            self.stack[top].edge = edge;
            match self.insert(target)? {
                Inserted::New(node) => return Ok(self.enter(node, target, marks | fair)),
                Inserted::Old(node) if self.status[node as usize] == Status::Dead => {}
                Inserted::Old(node) => {
                    if let Some(found) = self.close(node, marks | fair) {
                        return Ok(Some(found));
                    }
                }
            }
        }
        (self.stack[top].next, self.stack[top].edge) = (frame.next + 1, 0);
        Ok(None)
    }

    /// Stores the state in `next` with a state of the automaton.
    fn insert(&mut self, place: Place) -> Result<Inserted, Reason> {
        self.product.set_place(&mut self.next, place);
        if self.steps.len() > MOST_STEPS {
            return Err(Reason::Memory);
        }
        self.store.reserve(self.others(), self.budget)?;
        Ok(self.store.insert(&self.next, hash(&self.next)))
    }

    /// Enters the new node in `next`.
    fn enter(&mut self, node: StateIndex, place: Place, entered: Marks) -> Option<Found> {
        std::mem::swap(&mut self.node, &mut self.next);
        self.status.push(Status::Open);
        self.live.push(node);
        self.roots.push(Root { node, entered, within: 0, cyclic: false });
        let state = self.product.state(&self.node);
        let listed = self.product.list(state, &mut self.enabled);
        let offered = self.product.offered(&self.node, &self.enabled);
        let first = self.steps.len() as u32;
        self.stack.push(Frame { node, first, next: first, edge: 0, offered });
        self.depth = self.depth.max(self.stack.len() as u64 - 1);
        if let Err((t, _)) = listed {
            self.steps.push(t);
            return Some(Found::Error(self.run_along()));
        }
        if self.terminal[place.index()] {
            return Some(Found::Whatever(node));
        }
        match &mut self.reduction {
            _ if self.enabled.is_empty() => self.steps.extend(self.product.may_stay().then_some(STAY)),
            Some(reduction) => {
                let is_open = |n: StateIndex| self.status[n as usize] == Status::Open;
                let looks = super::reduction::Looks {
                    product: self.product,
                    store: &self.store,
                    is_open: &is_open,
                    node: &self.node,
                    next: &mut self.next,
                };
                reduction.choose(looks, &self.enabled, &mut self.chosen);
                self.steps.extend_from_slice(&self.chosen);
            }
            None => self.steps.extend_from_slice(&self.enabled),
        }
        None
    }

    /// A step leads back to a node that is not dead: all components from there on are one.
    fn close(&mut self, node: StateIndex, marks: Marks) -> Option<Found> {
        let mut done = marks;
        while let Some(root) = self.roots.pop_if(|r| r.node > node) {
            done |= root.within | root.entered;
        }
        let root = self.roots.last_mut().expect("a node that is not dead is in a component");
        (root.within, root.cyclic) = (root.within | done, true);
        let required = self.product.required();
        let accepted = root.within & required == required && !self.product.is_strong();
        accepted.then(|| Found::Component { nodes: self.component(), marks: required })
    }

    /// The first node of the last component.
    pub(super) fn last_root(&self) -> StateIndex {
        self.roots.last().map_or(0, |r| r.node)
    }

    /// The nodes of the last component, in order.
    fn component(&self) -> Vec<StateIndex> {
        let first = self.last_root();
        self.live[self.live.partition_point(|n| *n < first)..].to_vec()
    }

    /// Leaves the topmost node; if it is the first of its component, that is complete.
    fn leave(&mut self) -> Result<Option<Found>, Reason> {
        let Some(frame) = self.stack.pop() else { return Ok(None) };
        self.steps.truncate(frame.first as usize);
        self.status[frame.node as usize] = Status::Live;
        if self.roots.last().is_some_and(|r| r.node == frame.node) {
            if let Some(found) = self.fair()? {
                return Ok(Some(found));
            }
            self.roots.pop();
            while let Some(node) = self.live.pop_if(|n| *n >= frame.node) {
                self.status[node as usize] = Status::Dead;
            }
        }
        if let Some(below) = self.stack.last() {
            self.node.copy_from_slice(self.store.get(below.node));
        }
        Ok(None)
    }

    /// Whether there is a run in the last component, which is complete, that is strongly fair.
    fn fair(&self) -> Result<Option<Found>, Reason> {
        let required = self.product.required();
        let is_met = |root: &Root| root.cyclic && root.within & required == required;
        if !self.product.is_strong() || !self.roots.last().is_some_and(is_met) {
            return Ok(None);
        }
        let part = streett::fair_part(self.product, &self.store, self.component(), self.budget)?;
        Ok(part.map(|(nodes, marks)| Found::Component { nodes, marks }))
    }

    /// The transitions that lead to the topmost node, and the one that is tried there.
    pub(super) fn run_along(&self) -> Vec<TransitionId> {
        self.stack.iter().filter_map(|f| self.steps.get(f.next as usize)).copied().collect()
    }

    /// Whether something may have been left out.
    pub(super) fn is_reduced(&self) -> bool {
        self.reduction.is_some()
    }

    /// What the search covered.
    pub(super) fn statistics(&self) -> Statistics {
        Statistics {
            // The initial state is looked at even if the automaton does not follow it.
            states: Some(self.store.len().max(1) as u64),
            transitions: Some(self.transitions),
            depth: Some(self.depth),
            peak_bytes: self.peak.max(self.store.bytes()),
            ..Statistics::default()
        }
    }

    fn others(&self) -> u64 {
        let frames = self.stack.len() * size_of::<Frame>() + self.roots.len() * size_of::<Root>();
        (frames + self.status.len() + 4 * (self.steps.len() + self.live.len())) as u64
    }

    /// How much work may pass between two looks at the budget.
    const WORK: u32 = 1 << 10;

    fn tick(&mut self) -> Result<(), Reason> {
        self.work += 1;
        if self.work & (Self::WORK - 1) != 0 {
            return Ok(());
        }
        let bytes = self.store.bytes() + self.others();
        self.peak = self.peak.max(bytes);
        if self.work & (64 * Self::WORK - 1) == 0 {
            let (states, waiting) = (self.store.len() as u64, self.stack.len() as u64);
            self.progress.update(&Snapshot { states, transitions: self.transitions, waiting, bytes });
        }
        self.budget.check(bytes)
    }
}
