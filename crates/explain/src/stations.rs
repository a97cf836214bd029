//! The steps that start where processes are, and the ends of meetings: found once for all processes.

use std::collections::HashMap;

use model::{ActionId, Edge, Joining, ObjectId, ProcessId, System, TransitionId};

use crate::meeting::End;

/// What can be tried from where processes are.
#[derive(Debug)]
pub(crate) struct Stations<'a> {
    transitions: Vec<Vec<TransitionId>>,
    edges: Vec<Vec<&'a Edge>>,
    /// The ends of meetings on each channel, in the order of the text.
    ends: HashMap<ObjectId, Vec<(usize, End<'a>)>>,
    actions: HashMap<(ActionId, ProcessId), Vec<&'a Edge>>,
}

impl<'a> Stations<'a> {
    pub(crate) fn new(system: &'a System, state: &[u64]) -> Self {
        let processes = system.processes().len();
        let mut stations = Self {
            transitions: vec![Vec::new(); processes],
            edges: vec![Vec::new(); processes],
            ends: HashMap::new(),
            actions: HashMap::new(),
        };
        for id in system.transition_ids() {
            let t = system.transition(id);
            // The twin of a lossy send that loses the message is disabled for no other reason than the send.
            if !matches!(t.joining, Joining::Lost(_)) {
                let here = t.moves.iter().filter(|m| system.location(m.process, state) == m.from);
                here.for_each(|m| stations.transitions[m.process.index()].push(id));
            }
        }
        for (number, edge) in system.joint_edges().iter().enumerate() {
            stations.add(number, edge, system);
            if system.location(edge.process, state) == edge.from {
                stations.edges[edge.process.index()].push(edge);
            }
        }
        stations
    }

    fn add(&mut self, number: usize, edge: &'a Edge, system: &System) {
        if let Some(action) = edge.sync {
            self.actions.entry((action, edge.process)).or_default().push(edge);
        }
        if let Some(end) = End::of(system, edge) {
            end.channels().for_each(|channel| self.ends.entry(channel).or_default().push((number, end)));
        }
    }

    /// The transitions that a process could take from where it is, alone or with others.
    pub(crate) fn transitions(&self, p: ProcessId) -> impl Iterator<Item = TransitionId> + '_ {
        self.transitions[p.index()].iter().copied()
    }

    /// Its parts in joint steps from where it is.
    pub(crate) fn edges(&self, p: ProcessId) -> impl Iterator<Item = &'a Edge> + '_ {
        self.edges[p.index()].iter().copied()
    }

    /// The parts of a process in an action, wherever they start.
    pub(crate) fn parts(&self, action: ActionId, p: ProcessId) -> &[&'a Edge] {
        self.actions.get(&(action, p)).map_or(&[], Vec::as_slice)
    }

    /// The ends that could ever meet one, in the order of the text.
    pub(crate) fn partners(&self, own: &End<'_>) -> Vec<End<'a>> {
        let known = own.channels().filter_map(|channel| self.ends.get(&channel)).flatten();
        let mut ends: Vec<&(usize, End<'a>)> = known.filter(|(_, end)| own.may_meet(end)).collect();
        ends.sort_by_key(|(number, _)| *number);
        ends.dedup_by_key(|(number, _)| *number);
        ends.into_iter().map(|(_, end)| *end).collect()
    }
}
