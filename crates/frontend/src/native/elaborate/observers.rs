//! Observers of `safety` properties: their states, and the transitions that their steps follow.

use std::collections::{BTreeSet, HashMap};

use model::{Expr, LocationId, Observer, ObserverEdge, ObserverLocation, ProcessId, Span, System, TransitionId};

use super::Elaborator;
use super::place::find_state;
use super::scope::{Entity, Scope, States, indexed};
use crate::Diagnostic;
use crate::native::ast::{BodyItem, Part, Place, Step};
use crate::native::nearest::suggestion;
use crate::native::report::{Checked, Reported};

/// The transitions of a system by what `on` may call them.
pub(super) struct Steps<'s> {
    actions: HashMap<&'s str, Vec<TransitionId>>,
    processes: HashMap<ProcessId, Vec<TransitionId>>,
    labels: HashMap<ProcessId, HashMap<&'s str, Vec<TransitionId>>>,
}

impl<'s> Steps<'s> {
    pub(super) fn new(system: &'s System) -> Self {
        let mut steps = Self { actions: HashMap::new(), processes: HashMap::new(), labels: HashMap::new() };
        for t in system.transition_ids() {
            let transition = system.transition(t);
            // Steps of one process are called `P.label`: only joint steps have the bare name of an action.
            let name = transition.name.strip_suffix(" (message lost)").unwrap_or(&transition.name);
            steps.actions.entry(name).or_default().push(t);
            for m in &transition.moves {
                steps.processes.entry(m.process).or_default().push(t);
                steps.labels.entry(m.process).or_default().entry(&m.label).or_default().push(t);
            }
        }
        steps
    }
}

/// An observer under construction.
#[derive(Default)]
struct Draft<'t> {
    states: States<'t>,
    errors: BTreeSet<usize>,
    initial: Option<LocationId>,
    edges: Vec<ObserverEdge>,
}

impl<'t> Elaborator<'t> {
    /// The observer with this body; `steps` is missing if the model has mistakes.
    pub(super) fn observer(
        &mut self,
        body: &[BodyItem<'t>],
        steps: Option<&Steps<'_>>,
        span: Span,
    ) -> Checked<Observer> {
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
            let _ = s.observer_part(&mut draft, item, steps, scope);
        });
        let names = draft.states.names.iter().enumerate();
        let locations =
            names.map(|(i, (name, _))| ObserverLocation { name: name.clone(), error: draft.errors.contains(&i) });
        let initial = draft.initial.unwrap_or(LocationId(0));
        Ok(Observer { locations: locations.collect(), initial, edges: draft.edges })
    }

    fn observer_part(
        &mut self,
        draft: &mut Draft<'t>,
        item: &BodyItem<'t>,
        steps: Option<&Steps<'_>>,
        scope: &Scope<'t>,
    ) -> Checked<()> {
        match item {
            BodyItem::Step(step) => self.observer_step(draft, step, steps, scope),
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

    fn observer_step(
        &mut self,
        draft: &mut Draft<'t>,
        step: &Step<'t>,
        steps: Option<&Steps<'_>>,
        scope: &Scope<'t>,
    ) -> Checked<()> {
        let when = match &step.when {
            Some(e) => self.bool(e, scope)?.expr,
            None => Expr::TRUE,
        };
        let on = step.on.as_ref().map(|list| self.followed(list, steps, scope)).transpose()?;
        let to = self.observer_state(&draft.states, &step.to, scope)?;
        for from in &step.from {
            let from = self.observer_state(&draft.states, from, scope)?;
            let edge = ObserverEdge { from, to, on: on.clone(), when: when.clone(), span: Some(step.span) };
            draft.edges.push(edge);
        }
        Ok(())
    }

    /// The transitions that any of the patterns means.
    fn followed(
        &mut self,
        patterns: &[Place<'t>],
        steps: Option<&Steps<'_>>,
        scope: &Scope<'t>,
    ) -> Checked<Vec<TransitionId>> {
        let mut all = BTreeSet::new();
        for pattern in patterns {
            let found = self.named_steps(pattern, steps, scope)?;
            self.work(found.len() as u64, pattern.span)?;
            all.extend(found);
        }
        Ok(all.into_iter().collect())
    }

    fn named_steps<'s>(
        &mut self,
        pattern: &Place<'t>,
        steps: Option<&'s Steps<'_>>,
        scope: &Scope<'t>,
    ) -> Checked<&'s [TransitionId]> {
        let is_action = matches!(self.global(pattern.head.name.text).map(|d| &d.entity), Some(Entity::Actions(..)));
        if is_action && pattern.member.is_none() {
            let action = self.action(&pattern.head, scope)?;
            let name = action.map(|a| self.actions[a.index()].0.clone()).unwrap_or_default();
            // An action that never happens may be watched: that it never happens is a thing to ask.
            return Ok(steps.and_then(|s| s.actions.get(name.as_str())).map_or(&[], Vec::as_slice));
        }
        self.process_or_action(&pattern.head)?;
        let home = self.owner(&pattern.head, scope)?;
        let family = &self.families[home.family];
        let (process, owner) = (family.process(home.member), family.members[home.member].name.clone());
        let label = match &pattern.member {
            Some(part) => {
                Some(indexed(part.name.text, &self.constant_indices(part, scope, "the index of a step's name")?))
            }
            None => None,
        };
        let Some(steps) = steps else { return Ok(&[]) };
        let found = match &label {
            Some(label) => steps.labels.get(&process).and_then(|labels| labels.get(label.as_str())),
            None => steps.processes.get(&process),
        };
        if let Some(found) = found {
            return Ok(found);
        }
        let Some(label) = label else {
            return Err(self.never(pattern, &format!("the process `{owner}` never takes a step"), None));
        };
        let known = steps.labels.get(&process).into_iter().flat_map(|labels| labels.keys().copied());
        let help = suggestion(&label, known);
        Err(self.never(pattern, &format!("the process `{owner}` has no step named `{label}`"), help))
    }

    /// The name before the dot must mean something that takes steps.
    fn process_or_action(&mut self, head: &Part<'t>) -> Checked<()> {
        if self.global(head.name.text).is_some() {
            return Ok(());
        }
        let known = self.names_where(|e| matches!(e, Entity::Actions(..) | Entity::Family(_)));
        let message = format!("there is no process or action `{}`", head.name.text);
        let help = suggestion(head.name.text, known);
        let what = Diagnostic::error(head.name.span, message).label("unknown name").maybe_help(help);
        Err(self.unknown_name(head.name.text, what))
    }

    fn never(&mut self, pattern: &Place<'t>, message: &str, help: Option<String>) -> Reported {
        let what = Diagnostic::error(pattern.span, message).label("this follows nothing");
        let general = "write `P.take` for a step `a -> b : take` of P, `P` for all its steps, or an action";
        self.error(what.help(general).maybe_help(help))
    }
}
