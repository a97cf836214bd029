//! Emptiness of the product, on the fly: a depth-first search that joins nodes into strongly connected components as
//! cycles close (after Couvreur), and stops as soon as a component has every mark. Node numbers are depth-first numbers.
//!
//! A node is a marking and the state of the automaton *after* it has read that marking. What the last step enabled is
//! tried first: whoever goes on with the same tokens comes back soon, and a cycle closes.

use automata::Automaton;
use automata::automaton::{Components, State as Place};
use evidence::Reason;
use model::views::NetTransitionId;

use super::position::Position;
use super::reduction::{Forget, Reduction, heeds_cycles};
use super::{RunTask, Searched, Whole};
use crate::net::random::Random;
use crate::net::search::expected;
use crate::refuter::{Refuter, accepts_whatever};
use crate::store::{Inserted, StateIndex, Store, hash};
use crate::tokens::tree::Tree;
use crate::tokens::wiring::Wiring;

/// The step of a run that has ended: its last marking once more.
pub(super) const STAY: NetTransitionId = NetTransitionId(u32::MAX);

/// More steps on the stack could not be numbered.
const MOST_STEPS: usize = (u32::MAX / 2) as usize;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    /// On the stack.
    Open,
    /// Left, but its component is not complete.
    Live,
    /// Its component is complete, and nothing was found there.
    Dead,
}

/// A node on the stack.
#[derive(Clone, Copy)]
struct Frame {
    node: StateIndex,
    /// Where its steps begin in `steps`, and which is taken next, or again.
    first: u32,
    next: u32,
    /// The next edge of the automaton for that step, and what it reads.
    edge: u32,
    letter: u64,
}

/// A component, as far as it is known: its first node, and what its cycles have done.
struct Root {
    node: StateIndex,
    /// The marks of the step by which it was entered.
    entered: u64,
    within: u64,
}

/// Why a search was over early.
pub(super) enum Found {
    /// The last component has every mark.
    Component,
    /// From the topmost node on, every run is accepted.
    Whatever,
}

pub(super) struct Search<'a> {
    pub(super) task: &'a RunTask<'a>,
    automaton: Automaton,
    pub(super) position: Position<'a>,
    pub(super) tree: Tree,
    /// Nodes: the number of the marking and the state of the automaton in a word.
    pub(super) nodes: Store,
    status: Vec<Status>,
    stack: Vec<Frame>,
    /// The steps of all frames, one frame after the other.
    steps: Vec<NetTransitionId>,
    /// The nodes that are not dead, in order.
    live: Vec<StateIndex>,
    roots: Vec<Root>,
    /// By state, whether the automaton accepts whatever comes.
    terminal: Vec<bool>,
    reduction: Option<Reduction<'a>>,
    forget: Forget,
    random: Random,
    fixed: u64,
    work: u32,
}

/// Searches the product for an accepted run. Seeds differ in the order of steps.
pub fn search(task: &RunTask<'_>, seed: u64) -> Result<Searched, Reason> {
    search_but(task, seed, Forget::Nothing)
}

pub(super) fn search_but(task: &RunTask<'_>, seed: u64, forget: Forget) -> Result<Searched, Reason> {
    let wiring = Wiring::new(task.net);
    let mut search = Search::new(task, &wiring, seed, forget);
    Ok(match search.run()? {
        None => Searched::None,
        Some(_) if task.runs == Whole::Any => Searched::Untold,
        Some(found) => search.told(&found).map_or(Searched::Untold, Searched::Run),
    })
}

/// The automaton with the edges first that lead on, to where it waits no longer: a search that goes deep waits for ever.
fn onwards_first(automaton: &Automaton) -> Automaton {
    let (mut automaton, components) = (automaton.clone(), Components::of(automaton));
    automaton.edges.iter_mut().for_each(|edges| edges.sort_by_key(|e| components.at(e.target)));
    automaton
}

pub(super) fn word(marking: StateIndex, place: Place) -> u64 {
    u64::from(marking) << 32 | u64::from(place.0)
}

pub(super) fn parts(word: u64) -> (StateIndex, Place) {
    ((word >> 32) as StateIndex, Place(word as u32))
}

impl<'a> Search<'a> {
    fn new(task: &'a RunTask<'a>, wiring: &'a Wiring<'a>, seed: u64, forget: Forget) -> Self {
        let position = Position::new(wiring, task.atoms);
        let reduction = match task.refuter {
            Refuter::Blind(blind) => Some(Reduction::new(wiring, blind, task.atoms, forget)),
            Refuter::Any(_) => None,
        };
        let fixed = wiring.bytes() + position.bytes() + reduction.as_ref().map_or(0, Reduction::bytes);
        Self {
            task,
            automaton: onwards_first(task.refuter.automaton()),
            tree: Tree::new(&expected(wiring, &position.live)),
            position,
            nodes: Store::new(1),
            status: Vec::new(),
            stack: Vec::new(),
            steps: Vec::new(),
            live: Vec::new(),
            roots: Vec::new(),
            terminal: accepts_whatever(task.refuter.automaton()),
            reduction,
            forget,
            random: Random::new(seed),
            fixed,
            work: 0,
        }
    }

    /// What the marks of every accepted cycle are.
    pub(super) fn required(&self) -> u64 {
        self.automaton.all_marks().0 | u64::from(self.automaton.sets == 0)
    }

    /// The first edge, from the given number on, that the automaton can take: the number after it, its marks and its
    /// target.
    pub(super) fn edge(&self, place: Place, letter: u64, first: u32) -> Option<(u32, u64, Place)> {
        let edges = self.automaton.from(place).get(first as usize..)?;
        let at = edges.iter().position(|e| e.label.holds(letter))?;
        // Without acceptance sets every infinite run is accepted: one mark that all edges have.
        Some((first + at as u32 + 1, edges[at].marks.0 | u64::from(self.automaton.sets == 0), edges[at].target))
    }

    fn run(&mut self) -> Result<Option<Found>, Reason> {
        let limits = (self.fixed, self.task.budget);
        self.tree.begin(self.position.live.tokens(), limits)?;
        let (start, letter, mut edge) = (self.automaton.initial, self.position.letter(), 0);
        while let Some((after, _, place)) = self.edge(start, letter, edge) {
            edge = after;
            if let Inserted::New(node) = self.insert(0, place)? {
                let found = match self.enter(node, place, 0)? {
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
                None => {
                    self.leave()?;
                    None
                }
            };
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    pub(super) fn node(&self, node: StateIndex) -> (StateIndex, Place) {
        parts(self.nodes.get(node)[0])
    }

    /// Takes a step from the topmost node, with all edges of the automaton until one leads to a new node.
    fn take(&mut self, t: NetTransitionId, frame: Frame) -> Result<Option<Found>, Reason> {
        let top = self.stack.len() - 1;
        let (marking, place) = self.node(frame.node);
        if frame.edge > 0 && self.edge(place, frame.letter, frame.edge).is_none() {
            (self.stack[top].next, self.stack[top].edge) = (frame.next + 1, 0);
            return Ok(None);
        }
        let next = self.fire(t, marking)?;
        let (mut edge, letter) = (frame.edge, self.position.letter());
        while let Some((after, marks, target)) = self.edge(place, letter, edge) {
            edge = after;
            (self.stack[top].edge, self.stack[top].letter) = (edge, letter);
            match self.insert(next, target)? {
                Inserted::New(node) => return self.enter(node, target, marks),
                Inserted::Old(node) if self.status[node as usize] == Status::Dead => {}
                Inserted::Old(node) => {
                    if self.close(node, marks) {
                        self.unfire(t, marking)?;
                        return Ok(Some(Found::Component));
                    }
                }
            }
        }
        self.unfire(t, marking)?;
        (self.stack[top].next, self.stack[top].edge) = (frame.next + 1, 0);
        Ok(None)
    }

    /// Takes a step from a marking; the number of the next one.
    pub(super) fn fire(&mut self, t: NetTransitionId, marking: StateIndex) -> Result<StateIndex, Reason> {
        if t == STAY {
            return Ok(marking);
        }
        self.position.fire(t)?;
        let limits = (self.others(), self.task.budget);
        let effect = self.position.wiring.effect(t);
        let (Inserted::New(next) | Inserted::Old(next)) =
            self.tree.enter(self.position.live.tokens(), effect, limits)?;
        Ok(next)
    }

    /// Takes a step back, to a marking.
    pub(super) fn unfire(&mut self, t: NetTransitionId, marking: StateIndex) -> Result<(), Reason> {
        if t != STAY {
            self.position.unfire(t)?;
            self.tree.go_back(marking);
        }
        Ok(())
    }

    fn insert(&mut self, marking: StateIndex, place: Place) -> Result<Inserted, Reason> {
        if self.steps.len() > MOST_STEPS {
            return Err(Reason::Memory);
        }
        let others = self.others() - self.nodes.bytes() + self.tree.bytes();
        self.nodes.reserve(others, self.task.budget)?;
        let word = [word(marking, place)];
        Ok(self.nodes.insert(&word, hash(&word)))
    }

    /// Enters a new node; the position is there already.
    fn enter(&mut self, node: StateIndex, place: Place, entered: u64) -> Result<Option<Found>, Reason> {
        self.status.push(Status::Open);
        self.live.push(node);
        self.roots.push(Root { node, entered, within: 0 });
        let first = self.steps.len() as u32;
        self.stack.push(Frame { node, first, next: first, edge: 0, letter: 0 });
        if self.terminal[place.index()] {
            return Ok(Some(Found::Whatever));
        }
        if self.position.live.enabled().is_empty() {
            self.steps.push(STAY);
            return Ok(None);
        }
        let fresh = std::mem::take(&mut self.position.live.fresh);
        self.choose(node, place)?;
        let start = first as usize;
        self.random.shuffle(&mut self.steps[start..]);
        self.steps[start..].sort_by_key(|t| !fresh.contains(t));
        self.position.live.fresh = fresh;
        // To stay disturbs nobody: the set is persistent with it, and who has more to do does not stay.
        self.steps.extend((self.task.runs == Whole::Any).then_some(STAY));
        Ok(None)
    }

    /// Adds the steps to take in the topmost node.
    fn choose(&mut self, node: StateIndex, place: Place) -> Result<(), Reason> {
        let start = self.steps.len();
        if let Some(reduction) = &mut self.reduction {
            reduction.choose(&self.position.live, place, &mut self.steps);
            if self.steps.len() > start && heeds_cycles(self.forget) && reduction.heeds_stack(place) {
                let marking = self.node(node).0;
                for i in start..self.steps.len() {
                    if self.closes(self.steps[i], marking, place)? {
                        self.steps.truncate(start);
                        break;
                    }
                }
            }
        }
        if self.steps.len() == start {
            self.steps.extend_from_slice(self.position.live.enabled());
        }
        Ok(())
    }

    /// Whether a step leads back to a node on the stack.
    fn closes(&mut self, t: NetTransitionId, marking: StateIndex, place: Place) -> Result<bool, Reason> {
        let next = self.fire(t, marking)?;
        let (mut edge, mut closes, letter) = (0, false, self.position.letter());
        while let Some((after, _, target)) = self.edge(place, letter, edge) {
            edge = after;
            let word = [word(next, target)];
            let known = self.nodes.find(&word, hash(&word));
            closes |= known.is_some_and(|node| self.status[node as usize] == Status::Open);
        }
        self.unfire(t, marking)?;
        Ok(closes)
    }

    /// A step leads back to a node that is not dead: all components from there on are one. Whether it has every mark.
    fn close(&mut self, node: StateIndex, marks: u64) -> bool {
        let mut done = marks;
        while let Some(root) = self.roots.pop_if(|r| r.node > node) {
            done |= root.within | root.entered;
        }
        let required = self.required();
        let root = self.roots.last_mut().expect("a node that is not dead is in a component");
        root.within |= done;
        root.within & required == required
    }

    /// Leaves the topmost node; if it is the first of its component, that is complete.
    fn leave(&mut self) -> Result<(), Reason> {
        let Some(frame) = self.stack.pop() else { return Ok(()) };
        self.steps.truncate(frame.first as usize);
        self.status[frame.node as usize] = Status::Live;
        if self.roots.pop_if(|r| r.node == frame.node).is_some() {
            while let Some(node) = self.live.pop_if(|n| *n >= frame.node) {
                self.status[node as usize] = Status::Dead;
            }
        }
        if let Some(&below) = self.stack.last() {
            let marking = self.node(below.node).0;
            self.unfire(self.steps[below.next as usize], marking)?;
        }
        Ok(())
    }

    /// The way along the stack to a node on it; all of it if there is none.
    pub(super) fn way_along(&self, to: Option<StateIndex>) -> Vec<NetTransitionId> {
        let before = self.stack.iter().take_while(|f| to.is_none_or(|to| f.node < to));
        let steps = before.map_while(|f| self.steps.get(f.next as usize));
        steps.copied().filter(|t| *t != STAY).collect()
    }

    /// The first node of the last component, and its nodes in order.
    pub(super) fn component(&self) -> (StateIndex, &[StateIndex]) {
        let first = self.roots.last().map_or(0, |r| r.node);
        (first, &self.live[self.live.partition_point(|n| *n < first)..])
    }

    /// The memory of all but the tree.
    pub(super) fn others(&self) -> u64 {
        let frames = self.stack.len() * size_of::<Frame>() + self.roots.len() * size_of::<Root>();
        let rows = self.status.len() + 4 * (self.steps.len() + self.live.len());
        self.fixed + self.nodes.bytes() + (frames + rows) as u64
    }

    /// How much work may pass between two looks at the budget.
    const WORK: u32 = 1 << 8;

    fn tick(&mut self) -> Result<(), Reason> {
        self.work += 1;
        if self.work & (Self::WORK - 1) != 0 {
            return Ok(());
        }
        self.task.budget.check(self.tree.bytes() + self.others())
    }
}
