//! That an interaction is not possible, as conditions on the state.
//!
//! Where an atom is, if it does not take part, is asked of its *place*, a variable that follows its location. What the
//! step itself ensures is left out, and the result is a list of conjuncts, each as small as it can be.

use std::collections::BTreeSet;
use std::rc::Rc;

use model::{Binary, Expr};

use super::behaviour::Behaviour;
use super::design::Design;
use super::hidden::Hidden;
use super::offers::{Leaf, Offer};
use super::slots::{Slot, reads};
use super::sym::{all, any, negated};

/// A step for which conditions are made.
pub(super) struct Step<'a> {
    pub(super) behaviours: &'a [Behaviour],
    /// The interaction.
    pub(super) offer: &'a Offer,
    /// Where the atoms that take part are, if that matters.
    pub(super) at: &'a [usize],
}

impl Step<'_> {
    /// Conjuncts that say: not all of `when` hold, or the other interaction is not possible.
    pub(super) fn blocked(&self, when: &[Expr], other: &Offer) -> Vec<Expr> {
        let leaves: Vec<&Leaf> = other.leaves.iter().filter(|l| self.offer.leaves.binary_search(l).is_err()).collect();
        let mut ways: Vec<Expr> = when.iter().cloned().map(negated).collect();
        ways.extend(other.guard.iter().filter(|g| !self.offer.guard.contains(g)).cloned().map(negated));
        let ensured = |o: &&Rc<Offer>| self.offer.unless.iter().any(|own| Rc::ptr_eq(own, o));
        ways.extend(other.unless.iter().filter(|o| !ensured(o)).map(|o| self.possible(&[], o)));
        ways.extend(other.waits.iter().map(|w| self.possible(&w.when, &w.other)));
        if let ([leaf], []) = (&leaves[..], &ways[..]) {
            return self.silent(**leaf);
        }
        ways.extend(leaves.into_iter().map(|leaf| all(self.silent(*leaf))));
        any(ways).conjuncts()
    }

    fn possible(&self, when: &[Expr], other: &Offer) -> Expr {
        negated(all(self.blocked(when, other)))
    }

    /// Conjuncts that say: the atom does not offer its port.
    fn silent(&self, leaf: Leaf) -> Vec<Expr> {
        let behaviour = &self.behaviours[leaf.atom];
        if let Ok(part) = self.offer.leaves.binary_search_by_key(&leaf.atom, |l| l.atom) {
            return negated(behaviour.offered(leaf.port, self.at[part])).conjuncts();
        }
        let locations = behaviour.control.locations.len();
        let offered: Vec<Expr> = (0..locations).map(|at| behaviour.offered(leaf.port, at)).collect();
        if locations == 1 {
            return negated(offered[0].clone()).conjuncts();
        }
        let place = |op: Binary, at: usize| Slot::Place(leaf.atom).read().op(op, at as i64);
        let never: Vec<usize> = (0..locations).filter(|&at| offered[at] == Expr::from(false)).collect();
        let always = offered.iter().filter(|e| **e == Expr::TRUE).count();
        if let [only] = never[..]
            && always + 1 == locations
        {
            return vec![place(Binary::Eq, only)];
        }
        let asked = (0..locations).filter(|at| !never.contains(at));
        asked.map(|at| any(vec![place(Binary::Ne, at), negated(offered[at].clone())])).collect()
    }
}

/// The atoms that conditions ask about.
pub(super) fn asked(design: &Design<'_>, conditions: &[Expr], hidden: &Hidden) -> BTreeSet<usize> {
    let mut atoms = BTreeSet::new();
    for slot in conditions.iter().flat_map(reads) {
        match slot {
            Slot::Item(item) => {
                atoms.insert(design.owner(item));
            }
            Slot::Place(atom) => {
                atoms.insert(atom);
            }
            Slot::Token(place) => {
                atoms.insert(design.place_owner(place));
            }
            Slot::Hidden(at) => atoms.extend(hidden.owners(at)),
            Slot::Spare(_) => {}
        }
    }
    atoms
}
