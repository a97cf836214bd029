//! Maps, and sets of pairs as relations.

use std::rc::Rc;

use model::Span;

use super::{ELEMENTS, Evaluator, wrong};
use crate::csp::process::Checked;
use crate::csp::resolve::error;
use crate::csp::value::{Set, Value};

/// The map with these entries; later ones count.
pub(super) fn map_from(mut pairs: Vec<(Value, Value)>) -> Value {
    pairs.reverse();
    pairs.sort_by(|a, b| a.0.cmp(&b.0));
    pairs.dedup_by(|later, first| later.0 == first.0);
    Value::Map(pairs.into())
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
        let mut all: Vec<Value> = pairs.iter().flat_map(|(a, b)| [a.clone(), b.clone()]).collect();
        all.extend_from_slice(&domain);
        all.sort_unstable();
        all.dedup();
        let number = |value: &Value| all.binary_search(value).expect("the value was collected");
        let mut parents: Vec<usize> = (0..all.len()).collect();
        for (a, b) in &pairs {
            let (x, y) = (root(&parents, number(a)), root(&parents, number(b)));
            parents[x.max(y)] = x.min(y);
        }
        let mut first: Vec<Option<&Value>> = vec![None; all.len()];
        let mut found = vec![];
        for value in domain.iter() {
            match &mut first[root(&parents, number(value))] {
                Some(other) => found.push(Value::Tuple([other.clone(), value.clone()].into())),
                place => *place = Some(value),
            }
        }
        Ok(Value::set(found))
    }
}

fn root(parents: &[usize], mut at: usize) -> usize {
    while parents[at] != at {
        at = parents[at];
    }
    at
}
