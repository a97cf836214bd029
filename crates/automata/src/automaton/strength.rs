//! What an automaton asks of those who search its product with a system.

use super::{Automaton, Components};

/// How hard it is to see that a run is accepting. The weaker, the cheaper the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// Once an accepting component is entered every continuation is accepted: reachability decides. The automata of
    /// guarantees, and of violated safety, are such.
    Terminal,
    /// No component has both accepting and rejecting cycles: any cycle in an accepting component decides.
    Weak,
    /// Acceptance sets decide.
    Strong,
}

impl Automaton {
    /// Its strength. That a component accepts everything is seen only where a component is one state: so it is in
    /// reduced automata.
    pub fn strength(&self) -> Strength {
        let components = Components::of(self);
        let (mut terminal, mut weak) = (true, true);
        for state in self.states().filter(|s| components.is_accepting_at(*s)) {
            let inside = |target| components.at(target) == components.at(state);
            let mut inner = self.from(state).iter().filter(|e| inside(e.target));
            weak &= inner.all(|e| e.marks.contains(self.all_marks()));
            let free = self.from(state).iter().any(|e| e.target == state && e.label.is_always());
            terminal &= free;
        }
        match (terminal && weak, weak) {
            (true, _) => Strength::Terminal,
            (_, true) => Strength::Weak,
            _ => Strength::Strong,
        }
    }

    /// For every state the atoms, as a bit set, that labels from there on speak of: all that a run can still observe.
    pub fn observed(&self) -> Vec<u64> {
        let components = Components::of(self);
        let mut of_component = vec![0; components.count()];
        let mut members = vec![Vec::new(); components.count()];
        self.states().for_each(|s| members[components.at(s)].push(s));
        for component in 0..components.count() {
            let edges = members[component].iter().flat_map(|s| self.from(*s));
            of_component[component] =
                edges.fold(0, |atoms, e| atoms | e.label.support() | of_component[components.at(e.target)]);
        }
        self.states().map(|s| of_component[components.at(s)]).collect()
    }
}
