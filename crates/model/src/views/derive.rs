//! The network of a system: processes and objects become components, transitions become rules.
//!
//! A transition whose conjuncts and operations each use one object gives one rule: the event of an object is the set of
//! its value changes under which everything on it succeeds. Objects that are used jointly (`x := y`) give one rule for
//! each product of moves that `cubes` finds, and an index gives one `case` for each value that it depends on.
//!
//! Faults: rules marked `fault`, enabled exactly where the step is a model error (see `probe` for the order of tests).
//! An object that has one value in all states, whether or not anything tests it, is left out of the network.

use std::sync::Arc;

use super::cases::{Case, cases};
use super::closure::{close, ranges, too_many_cases};
use super::network::{Automaton, LocalState, Network, Origin};
use super::probe::{Group, Probe, groups};
use super::product::{choices, each_choice};
use super::rules::{Part, Piece, Table, Writer};
use super::values::Values;
use super::{ComponentId, Limits, StateId, ViewError};
use crate::objects::Value;
use crate::{ObjectId, System, TransitionId};

impl System {
    /// This system as a network. Refused for systems with an observer, which would take part in every rule.
    pub fn network(&self, limits: &Limits<'_>) -> Result<Network, ViewError> {
        if self.observer.is_some() {
            return Err(ViewError::new("a system with an observer has no network"));
        }
        self.without_control("network")?;
        let mut derivation = Derivation::new(self, *limits)?;
        let mut writer = derivation.components()?;
        for t in self.transition_ids() {
            limits.goes_on(t.index())?;
            for piece in derivation.pieces(t)? {
                writer.piece(&piece)?;
            }
        }
        writer.finish()
    }
}

struct Derivation<'a> {
    system: &'a System,
    limits: Limits<'a>,
    values: Values<'a>,
    probe: Probe,
}

impl<'a> Derivation<'a> {
    fn new(system: &'a System, limits: Limits<'a>) -> Result<Self, ViewError> {
        let (mut values, mut probe) = (Values::new(system, limits), Probe::new(system));
        close(system, limits, &mut values, &mut probe)?;
        values.sort();
        Ok(Self { system, limits, values, probe })
    }

    fn cases(&self, t: TransitionId) -> Result<Vec<Case>, ViewError> {
        let limit = self.limits.valuations;
        cases(self.system, self.system.transition(t), &self.values, limit)
            .ok_or_else(|| too_many_cases(self.system, t, limit))
    }

    /// The components, without events: one for each process, then one for each object that changes.
    fn components(&self) -> Result<Writer<'a>, ViewError> {
        let mut parts: Vec<Part> = self.system.process_ids().map(|p| process_part(self.system, p)).collect();
        let mut component = vec![None; self.system.objects().len()];
        for o in self.system.object_ids().filter(|&o| !self.values.is_constant(o)) {
            component[o.index()] = Some(ComponentId::new(parts.len()));
            parts.push(self.object_part(o));
        }
        let (total, limit) = (parts.iter().map(|p| p.automaton.states.len()).sum::<usize>(), self.limits.states);
        if total > limit {
            let message = format!("processes and objects have {total} local states; at most {limit} are expanded");
            return Err(ViewError::new(message));
        }
        Ok(Writer { system: self.system, component, limit: self.limits.rules, parts, rules: Vec::new() })
    }

    fn object_part(&self, object: ObjectId) -> Part {
        // Where there are processes, only they decide whether a standstill is an end.
        let end = !self.system.processes().is_empty();
        let values = self.values.all(object).to_vec();
        let states = values.iter().map(|v| LocalState { name: self.system.show_value(object, v), end }).collect();
        let initial = StateId::new(self.values.number(object, &self.system.object(object).initial));
        let name = self.system.object(object).name.clone();
        let origin = Origin::Object { object, values };
        Part::new(Automaton { name, origin, states, initial, events: vec![], moves: vec![] })
    }

    /// The cases of a transition with the tables of their groups.
    fn pieces(&mut self, t: TransitionId) -> Result<Vec<Piece>, ViewError> {
        let name: Arc<str> = self.system.transition(t).name.as_str().into();
        let mut pieces = Vec::new();
        for case in self.cases(t)? {
            let groups = groups(&case);
            let tables = groups.iter().map(|g| self.table(t, &case.fixed, g)).collect::<Result<_, _>>()?;
            pieces.push(Piece { t, name: name.clone(), groups, tables });
        }
        Ok(pieces)
    }

    fn table(&mut self, t: TransitionId, fixed: &[(ObjectId, usize)], group: &Group) -> Result<Table, ViewError> {
        let (bases, sizes) = ranges(self.system, self.limits, &self.values, t, (fixed, group))?;
        self.probe.load(group);
        let mut table = Vec::with_capacity(choices(&sizes));
        each_choice(&sizes, |choice| {
            let numbers: Vec<usize> = choice.iter().zip(&bases).map(|(k, base)| k + base).collect();
            let outcome = self.probe.run(group, &numbers, &self.values);
            let number = |(o, value): (&ObjectId, Value)| self.values.number(*o, &value);
            let outcome = outcome.map(|next| group.objects.iter().zip(next).map(number).collect());
            table.push((numbers, outcome));
            Ok(())
        })?;
        Ok(table)
    }
}

fn process_part(system: &System, id: crate::ProcessId) -> Part {
    let process = system.process(id);
    let states = process.locations.iter().map(|l| LocalState { name: l.name.clone(), end: l.end }).collect();
    let (name, initial) = (process.name.clone(), StateId(process.initial.0));
    Part::new(Automaton { name, origin: Origin::Process(id), states, initial, events: vec![], moves: vec![] })
}
