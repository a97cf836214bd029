//! Maps, and sets of pairs as relations.

use std::collections::BTreeMap;
use std::rc::Rc;

use model::Span;

use super::{ELEMENTS, Evaluator, wrong};
use crate::csp::process::Checked;
use crate::csp::resolve::error;
use crate::csp::value::{Set, Value};

/// The map with these entries; later ones count.
pub(super) fn map_from(pairs: Vec<(Value, Value)>) -> Value {
    let map: BTreeMap<Value, Value> = pairs.into_iter().collect();
    Value::Map(map.into_iter().collect())
}

impl Evaluator<'_> {
    pub(super) fn map<'v>(&self, value: &'v Value, span: Span) -> Checked<&'v Rc<[(Value, Value)]>> {
        match value {
            Value::Map(map) => Ok(map),
            other => Err(wrong(span, "a map", other)),
        }
    }

    pub(super) fn map_lookup(&self, map: &Value, key: &Value, span: Span) -> Checked<Option<Value>> {
        let entries = self.map(map, span)?;
        Ok(entries.binary_search_by(|entry| entry.0.cmp(key)).ok().map(|i| entries[i].1.clone()))
    }

    /// A map with more entries.
    pub(super) fn map_with(&self, map: &Value, entries: Vec<(Value, Value)>, span: Span) -> Checked<Value> {
        let mut all = self.map(map, span)?.to_vec();
        all.extend(entries);
        Ok(map_from(all))
    }

    /// The pairs of a sequence or a set.
    pub(super) fn pairs_of(&mut self, value: &Value, span: Span) -> Checked<Vec<(Value, Value)>> {
        let items = match value {
            Value::Set(set) => self.elements(set, span)?,
            _ => self.items(value, span)?,
        };
        let pair = |item: &Value| match item {
            Value::Tuple(parts) if parts.len() == 2 => Ok((parts[0].clone(), parts[1].clone())),
            other => Err(wrong(span, "a pair", other)),
        };
        items.iter().map(pair).collect()
    }

    /// All maps from some of the keys to values.
    pub(super) fn all_maps(&mut self, keys: &Set, values: &Set, span: Span) -> Checked<Value> {
        let (keys, values) = (self.elements(keys, span)?, self.elements(values, span)?);
        let mut all: Vec<Vec<(Value, Value)>> = vec![vec![]];
        for key in keys.iter() {
            if all.len().saturating_mul(values.len() + 1) > ELEMENTS {
                return Err(error(span, format!("there are more than {ELEMENTS} maps here")));
            }
            let with = |map: &Vec<(Value, Value)>, value: &Value| {
                let mut map = map.clone();
                map.push((key.clone(), value.clone()));
                map
            };
            let more: Vec<_> = all.iter().flat_map(|m| values.iter().map(move |v| with(m, v))).collect();
            all.extend(more);
        }
        Ok(Value::set(all.into_iter().map(map_from).collect()))
    }

    /// Pairs of a representative and each other element that the relation connects with it, within a set.
    pub(super) fn transclose(&mut self, relation: &Value, domain: &Value, span: Span) -> Checked<Value> {
        let pairs = self.pairs_of(relation, span)?;
        let domain = self.set(domain, span)?.clone();
        let domain = self.elements(&domain, span)?;
        let mut class: BTreeMap<Value, Value> = BTreeMap::new();
        for (a, b) in pairs {
            let (x, y) = (representative(&class, &a), representative(&class, &b));
            if x != y {
                class.insert(x.clone().max(y.clone()), x.min(y));
            }
        }
        let mut first: BTreeMap<Value, Value> = BTreeMap::new();
        let mut found = vec![];
        for value in domain.iter() {
            let root = representative(&class, value);
            match first.get(&root) {
                None => drop(first.insert(root, value.clone())),
                Some(other) => found.push(Value::Tuple([other.clone(), value.clone()].into())),
            }
        }
        Ok(Value::set(found))
    }
}

fn representative(class: &BTreeMap<Value, Value>, value: &Value) -> Value {
    let mut at = value;
    while let Some(next) = class.get(at) {
        at = next;
    }
    at.clone()
}
