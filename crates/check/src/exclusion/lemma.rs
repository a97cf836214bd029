//! Lemmas: the negation of the clause is refuted by a weighted sum of inequalities and equations.
//!
//! The sum has the form `Σ a·M + Σ b·x <= c`. With no `a` or `b` negative and `c` negative it has no solution.

use std::collections::BTreeMap;

use evidence::{Atom, Exclusion, Fact, Lemma, Sign, Source};
use model::views::{Net, NetTransitionId, PlaceId};

use super::OUT_OF_RANGE;
use super::sets::{Set, fact};
use crate::certificate::{CertificateError, ensure, wrong};

pub(super) struct Checker<'a> {
    net: &'a Net,
    certificate: &'a Exclusion,
    /// The sets of the facts, and of the atoms that have one.
    facts: Vec<Set>,
    fed: Vec<Option<Set>>,
}

/// What is summed up: tokens on a place, firings of a transition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Quantity {
    Place(usize),
    Transition(usize),
}

/// A sum of inequalities.
#[derive(Default)]
struct Sum {
    factors: BTreeMap<Quantity, i128>,
    right: i128,
}

impl Sum {
    fn add(&mut self, quantity: Quantity, factor: i128) -> Option<()> {
        let sum = self.factors.entry(quantity).or_default();
        *sum = sum.checked_add(factor)?;
        Some(())
    }

    fn right(&mut self, value: i128) -> Option<()> {
        self.right = self.right.checked_add(value)?;
        Some(())
    }

    fn is_refutation(&self) -> bool {
        self.right < 0 && self.factors.values().all(|&factor| factor >= 0)
    }
}

impl<'a> Checker<'a> {
    /// Checks the facts and the sets of the atoms.
    pub(super) fn new(net: &'a Net, certificate: &'a Exclusion) -> Result<Self, CertificateError> {
        let (mut facts, mut fed) = (Vec::new(), Vec::new());
        for (number, content) in certificate.facts.iter().enumerate() {
            let Some(set) = fact(net, content) else {
                return wrong(format!("its fact number {number} is none of the net"));
            };
            facts.push(set);
        }
        for (number, atom) in certificate.atoms.iter().enumerate() {
            fed.push(None);
            if let Atom::Fed(places) = atom {
                let Some(set) = Set::new(net, places) else { return wrong(OUT_OF_RANGE) };
                let marked = || format!("the set of its atom number {number} is marked in the beginning");
                ensure(!set.marked(net), marked)?;
                fed[number] = Some(set);
            }
        }
        Ok(Self { net, certificate, facts, fed })
    }

    /// Whether a lemma's refutation refutes the negation of its clause; `None` if not.
    pub(super) fn lemma(&self, lemma: &Lemma) -> Option<()> {
        let mut sum = Sum::default();
        for &(p, factor) in &lemma.equation {
            self.equation(&mut sum, p, i128::from(factor))?;
        }
        for &(source, factor) in &lemma.inequalities {
            let factor = i128::from(factor);
            match source {
                Source::Negated(sign) if factor > 0 && lemma.clause.contains(&sign) => {
                    self.negated(&mut sum, sign, factor)?;
                }
                Source::Idle(sign, t) if factor > 0 && lemma.clause.contains(&sign) => {
                    // The negation of "fed" is that nothing takes from the set.
                    let (atom, positive) = variable(sign)?;
                    let set = self.fed.get(atom)?.as_ref().filter(|_| positive)?;
                    self.idle(&mut sum, set, t, factor)?;
                }
                Source::Marked(fact) if factor > 0 => self.marked(&mut sum, fact, factor)?,
                Source::Starved(fact, t) if factor > 0 => {
                    let siphon = matches!(self.certificate.facts.get(fact)?, Fact::Siphon(_));
                    let set = self.facts.get(fact).filter(|_| siphon)?;
                    self.idle(&mut sum, set, t, factor)?;
                }
                _ => return None,
            }
        }
        sum.is_refutation().then_some(())
    }

    /// `M(p) - C(p)·x = m0(p)`.
    fn equation(&self, sum: &mut Sum, p: usize, factor: i128) -> Option<()> {
        let place = self.net.places().get(p)?;
        sum.add(Quantity::Place(p), factor)?;
        for &(t, weight) in self.net.producers(PlaceId::new(p)) {
            sum.add(Quantity::Transition(t.index()), factor.checked_mul(-i128::from(weight))?)?;
        }
        for &(t, weight) in self.net.consumers(PlaceId::new(p)) {
            sum.add(Quantity::Transition(t.index()), factor.checked_mul(i128::from(weight))?)?;
        }
        sum.right(factor.checked_mul(i128::from(place.initial))?)
    }

    /// What the negation of a literal says.
    fn negated(&self, sum: &mut Sum, sign: Sign, factor: i128) -> Option<()> {
        let (atom, positive) = variable(sign)?;
        // Not at most: at least one more, or `-sum <= -(bound + 1)`.
        let side = |bound: i64| if positive { (-1, -(i128::from(bound) + 1)) } else { (1, i128::from(bound)) };
        match self.certificate.atoms.get(atom)? {
            Atom::AtMost { terms, bound } => {
                let (direction, right) = side(*bound);
                for &(p, weight) in terms {
                    self.net.places().get(p)?;
                    sum.add(Quantity::Place(p), factor.checked_mul(direction * i128::from(weight))?)?;
                }
                sum.right(factor.checked_mul(right)?)
            }
            Atom::Firings { transition, bound } => {
                self.net.transitions().get(*transition)?;
                let (direction, right) = side(*bound);
                sum.add(Quantity::Transition(*transition), factor * direction)?;
                sum.right(factor.checked_mul(right)?)
            }
            Atom::Fed(_) if positive => None,
            Atom::Fed(_) => {
                let set = self.fed.get(atom)?.as_ref()?;
                for t in set.feeders(self.net) {
                    sum.add(Quantity::Transition(t.index()), -factor)?;
                }
                sum.right(-factor)
            }
        }
    }

    /// A transition that takes from a set from which nothing is taken does not fire.
    fn idle(&self, sum: &mut Sum, set: &Set, t: usize, factor: i128) -> Option<()> {
        if t >= self.net.transitions().len() || !set.taken(self.net, NetTransitionId::new(t)) {
            return None;
        }
        sum.add(Quantity::Transition(t), factor)
    }

    /// The tokens of a trap are at least one.
    fn marked(&self, sum: &mut Sum, fact: usize, factor: i128) -> Option<()> {
        let Fact::Trap(places) = self.certificate.facts.get(fact)? else { return None };
        let mut places = places.clone();
        places.sort_unstable();
        places.dedup();
        for p in places {
            sum.add(Quantity::Place(p), -factor)?;
        }
        sum.right(-factor)
    }
}

/// The variable of a literal, and whether it is positive.
fn variable(sign: Sign) -> Option<(usize, bool)> {
    Some((usize::try_from(sign.unsigned_abs().checked_sub(1)?).ok()?, sign > 0))
}
