//! Applies rules until none applies: cheap local ones first, then costlier ones, then those that look at the whole net.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use model::views::PlaceId;

use crate::class::{Class, Preserves};
use crate::dirty::TIERS;
use crate::work::Work;

/// Asked now and then whether to stop; what was done until then is sound.
pub type Stop<'a> = &'a dyn Fn() -> bool;

/// How often each rule was applied.
pub type Uses = BTreeMap<&'static str, usize>;

/// How many rules are tried between two questions whether to stop.
const PATIENCE: usize = 64;

/// A rule, by name.
pub trait Rule: fmt::Debug {
    /// How reports name it.
    fn name(&self) -> &'static str;
}

/// A rule that looks at a place and its surroundings.
pub trait Local: Rule {
    /// Applies the rule at a place that the net has, if its conditions hold there.
    fn at(&self, work: &mut Work, p: PlaceId) -> bool;
}

/// A rule that looks at all of the net, in about linear time.
pub trait Global: Rule {
    /// Applies the rule wherever its conditions hold; how often it did.
    fn everywhere(&self, work: &mut Work, stop: Stop<'_>) -> usize;
}

/// Rules that preserve the answers to a class of questions.
#[derive(Debug)]
pub struct Scheduler<C> {
    local: [Vec<Box<dyn Local>>; TIERS],
    global: Vec<Box<dyn Global>>,
    class: PhantomData<C>,
}

impl<C: Class> Default for Scheduler<C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<C: Class> Scheduler<C> {
    /// No rules yet.
    pub fn new() -> Self {
        Self { local: Default::default(), global: Vec::new(), class: PhantomData }
    }

    /// Adds a local rule, which waits until the rules of lower tiers have nothing to do.
    #[must_use]
    pub fn local<R: Local + Preserves<C> + 'static>(mut self, tier: usize, rule: R) -> Self {
        self.local[tier].push(Box::new(rule));
        self
    }

    /// Adds a rule for the whole net, which waits until the local rules have nothing to do.
    #[must_use]
    pub fn global<R: Global + Preserves<C> + 'static>(mut self, rule: R) -> Self {
        self.global.push(Box::new(rule));
        self
    }

    /// Reduces until nothing applies, or until told to stop.
    pub(crate) fn run(&self, work: &mut Work, stop: Stop<'_>) -> Uses {
        let mut uses = Uses::new();
        loop {
            let mut changes = self.everywhere(work, stop, &mut uses);
            work.touch_all();
            changes += self.drain(work, stop, &mut uses);
            if changes == 0 || stop() {
                return uses;
            }
        }
    }

    fn everywhere(&self, work: &mut Work, stop: Stop<'_>, uses: &mut Uses) -> usize {
        let mut changes = 0;
        for rule in &self.global {
            if stop() {
                break;
            }
            let times = rule.everywhere(work, stop);
            note(uses, rule.name(), times);
            changes += times;
        }
        changes
    }

    fn drain(&self, work: &mut Work, stop: Stop<'_>, uses: &mut Uses) -> usize {
        let (mut changes, mut tries) = (0, 0_usize);
        while let Some((tier, p)) = work.next_place() {
            tries += 1;
            if tries.is_multiple_of(PATIENCE) && stop() {
                break;
            }
            for rule in &self.local[tier] {
                let applied = work.has_place(p) && rule.at(work, p);
                note(uses, rule.name(), usize::from(applied));
                changes += usize::from(applied);
            }
        }
        changes
    }
}

fn note(uses: &mut Uses, name: &'static str, times: usize) {
    if times > 0 {
        *uses.entry(name).or_default() += times;
    }
}
