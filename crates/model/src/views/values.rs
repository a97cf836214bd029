//! The values that objects can take, found by closure instead of listed from their domains.
//!
//! The sets over-approximate what runs can reach: they hold the initial values and all results of operations on values
//! that they hold, whatever the other objects and processes do. A channel whose domain is astronomical often carries a
//! handful of different messages only.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::{Limits, ViewError};
use crate::objects::{Kind, Value};
use crate::{ObjectId, System};

/// One set of values for each object.
pub(super) struct Values<'a> {
    system: &'a System,
    limits: Limits<'a>,
    sets: Vec<Set>,
}

#[derive(Default)]
struct Set {
    values: Vec<Value>,
    numbers: HashMap<Value, usize>,
}

impl<'a> Values<'a> {
    /// The initial values.
    pub(super) fn new(system: &'a System, limits: Limits<'a>) -> Self {
        let mut sets = Vec::new();
        for object in system.objects() {
            let mut set = Set::default();
            set.insert(object.initial.clone());
            sets.push(set);
        }
        Self { system, limits, sets }
    }

    pub(super) fn len(&self, object: ObjectId) -> usize {
        self.sets[object.index()].values.len()
    }

    pub(super) fn get(&self, object: ObjectId, number: usize) -> &Value {
        &self.sets[object.index()].values[number]
    }

    /// The values of an object, in the order of their numbers.
    pub(super) fn all(&self, object: ObjectId) -> &[Value] {
        &self.sets[object.index()].values
    }

    /// The number of a value that is in the set.
    pub(super) fn number(&self, object: ObjectId, value: &Value) -> usize {
        *self.sets[object.index()].numbers.get(value).expect("the closure holds every result of an operation")
    }

    /// Whether the object has the same value in all states.
    pub(super) fn is_constant(&self, object: ObjectId) -> bool {
        self.len(object) == 1
    }

    /// Adds a value; whether it is new.
    pub(super) fn insert(&mut self, object: ObjectId, value: Value) -> Result<bool, ViewError> {
        let set = &mut self.sets[object.index()];
        let new = set.insert(value);
        if set.values.len() <= self.limits.values {
            return Ok(new);
        }
        let o = self.system.object(object);
        let (noun, limit) = (o.kind.noun(), self.limits.values);
        let many = match size(&o.kind, self.system.processes().len()) {
            Some(n) => format!("{n} values"),
            None => "more than 10^38 values".to_owned(),
        };
        Err(ViewError::new(format!("{noun} `{}` has {many}; at most {limit} are expanded", o.name)).at(o.span))
    }

    /// Numbers the values in increasing order.
    pub(super) fn sort(&mut self) {
        for set in &mut self.sets {
            set.values.sort_unstable();
            set.numbers = set.values.iter().cloned().zip(0..).collect();
        }
    }
}

impl Set {
    fn insert(&mut self, value: Value) -> bool {
        let next = self.values.len();
        let Entry::Vacant(entry) = self.numbers.entry(value) else { return false };
        self.values.push(entry.key().clone());
        entry.insert(next);
        true
    }
}

/// The number of values of a kind, if it fits.
fn size(kind: &Kind, processes: usize) -> Option<u128> {
    match kind {
        Kind::Variable(d) => Some(u128::from(d.size())),
        Kind::Lock => Some(processes as u128 + 1),
        Kind::Semaphore { max } | Kind::Counter { max } => Some(u128::from(*max) + 1),
        Kind::Channel(c) => {
            let messages = c.fields.iter().try_fold(1u128, |n, d| n.checked_mul(u128::from(d.size())))?;
            if messages == 1 {
                return Some(u128::from(c.capacity) + 1);
            }
            // 1 + m + m^2 + ..., by Horner's rule; it overflows long before a large capacity is through.
            (0..c.capacity).try_fold(1u128, |n, _| n.checked_mul(messages)?.checked_add(1))
        }
    }
}
