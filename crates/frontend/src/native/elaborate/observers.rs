//! Observers of `safety` properties: their states, and the transitions that their steps follow.

use std::collections::BTreeSet;

use model::{Expr, LocationId, Observer, ObserverEdge, ObserverLocation, Span};

use super::Elaborator;
use super::place::find_state;
use super::scope::{Scope, States};
use crate::Diagnostic;
use crate::native::ast::{BodyItem, Part, Step};
use crate::native::report::Checked;

/// An observer under construction.
#[derive(Default)]
struct Draft<'t> {
    states: States<'t>,
    errors: BTreeSet<usize>,
    initial: Option<LocationId>,
    edges: Vec<ObserverEdge>,
}

impl<'t> Elaborator<'t> {
    /// The observer with this body.
    pub(super) fn observer(&mut self, body: &[BodyItem<'t>], span: Span) -> Checked<Observer> {
        let scope = Scope { may_ask_where: true, ..Scope::default() };
        let mut draft = Draft::default();
        self.expand(body, &scope, &mut |s, item, scope| {
            let (families, error) = match item {
                BodyItem::States(families) => (families, false),
                BodyItem::Errors(families) => (families, true),
                _ => return,
            };
            for family in families {
                if let Ok(range) = s.states(&mut draft.states, family, scope)
                    && error
                {
                    draft.errors.extend(range);
                }
            }
        });
        if draft.errors.is_empty() {
            let what = Diagnostic::error(span, "the observer has no error state").label("nothing can go wrong");
            return Err(self.unknown_name("error", what.help("declare one: `error bad`")));
        }
        self.expand(body, &scope, &mut |s, item, scope| {
            let _ = s.observer_part(&mut draft, item, scope);
        });
        let names = draft.states.names.iter().enumerate();
        let locations =
            names.map(|(i, (name, _))| ObserverLocation { name: name.clone(), error: draft.errors.contains(&i) });
        let initial = draft.initial.unwrap_or(LocationId(0));
        Ok(Observer { locations: locations.collect(), initial, edges: draft.edges })
    }

    fn observer_part(&mut self, draft: &mut Draft<'t>, item: &BodyItem<'t>, scope: &Scope<'t>) -> Checked<()> {
        match item {
            BodyItem::Step(step) => self.observer_step(draft, step, scope),
            BodyItem::Init(state, when) => {
                let holds = when.as_ref().map_or(Ok(true), |e| self.constant_condition(e, scope))?;
                if holds && draft.initial.is_none() {
                    draft.initial = Some(self.observer_state(&draft.states, state, scope)?);
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn observer_state(&mut self, states: &States<'t>, part: &Part<'t>, scope: &Scope<'t>) -> Checked<LocationId> {
        let indices = self.constant_indices(part, scope, "the index of a state")?;
        self.found_state(find_state(states, "the observer", part, &indices))
    }

    fn observer_step(&mut self, draft: &mut Draft<'t>, step: &Step<'t>, scope: &Scope<'t>) -> Checked<()> {
        let when = match &step.when {
            Some(e) => self.bool(e, scope)?.expr,
            None => Expr::TRUE,
        };
        let on = step.on.as_ref().map(|list| self.followed(list, scope)).transpose()?;
        let to = self.observer_state(&draft.states, &step.to, scope)?;
        for from in &step.from {
            let from = self.observer_state(&draft.states, from, scope)?;
            let edge = ObserverEdge { from, to, on: on.clone(), when: when.clone(), span: Some(step.span) };
            draft.edges.push(edge);
        }
        Ok(())
    }
}
