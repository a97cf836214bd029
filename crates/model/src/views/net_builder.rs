//! Builds a net from places, transitions and arcs that come in any order, in time and memory linear in their number.
//!
//! Files give arcs in no useful order, and often millions of them. Two bucket passes sort the arcs of a transition by
//! place without comparisons: first by place, then, in that order, by transition. A third one turns them round.

use std::sync::Arc;

use super::csr::Rows;
use super::net::BothWays;
use super::network::distinct;
use super::{Net, NetTransition, NetTransitionId, Place, PlaceId, ViewError};

/// A net under construction.
#[derive(Clone, Debug, Default)]
pub struct NetBuilder {
    name: String,
    places: Vec<Place>,
    transitions: Vec<NetTransition>,
    consumed: Vec<WeightedArc>,
    produced: Vec<WeightedArc>,
}

type WeightedArc = (NetTransitionId, PlaceId, u32);

impl NetBuilder {
    /// A net without places and transitions.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Adds a place.
    pub fn place(&mut self, place: Place) -> PlaceId {
        self.places.push(place);
        PlaceId::new(self.places.len() - 1)
    }

    /// A place that was added, to change it.
    pub fn place_mut(&mut self, p: PlaceId) -> &mut Place {
        &mut self.places[p.index()]
    }

    /// Adds a transition of a front end.
    pub fn transition(&mut self, name: impl Into<Arc<str>>) -> NetTransitionId {
        self.transitions.push(NetTransition { name: name.into(), transition: None, fault: false });
        NetTransitionId::new(self.transitions.len() - 1)
    }

    /// Adds an arc from a place to a transition. Several arcs between the same two add up.
    pub fn consume(&mut self, t: NetTransitionId, p: PlaceId, weight: u32) {
        self.consumed.push((t, p, weight));
    }

    /// Adds an arc from a transition to a place. Several arcs between the same two add up.
    pub fn produce(&mut self, t: NetTransitionId, p: PlaceId, weight: u32) {
        self.produced.push((t, p, weight));
    }

    /// Checks the parts and puts them together.
    pub fn build(mut self) -> Result<Net, ViewError> {
        distinct("place", self.places.iter().map(|p| &p.name))?;
        let consumed = std::mem::take(&mut self.consumed);
        let produced = std::mem::take(&mut self.produced);
        let pre = self.both_ways(consumed)?;
        let post = self.both_ways(produced)?;
        Ok(Net::from_rows(self.name, (self.places, self.transitions), pre, post))
    }

    fn both_ways(&self, arcs: Vec<WeightedArc>) -> Result<BothWays, ViewError> {
        arcs.iter().try_for_each(|arc| self.check(arc))?;
        let by_place = Rows::bucket(self.places.len(), arcs.iter().map(|&(t, p, w)| (p.index(), (t, w))));
        drop(arcs);
        let sums = self.add_up(by_place)?;
        let by_transition = sums.iter().map(|&(t, p, w)| (t.index(), (p, w)));
        let rows = Rows::bucket(self.transitions.len(), by_transition);
        let turned = rows.iter().map(|(t, (p, w))| (p.index(), (NetTransitionId::new(t), w)));
        let columns = Rows::bucket(self.places.len(), turned);
        Ok((rows, columns))
    }

    fn check(&self, &(t, p, weight): &WeightedArc) -> Result<(), ViewError> {
        let Some(transition) = self.transitions.get(t.index()) else {
            return Err(ViewError::new("an arc leads to a transition that is not there"));
        };
        let name = &transition.name;
        if p.index() >= self.places.len() {
            return Err(ViewError::new(format!("an arc of `{name}` leads to a place that is not there")));
        }
        if weight == 0 {
            return Err(ViewError::new(format!("an arc of `{name}` has the weight 0")));
        }
        Ok(())
    }

    /// One arc for each pair, with the sum of the weights, in the order of the places.
    fn add_up(&self, by_place: Rows<(NetTransitionId, u32)>) -> Result<Vec<WeightedArc>, ViewError> {
        let mut sums: Vec<WeightedArc> = Vec::new();
        // By transition: where its last arc is in `sums`; an arc of an earlier place is recognised by that place.
        let mut last = vec![u32::MAX; self.transitions.len()];
        for (place, (t, weight)) in by_place.iter() {
            let p = PlaceId::new(place);
            match sums.get_mut(last[t.index()] as usize).filter(|(_, q, _)| *q == p) {
                Some((_, _, sum)) => *sum = sum.checked_add(weight).ok_or_else(|| self.too_heavy(t))?,
                None => {
                    last[t.index()] = sums.len() as u32;
                    sums.push((t, p, weight));
                }
            }
        }
        Ok(sums)
    }

    fn too_heavy(&self, t: NetTransitionId) -> ViewError {
        ViewError::new(format!("the arcs of `{}` weigh more than 2^32 - 1", self.transitions[t.index()].name))
    }
}
