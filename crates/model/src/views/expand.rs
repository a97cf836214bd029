//! The net of a network: one place for each local state, marked while the component is in it; safe by construction.
//!
//! A rule gives one transition for each combination of moves that its participants can make with their events. A move
//! that stays is an arc in both directions. Fault rules become fault transitions, which change nothing.

use super::net::{ArcSet, NetTransition};
use super::network::{Component, Origin};
use super::product::{choices, each_choice};
use super::{ComponentId, EventId, Limits, Net, Network, Place, PlaceId, PlaceMeaning, Rule, StateId, ViewError};
use crate::LocationId;

impl Network {
    /// This network as a net with at most `limits.rules` transitions.
    pub fn net(&self, limits: &Limits<'_>) -> Result<Net, ViewError> {
        let mut expansion = Expansion { bases: Vec::new(), moves: Vec::new(), arcs: Vec::new() };
        let mut places = Vec::new();
        for component in self.components() {
            expansion.bases.push(places.len());
            expansion.moves.push(moves_by_event(component));
            places.extend((0..component.states().len()).map(|s| place(component, StateId::new(s))));
        }
        for (number, rule) in self.rules().iter().enumerate() {
            limits.goes_on(number)?;
            expansion.rule(rule, limits.rules)?;
        }
        Net::new(self.name(), places, expansion.arcs)
    }
}

struct Expansion {
    /// The first place of each component.
    bases: Vec<usize>,
    /// The moves of each component with each event.
    moves: Vec<Vec<Vec<(StateId, StateId)>>>,
    arcs: Vec<ArcSet>,
}

impl Expansion {
    fn rule(&mut self, rule: &Rule, limit: usize) -> Result<(), ViewError> {
        let moves = |&(c, e): &(ComponentId, EventId)| &self.moves[c.index()][e.index()];
        let moves: Vec<&Vec<(StateId, StateId)>> = rule.participants.iter().map(moves).collect();
        let sizes: Vec<usize> = moves.iter().map(|m| m.len()).collect();
        if self.arcs.len().saturating_add(choices(&sizes)) > limit {
            let message = format!("with `{}` the net has more than {limit} transitions", rule.name);
            return Err(ViewError::new(message));
        }
        each_choice(&sizes, |choice| {
            let (mut pre, mut post) = (Vec::new(), Vec::new());
            for ((&(c, _), moves), &k) in rule.participants.iter().zip(&moves).zip(choice) {
                let place = |s: StateId| PlaceId::new(self.bases[c.index()] + s.index());
                pre.push((place(moves[k].0), 1));
                post.push((place(moves[k].1), 1));
            }
            let transition = NetTransition { name: rule.name.clone(), transition: rule.transition, fault: rule.fault };
            self.arcs.push(ArcSet { transition, pre, post });
            Ok(())
        })
    }
}

fn moves_by_event(component: &Component) -> Vec<Vec<(StateId, StateId)>> {
    let mut moves = vec![Vec::new(); component.events().len()];
    for from in (0..component.states().len()).map(StateId::new) {
        for m in component.moves(from) {
            moves[m.event.index()].push((from, m.to));
        }
    }
    moves
}

fn place(component: &Component, state: StateId) -> Place {
    let meaning = match component.origin() {
        Origin::Given => PlaceMeaning::Given,
        Origin::Process(p) => PlaceMeaning::Location(*p, LocationId(state.0)),
        Origin::Object { object, values } => PlaceMeaning::Value(*object, values[state.index()].clone()),
    };
    let initial = u32::from(component.initial() == state);
    Place { name: component.show_state(state), initial, end: component.states()[state.index()].end, meaning }
}
