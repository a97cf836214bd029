//! Inequalities and traps: what every rule keeps.

use evidence::Inequality;
use model::views::EventId;

use super::index::Index;
use crate::certificate::{CertificateError, ensure, wrong};

/// Inequalities that have been checked, ready to be asked for their least sum.
pub(super) struct Inequalities<'a> {
    checked: Vec<Sum<'a>>,
}

/// An inequality in which no component is confined.
struct Sum<'a> {
    inequality: &'a Inequality,
    /// By component, in increasing order.
    terms: Vec<Term<'a>>,
    /// The least sum.
    least: i128,
}

/// What a component contributes to a sum.
struct Term<'a> {
    component: usize,
    weights: &'a [(usize, usize, i64)],
    /// The least weight of a state, listed or not.
    least: i128,
}

impl<'a> Inequalities<'a> {
    pub(super) fn new(index: &Index<'_>, inequalities: &'a [Inequality]) -> Result<Self, CertificateError> {
        let checked = inequalities.iter().enumerate().map(|(number, inequality)| {
            let Some(sum) = Sum::new(index, inequality) else {
                return wrong(format!("inequality {number} has an unknown state, or is not in order"));
            };
            let initial = |&&(c, s, _): &&(usize, usize, i64)| index.is_initial(c, s);
            let start: i128 = inequality.weights.iter().filter(initial).map(|w| i128::from(w.2)).sum();
            let holds = start <= i128::from(inequality.bound);
            ensure(holds, || format!("inequality {number} does not hold in the beginning"))?;
            match sum.increased_by(index) {
                Some(rule) => wrong(format!("rule {rule} increases the sum of inequality {number}")),
                None => Ok(sum),
            }
        });
        Ok(Self { checked: checked.collect::<Result<_, _>>()? })
    }

    /// Whether the inequality excludes that components are confined to the states given; `None` if it is not there.
    pub(super) fn excludes(&self, inequality: usize, left: &[(usize, Vec<usize>)]) -> Option<bool> {
        let sum = self.checked.get(inequality)?;
        let mut least = sum.least;
        for (c, states) in left {
            let term = sum.term(*c);
            let weights = states.iter().map(|&s| term.map_or(0, |term| term.weight(s)));
            let Some(weight) = weights.min() else { return Some(true) };
            least += weight - term.map_or(0, |term| term.least);
        }
        Some(least > i128::from(sum.inequality.bound))
    }
}

// No sum overflows: there are fewer than 2^62 weights of 64 bits.
impl<'a> Sum<'a> {
    /// `None` if the weights are not in order, or of states that are not there.
    fn new(index: &Index<'_>, inequality: &'a Inequality) -> Option<Self> {
        let weights = &inequality.weights;
        let sound = weights.is_sorted_by(|a, b| (a.0, a.1) < (b.0, b.1));
        if !sound || !weights.iter().all(|&(c, s, _)| index.has_state(c, s)) {
            return None;
        }
        let term = |weights: &'a [(usize, usize, i64)]| {
            let component = weights[0].0;
            let unlisted = (weights.len() < index.component(component)?.states().len()).then_some(0);
            let least = weights.iter().map(|w| i128::from(w.2)).chain(unlisted).min()?;
            Some(Term { component, weights, least })
        };
        let terms = weights.chunk_by(|a, b| a.0 == b.0).map(term).collect::<Option<Vec<_>>>()?;
        let least = terms.iter().map(|term| term.least).sum();
        Some(Self { inequality, terms, least })
    }

    fn term(&self, c: usize) -> Option<&Term<'a>> {
        self.terms.binary_search_by_key(&c, |term| term.component).ok().map(|i| &self.terms[i])
    }

    /// A rule that increases the sum for some choice of moves.
    fn increased_by(&self, index: &Index<'_>) -> Option<usize> {
        let components = self.terms.iter().map(|term| term.component);
        index.rules_of(components).into_iter().find(|&rule| {
            let participants = index.network.rules()[rule].participants.iter();
            let increases = participants.map(|&(c, event)| self.increase(index, c.index(), event));
            // Without a move of one participant, the rule is never enabled.
            increases.sum::<Option<i128>>().is_some_and(|increase| increase > 0)
        })
    }

    /// The greatest increase by a move of one component with an event, if it has one.
    fn increase(&self, index: &Index<'_>, c: usize, event: EventId) -> Option<i128> {
        let moves = index.moves(c, event).iter();
        match self.term(c) {
            Some(term) => moves.map(|&(from, to)| term.weight(to) - term.weight(from)).max(),
            None => moves.map(|_| 0).next(),
        }
    }
}

impl Term<'_> {
    fn weight(&self, s: usize) -> i128 {
        // Where all states have a weight, they are in their places.
        let listed = match self.weights.get(s) {
            Some(weight) if weight.1 == s => Some(weight),
            _ => self.weights.binary_search_by_key(&s, |w| w.1).ok().map(|i| &self.weights[i]),
        };
        listed.map_or(0, |weight| i128::from(weight.2))
    }
}

/// Traps that have been checked.
pub(super) struct Traps {
    /// Component and state, in increasing order.
    checked: Vec<Vec<(usize, usize)>>,
}

impl Traps {
    pub(super) fn new(index: &Index<'_>, traps: &[Vec<(usize, usize)>]) -> Result<Self, CertificateError> {
        let checked = traps.iter().enumerate().map(|(number, trap)| {
            let known = trap.iter().all(|&(c, s)| index.has_state(c, s));
            ensure(known, || format!("trap {number} has an unknown component or state"))?;
            let marked = trap.iter().any(|&(c, s)| index.is_initial(c, s));
            ensure(marked, || format!("trap {number} is empty in the beginning"))?;
            let mut states = trap.clone();
            states.sort_unstable();
            match left_by(index, &states) {
                Some(rule) => wrong(format!("rule {rule} can leave trap {number}")),
                None => Ok(states),
            }
        });
        Ok(Self { checked: checked.collect::<Result<_, _>>()? })
    }

    /// The states of a trap, if it is there.
    pub(super) fn states(&self, trap: usize) -> Option<&[(usize, usize)]> {
        self.checked.get(trap).map(Vec::as_slice)
    }
}

/// A rule that can leave a trap: every participant has a move that does not enter the trap, and one of them a move
/// that leaves it. Each participant chooses by itself, so that no combinations need be looked at.
fn left_by(index: &Index<'_>, trap: &[(usize, usize)]) -> Option<usize> {
    let is_in = |c: usize, s: usize| trap.binary_search(&(c, s)).is_ok();
    let avoids = |c: usize, event: EventId| index.moves(c, event).iter().any(|&(_, to)| !is_in(c, to));
    let leaves =
        |c: usize, event: EventId| index.moves(c, event).iter().any(|&(from, to)| is_in(c, from) && !is_in(c, to));
    let components = trap.chunk_by(|a, b| a.0 == b.0).map(|states| states[0].0);
    index.rules_of(components).into_iter().find(|&rule| {
        let participants = &index.network.rules()[rule].participants;
        participants.iter().all(|&(c, event)| avoids(c.index(), event))
            && participants.iter().any(|&(c, event)| leaves(c.index(), event))
    })
}
