//! The network of a system: processes and objects become components, transitions become rules.
//!
//! A transition whose conjuncts and operations each use one object gives one rule: the event of an object is the set of
//! its value changes under which everything on it succeeds. Objects that are used jointly (`x := y`) give one rule for
//! each product of moves that `cubes` finds, and an index gives one `case` for each value that it depends on.
//!
//! Faults: rules marked `fault`, enabled exactly where the step is a model error (see `probe` for the order of tests).
//! An object that has one value in all states, whether or not anything tests it, is left out of the network.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::cases::{Case, cases};
use super::network::{Automaton, LocalState, Network, Origin};
use super::probe::{Group, Outcome, Probe, groups, objects_of, touched};
use super::product::{choices, each_choice};
use super::rules::{Part, Piece, Table, Writer};
use super::values::Values;
use super::{ComponentId, Limits, StateId, ViewError};
use crate::objects::Value;
use crate::{ObjectId, System, Transition, TransitionId};

impl System {
    /// This system as a network. Refused for systems with an observer, which would take part in every rule.
    pub fn network(&self, limits: &Limits) -> Result<Network, ViewError> {
        if self.observer.is_some() {
            return Err(ViewError::new("a system with an observer has no network"));
        }
        let mut derivation = Derivation::new(self, *limits);
        derivation.close()?;
        derivation.values.sort();
        let mut writer = derivation.components()?;
        for t in self.transition_ids() {
            for piece in derivation.pieces(t)? {
                writer.piece(&piece)?;
            }
        }
        writer.finish()
    }
}

struct Derivation<'a> {
    system: &'a System,
    limits: Limits,
    values: Values<'a>,
    probe: Probe,
    /// For every group that was run: how many values of each object it has seen.
    seen: HashMap<GroupKey, Vec<usize>>,
}

/// A transition, what its case fixes, and the position of the group in the case.
type GroupKey = (TransitionId, Vec<(ObjectId, usize)>, usize);

impl<'a> Derivation<'a> {
    fn new(system: &'a System, limits: Limits) -> Self {
        let (values, probe) = (Values::new(system, limits), Probe::new(system));
        Self { system, limits, values, probe, seen: HashMap::new() }
    }

    /// Finds all values, running transitions until none gives a new one.
    fn close(&mut self) -> Result<(), ViewError> {
        let used: Vec<BTreeSet<ObjectId>> = self.system.transitions().iter().map(objects_used).collect();
        let mut sizes = vec![None; used.len()];
        loop {
            let mut changed = false;
            for t in self.system.transition_ids() {
                let size: usize = used[t.index()].iter().map(|&o| self.values.len(o)).sum();
                if sizes[t.index()].replace(size) != Some(size) {
                    changed = true;
                    self.widen(t)?;
                }
            }
            if !changed {
                return Ok(());
            }
        }
    }

    fn widen(&mut self, t: TransitionId) -> Result<(), ViewError> {
        for case in self.cases(t)? {
            for (i, group) in groups(&case).iter().enumerate() {
                self.probe.load(group);
                while self.widen_group((t, case.fixed.clone(), i), group)? {}
            }
        }
        Ok(())
    }

    /// Runs a group on the valuations that it has not seen; whether there were any.
    fn widen_group(&mut self, key: GroupKey, group: &Group) -> Result<bool, ViewError> {
        let (bases, sizes) = self.ranges(key.0, &key.1, group)?;
        let seen = self.seen.insert(key, sizes.clone());
        if seen.as_ref() == Some(&sizes) {
            return Ok(false);
        }
        each_choice(&sizes, |choice| {
            if seen.as_ref().is_some_and(|seen| choice.iter().zip(seen).all(|(k, n)| k < n)) {
                return Ok(());
            }
            let numbers: Vec<usize> = choice.iter().zip(&bases).map(|(k, base)| k + base).collect();
            if let Outcome::Step(next) = self.probe.run(group, &numbers, &self.values) {
                for (&o, value) in group.objects.iter().zip(next) {
                    self.values.insert(o, value)?;
                }
            }
            Ok(())
        })?;
        Ok(true)
    }

    fn cases(&self, t: TransitionId) -> Result<Vec<Case>, ViewError> {
        let transition = self.system.transition(t);
        let limit = self.limits.valuations;
        cases(self.system, transition, &self.values, limit).ok_or_else(|| {
            let message =
                format!("the indices in `{}` have more than {limit} different combinations of values", transition.name);
            ViewError::new(message).at(transition.spans.first().copied())
        })
    }

    /// For each object of a group, the first number and the count of the values to try.
    fn ranges(
        &self,
        t: TransitionId,
        fixed: &[(ObjectId, usize)],
        group: &Group,
    ) -> Result<(Vec<usize>, Vec<usize>), ViewError> {
        let range = |&o: &ObjectId| match fixed.iter().find(|(f, _)| *f == o) {
            Some(&(_, number)) => (number, 1),
            None => (0, self.values.len(o)),
        };
        let (bases, sizes): (Vec<usize>, Vec<usize>) = group.objects.iter().map(range).unzip();
        if choices(&sizes) <= self.limits.valuations {
            return Ok((bases, sizes));
        }
        let (transition, limit) = (self.system.transition(t), self.limits.valuations);
        let names: Vec<String> = group.objects.iter().map(|&o| format!("`{}`", self.system.object(o).name)).collect();
        let message = format!(
            "`{}` uses {} jointly, with {} combinations of values; at most {limit} are expanded",
            transition.name,
            names.join(", "),
            choices(&sizes)
        );
        Err(ViewError::new(message).at(transition.spans.first().copied()))
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
        let (bases, sizes) = self.ranges(t, fixed, group)?;
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

fn objects_used(t: &Transition) -> BTreeSet<ObjectId> {
    t.guard.iter().flat_map(objects_of).chain(t.command.iter().flat_map(touched)).collect()
}
