//! Writes the rules of a network, and the events that they need.

use std::collections::HashMap;
use std::sync::Arc;

use super::cubes::{Cube, Moves, merge};
use super::network::{Automaton, LocalState, Network, Rule};
use super::probe::{Group, Outcome};
use super::product::{choices, each_choice};
use super::{ComponentId, EventId, StateId, ViewError};
use crate::{System, TransitionId};

/// A component under construction, and its events by name (for processes) and moves.
pub(super) struct Part {
    pub(super) automaton: Automaton,
    events: HashMap<(Option<Arc<str>>, Moves), EventId>,
}

/// Every valuation of a group with what it leads to.
pub(super) type Table = Vec<(Vec<usize>, Outcome<usize>)>;

/// Writes the rules of one case of one transition.
pub(super) struct Writer<'a> {
    pub(super) system: &'a System,
    /// The component of each object that has one.
    pub(super) component: Vec<Option<ComponentId>>,
    pub(super) limit: usize,
    pub(super) parts: Vec<Part>,
    pub(super) rules: Vec<Rule>,
}

/// One case of a transition: its groups, and each one's table.
pub(super) struct Piece {
    pub(super) t: TransitionId,
    pub(super) name: Arc<str>,
    pub(super) groups: Vec<Group>,
    pub(super) tables: Vec<Table>,
}

impl Writer<'_> {
    /// Writes the rules of a piece.
    pub(super) fn piece(&mut self, piece: &Piece) -> Result<(), ViewError> {
        let steps = piece.tables.iter().map(steps).collect();
        self.write(piece, steps, false)?;
        self.faults(piece)
    }

    /// The network, complete; refused if two values of an object have one name, such as equal names in an enumeration.
    pub(super) fn finish(self) -> Result<Network, ViewError> {
        let automata = self.parts.into_iter().map(|p| p.automaton).collect();
        Network::new(self.system.name(), automata, self.rules)
    }

    /// A rule for every test that can be a fault, and for every group whose operations can.
    fn faults(&mut self, piece: &Piece) -> Result<(), ViewError> {
        for (g, table) in piece.tables.iter().enumerate() {
            let mut kinds: Vec<(usize, &Outcome<usize>)> = Vec::new();
            for (_, outcome) in table {
                match outcome {
                    Outcome::TestFault(i) => kinds.push((*i, outcome)),
                    Outcome::CommandFault => kinds.push((usize::MAX, outcome)),
                    Outcome::Blocked(_) | Outcome::Step(_) => {}
                }
            }
            kinds.sort_unstable_by_key(|(number, _)| *number);
            kinds.dedup_by_key(|(number, _)| *number);
            for (number, fault) in kinds {
                let others = |(h, table)| idle(table, |o| if h == g { o == fault } else { o.passes(number) });
                self.write(piece, piece.tables.iter().enumerate().map(others).collect(), true)?;
            }
        }
        Ok(())
    }

    /// All combinations of one product for each group.
    fn write(&mut self, piece: &Piece, cubes: Vec<Vec<Cube>>, fault: bool) -> Result<(), ViewError> {
        let sizes: Vec<usize> = cubes.iter().map(Vec::len).collect();
        let limit = self.limit;
        if self.rules.len().saturating_add(choices(&sizes)) > limit {
            let transition = self.system.transition(piece.t);
            let message = format!("with `{}` there are more than {limit} rules", transition.name);
            return Err(ViewError::new(message).at(transition.spans.first().copied()));
        }
        each_choice(&sizes, |choice| {
            let chosen: Vec<&Cube> = cubes.iter().zip(choice).map(|(cubes, &k)| &cubes[k]).collect();
            let rule = self.rule(piece, &chosen, fault);
            self.rules.push(rule);
            Ok(())
        })
    }

    fn rule(&mut self, piece: &Piece, cubes: &[&Cube], fault: bool) -> Rule {
        let transition = self.system.transition(piece.t);
        let mut participants = Vec::new();
        for m in &transition.moves {
            let (label, to) =
                if fault { (format!("{} (fault)", m.label).into(), m.from) } else { (m.label.clone(), m.to) };
            let event = self.parts[m.process.index()].event(Some(label), &vec![(m.from.index(), to.index())]);
            participants.push((ComponentId(m.process.0), event));
        }
        for (group, cube) in piece.groups.iter().zip(cubes) {
            for (o, moves) in group.objects.iter().zip(*cube) {
                if let Some(c) = self.component[o.index()] {
                    participants.push((c, self.parts[c.index()].event(None, moves)));
                }
            }
        }
        participants.sort_unstable();
        let (name, label) = (piece.name.clone(), transition.label.clone());
        Rule { name, label, participants, transition: Some(piece.t), fault }
    }
}

impl Part {
    pub(super) fn new(automaton: Automaton) -> Self {
        Self { automaton, events: HashMap::new() }
    }

    /// The event with these moves; objects share an event among all rules that need the same moves.
    fn event(&mut self, label: Option<Arc<str>>, moves: &Moves) -> EventId {
        if let Some(&event) = self.events.get(&(label.clone(), moves.clone())) {
            return event;
        }
        let automaton = &mut self.automaton;
        let event = EventId::new(automaton.events.len());
        let name = label.as_ref().map_or_else(|| show_moves(moves, &automaton.states), |l| l.to_string());
        automaton.events.push(name);
        automaton.moves.extend(moves.iter().map(|&(from, to)| (StateId::new(from), event, StateId::new(to))));
        self.events.insert((label, moves.clone()), event);
        event
    }
}

/// The first few changes of value.
fn show_moves(moves: &Moves, states: &[LocalState]) -> String {
    const SHOWN: usize = 3;
    let show = |&(from, to): &(usize, usize)| format!("{} -> {}", states[from].name, states[to].name);
    let mut shown: Vec<String> = moves.iter().take(SHOWN).map(show).collect();
    if moves.len() > SHOWN {
        shown.push(format!("{} more", moves.len() - SHOWN));
    }
    shown.join("; ")
}

/// The joint moves of the successful valuations.
fn steps(table: &Table) -> Vec<Cube> {
    let cube = |(from, outcome): &(Vec<usize>, Outcome<usize>)| match outcome {
        Outcome::Step(to) => Some(from.iter().zip(to).map(|(&from, &to)| vec![(from, to)]).collect()),
        _ => None,
    };
    merge(table.iter().filter_map(cube).collect())
}

/// Self-loops of the valuations whose outcome is wanted.
fn idle(table: &Table, wanted: impl Fn(&Outcome<usize>) -> bool) -> Vec<Cube> {
    let stay = |from: &Vec<usize>| from.iter().map(|&n| vec![(n, n)]).collect();
    merge(table.iter().filter(|(_, outcome)| wanted(outcome)).map(|(from, _)| stay(from)).collect())
}
