//! A run under construction: the states so far, what is enabled now, and why the rest is not.

use std::fmt::Write as _;

use explain::{SourceText, Step, operations, why_disabled};
use model::{Fault, System, TransitionId};

use formats::figures::show_number;

/// A system and the run so far.
#[derive(Debug)]
pub(crate) struct Stepper<'a> {
    system: &'a System,
    states: Vec<Vec<u64>>,
}

/// Something that can be chosen.
#[derive(Clone, Debug)]
pub(crate) enum Choice {
    /// An enabled transition.
    Step(TransitionId),
    /// A transition whose guard is a model error.
    Fault(TransitionId, String),
}

impl<'a> Stepper<'a> {
    /// At the initial state.
    pub(crate) fn new(system: &'a System) -> Self {
        Self { system, states: vec![system.initial_state()] }
    }

    /// The current state.
    pub(crate) fn state(&self) -> &[u64] {
        self.states.last().expect("the initial state is never undone")
    }

    /// Everything that can be chosen, in order.
    pub(crate) fn choices(&self) -> Vec<Choice> {
        let choice = |enabled: Result<TransitionId, (TransitionId, Fault)>| match enabled {
            Ok(t) => Choice::Step(t),
            Err((t, fault)) => Choice::Fault(t, fault.show(self.system)),
        };
        self.system.enabled(self.state()).map(choice).collect()
    }

    /// The enabled transitions.
    pub(crate) fn steps(&self) -> Vec<TransitionId> {
        self.system.enabled(self.state()).filter_map(Result::ok).collect()
    }

    /// Takes an enabled transition, or one whose guard is a model error: that is the answer then.
    pub(crate) fn fire(&mut self, t: TransitionId, source: &SourceText) -> Result<Step, Fault> {
        let mut next = vec![0; self.system.words()];
        let told = |fault| self.system.told(t, self.state(), fault);
        let enabled = self.system.is_enabled(t, self.state())?;
        assert!(enabled, "only what can be chosen is taken");
        self.system.fire(t, self.state(), &mut next).map_err(told)?;
        let step = Step::taken(self.system, source, (self.states.len(), t), (self.state(), &next));
        self.states.push(next);
        Ok(step)
    }

    /// Goes back one step, if there is one.
    pub(crate) fn undo(&mut self) -> bool {
        let possible = self.states.len() > 1;
        if possible {
            self.states.pop();
        }
        possible
    }

    /// Where everybody is and what everything holds.
    pub(crate) fn show_state(&self) -> String {
        let (system, state) = (self.system, self.state());
        let mut out = format!("state after {}\n", show_number(self.states.len() as u64 - 1, "step"));
        for p in system.process_ids() {
            let process = system.process(p);
            let location = &process.locations[system.location(p, state).index()];
            let end = if location.end { " (may stop here)" } else { "" };
            writeln!(out, "  {} at {}{end}", process.name, location.name).expect("writing to a string cannot fail");
        }
        for o in system.object_ids() {
            let value = system.show_value(o, &system.value(o, state));
            writeln!(out, "  {} = {value}", system.object(o).name).expect("writing to a string cannot fail");
        }
        out
    }

    /// What can be chosen, numbered from 1.
    pub(crate) fn show_choices(&self) -> String {
        let mut out = String::new();
        for (i, choice) in self.choices().iter().enumerate() {
            let line = match choice {
                Choice::Step(t) => self.show_transition(*t),
                Choice::Fault(t, fault) => format!("{} (model error: {fault})", self.show_transition(*t)),
            };
            writeln!(out, "  {}. {line}", i + 1).expect("writing to a string cannot fail");
        }
        if out.is_empty() {
            let end = self.system.at_end(self.state());
            out.push_str(if end {
                "nothing is enabled; every process may stop here\n"
            } else {
                "deadlock: nothing is enabled\n"
            });
        }
        out
    }

    fn show_transition(&self, t: TransitionId) -> String {
        let t = self.system.transition(t);
        let operations = operations(self.system, t);
        if operations.is_empty() { t.name.clone() } else { format!("{}: {}", t.name, operations.join(", ")) }
    }

    /// The other transitions of the current locations, and why they are disabled.
    pub(crate) fn disabled(&self) -> impl Iterator<Item = (TransitionId, Vec<String>)> {
        let (system, state) = (self.system, self.state());
        let here = move |id: &TransitionId| {
            let moves = &system.transition(*id).moves;
            moves.is_empty() || moves.iter().any(|m| system.location(m.process, state) == m.from)
        };
        let all = system.transition_ids().filter(here).map(move |id| (id, why_disabled(system, id, state)));
        all.filter(|(_, reasons)| !reasons.is_empty())
    }

    /// The same as text.
    pub(crate) fn show_disabled(&self) -> String {
        let mut out = String::new();
        for (id, reasons) in self.disabled() {
            let name = &self.system.transition(id).name;
            writeln!(out, "  {name}: {}", reasons.join("; ")).expect("writing to a string cannot fail");
        }
        if out.is_empty() { "nothing else could happen here\n".to_owned() } else { out }
    }
}
