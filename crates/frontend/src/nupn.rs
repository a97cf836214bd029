//! Nested-unit Petri nets: a hierarchy of units in which the author has put the places of a net.
//!
//! What such a hierarchy says is the claim of a file. It is kept only if it is consistent in itself and with the net:
//! the units are a tree, every place is in exactly one of them, and, where the net is claimed to be unit-safe, the
//! initial marking is. That all reachable markings are remains a claim.

use std::rc::Rc;

use model::views::{Net, PlaceId};

/// A unit, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UnitId(pub u32);

impl UnitId {
    /// As a position in [`Nupn::units`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A hierarchy of units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nupn {
    /// The units, in the order of the text.
    pub units: Vec<Unit>,
    /// The unit that contains all others.
    pub root: UnitId,
    /// Whether the author claims that the net is unit-safe: no place ever has two tokens, and two places of one unit,
    /// or of a unit and one inside it, never have tokens together.
    pub safe: bool,
}

/// A unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Its name.
    pub name: String,
    /// The places that are in it, and in none of its subunits.
    pub places: Vec<PlaceId>,
    /// The units directly inside it.
    pub subunits: Vec<UnitId>,
}

/// The claims of a hierarchy have at most so many places, counted with repetition.
const CLAIMED: usize = 4_000_000;

impl Nupn {
    /// Sets of places that hold at most one token together, if the net is unit-safe: each place, each unit, and each
    /// unit with all those around it.
    pub fn claims(&self) -> Vec<Vec<PlaceId>> {
        let places = self.units.iter().flat_map(|unit| &unit.places).map(|&p| vec![p]);
        let mut claims: Vec<Vec<PlaceId>> = places.collect();
        let mut left = CLAIMED.saturating_sub(claims.len());
        let mut waiting: Vec<(UnitId, Rc<[PlaceId]>)> = vec![(self.root, Rc::new([]))];
        while let Some((unit, around)) = waiting.pop() {
            let Unit { places, subunits, .. } = &self.units[unit.index()];
            let path: Rc<[PlaceId]> = around.iter().chain(places).copied().collect();
            let sets = [&places[..], &path].into_iter().filter(|set| set.len() > 1);
            for set in sets.take(if around.is_empty() { 1 } else { 2 }) {
                let Some(rest) = left.checked_sub(set.len()) else { return claims };
                left = rest;
                claims.push(set.to_vec());
            }
            waiting.extend(subunits.iter().rev().map(|&sub| (sub, Rc::clone(&path))));
        }
        claims
    }

    /// Says what is wrong with the hierarchy, if anything is.
    pub(crate) fn check(&self, net: &Net) -> Result<(), String> {
        let order = self.top_down()?;
        self.check_partition(net)?;
        if self.safe { self.check_initial(net, &order) } else { Ok(()) }
    }

    /// All units, each after the one that contains it.
    fn top_down(&self) -> Result<Vec<UnitId>, String> {
        let mut seen = vec![false; self.units.len()];
        seen[self.root.index()] = true;
        let mut order = vec![self.root];
        let mut next = 0;
        while let Some(&unit) = order.get(next) {
            next += 1;
            for &sub in &self.units[unit.index()].subunits {
                if std::mem::replace(&mut seen[sub.index()], true) {
                    return Err(format!("unit `{}` is inside more than one unit", self.units[sub.index()].name));
                }
                order.push(sub);
            }
        }
        match seen.iter().position(|s| !s) {
            Some(lost) => Err(format!("unit `{}` is not inside the root", self.units[lost].name)),
            None => Ok(order),
        }
    }

    fn check_partition(&self, net: &Net) -> Result<(), String> {
        let mut seen = vec![false; net.places().len()];
        for &p in self.units.iter().flat_map(|u| &u.places) {
            if std::mem::replace(&mut seen[p.index()], true) {
                return Err(format!("place `{}` is in more than one unit", net.place(p).name));
            }
        }
        match seen.iter().position(|s| !s) {
            Some(lost) => Err(format!("place `{}` is in no unit", net.places()[lost].name)),
            None => Ok(()),
        }
    }

    fn check_initial(&self, net: &Net, order: &[UnitId]) -> Result<(), String> {
        // By unit: whether a unit around it has a token.
        let mut occupied = vec![false; self.units.len()];
        for &unit in order {
            let unit_data = &self.units[unit.index()];
            let tokens: u64 = unit_data.places.iter().map(|&p| u64::from(net.place(p).initial)).sum();
            if tokens + u64::from(occupied[unit.index()]) > 1 {
                return Err(format!("unit `{}` is not safe in the initial marking", unit_data.name));
            }
            let inside = occupied[unit.index()] || tokens > 0;
            unit_data.subunits.iter().for_each(|sub| occupied[sub.index()] = inside);
        }
        Ok(())
    }
}
