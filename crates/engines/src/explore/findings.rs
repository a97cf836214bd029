//! What a thread of a search has found: figures, and states that show something.

use std::io;

use evidence::Firing;
use model::{State, System, TransitionId};

use super::search::Goal;
use crate::sealed::{Reader, Writer};

/// A state that shows something. Of several, the least is told, so that it does not matter who is quicker.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Lead {
    /// How many steps of the search lead to what it shows.
    pub(super) length: u64,
    pub(super) state: Vec<u64>,
    /// The step from there, where that is what goes wrong.
    pub(super) last: Option<TransitionId>,
    /// The waypoint that the state was reached through.
    pub(super) waypoint: u32,
}

impl Lead {
    fn save(&self, to: &mut Writer) -> io::Result<()> {
        to.word(self.length)?;
        to.numbers::<8>(self.state.iter().copied())?;
        to.word(self.last.map_or(0, |t| u64::from(t.0) + 1))?;
        to.word(self.waypoint.into())
    }

    fn load(from: &mut Reader) -> io::Result<Self> {
        let (length, state) = (from.word()?, from.numbers::<8>()?);
        let last = from.word()?.checked_sub(1).map(|t| TransitionId(t as u32));
        Ok(Self { length, state, last, waypoint: from.word()? as u32 })
    }
}

/// How much was counted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    deadlocks: u64,
    transitions: u64,
    passed: u64,
    every: usize,
    bytes: u64,
}

/// What was found.
#[derive(Clone, Debug)]
pub(super) struct Findings {
    /// By question: a state that is the goal, and one where the question is a fault.
    pub(super) met: Vec<Option<Lead>>,
    pub(super) faults: Vec<Option<Lead>>,
    /// A step that is a model error.
    pub(super) error: Option<Lead>,
    /// Every deadlock, if they are listed.
    pub(super) every: Option<Vec<Lead>>,
    pub(super) deadlocks: u64,
    pub(super) transitions: u64,
    /// How many of these were taken by somebody who goes on alone.
    pub(super) passed: u64,
    pub(super) stored: u64,
    /// How many states were stored though somebody has control.
    pub(super) held: u64,
    pub(super) fired: Vec<Firing>,
    /// The bytes of the list of deadlocks.
    pub(super) bytes: u64,
}

impl Findings {
    pub(super) fn new(questions: usize, transitions: usize, list: bool) -> Self {
        Self {
            met: vec![None; questions],
            faults: vec![None; questions],
            error: None,
            every: list.then(Vec::new),
            deadlocks: 0,
            transitions: 0,
            passed: 0,
            stored: 0,
            held: 0,
            fired: vec![Firing::Never; transitions],
            bytes: 0,
        }
    }

    /// Takes note of a transition that was fired.
    #[inline]
    pub(super) fn fired(&mut self, t: TransitionId) {
        self.transitions += 1;
        self.fired[t.index()] = Firing::Taken;
    }

    /// Asks the questions about a new state.
    #[inline]
    pub(super) fn look(&mut self, system: &System, goals: &[&Goal], state: &State, (length, waypoint): (u64, u32)) {
        for (i, goal) in goals.iter().enumerate() {
            match goal.is_met(system, state) {
                Ok(false) => {}
                Ok(true) => note(&mut self.met[i], state, None, (length, waypoint)),
                Err(_) => note(&mut self.faults[i], state, None, (length, waypoint)),
            }
        }
    }

    /// Takes note of a state without enabled transitions that is not an end.
    #[cold]
    pub(super) fn deadlock(&mut self, goals: &[&Goal], state: &State, at: (u64, u32)) {
        self.deadlocks += 1;
        for (i, goal) in goals.iter().enumerate() {
            if let Goal::Deadlock = goal {
                note(&mut self.met[i], state, None, at);
            }
        }
        if let Some(every) = &mut self.every {
            self.bytes += 8 * state.len() as u64 + 64;
            every.push(Lead { length: at.0, state: state.to_vec(), last: None, waypoint: at.1 });
        }
    }

    /// Takes note of a step from a state after which a transition, perhaps a later one, is a model error.
    #[cold]
    pub(super) fn error(
        &mut self,
        state: &State,
        t: TransitionId,
        wrong: TransitionId,
        (length, waypoint): (u64, u32),
    ) {
        self.fired[wrong.index()] = self.fired[wrong.index()].max(Firing::OnlyErrors);
        note(&mut self.error, state, Some(t), (length + 1, waypoint));
    }

    /// Adds what another thread found.
    pub(super) fn join(&mut self, other: Findings) {
        let least = |a: &mut Option<Lead>, b: Option<Lead>| *a = a.take().into_iter().chain(b).min();
        self.met.iter_mut().zip(other.met).for_each(|(a, b)| least(a, b));
        self.faults.iter_mut().zip(other.faults).for_each(|(a, b)| least(a, b));
        least(&mut self.error, other.error);
        if let (Some(a), Some(b)) = (&mut self.every, other.every) {
            a.extend(b);
            a.sort_unstable();
        }
        self.deadlocks += other.deadlocks;
        self.transitions += other.transitions;
        self.passed += other.passed;
        self.stored += other.stored;
        self.held += other.held;
        self.bytes += other.bytes;
        self.fired.iter_mut().zip(other.fired).for_each(|(a, b)| *a = (*a).max(b));
    }

    /// How much was counted so far.
    pub(super) fn mark(&self) -> Mark {
        let every = self.every.as_ref().map_or(0, Vec::len);
        Mark { deadlocks: self.deadlocks, transitions: self.transitions, passed: self.passed, every, bytes: self.bytes }
    }

    /// Forgets what was counted since. What was found is true all the same, and found again.
    #[cold]
    pub(super) fn back_to(&mut self, mark: Mark) {
        (self.deadlocks, self.transitions, self.passed) = (mark.deadlocks, mark.transitions, mark.passed);
        self.bytes = mark.bytes;
        self.every.iter_mut().for_each(|every| every.truncate(mark.every));
    }

    pub(super) fn save(&self, to: &mut Writer) -> io::Result<()> {
        for number in [self.deadlocks, self.transitions, self.passed, self.stored, self.held, self.bytes] {
            to.word(number)?;
        }
        to.numbers::<8>(self.fired.iter().map(|f| *f as u64))?;
        for lead in self.met.iter().chain(&self.faults).chain([&self.error]) {
            to.word(lead.is_some().into())?;
            lead.iter().try_for_each(|lead| lead.save(to))?;
        }
        to.word(self.every.as_ref().map_or(0, Vec::len) as u64)?;
        self.every.iter().flatten().try_for_each(|lead| lead.save(to))
    }

    /// Takes over what a search for the same goals has found.
    pub(super) fn load(&mut self, from: &mut Reader) -> io::Result<()> {
        let Self { deadlocks, transitions, passed, stored, held, bytes, .. } = self;
        for number in [deadlocks, transitions, passed, stored, held, bytes] {
            *number = from.word()?;
        }
        let mut fired = self.fired.iter_mut();
        from.each::<8>(|number| {
            let firing = [Firing::Never, Firing::OnlyErrors, Firing::Taken].into_iter().find(|f| *f as u64 == number);
            fired.by_ref().take(1).for_each(|f| *f = firing.unwrap_or(Firing::Never));
        })?;
        for place in self.met.iter_mut().chain(&mut self.faults).chain([&mut self.error]) {
            *place = if from.word()? == 1 { Some(Lead::load(from)?) } else { None };
        }
        for _ in 0..from.word()? {
            let lead = Lead::load(from)?;
            self.every.iter_mut().for_each(|every| every.push(lead.clone()));
        }
        Ok(())
    }

    /// All states that show something, in an order of their own.
    pub(super) fn leads(&self) -> impl Iterator<Item = &Lead> {
        self.met.iter().chain(&self.faults).flatten().chain(&self.error).chain(self.every.iter().flatten())
    }
}

/// Keeps a state if it is the least.
fn note(place: &mut Option<Lead>, state: &State, last: Option<TransitionId>, (length, waypoint): (u64, u32)) {
    let is_less =
        |lead: &Lead| (length, state, last, waypoint) < (lead.length, &lead.state[..], lead.last, lead.waypoint);
    if place.as_ref().is_none_or(is_less) {
        *place = Some(Lead { length, state: state.to_vec(), last, waypoint });
    }
}
