//! Which transitions can never be a fault, whatever the state: a static analysis, sound and coarse.
//!
//! A search that only looks for deadlocks may leave out transitions for good, and with them their faults. It is exact
//! for systems of which this analysis shows that no transition can be one. A value is bounded by its domain and by the
//! comparisons with constants in the guard; a release is lawful if the locations of its process tell that it holds
//! the lock.

use crate::bounds::{Known, bounds, bounds_knowing};
use crate::holders::LockUses;
use crate::objects::{Kind, Object};
use crate::system::Hold;
use crate::{Binary, Command, Expr, ObjectId, Pattern, Proposition, System, Target, Temporal, Transition, Unary};

impl System {
    /// Whether no reachable step of the system can be a model error. `false` means: it is not known.
    pub fn is_lawful(&self) -> bool {
        let locks = LockUses::new(self);
        let lawful =
            |(i, object): (usize, &Object)| object.kind != Kind::Lock || locks.releases_are_lawful(ObjectId::new(i));
        self.observer.is_none()
            && self.transitions.iter().all(|t| self.is_lawful_transition(t))
            && self.steps_never_block()
            && self.objects.iter().enumerate().all(lawful)
    }

    /// Whether a predicate can be no fault, whatever the state.
    pub fn is_lawful_predicate(&self, predicate: &Expr) -> bool {
        bounds(predicate, &self.objects).is_some()
    }

    /// Whether neither a reachable step nor what is claimed of runs can be a model error.
    pub fn is_lawful_claim(&self, claim: &Temporal) -> bool {
        let lawful = |p: &&Proposition| !matches!(p, Proposition::State(e) if !self.is_lawful_predicate(e));
        self.is_lawful() && claim.propositions().iter().all(lawful)
    }

    /// Whether who goes on deterministically always can: some step from each such location has no condition.
    fn steps_never_block(&self) -> bool {
        let free = |t: &Transition| {
            let waits = !t.guard.is_empty() || t.command.iter().any(Command::is_partial);
            t.moves.len() == 1 && !t.last_resort && !waits
        };
        self.process_ids().all(|p| {
            let leaves = |l: usize| move |t: &&Transition| t.part(p).is_some_and(|m| m.from.index() == l);
            let steps = self.process(p).locations.iter().enumerate().filter(|(_, l)| l.hold == Hold::Step);
            steps.into_iter().all(|(l, _)| self.transitions.iter().filter(leaves(l)).any(free))
        })
    }

    /// Whether a transition can be no fault, releases aside.
    fn is_lawful_transition(&self, t: &Transition) -> bool {
        let mut known = Known::new();
        for conjunct in &t.guard {
            if bounds_knowing(conjunct, &self.objects, &known).is_none() {
                return false;
            }
            learn(conjunct, true, &self.objects, &mut known);
        }
        for command in &t.command {
            if !is_lawful_operation(command, &self.objects, &known) {
                return false;
            }
            remember(command, &self.objects, &mut known);
        }
        true
    }
}

/// Whether an operation can be no fault. Releases are a matter of their locks.
pub(crate) fn is_lawful_operation(command: &Command, objects: &[Object], known: &Known) -> bool {
    let bounds = |e: &Expr| bounds_knowing(e, objects, known);
    let index = |t: &Target| t.index.is_none() || in_array(t, objects, known);
    let fits = |e: &Expr, (lo, hi): (i64, i64)| bounds(e).is_some_and(|(a, b)| lo <= a && b <= hi);
    match command {
        Command::Assign(t, e) => index(t) && fits(e, range(t, objects)),
        Command::Gain(t, k) => {
            let top = range(t, objects).1;
            t.index.is_none() && bounds(&Expr::Read(t.clone())).is_some_and(|(_, hi)| hi + i64::from(*k) <= top)
        }
        Command::Acquire(t, _) | Command::Take(t, _) => index(t),
        Command::Send(t, values) | Command::Insert(t, values) => {
            let Kind::Channel(c) = &objects[t.first.index()].kind else { return false };
            index(t) && values.iter().zip(&c.fields).all(|(e, d)| fits(e, (d.lo(), d.hi())))
        }
        Command::Receive(t, patterns) | Command::Retrieve(t, patterns, _) => {
            let Kind::Channel(c) = &objects[t.first.index()].kind else { return false };
            let lawful = |(p, d): (&Pattern, &crate::Domain)| match p {
                Pattern::Ignore => true,
                Pattern::Match(e) => bounds(e).is_some(),
                Pattern::Bind(b) => {
                    let (lo, hi) = range(b, objects);
                    b.index.is_none() && lo <= d.lo() && d.hi() <= hi
                }
            };
            index(t) && patterns.iter().zip(&c.fields).all(lawful)
        }
        Command::Assert(e) => bounds(e).is_some_and(|(lo, hi)| lo > 0 || hi < 0),
        Command::Release(t, _) => t.index.is_none(),
        Command::Unforeseen(_) => false,
    }
}

fn in_array(target: &Target, objects: &[Object], known: &Known) -> bool {
    let index = target.index.as_deref().and_then(|i| bounds_knowing(i, objects, known));
    index.is_some_and(|(lo, hi)| lo >= 0 && hi < i64::from(target.len))
}

/// The values that the cells of a target can hold.
fn range(target: &Target, objects: &[Object]) -> (i64, i64) {
    match &objects[target.first.index()].kind {
        Kind::Variable(d) => (d.lo(), d.hi()),
        Kind::Semaphore { max } | Kind::Counter { max } => (0, i64::from(*max)),
        Kind::Lock | Kind::Channel(_) => (0, -1),
    }
}

/// Draws from a conjunct that holds (or does not) what it says about one fixed object.
fn learn(conjunct: &Expr, holds: bool, objects: &[Object], known: &mut Known) {
    let (op, target, c) = match conjunct {
        Expr::Unary(Unary::Not, a) => return learn(a, !holds, objects, known),
        Expr::Read(t) => (Binary::Ne, t, 0),
        Expr::Binary(op, a, b) => match (&**a, &**b) {
            (Expr::Read(t), Expr::Const(c)) => (*op, t, *c),
            (Expr::Const(c), Expr::Read(t)) => match op.mirror() {
                Some(op) => (op, t, *c),
                None => return,
            },
            _ => return,
        },
        _ => return,
    };
    if target.index.is_some() {
        return;
    }
    let (lo, hi) = known.get(&target.first).copied().unwrap_or_else(|| range(target, objects));
    let (lo, hi) = match (op, holds) {
        (Binary::Eq, true) | (Binary::Ne, false) => (lo.max(c), hi.min(c)),
        (Binary::Lt, true) | (Binary::Ge, false) => (lo, hi.min(c.saturating_sub(1))),
        (Binary::Le, true) | (Binary::Gt, false) => (lo, hi.min(c)),
        (Binary::Gt, true) | (Binary::Le, false) => (lo.max(c.saturating_add(1)), hi),
        (Binary::Ge, true) | (Binary::Lt, false) => (lo.max(c), hi),
        (Binary::Ne, true) | (Binary::Eq, false) => (lo + i64::from(c == lo), hi - i64::from(c == hi)),
        _ => return,
    };
    if lo <= hi {
        known.insert(target.first, (lo, hi));
    }
}

/// What is known after an operation.
fn remember(command: &Command, objects: &[Object], known: &mut Known) {
    match command {
        Command::Take(t, k) if t.index.is_none() => {
            let read = bounds_knowing(&Expr::Read(t.clone()), objects, known);
            if let Some((_, hi)) = read {
                known.insert(t.first, (0, (hi - i64::from(*k)).max(0)));
            }
        }
        command => command.written().flat_map(Target::objects).for_each(|o| _ = known.remove(&o)),
    }
}
