//! Guards and commands as straight-line code over packed states, made once, before any search.
//!
//! Most guards compare a field with a constant and most commands write constants; several such tests, or writes, to the
//! same word become one masked comparison (`test`), or one masked store (`step`).

mod observer;
mod queue;
mod step;
mod test;

pub(crate) use test::Test;

use observer::ObserverProgram;
use step::Step;

use crate::code::{Code, Coder};
use crate::control::Control;
use crate::layout::Layout;
use crate::objects::Object;
use crate::{Expr, Fault, LocationId, System, Transition, TransitionId};

/// The compiled system.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    tests: Vec<Test>,
    steps: Vec<Step>,
    /// For each transition, and one past the last, where its tests and its steps begin.
    starts: Vec<(u32, u32)>,
    /// For each location of each process, its transitions, as ranges of `candidates`.
    pub(crate) candidates: Vec<TransitionId>,
    pub(crate) ranges: Vec<(u32, u32)>,
    /// The first entry of each process in `ranges`; one past the last process are the transitions without process.
    pub(crate) bases: Vec<u32>,
    /// Of each transition: its group (a process, or the number of processes) and its position in `candidates`.
    pub(crate) slots: Vec<(u32, u32)>,
    observer: Option<ObserverProgram>,
    /// Only where some location holds, or some transition is a last resort.
    pub(crate) control: Option<Box<Control>>,
    /// What must be true, besides, where processes stop for good.
    stop: Vec<Code>,
}

impl Program {
    pub(crate) fn new(system: &System) -> Self {
        let compiler = Compiler { layout: &system.layout, objects: &system.objects };
        let mut program = Program::default();
        for transition in &system.transitions {
            program.starts.push((program.tests.len() as u32, program.steps.len() as u32));
            program.tests.extend(compiler.tests(transition));
            program.steps.extend(compiler.steps(transition));
        }
        program.starts.push((program.tests.len() as u32, program.steps.len() as u32));
        program.index(system);
        program.control = Control::new(system, &mut program.candidates);
        program.stop = system.stop.iter().map(|e| compiler.coder().code(e)).collect();
        program.observer = system.observer.as_ref().map(|o| compiler.observer(o, system.transitions.len()));
        program
    }

    fn index(&mut self, system: &System) {
        let mut groups: Vec<Vec<TransitionId>> = Vec::new();
        for process in &system.processes {
            self.bases.push(groups.len() as u32);
            groups.resize(groups.len() + process.locations.len(), Vec::new());
        }
        self.bases.push(groups.len() as u32);
        groups.push(Vec::new());
        self.slots = vec![(0, 0); system.transitions.len()];
        let ordinary = |&(_, t): &(usize, &Transition)| !t.last_resort;
        for (i, transition) in system.transitions.iter().enumerate().filter(ordinary) {
            let (process, location) = match transition.moves.first() {
                Some(m) => (m.process.index(), m.from.index()),
                None => (system.processes.len(), 0),
            };
            groups[self.bases[process] as usize + location].push(TransitionId::new(i));
            self.slots[i].0 = process as u32;
        }
        for group in groups {
            let start = self.candidates.len() as u32;
            for (k, &t) in group.iter().enumerate() {
                self.slots[t.index()].1 = start + k as u32;
            }
            self.candidates.extend(group);
            self.ranges.push((start, self.candidates.len() as u32));
        }
    }

    /// Whether the transition's processes are there, its guard is true and its operations are defined.
    pub(crate) fn enabled(&self, t: TransitionId, state: &[u64], layout: &Layout) -> Result<bool, Fault> {
        self.enabled_but(0, t, state, layout)
    }

    /// The same without some tests: the first one says where the first process is, which may be known.
    #[inline]
    pub(crate) fn enabled_but(
        &self,
        known: u32,
        t: TransitionId,
        state: &[u64],
        layout: &Layout,
    ) -> Result<bool, Fault> {
        let (from, to) = (self.starts[t.index()].0 + known, self.starts[t.index() + 1].0);
        for test in &self.tests[from as usize..to as usize] {
            if !test.holds(state, layout)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Runs an enabled transition's command on `state`, in place.
    #[inline]
    pub(crate) fn run(&self, t: TransitionId, state: &mut [u64], layout: &Layout) -> Result<(), Fault> {
        let (from, to) = (self.starts[t.index()].1, self.starts[t.index() + 1].1);
        for step in &self.steps[from as usize..to as usize] {
            step.run(state, layout)?;
        }
        Ok(())
    }

    /// Whether processes may stop for good, as far as that depends on objects.
    pub(crate) fn may_stop(&self, state: &[u64], layout: &Layout) -> bool {
        self.stop.iter().all(|code| code.eval(state, layout).is_ok_and(|value| value != 0))
    }

    /// Moves the observer along with a transition that led to `state`; `free`: nobody has control there.
    pub(crate) fn observe(&self, t: TransitionId, state: &mut [u64], layout: &Layout, free: bool) -> Result<(), Fault> {
        match &self.observer {
            None => Ok(()),
            Some(observer) => observer.step(t, state, layout, free),
        }
    }
}

/// Compiles the parts of one system.
pub(crate) struct Compiler<'a> {
    pub(crate) layout: &'a Layout,
    pub(crate) objects: &'a [Object],
}

impl Compiler<'_> {
    fn coder(&self) -> Coder<'_> {
        Coder { layout: self.layout, objects: self.objects }
    }
}

/// A predicate on the states of one system, compiled.
#[derive(Clone, Debug)]
pub struct Predicate(Code);

impl Predicate {
    /// Whether the predicate is true in a state of the system that it was compiled for.
    pub fn holds(&self, system: &System, state: &[u64]) -> Result<bool, Fault> {
        Ok(self.value(system, state)? != 0)
    }

    /// The number that the expression is in a state of the system that it was compiled for.
    pub fn value(&self, system: &System, state: &[u64]) -> Result<i64, Fault> {
        self.0.eval(state, &system.layout)
    }
}

impl System {
    /// Compiles an expression for this system's states.
    pub fn predicate(&self, expr: &Expr) -> Predicate {
        Predicate(Coder { layout: &self.layout, objects: &self.objects }.code(expr))
    }

    /// The location of the observer, in a system that has one.
    pub fn observer_location(&self, state: &[u64]) -> Option<LocationId> {
        self.layout.observer.map(|f| LocationId(f.get(state) as u32))
    }
}
