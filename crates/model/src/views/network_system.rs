//! Networks as systems, so that a network read from a file runs on every engine.
//!
//! A transition of a system moves a process from one location to one other, a rule may leave its participants a choice:
//! each rule becomes as many transitions as there are combinations of moves of its participants.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::product::{choices, each_choice};
use super::{ComponentId, EventId, LocalState, Network, Rule, RuleId, StateId, ViewError};
use crate::system::{Hold, Joining, Location, Move};
use crate::{Builder, Command, Expr, LocationId, MAX_TRANSITIONS, ProcessId, System, Transition, TransitionId};

/// The moves of each component by event.
type MovesByEvent = Vec<Vec<Vec<(StateId, StateId)>>>;

/// A step by what can be seen of it: of each participant its number, its event, where it was and where it goes.
#[derive(PartialEq, Eq, Hash)]
struct Step<'a> {
    rule: &'a str,
    fault: bool,
    parts: Vec<(u32, &'a str, u32, u32)>,
}

impl Network {
    /// The system with a process for each component, in the same order and with the same numbers of states, and a
    /// transition for each rule and combination of moves of its participants. It has exactly the runs of the network.
    /// Rules marked `fault` become failing assertions. Refused if there are more than [`MAX_TRANSITIONS`] combinations.
    pub fn to_system(&self) -> Result<System, ViewError> {
        let moves = self.moves_by_event();
        self.check_combinations(&moves)?;
        let mut builder = Builder::new(self.name());
        for component in self.components() {
            let process = builder.process(component.name());
            let location = |s: &LocalState| Location { name: s.name.clone(), end: s.end, hold: Hold::No, span: None };
            let process = builder.process_mut(process);
            process.locations = component.states().iter().map(location).collect();
            process.initial = LocationId(component.initial().0);
        }
        for rule in self.rules() {
            self.each_combination(rule, &moves, |moves| builder.transition(to_transition(rule, moves)));
        }
        builder.build().map_err(|errors| {
            let messages: Vec<String> = errors.into_iter().map(|e| e.message).collect();
            ViewError::new(messages.join("; "))
        })
    }

    /// The transitions of [`Network::to_system`] that a run of the network stands for, given as the rules taken, each
    /// with the state after it. `None` if this is no run of the network.
    pub fn run_in(&self, system: &System, run: &[(RuleId, Vec<StateId>)]) -> Option<Vec<TransitionId>> {
        let names: HashSet<&str> = run.iter().map(|(r, _)| &*self.rule(*r).name).collect();
        let mut known = HashMap::new();
        for t in system.transition_ids() {
            let Transition { name, moves, command, .. } = system.transition(t);
            if names.contains(name.as_str()) {
                let parts = moves.iter().map(|m| (m.process.0, &*m.label, m.from.0, m.to.0)).collect();
                known.entry(Step { rule: name, fault: !command.is_empty(), parts }).or_insert(t);
            }
        }
        let mut state = self.initial_state();
        let mut out = Vec::with_capacity(run.len());
        for (rule, next) in run {
            out.push(*known.get(&self.step(*rule, &state, next)?)?);
            state.clone_from(next);
        }
        Some(out)
    }

    /// What the participants of a rule do between two states, unless others move too.
    fn step(&self, rule: RuleId, state: &[StateId], next: &[StateId]) -> Option<Step<'_>> {
        let Rule { name, participants, fault, .. } = self.rule(rule);
        let takes_part = |i: usize| participants.binary_search_by_key(&i, |(c, _)| c.index()).is_ok();
        if next.len() != state.len() || (0..state.len()).any(|i| state[i] != next[i] && !takes_part(i)) {
            return None;
        }
        let part = |&(c, e): &(ComponentId, EventId)| {
            (c.0, self.component(c).events()[e.index()].as_str(), state[c.index()].0, next[c.index()].0)
        };
        Some(Step { rule: name, fault: *fault, parts: participants.iter().map(part).collect() })
    }

    fn moves_by_event(&self) -> MovesByEvent {
        let mut all = Vec::with_capacity(self.components().len());
        for component in self.components() {
            let mut moves = vec![Vec::new(); component.events().len()];
            for from in (0..component.states().len()).map(StateId::new) {
                for m in component.moves(from) {
                    moves[m.event.index()].push((from, m.to));
                }
            }
            all.push(moves);
        }
        all
    }

    fn check_combinations(&self, moves: &MovesByEvent) -> Result<(), ViewError> {
        let mut total: usize = 0;
        for rule in self.rules() {
            let sizes: Vec<usize> = rule.participants.iter().map(|(c, e)| moves[c.index()][e.index()].len()).collect();
            total = total.saturating_add(choices(&sizes));
            if total > MAX_TRANSITIONS {
                let name = &rule.name;
                let message = format!("with the moves of `{name}` there are more than {MAX_TRANSITIONS} transitions");
                return Err(ViewError::new(message));
            }
        }
        Ok(())
    }

    /// Calls `f` with every combination of moves of the participants of a rule.
    fn each_combination(&self, rule: &Rule, moves: &MovesByEvent, mut f: impl FnMut(Vec<Move>)) {
        let offers: Vec<_> = rule.participants.iter().map(|(c, e)| &moves[c.index()][e.index()]).collect();
        let sizes: Vec<usize> = offers.iter().map(|m| m.len()).collect();
        let labels: Vec<_> = rule.participants.iter().map(|&(c, e)| self.label(c, e)).collect();
        let combine = |choice: &[usize]| {
            let part = |i: usize| {
                let (from, to) = offers[i][choice[i]];
                let process = ProcessId(rule.participants[i].0.0);
                Move { process, from: LocationId(from.0), to: LocationId(to.0), label: labels[i].clone() }
            };
            f((0..choice.len()).map(part).collect());
            Ok::<(), std::convert::Infallible>(())
        };
        each_choice(&sizes, combine).unwrap_or_else(|never| match never {});
    }

    fn label(&self, component: ComponentId, event: EventId) -> Arc<str> {
        self.component(component).events()[event.index()].as_str().into()
    }
}

fn to_transition(rule: &Rule, moves: Vec<Move>) -> Transition {
    let command = if rule.fault { vec![Command::Assert(Expr::Const(0))] } else { Vec::new() };
    let (guard, joining, spans) = (Vec::new(), Joining::Plain, Vec::new());
    Transition {
        name: rule.name.to_string(),
        label: rule.label.clone(),
        moves,
        guard,
        command,
        joining,
        last_resort: false,
        spans,
    }
}
