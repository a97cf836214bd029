//! Whether a given clause holds for its reason: what its negation leaves of each component, and why that cannot be.

use evidence::{Goal, Sign, StateSet, Why};
use model::views::{ComponentId, EventId, Network, StateId};

use super::invariants::{Inequalities, Traps};
use super::tables::Groups;

/// Everything that reasons refer to, checked.
pub(super) struct Checker<'a> {
    pub(super) network: &'a Network,
    pub(super) sets: &'a [StateSet],
    pub(super) groups: Groups<'a>,
    pub(super) inequalities: Inequalities<'a>,
    pub(super) traps: Traps,
}

/// The states that are left of some components, in increasing order; all states are left of the others.
pub(super) struct Left(Vec<(usize, Vec<usize>)>);

impl Left {
    fn of(&self, c: usize) -> Option<&[usize]> {
        self.0.binary_search_by_key(&c, |entry| entry.0).ok().map(|i| self.0[i].1.as_slice())
    }

    fn has(&self, c: usize, s: usize) -> bool {
        self.of(c).is_none_or(|states| states.binary_search(&s).is_ok())
    }
}

impl Checker<'_> {
    /// Whether a clause, whose variables are all there, holds for a reason; `None` if the reason is not there or is
    /// none for the goal.
    pub(super) fn holds(&self, clause: &[Sign], why: Why, goal: Goal) -> Option<bool> {
        let left = self.left(clause);
        match (why, goal) {
            (Why::Component, _) => Some(left.0.iter().any(|(_, states)| states.is_empty())),
            (Why::Group(group), _) => self.groups.is_left(group, |c| left.of(c)).map(|is_left| !is_left),
            (Why::Inequality(inequality), _) => self.inequalities.excludes(inequality, &left.0),
            (Why::Trap(trap), _) => Some(!self.traps.states(trap)?.iter().any(|&(c, s)| left.has(c, s))),
            (Why::Rule(rule), Goal::Deadlock) => self.is_enabled(rule, &left),
            (Why::End, Goal::Deadlock) => Some(self.is_at_end(&left)),
            (Why::Disabled, Goal::Enabled(rule)) => self.is_disabled(rule, &left),
            (Why::Rule(_) | Why::End, Goal::Enabled(_)) | (Why::Disabled, Goal::Deadlock) => None,
        }
    }

    /// To what the negation of a clause confines each component that the clause speaks of.
    fn left(&self, clause: &[Sign]) -> Left {
        let component = |&sign: &Sign| self.set(sign).component;
        let mut signs = clause.to_vec();
        signs.sort_by_key(component);
        let of_one = |signs: &[Sign]| (component(&signs[0]), self.left_of_one(component(&signs[0]), signs));
        Left(signs.chunk_by(|a, b| component(a) == component(b)).map(of_one).collect())
    }

    /// The states of a component that are in no set of a positive literal and in all sets of negative ones.
    fn left_of_one(&self, component: usize, signs: &[Sign]) -> Vec<usize> {
        let states = |&sign: &Sign| self.set(sign).states.as_slice();
        let has = |sign: &Sign, s: &usize| states(sign).binary_search(s).is_ok();
        let (without, within): (Vec<Sign>, Vec<Sign>) = signs.iter().partition(|&&sign| sign > 0);
        let all: Vec<usize>;
        let smallest = match within.iter().map(states).min_by_key(|states| states.len()) {
            Some(smallest) => smallest,
            None => {
                all = (0..self.states(component)).collect();
                &all
            }
        };
        let is_left = |s: &&usize| !without.iter().any(|sign| has(sign, s)) && within.iter().all(|sign| has(sign, s));
        smallest.iter().filter(is_left).copied().collect()
    }

    fn set(&self, sign: Sign) -> &StateSet {
        &self.sets[variable(sign)]
    }

    fn states(&self, c: usize) -> usize {
        self.network.components()[c].states().len()
    }

    /// Whether something is true of all states that are left of a component.
    fn all(&self, left: &Left, c: usize, is_true: impl Fn(usize) -> bool) -> bool {
        match left.of(c) {
            Some(states) => states.iter().all(|&s| is_true(s)),
            None => (0..self.states(c)).all(is_true),
        }
    }

    fn offers(&self, c: ComponentId, event: EventId, s: usize) -> bool {
        !self.network.component(c).moves_with(StateId::new(s), event).is_empty()
    }

    /// Whether a rule is enabled whatever is left.
    fn is_enabled(&self, rule: usize, left: &Left) -> Option<bool> {
        let mut participants = self.network.rules().get(rule)?.participants.iter();
        Some(participants.all(|&(c, event)| self.all(left, c.index(), |s| self.offers(c, event, s))))
    }

    /// Whether a participant has no state left in which it offers its event.
    fn is_disabled(&self, rule: usize, left: &Left) -> Option<bool> {
        let mut participants = self.network.rules().get(rule)?.participants.iter();
        Some(participants.any(|&(c, event)| self.all(left, c.index(), |s| !self.offers(c, event, s))))
    }

    /// Whether all components are where they may stop for good, whatever is left.
    fn is_at_end(&self, left: &Left) -> bool {
        let mut components = self.network.components().iter().enumerate();
        components.len() > 0 && components.all(|(c, component)| self.all(left, c, |s| component.states()[s].end))
    }

    /// Whether the rule of a goal is there.
    pub(super) fn has_goal(&self, goal: Goal) -> bool {
        match goal {
            Goal::Deadlock => true,
            Goal::Enabled(rule) => rule < self.network.rules().len(),
        }
    }
}

/// The number of the set that a literal speaks of.
pub(super) fn variable(sign: Sign) -> usize {
    usize::try_from(sign.unsigned_abs() - 1).expect("variables have been found to be there")
}
