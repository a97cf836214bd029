//! All reachable markings, by the definitions.

use std::collections::{HashSet, VecDeque};

use model::nets::{Goal, Linear};
use model::views::{Marking, Net};

/// The reachable markings of a net.
#[derive(Clone, Debug)]
pub struct Oracle<'a> {
    net: &'a Net,
    markings: Vec<Marking>,
}

impl<'a> Oracle<'a> {
    /// Visits everything; `None` if there are more than `limit` markings.
    pub fn new(net: &'a Net, limit: usize) -> Option<Self> {
        let initial = net.initial_marking();
        let mut seen = HashSet::from([initial.clone()]);
        let mut waiting = VecDeque::from([initial]);
        let mut markings = Vec::new();
        while let Some(marking) = waiting.pop_front() {
            for t in net.transition_ids().filter(|&t| net.is_enabled(t, &marking)) {
                let next = net.fire(t, &marking);
                if seen.insert(next.clone()) {
                    waiting.push_back(next);
                }
            }
            markings.push(marking);
            if seen.len() > limit {
                return None;
            }
        }
        Some(Self { net, markings })
    }

    /// The reachable markings, nearest first.
    pub fn markings(&self) -> &[Marking] {
        &self.markings
    }

    /// Whether some reachable marking is what is searched for; a maximum is always reached.
    pub fn reaches(&self, goal: &Goal) -> bool {
        match goal {
            Goal::Dead => self.markings.iter().any(|m| is_dead(self.net, m)),
            Goal::Satisfies(predicate) => self.markings.iter().any(|m| predicate.holds(m)),
            Goal::Maximum(_) => true,
        }
    }

    /// The greatest value of an expression.
    pub fn maximum(&self, expression: &Linear) -> i128 {
        self.markings.iter().map(|m| expression.value(m)).max().expect("the initial marking is reachable")
    }
}

/// Whether a marking enables nothing.
fn is_dead(net: &Net, marking: &[u64]) -> bool {
    !net.transition_ids().any(|t| net.is_enabled(t, marking))
}
