//! The smallest blind automaton among those that automata for one language are, or can be made into.

use super::{Blind, Way, check, closure};
use crate::automaton::{Components, Symbolic};
use crate::bdd::{Exhausted, Manager, Metered};
use crate::reduce::simulation::Direction;
use crate::translate::{BOTH, prepared, smaller};

/// Automata for one stutter invariant language.
#[derive(Debug)]
pub(super) struct Choice {
    work: u64,
    /// The size of the smallest that we know, blind or not.
    hoped: usize,
    blind: Vec<(Way, Symbolic)>,
    /// Those of which we do not know that they are.
    sighted: Vec<Symbolic>,
}

impl Choice {
    /// A choice that begins with an automaton that others hardly undercut.
    pub(super) fn among(smallest: Symbolic, m: &mut Manager, work: u64) -> Self {
        let mut choice = Self { work, hoped: smallest.size(), blind: Vec::new(), sighted: Vec::new() };
        choice.offer(m, smallest);
        choice
    }

    pub(super) fn offer(&mut self, m: &mut Manager, automaton: Symbolic) {
        self.hoped = self.hoped.min(automaton.size());
        m.refill(self.work / 4);
        match check::why(m, &automaton) {
            Ok(Some(way)) => self.blind.push((way, automaton)),
            // Closures of automata that look alike take time and hardly differ.
            Ok(None) | Err(Exhausted) if self.sighted.iter().any(|a| cost(a) == cost(&automaton)) => {}
            Ok(None) | Err(Exhausted) => self.sighted.push(automaton),
        }
    }

    /// Whether nothing better is to be expected.
    pub(super) fn is_settled(&self) -> bool {
        self.blind.iter().any(|(_, a)| a.size() <= self.hoped && entangled(a) == 0)
    }

    /// The best; if none is as small as hoped, closures are tried too.
    pub(super) fn best(mut self, m: &mut Manager) -> Metered<Blind> {
        if self.blind.iter().all(|(_, a)| a.size() > self.hoped) {
            let closures = self.sighted.iter().filter_map(|a| closed(m, a, self.work).ok());
            self.blind.extend(closures.map(|a| (Way::Closure, a)));
        }
        let best = self.blind.into_iter().min_by_key(|(way, a)| (cost(a), *way));
        let (way, best) = best.ok_or(Exhausted)?;
        m.refill(self.work);
        Ok(Blind { automaton: best.explicit(m)?, way })
    }
}

/// What makes one automaton worse than another: states, then those in components with others, where engines reduce
/// less.
fn cost(automaton: &Symbolic) -> (usize, usize, usize, u32) {
    (automaton.size(), entangled(automaton), automaton.edge_count(), automaton.sets)
}

/// The number of states in components with others.
fn entangled(automaton: &Symbolic) -> usize {
    let components = Components::of(automaton);
    let mut members = vec![0; components.count()];
    automaton.states().for_each(|s| members[components.at(s)] += 1);
    members.into_iter().filter(|count| *count > 1).sum()
}

/// The closure, reduced.
fn closed(m: &mut Manager, automaton: &Symbolic, work: u64) -> Metered<Symbolic> {
    m.refill(work / 4);
    let closure = prepared(&closure::closure(m, automaton)?);
    m.refill(work / 4);
    let forward = smaller(m, &closure, &[Direction::Forward]);
    m.refill(work / 4);
    let both = smaller(m, &forward, &BOTH);
    let better = cost(&both) < cost(&forward) && check::is_shown(m, &both)?;
    Ok(if better { both } else { forward })
}
