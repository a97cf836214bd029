//! The net of a system whose transitions use counters, semaphores and locks only.
//!
//! Locations are places, a counter or semaphore is a place with its tokens, a free lock is a marked place. What a
//! transition needs of an object is one of several *parts*:
//!
//! - Of a counter, an interval `lo..hi` of values: `lo` tokens are taken and given back. An upper bound below the
//!   maximum is the same demand on a second place, the counter's *room*, which holds what it lacks to its maximum.
//! - Of a lock, one value. Places for its holders exist only where a release could be a fault (see `holders`).
//!
//! Faults: adding beyond the maximum, and releasing a lock that is not held, are parts marked as such, and combinations
//! with one of them become transitions marked `fault` that change nothing. Guards and operations of any other form are
//! refused, by name. An object that no transition uses has no place.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::demand::{Demand, Part, Reader};
use super::net::{ArcSet, NetTransition, max_tokens};
use super::product::{choices, each_choice};
use super::{Limits, Net, Place, PlaceId, PlaceMeaning, ViewError};
use crate::objects::Value;
use crate::{LocationId, Move, ObjectId, ProcessId, System, Transition, TransitionId};

impl System {
    /// This system as a net, if its transitions use counters, semaphores and locks only.
    pub fn net(&self, limits: &Limits<'_>) -> Result<Net, ViewError> {
        if self.observer.is_some() {
            return Err(ViewError::new("a system with an observer has no net"));
        }
        self.without_control("net")?;
        let mut reader = Reader::new(self, *limits);
        let mut demands = Vec::new();
        for t in self.transition_ids() {
            limits.goes_on(t.index())?;
            demands.extend(reader.demand(self.transition(t))?.map(|demand| (t, demand)));
        }
        let mut writer = Writer::new(self, limits.rules);
        writer.process_places();
        writer.all_object_places(&demands, &reader);
        for (t, demand) in &demands {
            limits.goes_on(t.index())?;
            writer.transition(*t, demand)?;
        }
        Net::new(self.name(), writer.places, writer.arcs)
    }
}

/// Lays out the places and writes the transitions.
struct Writer<'a> {
    system: &'a System,
    limit: usize,
    places: Vec<Place>,
    /// The first place of each process.
    locations: Vec<usize>,
    tokens: BTreeMap<ObjectId, PlaceId>,
    rooms: BTreeMap<ObjectId, PlaceId>,
    locks: BTreeMap<(ObjectId, Value), PlaceId>,
    arcs: Vec<ArcSet>,
}

/// The tokens that a place must have and those that it then has.
type Change = (PlaceId, u32, u32);

impl<'a> Writer<'a> {
    fn new(system: &'a System, limit: usize) -> Self {
        let (tokens, rooms, locks) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let (places, locations, arcs) = (Vec::new(), Vec::new(), Vec::new());
        Self { system, limit, places, locations, tokens, rooms, locks, arcs }
    }

    fn place(&mut self, name: String, initial: u32, end: bool, meaning: PlaceMeaning) -> PlaceId {
        self.places.push(Place { name, initial, end, meaning });
        PlaceId::new(self.places.len() - 1)
    }

    fn process_places(&mut self) {
        for p in self.system.process_ids() {
            self.locations.push(self.places.len());
            let process = self.system.process(p);
            for (l, location) in process.locations.iter().enumerate() {
                let l = LocationId::new(l);
                let name = format!("{} at {}", process.name, location.name);
                self.place(name, u32::from(process.initial == l), location.end, PlaceMeaning::Location(p, l));
            }
        }
    }

    /// Places for the objects that some transition uses.
    fn all_object_places(&mut self, demands: &[(TransitionId, Demand)], reader: &Reader<'_>) {
        let mut used: BTreeMap<ObjectId, Vec<&Part>> = BTreeMap::new();
        for (&o, parts) in demands.iter().flat_map(|(_, d)| &d.choices) {
            used.entry(o).or_default().extend(parts);
        }
        // Where there are processes, only they decide whether a standstill is an end.
        let end = !self.system.processes().is_empty();
        for (o, parts) in used {
            match max_tokens(&self.system.object(o).kind) {
                Some(max) => self.token_places(o, max, &parts, end),
                None => self.lock_places(o, reader, end),
            }
        }
    }

    fn token_places(&mut self, o: ObjectId, max: u32, parts: &[&Part], end: bool) {
        let object = self.system.object(o);
        let Value::Int(initial) = object.initial else { unreachable!("counters and semaphores hold numbers") };
        let initial = initial as u32;
        let tokens = self.place(object.name.clone(), initial, end, PlaceMeaning::Tokens(o));
        self.tokens.insert(o, tokens);
        let bounded = |p: &&Part| matches!(p, Part::Tokens { hi, .. } if *hi < max);
        if parts.iter().any(bounded) {
            let room = self.place(format!("{} (room)", object.name), max - initial, end, PlaceMeaning::Room(o));
            self.rooms.insert(o, room);
        }
    }

    fn lock_places(&mut self, o: ObjectId, reader: &Reader<'_>, end: bool) {
        let object = self.system.object(o);
        let mut values = vec![Value::Lock(None)];
        if reader.locks.get(&o) != Some(&true) {
            values.extend(reader.lock_uses.holders(o).into_iter().map(|p| Value::Lock(Some(p))));
        }
        for value in values {
            let name = format!("{}={}", object.name, self.system.show_value(o, &value));
            let initial = u32::from(object.initial == value);
            let place = self.place(name, initial, end, PlaceMeaning::Value(o, value.clone()));
            self.locks.insert((o, value), place);
        }
    }

    fn transition(&mut self, t: TransitionId, demand: &Demand) -> Result<(), ViewError> {
        let transition = self.system.transition(t);
        let sizes: Vec<usize> = demand.choices.values().map(Vec::len).collect();
        if self.arcs.len().saturating_add(choices(&sizes)) > self.limit {
            let message = format!("with `{}` the net has more than {} transitions", transition.name, self.limit);
            return Err(ViewError::new(message).at(transition.spans.first().copied()));
        }
        let name: Arc<str> = transition.name.as_str().into();
        each_choice(&sizes, |choice| {
            let mut changes = self.moves(transition);
            let mut fault = demand.fault;
            for ((&o, parts), &k) in demand.choices.iter().zip(choice) {
                fault |= parts[k].is_fault();
                changes.extend(self.changes(o, &parts[k]));
            }
            let pre = changes.iter().map(|&(p, before, _)| (p, before)).filter(|(_, w)| *w > 0).collect();
            let after = changes.iter().map(|&(p, before, after)| (p, if fault { before } else { after }));
            let post = after.filter(|(_, w)| *w > 0).collect();
            let transition = NetTransition { name: name.clone(), transition: Some(t), fault };
            self.arcs.push(ArcSet { transition, pre, post });
            Ok(())
        })
    }

    fn moves(&self, t: &Transition) -> Vec<Change> {
        let place = |p: ProcessId, l: LocationId| PlaceId::new(self.locations[p.index()] + l.index());
        let change = |m: &Move| match (place(m.process, m.from), place(m.process, m.to)) {
            (from, to) if from == to => vec![(from, 1, 1)],
            (from, to) => vec![(from, 1, 0), (to, 0, 1)],
        };
        t.moves.iter().flat_map(change).collect()
    }

    fn changes(&self, o: ObjectId, part: &Part) -> Vec<Change> {
        let narrow = |v: i64| u32::try_from(v).expect("a possible step leaves a counter within its range");
        match part {
            Part::Tokens { lo, hi, delta, .. } => {
                let max = max_tokens(&self.system.object(o).kind).expect("only counters have tokens");
                let mut changes = vec![(self.tokens[&o], *lo, narrow(i64::from(*lo) + delta))];
                let room = max - hi;
                changes.extend(self.rooms.get(&o).map(|&p| (p, room, narrow(i64::from(room) - delta))));
                changes
            }
            Part::Lock { from, to, .. } => {
                let place = |v: &Value| self.locks.get(&(o, v.clone())).copied();
                match (place(from), place(to)) {
                    (Some(from), Some(to)) if from == to => vec![(from, 1, 1)],
                    (from, to) => from.map(|p| (p, 1, 0)).into_iter().chain(to.map(|p| (p, 0, 1))).collect(),
                }
            }
        }
    }
}
