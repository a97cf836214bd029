//! Whether the clauses of an invariant hold in the beginning and are kept by every transition.
//!
//! A transition changes a weighted sum of tokens by a number that does not depend on the marking. So "the sum is at most
//! `b`" holds after it exactly if "the sum is at most `b` less this number" holds before it, and that a clause is kept is
//! itself a clause about the marking before: something is missing for the transition, or the clause holds after it.

use std::collections::{BTreeMap, HashMap};

use evidence::{Atom, Exclusion, Sign};
use model::views::{Net, NetTransitionId, PlaceId};

use super::OUT_OF_RANGE;
use super::propagation::Clauses;
use crate::certificate::{CertificateError, ensure, wrong};

/// A weighted sum of tokens.
type Terms = [(usize, i64)];

/// The bounds that are atoms.
pub(super) struct Induction<'a> {
    net: &'a Net,
    atoms: &'a [Atom],
    /// By sum and bound, the atom.
    bounds: HashMap<&'a Terms, BTreeMap<i64, Sign>>,
}

/// What a literal about the marking after a transition says about the one before.
enum Before {
    Literal(Sign),
    Certain,
    /// It is false, or no atom says it.
    Nothing,
}

impl<'a> Induction<'a> {
    pub(super) fn new(net: &'a Net, atoms: &'a [Atom]) -> Self {
        let mut bounds: HashMap<&Terms, BTreeMap<i64, Sign>> = HashMap::new();
        for (number, atom) in atoms.iter().enumerate() {
            if let Atom::AtMost { terms, bound } = atom {
                bounds.entry(terms).or_default().insert(*bound, number as Sign + 1);
            }
        }
        Self { net, atoms, bounds }
    }

    /// Adds the invariant of a certificate, and what it says follows, to the clauses that hold of reachable markings.
    pub(super) fn check(&self, certificate: &Exclusion, all: &mut Clauses) -> Result<(), CertificateError> {
        let invariant = &certificate.invariant;
        // Less implies more.
        for bounds in self.bounds.values() {
            bounds.values().zip(bounds.values().skip(1)).for_each(|(&less, &more)| all.add(&[-less, more]));
        }
        for (number, clause) in invariant.iter().enumerate() {
            let Some(holds) = self.initially(clause) else { return wrong(OUT_OF_RANGE) };
            ensure(holds, || format!("clause number {number} of its invariant does not hold in the beginning"))?;
            all.add(clause);
        }
        all.follow("consequence", &certificate.consequences)?;
        for (number, clause) in invariant.iter().enumerate() {
            let Some(harmful) = self.harmful(clause) else { return wrong(OUT_OF_RANGE) };
            for t in harmful {
                let kept = self.kept(clause, t).is_none_or(|before| all.implies(&before));
                let unkept =
                    || format!("nothing shows that transition {t:?} keeps clause number {number} of its invariant");
                ensure(kept, unkept)?;
            }
        }
        Ok(())
    }

    /// The sum and the bound that a literal speaks of; `None` if it speaks of something else.
    fn bound(&self, literal: Sign) -> Option<(&'a Terms, i64)> {
        match self.atoms.get(usize::try_from(literal.unsigned_abs().checked_sub(1)?).ok()?)? {
            Atom::AtMost { terms, bound } if terms.iter().all(|&(p, _)| p < self.net.places().len()) => {
                Some((terms, *bound))
            }
            _ => None,
        }
    }

    /// Whether a clause holds in the initial marking; `None` if it does not speak of tokens only.
    fn initially(&self, clause: &[Sign]) -> Option<bool> {
        let holds = |&literal: &Sign| {
            let (terms, bound) = self.bound(literal)?;
            let tokens = |p: usize| i128::from(self.net.place(PlaceId::new(p)).initial);
            let sum: i128 = terms.iter().map(|&(p, weight)| i128::from(weight) * tokens(p)).sum();
            Some((sum <= i128::from(bound)) == (literal > 0))
        };
        let values: Vec<bool> = clause.iter().map(holds).collect::<Option<_>>()?;
        Some(values.contains(&true))
    }

    /// The transitions after which a literal of the clause may be false that was true before.
    fn harmful(&self, clause: &[Sign]) -> Option<Vec<NetTransitionId>> {
        let mut harmful = Vec::new();
        for &literal in clause {
            let (terms, _) = self.bound(literal)?;
            let mut changes: BTreeMap<NetTransitionId, i128> = BTreeMap::new();
            for &(p, weight) in terms {
                let (p, weight) = (PlaceId::new(p), i128::from(weight));
                let puts = self.net.producers(p).iter().map(|&(t, n)| (t, i128::from(n)));
                let takes = self.net.consumers(p).iter().map(|&(t, n)| (t, -i128::from(n)));
                puts.chain(takes).for_each(|(t, n)| *changes.entry(t).or_default() += weight * n);
            }
            let worse = |change: i128| if literal > 0 { change > 0 } else { change < 0 };
            harmful.extend(changes.into_iter().filter(|&(_, change)| worse(change)).map(|(t, _)| t));
        }
        harmful.sort_unstable();
        harmful.dedup();
        Some(harmful)
    }

    /// That a transition keeps a clause, as a clause about the marking before; `None` if it is certain.
    fn kept(&self, clause: &[Sign], t: NetTransitionId) -> Option<Vec<Sign>> {
        let lacks = |&(p, weight): &(PlaceId, u32)| {
            let bounds = self.bounds.get(&[(p.index(), 1)][..])?;
            bounds.get(&(i64::from(weight) - 1)).copied()
        };
        let mut before: Vec<Sign> = self.net.pre(t).iter().filter_map(lacks).collect();
        for &literal in clause {
            match self.before(literal, t) {
                Before::Literal(literal) => before.push(literal),
                Before::Certain => return None,
                Before::Nothing => {}
            }
        }
        Some(before)
    }

    fn before(&self, literal: Sign, t: NetTransitionId) -> Before {
        let Some((terms, bound)) = self.bound(literal) else { return Before::Nothing };
        let weight = |p: PlaceId| {
            let at = |&&(q, _): &&(usize, i64)| q == p.index();
            terms.iter().filter(at).map(|&(_, weight)| i128::from(weight)).sum::<i128>()
        };
        let arcs = |arcs: &[(PlaceId, u32)]| arcs.iter().map(|&(p, n)| weight(p) * i128::from(n)).sum::<i128>();
        let bound = i128::from(bound) - (arcs(self.net.post(t)) - arcs(self.net.pre(t)));
        let known = i64::try_from(bound).ok().and_then(|bound| self.bounds[terms].get(&bound));
        match known {
            Some(&atom) => Before::Literal(atom * literal.signum()),
            // A sum without negative weights is never negative.
            None if literal < 0 && bound < 0 && terms.iter().all(|&(_, weight)| weight >= 0) => Before::Certain,
            None => Before::Nothing,
        }
    }
}
