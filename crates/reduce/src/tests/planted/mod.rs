//! Planted bugs: rules that forget one of their conditions, which the comparisons must catch.
//!
//! Each rule is written down once more, in a simple form or from the parts of the real one, so that any of its conditions
//! can be forgotten by name. With all of them it must pass on the nets that the real rule is tested with; without one it
//! must not.

mod agglomerations;
mod places;
mod transitions;

use model::views::PlaceId;

use super::compare;
use super::samples::{Sample, quick, watched};
use crate::scheduler::{Global, Rule, Stop};
use crate::work::Work;
use crate::{Deadlocks, Observations, Preserves, Scheduler};

/// The conditions of a rule, one of which may be forgotten.
#[derive(Clone, Copy, Debug)]
struct Conditions(Option<&'static str>);

impl Conditions {
    /// Whether a condition holds, or is the one that is forgotten.
    fn hold(self, name: &str, condition: bool) -> bool {
        self.forget(name) || condition
    }

    /// Whether something, not to be asked in one place, is forgotten.
    fn forget(self, name: &str) -> bool {
        self.0 == Some(name)
    }
}

/// What a rule does, at each place or to the net.
#[derive(Clone, Copy, Debug)]
enum Plant {
    At(fn(&mut Work, PlaceId, Conditions) -> bool),
    Everywhere(fn(&mut Work, Conditions) -> usize),
}

/// A rule that may forget a condition.
#[derive(Clone, Copy, Debug)]
struct Planted(Plant, Conditions);

impl Preserves<Deadlocks> for Planted {}
impl Preserves<Observations> for Planted {}

impl Rule for Planted {
    fn name(&self) -> &'static str {
        "planted"
    }
}

impl Global for Planted {
    fn everywhere(&self, work: &mut Work, _: Stop<'_>) -> usize {
        match self.0 {
            Plant::Everywhere(apply) => apply(work, self.1),
            Plant::At(apply) => {
                let all: Vec<PlaceId> = work.places().collect();
                all.into_iter().filter(|&p| work.has_place(p) && apply(work, p, self.1)).count()
            }
        }
    }
}

/// What is wrong with the dead markings of some net.
fn deadlocks<R: Global + Preserves<Deadlocks> + 'static>(rule: R) -> Option<String> {
    let rules = Scheduler::<Deadlocks>::new().global(rule);
    quick().iter().find_map(|Sample { net, .. }| compare::deadlocks(&rules, net).err())
}

/// What is wrong with the observed places of some net.
fn observations(rule: Planted) -> Option<String> {
    let rules = Scheduler::<Observations>::new().global(rule);
    let wrong =
        |(i, Sample { net, .. }): (usize, &Sample)| compare::observations(&rules, net, &watched(net, i as u64)).err();
    quick().iter().enumerate().find_map(wrong)
}

/// The rule is sound, and is not without any of these conditions.
fn need(fault: fn(Planted) -> Option<String>, plant: Plant, conditions: &[&'static str]) {
    assert_eq!(fault(Planted(plant, Conditions(None))), None, "with all conditions");
    for &name in conditions {
        assert!(fault(Planted(plant, Conditions(Some(name)))).is_some(), "not caught without: {name}");
    }
}

/// The conditions matter for dead markings.
fn deadlocks_need(plant: Plant, conditions: &[&'static str]) {
    need(deadlocks, plant, conditions);
}

/// The conditions matter for observed places.
fn observations_need(plant: Plant, conditions: &[&'static str]) {
    need(observations, plant, conditions);
}

/// The conditions matter for both.
fn both_need(plant: Plant, conditions: &[&'static str]) {
    deadlocks_need(plant, conditions);
    observations_need(plant, conditions);
}
