//! Which transitions can never be a fault, whatever the state: a static analysis, sound and coarse.
//!
//! A search that only looks for deadlocks may leave out transitions for good, and with them their faults. It is exact
//! for systems of which this analysis shows that no transition can be one. A value is bounded by its domain and by the
//! comparisons with constants in the guard; a release is lawful if the locations of its process tell that it holds
//! the lock.

use crate::bounds::{bounds, bounds_knowing};
use crate::holders::LockUses;
use crate::known::{Known, learn, range, remember};
use crate::objects::{Kind, Object};
use crate::system::Hold;
use crate::{Command, Expr, ObjectId, Pattern, Proposition, System, Target, Temporal, Transition};

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
            learn(conjunct, &self.objects, &mut known);
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
