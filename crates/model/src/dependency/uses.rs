//! Which operations a transition performs on which objects, and what for: the thesis' `used(t)`.
//!
//! The thesis forbids that a command uses an object again after modifying it; here that is allowed, and the later use
//! counts as an operation that may do anything. Taking tokens and giving the same number back is recognised: it only
//! asks whether they are there.

use super::ghosts::Ghosts;
use super::recognise::{Recogniser, Subject};
use crate::objects::{Comparison, Operation};
use crate::{Command, ObjectId, ObserverEdge, Pattern, ProcessId, Retrieve, System, Target, TransitionId};

/// What a transition needs an operation for.
///
/// All uses with the role of one false conjunct, or of one operation that is not defined, give a necessary enabling
/// set: nothing else can make the transition enabled. A conjunct that comes earlier and may become a *fault* is another
/// matter; whoever wants to keep faults must add what disturbs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// To evaluate this conjunct of its guard. A conjunct that merely repeats that an operation of the command is
    /// defined has no use of its own: it is false exactly where that operation is not defined.
    Guard(u32),
    /// To decide whether this operation of its command is defined.
    Defined(u32),
    /// To carry out this operation of its command.
    Effect(u32),
}

/// An operation that a transition performs on one object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    /// The object, or the first of those that an index chooses from.
    pub first: ObjectId,
    /// The number of objects that an index chooses from; 1 for a fixed object.
    pub len: u32,
    /// What is done.
    pub operation: Operation,
    /// What for.
    pub role: Role,
    /// The number of the place that finds the object in a state, if the index is as before the transition.
    pub(super) place: Option<u32>,
}

impl Use {
    /// The objects that may be meant.
    pub fn objects(&self) -> impl Iterator<Item = ObjectId> + use<> {
        (self.first.0..self.first.0 + self.len).map(ObjectId)
    }
}

/// A use, with the target to find its object by in the state before the transition, if that is possible.
pub(super) type Found = (Use, Option<Target>);

/// All uses of a transition.
pub(super) fn find_uses(system: &System, t: TransitionId, ghosts: &Ghosts) -> Vec<Found> {
    let transition = system.transition(t);
    let recogniser = Recogniser { objects: &system.objects };
    let mut finder = Finder { recogniser, ghosts, modified: Vec::new(), found: Vec::new() };
    for (i, conjunct) in transition.guard.iter().enumerate() {
        if !recogniser.is_absorbed(conjunct, &transition.command) {
            finder.observe(conjunct, true, Role::Guard(i as u32));
        }
    }
    let restored = restored(&transition.command);
    for (i, command) in transition.command.iter().enumerate() {
        match (command, restored.iter().find(|(take, gain)| *take == i || *gain == i)) {
            (Command::Take(t, amount), Some(_)) => {
                let test = Operation::test(Comparison::Ge, i64::from(*amount));
                finder.note(t, test, Role::Defined(i as u32));
            }
            (_, Some(_)) => {}
            (_, None) => finder.command(i as u32, command),
        }
    }
    if ghosts.len() > 0 {
        finder.ghosts(system, t);
    }
    finder.found
}

struct Finder<'a> {
    recogniser: Recogniser<'a>,
    ghosts: &'a Ghosts,
    /// Objects modified so far: first, and one past the last.
    modified: Vec<(u32, u32)>,
    found: Vec<Found>,
}

impl Finder<'_> {
    /// What a transition does that is written in no command: it moves its processes and the observer.
    fn ghosts(&mut self, system: &System, t: TransitionId) {
        let role = Role::Effect(u32::MAX);
        for m in system.transition(t).moves.iter().filter(|m| m.from != m.to) {
            for (location, value) in [(m.from, 0), (m.to, 1)] {
                self.note_ghost(self.ghosts.at(m.process, location), Operation::Assign(value), role);
            }
        }
        if let Some(observer) = &system.observer {
            let follows = |edge: &&ObserverEdge| edge.on.as_ref().is_none_or(|on| on.binary_search(&t).is_ok());
            let process = ProcessId::new(system.processes.len());
            for edge in observer.edges.iter().filter(follows) {
                self.observe(&edge.when, true, role);
                let places = [edge.from, edge.to].map(|l| self.ghosts.at(process, l));
                for ghost in places.into_iter().chain([self.ghosts.observer()]) {
                    self.note_ghost(ghost, Operation::Write, role);
                }
            }
        }
        if let Some(watch) = &system.watch {
            let operation = if t >= watch.first { Some(Operation::Read) } else { None };
            let operation = operation.or(watch.feedback[t.index()].then_some(Operation::Complement));
            if let Some(operation) = operation {
                self.note_ghost(self.ghosts.feedback(), operation, role);
            }
        }
    }

    fn note_ghost(&mut self, ghost: Option<ObjectId>, operation: Operation, role: Role) {
        if let Some(number) = ghost {
            self.note(&Target { first: number, len: 1, index: None }, operation, role);
        }
    }

    fn note_subject(&mut self, subject: Subject<'_>, operation: Operation, role: Role) {
        match subject {
            Subject::Cell(target) => self.note(target, operation, role),
            Subject::At(p, l) => self.note_ghost(self.ghosts.at(p, l), operation, role),
        }
    }

    fn note(&mut self, target: &Target, operation: Operation, role: Role) {
        let later = self.is_modified(target);
        let mut known = true;
        if let Some(index) = &target.index {
            index.walk(&mut |e| known &= !e.target().is_some_and(|t| self.is_modified(t)));
        }
        let seen = if later { Operation::Any } else { operation };
        let found = Use { first: target.first, len: target.len, operation: seen, role, place: None };
        self.found.push((found, (known && target.len > 1).then(|| target.clone())));
        if !operation.only_reads() {
            self.modified.push((target.first.0, target.first.0 + target.len));
        }
    }

    fn is_modified(&self, target: &Target) -> bool {
        let (first, end) = (target.first.0, target.first.0 + target.len);
        self.modified.iter().any(|&(from, to)| first < to && from < end)
    }

    fn observe(&mut self, expr: &crate::Expr, truth: bool, role: Role) {
        self.recogniser.observe(expr, truth, &mut |s, op| self.note_subject(s, op, role));
    }

    /// An operation on the target, after what finding its object takes.
    fn operate(&mut self, target: &Target, operation: Operation, role: Role) {
        self.recogniser.observe_index(target, &mut |s, op| self.note_subject(s, op, role));
        self.note(target, operation, role);
    }

    fn command(&mut self, i: u32, command: &Command) {
        let (defined, effect) = (Role::Defined(i), Role::Effect(i));
        match command {
            Command::Assign(t, value) => {
                let (operation, observed) = self.recogniser.assignment(t, value);
                if observed {
                    self.observe(value, false, effect);
                }
                self.operate(t, operation, effect);
            }
            Command::Acquire(t, p) => self.operate(t, Operation::Acquire(*p), defined),
            Command::Release(t, p) => self.operate(t, Operation::Release(*p), effect),
            Command::Gain(t, amount) => self.operate(t, Operation::Gain(*amount), effect),
            Command::Take(t, amount) => self.operate(t, Operation::Take(*amount), defined),
            Command::Send(t, values) => {
                values.iter().for_each(|v| self.observe(v, false, effect));
                self.operate(t, Operation::Send, defined);
            }
            // Where the message ends up depends on all others, and they on it.
            Command::Insert(t, values) => {
                values.iter().for_each(|v| self.observe(v, false, effect));
                self.operate(t, Operation::Any, defined);
            }
            Command::Receive(t, patterns) => self.receive(i, t, patterns, Operation::Receive),
            Command::Retrieve(t, patterns, how) => {
                let any_message = patterns.iter().all(|p| p.matched().is_none());
                let operation = match how {
                    Retrieve { keep: true, .. } => Operation::Read,
                    Retrieve { anywhere: true, .. } if !any_message => Operation::Any,
                    Retrieve { .. } => Operation::Receive,
                };
                self.receive(i, t, patterns, operation);
            }
            Command::Assert(condition) => self.observe(condition, true, effect),
            Command::Unforeseen(_) => {}
        }
    }

    /// Matching comes first, then the message leaves the channel, then the variables are written in order.
    fn receive(&mut self, i: u32, target: &Target, patterns: &[Pattern], operation: Operation) {
        for pattern in patterns {
            if let Pattern::Match(e) = pattern {
                self.observe(e, false, Role::Defined(i));
            }
        }
        self.operate(target, operation, Role::Defined(i));
        for pattern in patterns {
            if let Pattern::Bind(t) = pattern {
                self.operate(t, Operation::Write, Role::Effect(i));
            }
        }
    }
}

/// Pairs of a `Take` and a later `Gain` of as many tokens of one object that nothing else in the command uses.
fn restored(command: &[Command]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for (i, take) in command.iter().enumerate() {
        let Command::Take(target, amount) = take else { continue };
        let gives_back = |c: &Command| matches!(c, Command::Gain(t, k) if t == target && k == amount);
        let Some(j) = command.iter().rposition(gives_back).filter(|j| *j > i && target.index.is_none()) else {
            continue;
        };
        let mut others = command.iter().enumerate().filter(|(k, _)| *k != i && *k != j);
        if !others.any(|(_, c)| mentions(c, target.first)) {
            pairs.push((i, j));
        }
    }
    pairs
}

fn mentions(command: &Command, object: ObjectId) -> bool {
    let covers = |t: &Target| (t.first.0..t.first.0 + t.len).contains(&object.0);
    let mut found = command.target().is_some_and(covers);
    found |= command.binds().any(covers);
    for e in command.expressions() {
        e.walk(&mut |e| found |= e.target().is_some_and(covers));
    }
    found
}
