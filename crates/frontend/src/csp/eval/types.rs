//! Sets by description: their elements if there is an end to them, and membership in any case.

use std::rc::Rc;

use model::Span;

use super::{ELEMENTS, Evaluator, wrong};
use crate::csp::code::{BlockId, HeadId, TypeId};
use crate::csp::process::Checked;
use crate::csp::resolve::error;
use crate::csp::value::{Set, Value};

/// What is known about the elements of a datatype.
#[derive(Clone, Debug)]
pub(super) enum Extent {
    Unknown,
    Computing,
    /// Infinite, or too large to be listed.
    Unlisted,
    Listed(Rc<[Value]>),
}

impl Evaluator<'_> {
    /// A datatype as a set.
    pub(super) fn type_set(&mut self, id: TypeId) -> Checked<Set> {
        Ok(match self.type_values(id)? {
            Some(values) => Set::Finite(values),
            None => Set::Type(id),
        })
    }

    fn type_values(&mut self, id: TypeId) -> Checked<Option<Rc<[Value]>>> {
        let place = id.0 as usize;
        match &self.types[place] {
            Extent::Listed(values) => return Ok(Some(values.clone())),
            Extent::Computing | Extent::Unlisted => return Ok(None),
            Extent::Unknown => {}
        }
        self.types[place] = Extent::Computing;
        let result = self.list_type(id);
        self.types[place] = match &result {
            Ok(Some(values)) => Extent::Listed(values.clone()),
            Ok(None) => Extent::Unlisted,
            Err(_) => Extent::Unknown,
        };
        result
    }

    fn list_type(&mut self, id: TypeId) -> Checked<Option<Rc<[Value]>>> {
        let mut all = vec![];
        for &(head, data) in &self.program.type_of(id).constructors {
            let Some(fields) = self.type_fields(head, data)? else { return Ok(None) };
            let mut values = vec![vec![Value::Head(head)]];
            for set in &fields {
                let Some(elements) = self.listed(set)? else { return Ok(None) };
                if values.len().saturating_mul(elements.len()) > ELEMENTS {
                    return Ok(None);
                }
                let extend = |value: &Vec<Value>, element: &Value| [value.as_slice(), element.atoms()].concat();
                values = values.iter().flat_map(|v| elements.iter().map(move |e| extend(v, e))).collect();
            }
            all.extend(values.iter().map(|atoms| Value::dotted(atoms)));
        }
        all.sort_unstable();
        all.dedup();
        Ok(Some(all.into()))
    }

    /// The fields of a constructor in a type: a subtype may have its own for the first ones.
    fn type_fields(&mut self, head: HeadId, data: Option<BlockId>) -> Checked<Option<Vec<Set>>> {
        let Some(shape) = self.shape(head)? else { return Ok(None) };
        let mut fields = match data {
            Some(block) if self.program.head(head).data != data => {
                let value = self.value_of(block)?;
                self.fields(&value, self.program.block(block).span)?
            }
            _ => vec![],
        };
        fields.extend(shape.fields.iter().skip(fields.len()).cloned());
        Ok(Some(fields))
    }

    /// A value that is written where a type belongs: `A.B` and `(A, B)` are sets there.
    pub(super) fn as_type(&mut self, value: &Value, span: Span) -> Checked<Set> {
        let set = match value {
            Value::Set(set) => return Ok(set.clone()),
            Value::Dot(atoms) => Set::Dots(self.as_types(atoms, span)?),
            Value::Tuple(items) => Set::Tuples(self.as_types(items, span)?),
            other => return Err(wrong(span, "a set", other)),
        };
        Ok(match self.listed(&set)? {
            Some(values) => Set::Finite(values),
            None => set,
        })
    }

    fn as_types(&mut self, values: &[Value], span: Span) -> Checked<Rc<[Set]>> {
        values.iter().map(|value| self.as_type(value, span)).collect()
    }

    /// The elements of a set, if there is an end to them.
    pub(super) fn listed(&mut self, set: &Set) -> Checked<Option<Rc<[Value]>>> {
        match set {
            Set::Finite(values) => Ok(Some(values.clone())),
            Set::From(_) | Set::Int | Set::Char | Set::Proc => Ok(None),
            Set::Type(id) => self.type_values(*id),
            Set::Sequences(of) => {
                let only_empty = self.listed(of)?.is_some_and(|values| values.is_empty());
                Ok(only_empty.then(|| Rc::from([Value::Sequence(crate::csp::value::Sequence::new(vec![]))])))
            }
            Set::Subsets(of) => match self.listed(of)? {
                Some(values) if values.len() <= 20 => Ok(Some(subsets(&values))),
                _ => Ok(None),
            },
            Set::Tuples(sets) => self.product(sets, |parts| Value::Tuple(parts.into())),
            Set::Dots(sets) => self.product(sets, |parts| {
                Value::dotted(&parts.iter().flat_map(|p| p.atoms().iter().cloned()).collect::<Vec<_>>())
            }),
        }
    }

    fn product(&mut self, sets: &[Set], make: impl Fn(&[Value]) -> Value) -> Checked<Option<Rc<[Value]>>> {
        let mut rows = vec![vec![]];
        for set in sets {
            let Some(values) = self.listed(set)? else { return Ok(None) };
            if rows.len().saturating_mul(values.len()) > ELEMENTS {
                return Ok(None);
            }
            let extend = |row: &Vec<Value>, value: &Value| {
                let mut row = row.clone();
                row.push(value.clone());
                row
            };
            rows = rows.iter().flat_map(|row| values.iter().map(move |value| extend(row, value))).collect();
        }
        let mut all: Vec<Value> = rows.iter().map(|row| make(row)).collect();
        all.sort_unstable();
        all.dedup();
        Ok(Some(all.into()))
    }

    /// The elements of a set that must have an end.
    pub(super) fn elements(&mut self, set: &Set, span: Span) -> Checked<Rc<[Value]>> {
        self.listed(set)?.ok_or_else(|| {
            let text = self.show(&Value::Set(set.clone()));
            let message = format!("the set {text} is infinite, or too large, to be listed here");
            Box::new(
                crate::Diagnostic::error(span, message)
                    .help("infinite sets can be types of parameters and tests of membership only"),
            )
        })
    }

    /// Whether a value is in a set.
    pub(super) fn contains(&mut self, set: &Set, value: &Value, span: Span) -> Checked<bool> {
        Ok(match set {
            Set::Finite(values) => values.binary_search(value).is_ok(),
            Set::From(start) => matches!(value, Value::Int(n) if n >= start),
            Set::Int => matches!(value, Value::Int(_)),
            Set::Char => matches!(value, Value::Char(_)),
            Set::Proc => matches!(value, Value::Process(_)),
            Set::Type(id) => self.type_contains(*id, value, span)?,
            Set::Sequences(of) => {
                let Value::Sequence(sequence) = value else { return Ok(false) };
                let Some(items) = sequence.items() else {
                    return Err(error(span, "whether an infinite sequence is in a set cannot be found out"));
                };
                self.all_in(items, of, span)?
            }
            Set::Subsets(of) => match value {
                Value::Set(inner) => {
                    let values = self.elements(inner, span)?;
                    self.all_in(&values, of, span)?
                }
                _ => false,
            },
            Set::Tuples(sets) => match value {
                Value::Tuple(items) if items.len() == sets.len() => self.each_in(items, sets, span)?,
                _ => false,
            },
            Set::Dots(sets) => self.dots_contain(sets, value, span)?,
        })
    }

    fn all_in(&mut self, values: &[Value], set: &Set, span: Span) -> Checked<bool> {
        for value in values {
            if !self.contains(set, value, span)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn each_in(&mut self, values: &[Value], sets: &[Set], span: Span) -> Checked<bool> {
        for (value, set) in values.iter().zip(sets) {
            if !self.contains(set, value, span)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn type_contains(&mut self, id: TypeId, value: &Value, span: Span) -> Checked<bool> {
        let atoms = value.atoms();
        let Value::Head(head) = atoms[0] else { return Ok(false) };
        let Some(&(_, data)) = self.program.type_of(id).constructors.iter().find(|c| c.0 == head) else {
            return Ok(false);
        };
        match self.type_fields(head, data)? {
            Some(fields) if fields.is_empty() => Ok(atoms.len() == 1),
            Some(fields) if atoms.len() > 1 => self.dots_contain(&fields, &Value::dotted(&atoms[1..]), span),
            _ => Ok(false),
        }
    }

    /// Whether a dotted value is one of these sets' elements after each other.
    fn dots_contain(&mut self, sets: &[Set], value: &Value, span: Span) -> Checked<bool> {
        let mut rest = value.atoms();
        for set in sets {
            let mut taken = 0;
            for _ in 0..self.field_width(set)? {
                if taken >= rest.len() {
                    return Ok(false);
                }
                taken += self.unit(&rest[taken..])?.0;
            }
            if !self.contains(set, &Value::dotted(&rest[..taken]), span)? {
                return Ok(false);
            }
            rest = &rest[taken..];
        }
        Ok(rest.is_empty())
    }
}

fn subsets(values: &[Value]) -> Rc<[Value]> {
    let subset = |bits: u32| {
        let chosen = values.iter().enumerate().filter(|(i, _)| bits & (1 << i) != 0);
        Value::set(chosen.map(|(_, value)| value.clone()).collect())
    };
    let mut all: Vec<Value> = (0..1u32 << values.len()).map(subset).collect();
    all.sort_unstable();
    all.into()
}
