//! Which steps are silent, and whether the processes alone show that no run is silent for ever.
//!
//! What a run takes again and again takes each process round: a step that moves a process from one location to another
//! can only be among it if others among it take the process away from where it came to, and back to where it left. The
//! steps for which this is not so are struck out, one after the other, which takes time linear in the moves.

use model::{System, Transition, TransitionId};

/// The silent steps of a system.
pub(super) struct Silent<'a> {
    label: &'a str,
    /// By transition, whether it is silent.
    is: Vec<bool>,
}

impl<'a> Silent<'a> {
    /// The transitions with this label.
    pub(super) fn new(system: &System, label: &'a str) -> Self {
        Self { label, is: system.transitions().iter().map(|t| &*t.label == label).collect() }
    }

    /// The same steps but one.
    #[cfg(test)]
    pub(super) fn without(mut self, t: TransitionId) -> Self {
        self.is[t.index()] = false;
        self
    }

    /// All steps of a system.
    #[cfg(test)]
    pub(super) fn all(system: &System) -> Self {
        Self { label: "", is: vec![true; system.transitions().len()] }
    }

    #[inline]
    pub(super) fn contains(&self, t: TransitionId) -> bool {
        self.is[t.index()]
    }

    /// Why no run can consist of silent steps from some time on, if the moves of the processes show it.
    pub(super) fn cannot_go_on(&self, system: &System) -> Option<String> {
        if !self.is.contains(&true) {
            return Some(format!("no step is called `{}`", self.label));
        }
        let left = Moves::new(system, self).strike();
        let why = "every silent step moves a process to where silent steps alone never bring it back from";
        (left == 0).then(|| why.to_owned())
    }
}

/// The moves of silent steps that are not struck out.
struct Moves<'a> {
    system: &'a System,
    /// By process and location, the steps that bring the process there from elsewhere, and those that take it away.
    into: Vec<Vec<Vec<TransitionId>>>,
    from: Vec<Vec<Vec<TransitionId>>>,
    /// The numbers of these that are left.
    entries: Vec<Vec<usize>>,
    exits: Vec<Vec<usize>>,
    /// By transition, whether it is silent and not struck out.
    left: Vec<bool>,
}

impl<'a> Moves<'a> {
    fn new(system: &'a System, silent: &Silent<'_>) -> Self {
        let none = || system.processes().iter().map(|p| vec![Vec::new(); p.locations.len()]).collect::<Vec<_>>();
        let (mut into, mut from): (Vec<Vec<Vec<TransitionId>>>, _) = (none(), none());
        for t in system.transition_ids().filter(|t| silent.contains(*t)) {
            for (p, a, b) in changes(system.transition(t)) {
                from[p][a].push(t);
                into[p][b].push(t);
            }
        }
        let count = |lists: &[Vec<Vec<TransitionId>>]| {
            lists.iter().map(|process| process.iter().map(Vec::len).collect()).collect()
        };
        let (entries, exits) = (count(&into), count(&from));
        Self { system, into, from, entries, exits, left: silent.is.clone() }
    }

    /// Strikes out what cannot be taken for ever; how many steps are left.
    fn strike(mut self) -> usize {
        let ends = |(p, a, b): (usize, usize, usize)| self.exits[p][b] == 0 || self.entries[p][a] == 0;
        let transitions = self.system.transition_ids().filter(|t| self.left[t.index()]);
        let mut struck: Vec<TransitionId> =
            transitions.filter(|t| changes(self.system.transition(*t)).any(ends)).collect();
        struck.iter().for_each(|t| self.left[t.index()] = false);
        while let Some(t) = struck.pop() {
            for (p, a, b) in changes(self.system.transition(t)) {
                self.exits[p][a] -= 1;
                self.entries[p][b] -= 1;
                let stuck = if self.exits[p][a] == 0 { &self.into[p][a][..] } else { &[] };
                let lost = if self.entries[p][b] == 0 { &self.from[p][b][..] } else { &[] };
                for &other in stuck.iter().chain(lost) {
                    if std::mem::take(&mut self.left[other.index()]) {
                        struck.push(other);
                    }
                }
            }
        }
        self.left.iter().filter(|left| **left).count()
    }
}

/// The processes that a transition takes to another location: each with the old one and the new one.
fn changes(t: &Transition) -> impl Iterator<Item = (usize, usize, usize)> {
    t.moves.iter().filter(|m| m.from != m.to).map(|m| (m.process.index(), m.from.index(), m.to.index()))
}
