//! Backwards from suspects, inside the invariant.
//!
//! What is kept are nested sets, the suspects first: in each there are the states of the one before, and others from
//! which one step leads there.

use model::views::RuleId;
use solve::bdd::Bdd;

use super::{Figures, Pace, Rings};
use crate::diagrams::{Space, Stop};

/// What a backward search ended with.
#[derive(Debug)]
pub(super) enum Onion {
    /// The last of these nested sets holds initial states.
    Met(Vec<Bdd>),
    /// Nothing else leads to the suspects than these states, as far as they are in the invariant.
    Closed(Bdd),
    /// A ring has too many nodes.
    Large,
}

/// Where rings are built.
#[derive(Debug)]
pub(super) struct Ground<'s, 'a> {
    pub(super) space: &'s Space<'a>,
    pub(super) rules: Vec<RuleId>,
    pub(super) initial: Bdd,
    pub(super) inv: Bdd,
    pub(super) rings: &'s Rings,
}

impl<'s, 'a> Ground<'s, 'a> {
    pub(super) fn new(space: &'s Space<'a>, inv: Bdd, rings: &'s Rings) -> Result<Self, Stop> {
        // Those with late variables first: what they add stays below the variables of the others.
        let rules = space.rules_upwards().into_iter().filter(|&r| !space.network().rule(r).fault).collect();
        Ok(Self { space, rules, initial: space.initial()?, inv, rings })
    }

    /// From where some states of the invariant can be reached, until initial states are among them, or a ring has more
    /// nodes than this.
    pub(super) fn onion(&self, around: &Bdd, most: Option<usize>, figures: &mut Figures) -> Result<Onion, Stop> {
        if !around.and(&self.initial)?.is_none() {
            return Ok(Onion::Met(vec![around.clone()]));
        }
        match self.rings.pace {
            Pace::Shortest => self.rings_around(around, most, figures),
            Pace::Chained => self.chains_around(around, most, figures),
        }
    }

    /// Ring by ring, by distance.
    fn rings_around(&self, around: &Bdd, most: Option<usize>, figures: &mut Figures) -> Result<Onion, Stop> {
        let (mut last, mut seen) = (around.clone(), around.clone());
        let mut nested = vec![around.clone()];
        loop {
            let exact = self.before(&last)?.minus(&seen)?;
            if exact.is_none() {
                return Ok(Onion::Closed(seen));
            }
            seen = seen.or(&exact)?;
            last = self.smaller(exact, figures)?;
            if most.is_some_and(|most| last.nodes() > most) {
                return Ok(Onion::Large);
            }
            nested.push(seen.clone());
            if !last.and(&self.initial)?.is_none() {
                return Ok(Onion::Met(nested));
            }
        }
    }

    /// Rule by rule, each applied to all that is known, what the rules before just added included. What one pass of all
    /// rules adds is a ring.
    fn chains_around(&self, around: &Bdd, most: Option<usize>, figures: &mut Figures) -> Result<Onion, Stop> {
        let mut nested = vec![around.clone()];
        let mut known = around.clone();
        loop {
            let before = nested.len();
            for &rule in &self.rules {
                let new = self.space.before(rule, &known)?.and(&self.inv)?.minus(&known)?;
                if !new.is_none() {
                    known = known.or(&new)?;
                    nested.push(known.clone());
                    if !new.and(&self.initial)?.is_none() {
                        figures.ring(known.nodes(), known.nodes());
                        return Ok(Onion::Met(nested));
                    }
                }
            }
            if nested.len() == before {
                return Ok(Onion::Closed(known));
            }
            known = self.smaller(known, figures)?;
            if most.is_some_and(|most| known.nodes() > most) {
                return Ok(Onion::Large);
            }
        }
    }

    /// The states of the invariant from which one step leads into a ring. A ring that is exact has few predecessors
    /// outside, and to cut them off afterwards is cheaper; one that was made smaller has many.
    fn before(&self, ring: &Bdd) -> Result<Bdd, Stop> {
        if self.rings.restrict {
            return self.space.pre(ring, &self.inv);
        }
        Ok(self.space.pre(ring, &self.space.manager().all())?.and(&self.inv)?)
    }

    /// The ring, or a smaller diagram that agrees with it inside the invariant.
    fn smaller(&self, exact: Bdd, figures: &mut Figures) -> Result<Bdd, Stop> {
        let nodes = exact.nodes();
        let kept = if self.rings.restrict { exact.restrict(&self.inv)? } else { exact };
        figures.ring(nodes, kept.nodes());
        Ok(kept)
    }
}
