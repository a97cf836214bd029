//! Steps, start and end states: the second walk over the processes, when everything that they may name is known.

use model::{Edge, Expr, LocationId};

use super::Elaborator;
use super::scope::{Home, Scope, indexed};
use crate::Diagnostic;
use crate::native::ast::{self, BodyItem, Part, Step};
use crate::native::limits;
use crate::native::report::Checked;

impl<'t> Elaborator<'t> {
    /// The steps of all processes.
    pub(super) fn all_steps(&mut self, processes: &[&ast::Process<'t>]) {
        for (family, process) in processes.iter().enumerate() {
            for member in 0..self.families[family].members.len() {
                if self.halted() {
                    return;
                }
                let vars = self.families[family].members[member].vars.clone();
                let scope = Scope { vars, home: Some(Home { family, member }), may_ask_where: false };
                let broken = self.families[family].broken;
                self.unless(broken, |s| s.member_steps(process, Home { family, member }, &scope));
            }
        }
    }

    fn member_steps(&mut self, process: &ast::Process<'t>, home: Home, scope: &Scope<'t>) {
        let id = self.families[home.family].members[home.member].id;
        let mut initial = None;
        self.expand(&process.body, scope, &mut |s, item, scope| match item {
            BodyItem::Step(step) => {
                let _ = s.step(step, home, scope);
            }
            BodyItem::Init(state, when) => {
                let found = s.starts_here(home, state, when.as_ref(), scope);
                initial = initial.or(found.unwrap_or(None));
            }
            BodyItem::End(parts) => {
                for part in parts {
                    if let Ok(location) = s.state(home, part, scope) {
                        s.builder.end(id, location);
                    }
                }
            }
            BodyItem::Uses(parts) => {
                for part in parts {
                    if let Ok(Some(action)) = s.action(part, scope) {
                        s.builder.alphabet(id, action);
                        s.parties[action.index()].entry(id).or_insert(0);
                    }
                }
            }
            _ => {}
        });
        let initial = initial.unwrap_or(LocationId(0));
        self.builder.process_mut(id).initial = initial;
        self.reach(home, initial);
    }

    /// The state of an `init`, if its condition holds.
    fn starts_here(
        &mut self,
        home: Home,
        state: &Part<'t>,
        when: Option<&ast::Expr<'t>>,
        scope: &Scope<'t>,
    ) -> Checked<Option<LocationId>> {
        let holds = when.map_or(Ok(true), |e| self.constant_condition(e, scope))?;
        if !holds {
            return Ok(None);
        }
        Ok(Some(self.state(home, state, scope)?))
    }

    fn reach(&mut self, home: Home, location: LocationId) {
        let names = &self.families[home.family].members[home.member].states.names;
        if let Some((_, span)) = names.get(location.index()) {
            self.reached.insert(*span);
        }
    }

    fn step(&mut self, step: &Step<'t>, home: Home, scope: &Scope<'t>) -> Checked<()> {
        self.work(1, step.span)?;
        let guard = match &step.when {
            Some(e) => self.bool(e, scope).map(|t| t.expr),
            None => Ok(Expr::TRUE),
        };
        // A guard that is false for this member rules out the rest: `when i > 0 do acquire fork[i-1]`.
        let dead = guard == Ok(Expr::Const(0));
        let (sources, edge) = self.unless(dead, |s| s.unguarded(step, home, scope))?;
        let edge = edge.when(guard?);
        if let Some(action) = edge.sync {
            // The process knows the action even if this step never happens: it blocks it then.
            self.builder.alphabet(edge.process, action);
            let steps = if dead { 0 } else { sources.len() as u64 };
            *self.parties[action.index()].entry(edge.process).or_insert(0) += steps;
        }
        if dead {
            return Ok(());
        }
        for from in sources {
            self.count_step(step)?;
            if from != edge.to {
                self.reach(home, edge.to);
            }
            let edge = Edge { from, ..edge.clone() };
            if let Some(kept) = &mut self.kept {
                kept.push(edge.clone());
            }
            self.builder.edge(edge);
        }
        Ok(())
    }

    /// Where a step starts, and all the rest of it but its guard; every mistake in it is reported.
    fn unguarded(&mut self, step: &Step<'t>, home: Home, scope: &Scope<'t>) -> Checked<(Vec<LocationId>, Edge)> {
        let process = self.families[home.family].members[home.member].id;
        let command: Vec<_> = step.operations.iter().map(|o| self.operation(o, process, scope)).collect();
        let from: Vec<_> = step.from.iter().map(|part| self.state(home, part, scope)).collect();
        let to = self.state(home, &step.to, scope);
        let label = step.label.as_ref().map(|part| self.label(part, scope)).transpose();
        let sync = step.sync.as_ref().map_or(Ok(None), |part| self.action(part, scope));
        let sources = from.into_iter().collect::<Checked<_>>()?;
        let command = command.into_iter().collect::<Checked<_>>()?;
        let (to, label, sync, span) = (to?, label?, sync?, Some(step.span));
        Ok((sources, Edge { label, sync, command, span, ..Edge::new(process, to, to) }))
    }

    fn label(&mut self, part: &Part<'t>, scope: &Scope<'t>) -> Checked<String> {
        let indices = self.constant_indices(part, scope, "the index of a step's name")?;
        Ok(indexed(part.name.text, &indices))
    }

    fn count_step(&mut self, step: &Step<'t>) -> Checked<()> {
        self.steps += 1;
        if self.steps <= limits::STEPS {
            return Ok(());
        }
        self.give_up();
        let message = format!("the model has more than {} steps", limits::STEPS);
        Err(self.error(Diagnostic::error(step.span, message).label("too many")))
    }
}
