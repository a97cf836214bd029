//! Predefined values and functions.

use std::rc::Rc;

use model::Span;

use super::relation::map_from;
use super::{Evaluator, wrong};
use crate::csp::code::Builtin;
use crate::csp::process::{Checked, Term};
use crate::csp::resolve::{error, unsupported};
use crate::csp::value::{Sequence, Set, Value};

impl Evaluator<'_> {
    /// The value of a predefined name.
    pub(super) fn builtin_value(&mut self, builtin: Builtin, span: Span) -> Checked<Value> {
        let term = match builtin {
            Builtin::Stop => Term::Stop,
            Builtin::Skip => Term::Skip,
            Builtin::Div => Term::Div,
            Builtin::Events => return Ok(Value::Set(Set::Finite(self.all_events(span)?))),
            Builtin::Int => return Ok(Value::Set(Set::Int)),
            Builtin::Char => return Ok(Value::Set(Set::Char)),
            Builtin::Proc => return Ok(Value::Set(Set::Proc)),
            Builtin::Bool => return Ok(Value::set(vec![Value::Bool(false), Value::Bool(true)])),
            Builtin::EmptyMap => return Ok(map_from(vec![])),
            Builtin::Unsupported(what) => return Err(unsupported(span, what)),
            function => return Ok(Value::Builtin(function)),
        };
        Ok(Value::Process(self.store.plain(term)))
    }

    /// The value of a predefined function.
    pub(super) fn builtin(&mut self, builtin: Builtin, arguments: &[Value], span: Span) -> Checked<Value> {
        let expected = builtin.parameters().unwrap_or(0);
        if arguments.len() != expected {
            let message = format!("`{}` takes {expected} arguments, and here are {}", builtin.name(), arguments.len());
            return Err(error(span, message));
        }
        match *arguments {
            [ref a] => self.unary(builtin, a, span),
            [ref a, ref b] => self.binary(builtin, a, b, span),
            [ref a, ref b, ref c] => self.map_with(a, vec![(b.clone(), c.clone())], span),
            _ => Err(error(span, "a function needs arguments")),
        }
    }

    fn unary(&mut self, builtin: Builtin, a: &Value, span: Span) -> Checked<Value> {
        Ok(match builtin {
            Builtin::Run | Builtin::Chaos => {
                let set = self.event_set_of(a, span)?;
                let term = if builtin == Builtin::Run { Term::Run(set) } else { Term::Chaos(set) };
                Value::Process(self.store.plain(term))
            }
            Builtin::Loop => {
                let process = self.as_process(a.clone(), span)?;
                Value::Process(self.store.plain(Term::Loop(process)))
            }
            Builtin::Same => Value::Process(self.as_process(a.clone(), span)?),
            Builtin::BigUnion => {
                let mut all = Set::new(vec![]);
                let sets = self.sets(a, span)?;
                if sets.iter().all(|s| s.listed().is_some()) {
                    let listed = sets.iter().filter_map(Set::listed);
                    return Ok(Value::set(listed.flat_map(|values| values.iter().cloned()).collect()));
                }
                for set in sets {
                    all = self.union(&all, &set, span)?;
                }
                Value::Set(all)
            }
            Builtin::BigInter => {
                let sets = self.sets(a, span)?;
                let Some((first, rest)) = sets.split_first() else {
                    return Err(error(span, "the intersection of no sets is everything"));
                };
                let mut all = first.clone();
                for set in rest {
                    all = self.inter(&all, set, span)?;
                }
                Value::Set(all)
            }
            Builtin::Card => Value::Int(self.listed_argument(a, span)?.len() as i64),
            Builtin::Empty => {
                let set = self.set(a, span)?.clone();
                Value::Bool(self.listed(&set)?.is_some_and(|values| values.is_empty()))
            }
            Builtin::MakeSet => Value::set(self.items(a, span)?.to_vec()),
            Builtin::PowerSet => {
                let subsets = Set::Subsets(Rc::new(self.set(a, span)?.clone()));
                Value::Set(self.listed(&subsets)?.map_or(subsets, Set::Finite))
            }
            Builtin::Sequences => {
                let sequences = Set::Sequences(Rc::new(self.set(a, span)?.clone()));
                Value::Set(self.listed(&sequences)?.map_or(sequences, Set::Finite))
            }
            Builtin::SetToSequence => Value::Sequence(Sequence::new(self.listed_argument(a, span)?.to_vec())),
            Builtin::Null | Builtin::Head | Builtin::Tail => self.end_of(builtin, a, span)?,
            Builtin::Concat => {
                let mut all = vec![];
                for part in self.items(a, span)?.iter() {
                    all.extend_from_slice(&self.items(part, span)?);
                }
                Value::Sequence(Sequence::new(all))
            }
            Builtin::Length => Value::Int(self.items(a, span)?.len() as i64),
            Builtin::Productions => Value::Set(Set::Finite(self.productions(a, span)?)),
            Builtin::Extensions => {
                let tails = self.completions(a.atoms(), span)?;
                Value::set(tails.iter().filter(|t| !t.is_empty()).map(|t| Value::dotted(t)).collect())
            }
            Builtin::Error => return Err(error(span, format!("the script says: {}", self.show(a)))),
            Builtin::Show => Value::text(&self.show(a)),
            Builtin::MapFromList => map_from(self.pairs_of(a, span)?),
            Builtin::MapToList => {
                let pair = |(k, v): &(Value, Value)| Value::Tuple([k.clone(), v.clone()].into());
                Value::Sequence(Sequence::new(self.map(a, span)?.iter().map(pair).collect()))
            }
            Builtin::Transpose => {
                let swap = |(x, y)| Value::Tuple([y, x].into());
                Value::set(self.pairs_of(a, span)?.into_iter().map(swap).collect())
            }
            Builtin::RelationalImage => Value::Image(self.pairs_of(a, span)?.into()),
            Builtin::RelationalInverseImage => {
                Value::Image(self.pairs_of(a, span)?.into_iter().map(|(x, y)| (y, x)).collect())
            }
            other => return Err(unsupported(span, other.name())),
        })
    }

    fn listed_argument(&mut self, value: &Value, span: Span) -> Checked<Rc<[Value]>> {
        let set = self.set(value, span)?.clone();
        self.elements(&set, span)
    }

    /// `null`, `head` and `tail`, which work for sequences without end, too.
    fn end_of(&mut self, builtin: Builtin, value: &Value, span: Span) -> Checked<Value> {
        let Value::Sequence(sequence) = value else { return Err(wrong(span, "a sequence", value)) };
        match (builtin, sequence.split_first()) {
            (Builtin::Null, split) => Ok(Value::Bool(split.is_none())),
            (Builtin::Head, Some((first, _))) => Ok(first),
            (_, Some((_, rest))) => Ok(Value::Sequence(rest)),
            (_, None) => Err(error(span, format!("the sequence is empty: it has no {}", builtin.name()))),
        }
    }

    fn binary(&mut self, builtin: Builtin, a: &Value, b: &Value, span: Span) -> Checked<Value> {
        Ok(match builtin {
            Builtin::Union | Builtin::Inter | Builtin::Diff => {
                let (x, y) = (self.set(a, span)?.clone(), self.set(b, span)?.clone());
                Value::Set(match builtin {
                    Builtin::Union => self.union(&x, &y, span)?,
                    Builtin::Inter => self.inter(&x, &y, span)?,
                    _ => self.diff(&x, &y, span)?,
                })
            }
            Builtin::Member => {
                let set = self.set(b, span)?.clone();
                Value::Bool(self.contains(&set, a, span)?)
            }
            Builtin::Elem => Value::Bool(self.items(b, span)?.contains(a)),
            Builtin::MapLookup => match self.map_lookup(a, b, span)? {
                Some(value) => value,
                None => return Err(error(span, format!("the map has no key {}", self.show(b)))),
            },
            Builtin::MapMember => Value::Bool(self.map_lookup(a, b, span)?.is_some()),
            Builtin::MapUpdateMultiple => {
                let entries = self.pairs_of(b, span)?;
                self.map_with(a, entries, span)?
            }
            Builtin::MapDelete => {
                let entries = self.map(a, span)?.iter().filter(|(key, _)| key != b);
                Value::Map(entries.cloned().collect())
            }
            Builtin::MapSet => {
                let (keys, values) = (self.set(a, span)?.clone(), self.set(b, span)?.clone());
                self.all_maps(&keys, &values, span)?
            }
            Builtin::Transclose => self.transclose(a, b, span)?,
            other => return Err(unsupported(span, other.name())),
        })
    }
}
