//! Weights of local states, given for the components that matter only.

use model::views::{ComponentId, RuleId, StateId};

use super::wiring::Wiring;

/// Weights of the states of some components; all other states weigh nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Weights {
    /// In increasing order of components; by state.
    parts: Vec<(ComponentId, Vec<i64>)>,
}

impl Weights {
    /// The components may come in any order; those whose states all weigh nothing are left out.
    pub(crate) fn new(mut parts: Vec<(ComponentId, Vec<i64>)>) -> Self {
        parts.retain(|(_, weights)| weights.iter().any(|w| *w != 0));
        parts.sort_unstable_by_key(|p| p.0);
        Self { parts }
    }

    /// The components that matter, with the weights of their states.
    pub(crate) fn parts(&self) -> &[(ComponentId, Vec<i64>)] {
        &self.parts
    }

    /// The number of local states in the components that matter.
    pub(crate) fn len(&self) -> usize {
        self.parts.iter().map(|(_, weights)| weights.len()).sum()
    }

    /// The weights of a component, if it matters.
    pub(crate) fn of(&self, c: ComponentId) -> Option<&[i64]> {
        self.parts.binary_search_by_key(&c, |p| p.0).ok().map(|k| self.parts[k].1.as_slice())
    }

    /// The opposite weights, if they are numbers.
    pub(crate) fn negated(&self) -> Option<Self> {
        let negated = |weights: &[i64]| weights.iter().map(|w| w.checked_neg()).collect::<Option<Vec<i64>>>();
        let parts = self.parts.iter().map(|(c, weights)| Some((*c, negated(weights)?)));
        Some(Self { parts: parts.collect::<Option<_>>()? })
    }

    /// Whether no rule increases the sum, whatever moves its participants take.
    pub(crate) fn never_grow(&self, wiring: &Wiring<'_>) -> bool {
        let mut rules: Vec<RuleId> = self.parts.iter().flat_map(|p| wiring.taken(p.0)).map(|t| t.0).collect();
        rules.sort_unstable();
        rules.dedup();
        rules.into_iter().all(|r| self.growth(wiring, r).is_none_or(|growth| growth.is_some_and(|sum| sum <= 0)))
    }

    /// The most that a rule adds; outer `None` if it never happens, inner if that is too much to tell.
    fn growth(&self, wiring: &Wiring<'_>, rule: RuleId) -> Option<Option<i64>> {
        let mut sum = Some(0_i64);
        for &(c, e) in &wiring.network().rule(rule).participants {
            let moves = wiring.moves(wiring.port(c, e));
            let growth = match self.of(c) {
                // A participant that never offers its event keeps the rule from happening.
                _ if moves.is_empty() => return None,
                None => Some(0),
                Some(weights) => {
                    let growth =
                        |&(from, to): &(StateId, StateId)| weights[to.index()].checked_sub(weights[from.index()]);
                    let all = moves.iter().map(growth).collect::<Option<Vec<i64>>>();
                    all.and_then(|all| all.into_iter().max())
                }
            };
            sum = sum.and_then(|sum| sum.checked_add(growth?));
        }
        Some(sum)
    }
}
