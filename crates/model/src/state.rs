//! States and steps: `initial`, `enabled`, `fire`, and looking into packed states.

use std::ops::Range;

use crate::objects::{Kind, Value};
use crate::{Fault, LocationId, ObjectId, ProcessId, System, TransitionId};

/// A packed state: as many words as [`System::words`] says.
pub type State = [u64];

impl System {
    /// The number of words of a state.
    pub fn words(&self) -> usize {
        self.layout.words()
    }

    /// The initial state.
    pub fn initial_state(&self) -> Vec<u64> {
        let mut state = vec![0; self.words()];
        for (field, process) in self.layout.locations.iter().zip(&self.processes) {
            field.set(&mut state, i64::from(process.initial.0));
        }
        for (i, object) in self.objects.iter().enumerate() {
            self.write(ObjectId::new(i), &object.initial, &mut state);
        }
        if let (Some(field), Some(observer)) = (self.layout.observer, &self.observer) {
            field.set(&mut state, i64::from(observer.initial.0));
        }
        state
    }

    /// Writes a value that the object admits; the bits of a channel must be zero before.
    pub(crate) fn write(&self, object: ObjectId, value: &Value, state: &mut [u64]) {
        let field = self.layout.scalars[object.index()];
        match value {
            Value::Int(v) => field.set(state, *v),
            Value::Lock(holder) => field.set(state, holder.map_or(0, |p| i64::from(p.0) + 1)),
            Value::Queue(messages) => {
                field.set(state, messages.len() as i64);
                for (i, message) in messages.iter().enumerate() {
                    for (lane, v) in self.layout.channel(object).lanes.iter().zip(message) {
                        lane.set(state, i as u32, *v);
                    }
                }
            }
        }
    }

    /// Makes the bits of a channel zero.
    pub(crate) fn clear(&self, object: ObjectId, state: &mut [u64]) {
        if let Kind::Channel(channel) = &self.object(object).kind {
            for lane in &self.layout.channel(object).lanes {
                (0..channel.capacity).for_each(|i| lane.clear(state, i));
            }
        }
    }

    /// Where a process is.
    pub fn location(&self, process: ProcessId, state: &State) -> LocationId {
        self.layout.location(process, state)
    }

    /// The value of an object.
    pub fn value(&self, object: ObjectId, state: &State) -> Value {
        let scalar = self.layout.scalars[object.index()].get(state);
        match &self.object(object).kind {
            Kind::Variable(_) | Kind::Semaphore { .. } | Kind::Counter { .. } => Value::Int(scalar),
            Kind::Lock => Value::Lock((scalar > 0).then(|| ProcessId(scalar as u32 - 1))),
            Kind::Channel(_) => {
                let lanes = &self.layout.channel(object).lanes;
                Value::Queue((0..scalar as u32).map(|i| lanes.iter().map(|l| l.get(state, i)).collect()).collect())
            }
        }
    }

    /// Whether a transition is enabled: its processes are there, its guard is true, its operations are defined, and
    /// nobody else has control; see [`System::control`]. For a last resort, nothing else is enabled.
    pub fn is_enabled(&self, t: TransitionId, state: &State) -> Result<bool, Fault> {
        match &self.program.control {
            None => self.program.enabled(t, state, &self.layout),
            Some(control) => self.is_enabled_under(control, t, state),
        }
    }

    /// Fires an enabled transition: writes the successor of `state` to `next`. The observer, if any, moves along.
    pub fn fire(&self, t: TransitionId, state: &State, next: &mut State) -> Result<(), Fault> {
        next.copy_from_slice(state);
        self.fire_in_place(t, next)
    }

    /// The same on the state itself, for runs through states that are too large to be copied at every step. What is
    /// left of the state after a fault is of no use.
    pub fn fire_in_place(&self, t: TransitionId, state: &mut State) -> Result<(), Fault> {
        self.program.run(t, state, &self.layout)?;
        if let Some(control) = &self.program.control {
            self.pass_control(control, t, state)?;
        }
        self.program.observe(t, state, &self.layout, self.control(state).is_none())
    }

    /// The enabled transitions, in order. A transition whose guard is a fault is given as such.
    pub fn enabled<'a>(&'a self, state: &'a State) -> Enabled<'a> {
        match &self.program.control {
            None => Enabled::all(self, state),
            Some(control) => Enabled::under(self, control, state),
        }
    }

    /// The enabled transitions that come after `t`, which must be one that [`System::enabled`] gave for this state.
    pub fn enabled_after<'a>(&'a self, t: TransitionId, state: &'a State) -> Enabled<'a> {
        match &self.program.control {
            None => Enabled::all_after(self, t, state),
            Some(control) => Enabled::under_after(self, control, t, state),
        }
    }

    /// Whether every process is at a location where it may stop for good. Never true without processes: a plain net
    /// that stands still is stuck.
    pub fn at_end(&self, state: &State) -> bool {
        !self.processes.is_empty()
            && self.process_ids().all(|p| self.may_stop(p, state))
            && self.program.may_stop(state, &self.layout)
    }

    /// Whether a process is at a location where it may stop for good.
    pub fn may_stop(&self, process: ProcessId, state: &State) -> bool {
        self.process(process).locations[self.location(process, state).index()].end
    }

    /// Of each word of a state, how many bits are used, from the lowest on; the others are always zero.
    pub fn used_bits(&self) -> &[u32] {
        self.layout.used()
    }

    /// The size of a packed state, in bits, rounded up to words.
    pub fn state_bits(&self) -> u64 {
        self.layout.bits()
    }
}

/// Iterator over the enabled transitions of a state.
#[derive(Clone, Debug)]
pub struct Enabled<'a> {
    system: &'a System,
    state: &'a State,
    /// The process whose transitions are being tried; the number of processes for those without process.
    group: u32,
    next: u32,
    last: u32,
    /// How many tests of each are known to hold; see [`crate::compile::Program::enabled_but`].
    known: u32,
    /// Whether nothing was found so far, so that last resorts come into question.
    desperate: bool,
}

impl<'a> Enabled<'a> {
    /// Those of all processes; if there are none, the last resorts.
    #[inline]
    pub(crate) fn all(system: &'a System, state: &'a State) -> Self {
        let mut enabled = Enabled { system, state, group: 0, next: 0, last: 0, known: 0, desperate: true };
        enabled.enter(0);
        enabled
    }

    /// Those of all processes that come after `t`.
    #[inline]
    pub(crate) fn all_after(system: &'a System, t: TransitionId, state: &'a State) -> Self {
        let (group, slot) = system.program.slots[t.index()];
        let mut enabled = Enabled { system, state, group, next: 0, last: 0, known: 0, desperate: false };
        enabled.enter(group);
        enabled.next = slot + 1;
        enabled
    }

    /// Those among some candidates.
    pub(crate) fn among(system: &'a System, candidates: Range<u32>, state: &'a State) -> Self {
        let group = system.processes.len() as u32;
        Enabled { system, state, group, next: candidates.start, last: candidates.end, known: 0, desperate: false }
    }

    /// Whether only last resorts are left, if anything.
    pub(crate) fn leaves_last_resorts(mut self) -> bool {
        self.desperate && self.ordinary().is_none()
    }

    #[inline]
    fn enter(&mut self, group: u32) {
        let program = &self.system.program;
        let (location, known) = match self.system.layout.locations.get(group as usize) {
            Some(field) => (field.get(self.state) as u32, 1),
            None => (0, 0),
        };
        let range = program.ranges[(program.bases[group as usize] + location) as usize];
        (self.group, self.next, self.last, self.known) = (group, range.0, range.1, known);
    }

    /// The next one before the last resorts.
    #[inline]
    fn ordinary(&mut self) -> Option<Result<TransitionId, (TransitionId, Fault)>> {
        let system = self.system;
        loop {
            while self.next < self.last {
                let t = system.program.candidates[self.next as usize];
                self.next += 1;
                match system.program.enabled_but(self.known, t, self.state, &system.layout) {
                    Ok(false) => {}
                    Ok(true) => return Some(Ok(t)),
                    Err(fault) => return Some(Err((t, fault))),
                }
            }
            if self.group as usize == system.processes.len() {
                return None;
            }
            self.enter(self.group + 1);
        }
    }
}

impl Iterator for Enabled<'_> {
    type Item = Result<TransitionId, (TransitionId, Fault)>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let found = self.ordinary();
        if found.is_some() || !self.desperate {
            self.desperate = false;
            return found;
        }
        let control = self.system.program.control.as_ref()?;
        *self = Self::among(self.system, control.resorts.clone(), self.state);
        self.ordinary()
    }
}
