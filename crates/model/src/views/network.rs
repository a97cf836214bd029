//! Networks: components (labelled transition systems) and the rules by which they move together.
//!
//! A rule is enabled when every participant has a move with its event; when it fires, each participant takes one such
//! move (any, if it has several) and all others stay. A rule without participants is always enabled and changes
//! nothing. Components have one initial state each.

use std::collections::HashSet;
use std::sync::Arc;

use super::csr::Rows;
use super::product::each_choice;
use super::{ComponentId, EventId, RuleId, StateId, ViewError};
use crate::objects::Value;
use crate::{ObjectId, ProcessId, System, TransitionId};

/// A network of components.
#[derive(Clone, Debug)]
pub struct Network {
    name: String,
    components: Vec<Component>,
    rules: Vec<Rule>,
}

/// What a component stands for in the system that the network was derived from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Nothing: a front end gave it.
    Given,
    /// A process; its states are the locations.
    Process(ProcessId),
    /// An object.
    Object {
        /// Which one.
        object: ObjectId,
        /// The value of each local state, in increasing order.
        values: Vec<Value>,
    },
}

/// A local state of a component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalState {
    /// Its name within the component.
    pub name: String,
    /// Whether the component may stop here for good.
    pub end: bool,
}

/// A component as plain data, not yet checked: what [`Network::new`] takes.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// Its name.
    pub name: String,
    /// What it stands for.
    pub origin: Origin,
    /// Its states.
    pub states: Vec<LocalState>,
    /// Where it starts.
    pub initial: StateId,
    /// The names of its events.
    pub events: Vec<String>,
    /// Its moves, in any order.
    pub moves: Vec<(StateId, EventId, StateId)>,
}

/// A move out of a known state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalMove {
    /// The event.
    pub event: EventId,
    /// The state entered.
    pub to: StateId,
}

/// A component: a labelled transition system.
#[derive(Clone, Debug)]
pub struct Component {
    name: String,
    origin: Origin,
    states: Vec<LocalState>,
    initial: StateId,
    events: Vec<String>,
    moves: Rows<LocalMove>,
}

/// A synchronisation rule.
#[derive(Clone, Debug)]
pub struct Rule {
    /// How it is shown.
    pub name: Arc<str>,
    /// Its label for the alphabet of the network.
    pub label: Arc<str>,
    /// Who takes part, and with which event, in increasing order of components.
    pub participants: Vec<(ComponentId, EventId)>,
    /// The transition of the system that it stands for, wholly or for some values of objects.
    pub transition: Option<TransitionId>,
    /// Whether the step is a model error; its moves are self-loops then.
    pub fault: bool,
}

impl Component {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it stands for.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Its states.
    pub fn states(&self) -> &[LocalState] {
        &self.states
    }

    /// Its initial state.
    pub fn initial(&self) -> StateId {
        self.initial
    }

    /// The names of its events.
    pub fn events(&self) -> &[String] {
        &self.events
    }

    /// The moves out of a state, by event.
    pub fn moves(&self, from: StateId) -> &[LocalMove] {
        self.moves.row(from.index())
    }

    /// The moves out of a state with one event.
    pub fn moves_with(&self, from: StateId, event: EventId) -> &[LocalMove] {
        let moves = self.moves(from);
        let start = moves.partition_point(|m| m.event < event);
        let length = moves[start..].partition_point(|m| m.event == event);
        &moves[start..start + length]
    }

    /// A state with the component's name, in the user's terms: `fork[1]=free`, `Phil[0] at hungry`.
    pub fn show_state(&self, state: StateId) -> String {
        let sign = if matches!(self.origin, Origin::Object { .. }) { "=" } else { " at " };
        format!("{}{sign}{}", self.name, self.states[state.index()].name)
    }

    /// The local state that a packed state of the system is in, if the component has it.
    fn state_of(&self, system: &System, packed: &[u64]) -> Option<StateId> {
        match &self.origin {
            Origin::Given => None,
            Origin::Process(p) => Some(StateId(system.location(*p, packed).0)),
            Origin::Object { object, values } => {
                values.binary_search(&system.uncontrolled_value(*object, packed)).ok().map(StateId::new)
            }
        }
    }
}

impl Rule {
    /// A rule of a front end; the participants may come in any order.
    pub fn new(label: impl Into<Arc<str>>, mut participants: Vec<(ComponentId, EventId)>) -> Self {
        participants.sort_unstable();
        let label = label.into();
        Self { name: label.clone(), label, participants, transition: None, fault: false }
    }
}

impl Network {
    /// Checks the parts and puts them together.
    pub fn new(name: impl Into<String>, components: Vec<Automaton>, rules: Vec<Rule>) -> Result<Self, ViewError> {
        distinct("component", components.iter().map(|c| &c.name))?;
        let components = components.into_iter().map(Component::new).collect::<Result<Vec<_>, _>>()?;
        for rule in &rules {
            rule.check(&components)?;
        }
        Ok(Self { name: name.into(), components, rules })
    }

    /// The name of the model.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// All components.
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    /// One component.
    pub fn component(&self, id: ComponentId) -> &Component {
        &self.components[id.index()]
    }

    /// All rules.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// One rule.
    pub fn rule(&self, id: RuleId) -> &Rule {
        &self.rules[id.index()]
    }

    /// The ids of all components.
    pub fn component_ids(&self) -> impl Iterator<Item = ComponentId> + use<> {
        (0..self.components.len()).map(ComponentId::new)
    }

    /// The ids of all rules.
    pub fn rule_ids(&self) -> impl Iterator<Item = RuleId> + use<> {
        (0..self.rules.len()).map(RuleId::new)
    }

    /// The initial state of every component.
    pub fn initial_state(&self) -> Vec<StateId> {
        self.components.iter().map(Component::initial).collect()
    }

    /// Whether a rule is enabled.
    pub fn is_enabled(&self, rule: RuleId, state: &[StateId]) -> bool {
        let offers = |&(c, e): &(ComponentId, EventId)| !self.component(c).moves_with(state[c.index()], e).is_empty();
        self.rule(rule).participants.iter().all(offers)
    }

    /// The states that a rule leads to: none if it is disabled, several if a participant has a choice.
    pub fn successors(&self, rule: RuleId, state: &[StateId]) -> Vec<Vec<StateId>> {
        let participants = &self.rule(rule).participants;
        let moves: Vec<&[LocalMove]> =
            participants.iter().map(|&(c, e)| self.component(c).moves_with(state[c.index()], e)).collect();
        let sizes: Vec<usize> = moves.iter().map(|m| m.len()).collect();
        let mut out = Vec::new();
        let push = |choice: &[usize]| {
            let mut next = state.to_vec();
            for ((&(c, _), moves), &k) in participants.iter().zip(&moves).zip(choice) {
                next[c.index()] = moves[k].to;
            }
            out.push(next);
            Ok::<(), std::convert::Infallible>(())
        };
        each_choice(&sizes, push).unwrap_or_else(|never| match never {});
        out
    }

    /// Whether every component may stop for good here; never true without components.
    pub fn at_end(&self, state: &[StateId]) -> bool {
        let end = |(c, s): (&Component, &StateId)| c.states[s.index()].end;
        !self.components.is_empty() && self.components.iter().zip(state).all(end)
    }

    /// The component that says who has control, if the system has such a thing: nobody has in its initial state.
    pub fn control(&self, system: &System) -> Option<ComponentId> {
        let is_control = |c: &Component| matches!(c.origin, Origin::Object { object, .. } if object.index() == system.objects().len());
        self.components.iter().position(is_control).map(ComponentId::new)
    }

    /// The state of the network that a packed state of its system is in. `None` for a state that no run reaches
    /// because an object has a value that no operation gives it, and for a network that no system stands behind.
    pub fn state_of(&self, system: &System, packed: &[u64]) -> Option<Vec<StateId>> {
        self.components.iter().map(|c| c.state_of(system, packed)).collect()
    }
}

impl Component {
    fn new(a: Automaton) -> Result<Self, ViewError> {
        distinct(&format!("state of `{}`", a.name), a.states.iter().map(|s| &s.name))?;
        if a.initial.index() >= a.states.len() {
            return Err(ViewError::new(format!("the component `{}` starts in a state that it does not have", a.name)));
        }
        let (states, events) = (a.states.len(), a.events.len());
        let known = |&(from, event, to): &(StateId, EventId, StateId)| {
            from.index() < states && event.index() < events && to.index() < states
        };
        if !a.moves.iter().all(known) {
            return Err(ViewError::new(format!("a move of `{}` uses a state or an event it does not have", a.name)));
        }
        let moves = a.moves.iter().map(|&(from, event, to)| (from.index(), LocalMove { event, to }));
        let moves = Rows::new(states, moves.collect());
        Ok(Self { name: a.name, origin: a.origin, states: a.states, initial: a.initial, events: a.events, moves })
    }
}

impl Rule {
    fn check(&self, components: &[Component]) -> Result<(), ViewError> {
        let known =
            |&(c, e): &(ComponentId, EventId)| components.get(c.index()).is_some_and(|c| e.index() < c.events.len());
        if !self.participants.iter().all(known) {
            let message = format!("the rule `{}` uses a component or an event that is not there", self.name);
            return Err(ViewError::new(message));
        }
        if !self.participants.is_sorted_by(|a, b| a.0 < b.0) {
            let message = format!("the rule `{}` names a component twice, or not in increasing order", self.name);
            return Err(ViewError::new(message));
        }
        Ok(())
    }
}

/// Refuses two things of a kind with one name: nobody could tell them apart.
pub(super) fn distinct<'a>(what: &str, names: impl Iterator<Item = &'a String>) -> Result<(), ViewError> {
    let mut seen = HashSet::new();
    for name in names {
        if !seen.insert(name) {
            return Err(ViewError::new(format!("the name `{name}` is used for more than one {what}")));
        }
    }
    Ok(())
}
