//! Petri nets: places, transitions and weighted arcs, stored as compressed sparse rows in both directions.

use std::sync::Arc;

use super::csr::Rows;
use super::network::distinct;
use super::{NetTransitionId, PlaceId, ViewError};
use crate::objects::{Kind, Value};
use crate::{LocationId, ObjectId, ProcessId, System, TransitionId};

/// The tokens of each place. Initial tokens and weights are 32-bit numbers, so that sums of 2^31 firings still fit.
pub type Marking = Vec<u64>;

/// The arcs of one direction: by transition, and by place.
pub(super) type BothWays = (Rows<(PlaceId, u32)>, Rows<(NetTransitionId, u32)>);

/// A place/transition net.
#[derive(Clone, Debug)]
pub struct Net {
    name: String,
    places: Vec<Place>,
    transitions: Vec<NetTransition>,
    pre: Rows<(PlaceId, u32)>,
    post: Rows<(PlaceId, u32)>,
    consumers: Rows<(NetTransitionId, u32)>,
    producers: Rows<(NetTransitionId, u32)>,
}

/// A place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its name.
    pub name: String,
    /// Its tokens in the beginning.
    pub initial: u32,
    /// Whether tokens may stay here for good when nothing is enabled.
    pub end: bool,
    /// What its tokens mean in the system that the net was derived from.
    pub meaning: PlaceMeaning,
}

/// What the tokens of a place mean.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PlaceMeaning {
    /// Nothing beyond the net: a front end gave it.
    Given,
    /// One token while the process is at the location.
    Location(ProcessId, LocationId),
    /// One token while the object has the value.
    Value(ObjectId, Value),
    /// As many tokens as the counter or semaphore has.
    Tokens(ObjectId),
    /// As many tokens as the counter or semaphore lacks to its maximum.
    Room(ObjectId),
}

/// What a transition of a net stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetTransition {
    /// How it is shown. Several may have one name, if they stand for one transition of a system.
    pub name: Arc<str>,
    /// The transition of the system, wholly or in some of the states that enable it.
    pub transition: Option<TransitionId>,
    /// Whether the step is a model error; it changes no marking then.
    pub fault: bool,
}

/// A transition with its arcs as plain data, not yet checked: what [`Net::new`] takes.
#[derive(Clone, Debug)]
pub struct ArcSet {
    /// What it is.
    pub transition: NetTransition,
    /// The places it takes tokens from. Several arcs with one place add up.
    pub pre: Vec<(PlaceId, u32)>,
    /// The places it puts tokens on.
    pub post: Vec<(PlaceId, u32)>,
}

impl Place {
    /// A place of a front end.
    pub fn new(name: impl Into<String>, initial: u32) -> Self {
        Self { name: name.into(), initial, end: false, meaning: PlaceMeaning::Given }
    }

    fn tokens_of(&self, system: &System, packed: &[u64]) -> Option<u64> {
        let amount = |object: ObjectId| match system.value(object, packed) {
            Value::Int(v) => u64::try_from(v).ok(),
            Value::Lock(_) | Value::Queue(_) => None,
        };
        match &self.meaning {
            PlaceMeaning::Given => None,
            PlaceMeaning::Location(p, l) => Some(u64::from(system.location(*p, packed) == *l)),
            PlaceMeaning::Value(o, v) => Some(u64::from(system.value(*o, packed) == *v)),
            PlaceMeaning::Tokens(o) => amount(*o),
            PlaceMeaning::Room(o) => u64::from(max_tokens(&system.object(*o).kind)?).checked_sub(amount(*o)?),
        }
    }
}

impl ArcSet {
    /// A transition of a front end.
    pub fn new(name: impl Into<Arc<str>>, pre: Vec<(PlaceId, u32)>, post: Vec<(PlaceId, u32)>) -> Self {
        Self { transition: NetTransition { name: name.into(), transition: None, fault: false }, pre, post }
    }
}

impl Net {
    /// Checks the parts and puts them together.
    pub fn new(name: impl Into<String>, places: Vec<Place>, arcs: Vec<ArcSet>) -> Result<Self, ViewError> {
        distinct("place", places.iter().map(|p| &p.name))?;
        let (mut transitions, mut pre, mut post) = (Vec::new(), Vec::new(), Vec::new());
        for (t, set) in arcs.into_iter().enumerate() {
            let name = &set.transition.name;
            pre.extend(add_up(set.pre, name, places.len())?.into_iter().map(|arc| (t, arc)));
            post.extend(add_up(set.post, name, places.len())?.into_iter().map(|arc| (t, arc)));
            transitions.push(set.transition);
        }
        let turned = |arcs: &[(usize, (PlaceId, u32))]| {
            let turn = |&(t, (p, weight)): &(usize, (PlaceId, u32))| (p.index(), (NetTransitionId::new(t), weight));
            Rows::new(places.len(), arcs.iter().map(turn).collect())
        };
        let (consumers, producers) = (turned(&pre), turned(&post));
        let (pre, post) = (Rows::new(transitions.len(), pre), Rows::new(transitions.len(), post));
        Ok(Self { name: name.into(), places, transitions, pre, post, consumers, producers })
    }

    /// Puts together what [`super::NetBuilder`] has checked.
    pub(super) fn from_rows(
        name: String,
        (places, transitions): (Vec<Place>, Vec<NetTransition>),
        (pre, consumers): BothWays,
        (post, producers): BothWays,
    ) -> Self {
        Self { name, places, transitions, pre, post, consumers, producers }
    }

    /// The name of the model.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// All places.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// One place.
    pub fn place(&self, id: PlaceId) -> &Place {
        &self.places[id.index()]
    }

    /// All transitions.
    pub fn transitions(&self) -> &[NetTransition] {
        &self.transitions
    }

    /// One transition.
    pub fn transition(&self, id: NetTransitionId) -> &NetTransition {
        &self.transitions[id.index()]
    }

    /// The ids of all places.
    pub fn place_ids(&self) -> impl Iterator<Item = PlaceId> + use<> {
        (0..self.places.len()).map(PlaceId::new)
    }

    /// The ids of all transitions.
    pub fn transition_ids(&self) -> impl Iterator<Item = NetTransitionId> + use<> {
        (0..self.transitions.len()).map(NetTransitionId::new)
    }

    /// The places that a transition takes tokens from, with the weights, in increasing order.
    pub fn pre(&self, t: NetTransitionId) -> &[(PlaceId, u32)] {
        self.pre.row(t.index())
    }

    /// The places that a transition puts tokens on, with the weights, in increasing order.
    pub fn post(&self, t: NetTransitionId) -> &[(PlaceId, u32)] {
        self.post.row(t.index())
    }

    /// The transitions that take tokens from a place, with the weights, in increasing order.
    pub fn consumers(&self, p: PlaceId) -> &[(NetTransitionId, u32)] {
        self.consumers.row(p.index())
    }

    /// The transitions that put tokens on a place, with the weights, in increasing order.
    pub fn producers(&self, p: PlaceId) -> &[(NetTransitionId, u32)] {
        self.producers.row(p.index())
    }

    /// The initial marking.
    pub fn initial_marking(&self) -> Marking {
        self.places.iter().map(|p| u64::from(p.initial)).collect()
    }

    /// Whether a marking enables a transition.
    pub fn is_enabled(&self, t: NetTransitionId, marking: &[u64]) -> bool {
        self.pre(t).iter().all(|&(p, weight)| marking[p.index()] >= u64::from(weight))
    }

    /// The marking after an enabled transition.
    pub fn fire(&self, t: NetTransitionId, marking: &[u64]) -> Marking {
        let mut next = marking.to_vec();
        for &(p, weight) in self.pre(t) {
            next[p.index()] -= u64::from(weight);
        }
        for &(p, weight) in self.post(t) {
            next[p.index()] += u64::from(weight);
        }
        next
    }

    /// Whether there are tokens, and all where they may stay for good.
    pub fn at_end(&self, marking: &[u64]) -> bool {
        let mut marked = self.places.iter().zip(marking).filter(|(_, tokens)| **tokens > 0).peekable();
        marked.peek().is_some() && marked.all(|(place, _)| place.end)
    }

    /// The marking that a packed state of the system corresponds to; `None` if no system stands behind the net.
    pub fn marking_of(&self, system: &System, packed: &[u64]) -> Option<Marking> {
        self.places.iter().map(|p| p.tokens_of(system, packed)).collect()
    }
}

/// One arc for each place, with the sum of the weights.
fn add_up(mut arcs: Vec<(PlaceId, u32)>, transition: &str, places: usize) -> Result<Vec<(PlaceId, u32)>, ViewError> {
    arcs.sort_unstable_by_key(|(p, _)| *p);
    let mut sums: Vec<(PlaceId, u32)> = Vec::with_capacity(arcs.len());
    for (p, weight) in arcs {
        if p.index() >= places {
            return Err(ViewError::new(format!("an arc of `{transition}` leads to a place that is not there")));
        }
        if weight == 0 {
            return Err(ViewError::new(format!("an arc of `{transition}` has the weight 0")));
        }
        match sums.last_mut().filter(|(last, _)| *last == p) {
            None => sums.push((p, weight)),
            Some((_, sum)) => {
                let too_much = || ViewError::new(format!("the arcs of `{transition}` weigh more than 2^32 - 1"));
                *sum = sum.checked_add(weight).ok_or_else(too_much)?;
            }
        }
    }
    Ok(sums)
}

/// The most tokens of a counter or semaphore.
pub(super) fn max_tokens(kind: &Kind) -> Option<u32> {
    match kind {
        Kind::Semaphore { max } | Kind::Counter { max } => Some(*max),
        Kind::Variable(_) | Kind::Lock | Kind::Channel(_) => None,
    }
}
