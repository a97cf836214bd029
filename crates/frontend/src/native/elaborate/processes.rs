//! Processes: the members of each family, their states and their own objects.

use std::collections::HashMap;

use model::{LocationId, ProcessId, Span};

use super::Elaborator;
use super::scope::{Entity, Family, Group, Home, Member, Scope, States, Vars, indexed, positions, volume};
use crate::Diagnostic;
use crate::native::ast::{self, BodyItem, StateFamily};
use crate::native::limits;
use crate::native::report::{Checked, Reported};

/// What is done with each part of a body, in the scope in which it stands.
pub(super) type Visit<'v, 't> = dyn FnMut(&mut Elaborator<'t>, &BodyItem<'t>, &Scope<'t>) + 'v;

impl<'t> Elaborator<'t> {
    /// All processes, without their steps.
    pub(super) fn processes(&mut self, processes: &[&ast::Process<'t>]) {
        for process in processes {
            let family = self.families.len();
            let ranges = self.ranges(process);
            let broken = ranges.is_err();
            let ranges = ranges.unwrap_or_default();
            self.families.push(Family { name: process.name, ranges, members: Vec::new(), broken });
            self.declare(&process.name, Entity::Family(family));
            // The indices of a member that stands for all say nothing.
            self.unless(broken, |s| s.members(family, process));
        }
    }

    fn process_count(&self) -> usize {
        self.families.iter().rev().find_map(|f| f.members.last()).map_or(0, |m| m.id.index() + 1)
    }

    fn ranges(&mut self, process: &ast::Process<'t>) -> Checked<Vec<(i64, i64)>> {
        self.distinct(process.indices.iter().map(|(name, _)| *name), "index");
        let scope = Scope::default();
        let ranges =
            process.indices.iter().map(|(_, r)| self.constant_range(r, &scope)).collect::<Checked<Vec<_>>>()?;
        if volume(&ranges).is_some_and(|v| v + self.process_count() <= limits::PROCESSES) {
            return Ok(ranges);
        }
        let message = format!("the model has more than {} processes", limits::PROCESSES);
        Err(self.error(Diagnostic::error(process.name.span, message).label("too many")))
    }

    fn members(&mut self, family: usize, process: &ast::Process<'t>) {
        let Family { ranges, broken, .. } = &self.families[family];
        let all: Vec<Vec<i64>> =
            if *broken { vec![vec![0; process.indices.len()]] } else { positions(ranges).collect() };
        for indices in all {
            if self.halted() {
                return;
            }
            let name = indexed(process.name.text, &indices);
            let id = self.builder.process(name.clone());
            self.builder.process_mut(id).span = Some(process.name.span);
            let named = process.indices.iter().zip(&indices);
            let vars = named.fold(Vars::default(), |vars, ((n, _), &value)| vars.with(n.text, value));
            let member = Member { id, vars: vars.clone(), name, locals: HashMap::new(), states: States::default() };
            self.families[family].members.push(member);
            let home = Home { family, member: self.families[family].members.len() - 1 };
            let scope = Scope { vars, home: Some(home), may_ask_where: false };
            self.expand(&process.body, &scope, &mut |s, item, scope| match item {
                BodyItem::States(list) => list.iter().for_each(|f| s.process_states(id, home, f, scope)),
                BodyItem::Objects(objects) => s.objects(objects, scope),
                _ => {}
            });
            self.stateless(home, process);
        }
    }

    fn stateless(&mut self, home: Home, process: &ast::Process<'t>) {
        if self.families[home.family].members[home.member].states.names.is_empty() {
            let message = format!("the process `{}` has no states", process.name.text);
            let what = Diagnostic::error(process.name.span, message).label("where is it?");
            self.unknown_name("states", what.help("declare them: `states a, b`; the first is where it starts"));
        }
    }

    /// Walks over a body; repetitions are repeated, conditions are decided.
    pub(super) fn expand(&mut self, body: &[BodyItem<'t>], scope: &Scope<'t>, visit: &mut Visit<'_, 't>) {
        for item in body {
            if self.halted() {
                return;
            }
            match item {
                BodyItem::For(name, range, inner) => {
                    let Ok((lo, hi)) = self.constant_range(range, scope) else { continue };
                    for value in lo..=hi {
                        if self.work(1, range.span()).is_err() {
                            return;
                        }
                        self.expand(inner, &scope.with(name.text, value), visit);
                    }
                }
                BodyItem::If(condition, yes, no) => match self.constant_condition(condition, scope) {
                    Ok(true) => self.expand(yes, scope, visit),
                    Ok(false) => self.expand(no, scope, visit),
                    Err(Reported) => {}
                },
                item => visit(self, item, scope),
            }
        }
    }

    pub(super) fn constant_condition(&mut self, e: &ast::Expr<'t>, scope: &Scope<'t>) -> Checked<bool> {
        let typed = self.bool(e, scope)?;
        Ok(self.constant(typed, "this condition")? != 0)
    }

    fn process_states(&mut self, id: ProcessId, home: Home, family: &StateFamily<'t>, scope: &Scope<'t>) {
        let mut states = std::mem::take(&mut self.families[home.family].members[home.member].states);
        let known = states.names.len();
        let _ = self.states(&mut states, family, scope);
        for (name, span) in &states.names[known..] {
            let location = self.builder.location(id, name.clone());
            self.builder.process_mut(id).locations[location.index()].span = Some(*span);
        }
        self.families[home.family].members[home.member].states = states;
    }

    /// Adds a state, or a family of states.
    pub(super) fn states(
        &mut self,
        states: &mut States<'t>,
        family: &StateFamily<'t>,
        scope: &Scope<'t>,
    ) -> Checked<std::ops::Range<usize>> {
        let name = family.name;
        if let Some(first) = states.groups.get(name.text) {
            return Err(self.duplicate(&name, "state", first.span));
        }
        let ranges = family.ranges.iter().map(|r| self.constant_range(r, scope)).collect::<Checked<Vec<_>>>();
        let counted = ranges.and_then(|ranges| {
            self.count_states(volume(&ranges), name.span)?;
            Ok(ranges)
        });
        let broken = counted.is_err();
        // After a mistake the name is known all the same.
        let ranges = counted.unwrap_or_else(|_| vec![(0, 0); family.ranges.len()]);
        let first = states.names.len();
        let all = positions(&ranges).map(|indices| (indexed(name.text, &indices), name.span));
        states.names.extend(all);
        states.groups.insert(name.text, Group { first: LocationId::new(first), ranges, span: name.span, broken });
        Ok(first..states.names.len())
    }

    fn count_states(&mut self, more: Option<usize>, span: Span) -> Checked<()> {
        let all = self.locations.saturating_add(more.unwrap_or(usize::MAX));
        if all <= limits::STATES {
            self.locations = all;
            return Ok(());
        }
        let message = format!("the processes have more than {} states", limits::STATES);
        Err(self.error(Diagnostic::error(span, message).label("too many")))
    }
}
