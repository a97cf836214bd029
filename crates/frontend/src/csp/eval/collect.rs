//! Sets and sequences that are listed, given by a range, or ranging over others.

use std::rc::Rc;

use model::Span;

use super::{ELEMENTS, Evaluator, Frame, wrong};
use crate::csp::code::{Elements, Items, Statement};
use crate::csp::process::Checked;
use crate::csp::resolve::error;
use crate::csp::value::{Sequence, Set, Value};

/// What the elements of a comprehension come to.
#[derive(Default)]
struct Collected {
    values: Vec<Value>,
    /// The numbers from here on are in it, too.
    from: Option<i64>,
}

impl<'p> Evaluator<'p> {
    /// Does something for every way to satisfy the statements.
    pub(super) fn each(
        &mut self,
        statements: &'p [Statement],
        frame: &mut Frame,
        then: &mut dyn FnMut(&mut Self, &mut Frame) -> Checked<()>,
    ) -> Checked<()> {
        let Some((first, rest)) = statements.split_first() else { return then(self, frame) };
        match first {
            Statement::Condition(condition) => {
                if self.truth(condition, frame)? {
                    self.each(rest, frame, then)?;
                }
            }
            Statement::Generator(pat, source) => {
                let source_value = self.eval(source, frame)?;
                for value in self.range(&source_value, source.span)?.iter() {
                    if self.matches(pat, value, frame)? {
                        self.each(rest, frame, then)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// What a generator ranges over.
    fn range(&mut self, source: &Value, span: Span) -> Checked<Rc<[Value]>> {
        match source {
            Value::Set(set) => self.elements(set, span),
            Value::Sequence(_) => self.items(source, span),
            other => Err(wrong(span, "a set or a sequence", other)),
        }
    }

    /// The items of a sequence that must have an end.
    pub(super) fn items(&mut self, value: &Value, span: Span) -> Checked<Rc<[Value]>> {
        match value {
            Value::Sequence(Sequence::Finite { items, start: 0 }) => Ok(items.clone()),
            Value::Sequence(sequence) => match sequence.items() {
                Some(items) => Ok(items.into()),
                None => Err(error(span, "this sequence never ends")),
            },
            other => Err(wrong(span, "a sequence", other)),
        }
    }

    pub(super) fn set_of(&mut self, elements: &'p Elements, frame: &mut Frame, span: Span) -> Checked<Value> {
        let Collected { values, from } = self.collect(elements, frame, span)?;
        let set = Set::new(values);
        Ok(Value::Set(match from {
            None => set,
            Some(from) => self.union(&set, &Set::From(from), span)?,
        }))
    }

    pub(super) fn sequence_of(&mut self, elements: &'p Elements, frame: &mut Frame, span: Span) -> Checked<Value> {
        let Collected { values, from } = self.collect(elements, frame, span)?;
        match from {
            None => Ok(Value::Sequence(Sequence::new(values))),
            Some(from) if values.is_empty() => Ok(Value::Sequence(Sequence::From(from))),
            Some(_) => Err(error(span, "this sequence never ends")),
        }
    }

    pub(super) fn productions_of(&mut self, elements: &'p Elements, frame: &mut Frame, span: Span) -> Checked<Value> {
        let Collected { values, .. } = self.collect(elements, frame, span)?;
        if let [value] = &values[..] {
            return Ok(Value::Set(Set::Finite(self.productions(value, span)?)));
        }
        let mut all = vec![];
        for value in &values {
            all.extend_from_slice(&self.productions(value, span)?);
        }
        Ok(Value::set(all))
    }

    fn collect(&mut self, elements: &'p Elements, frame: &mut Frame, span: Span) -> Checked<Collected> {
        let mut collected = Collected::default();
        self.each(&elements.statements, frame, &mut |e, frame| {
            match &elements.items {
                Items::Listed(codes) => {
                    for code in codes {
                        let value = e.eval(code, frame)?;
                        collected.values.push(value);
                    }
                }
                Items::From(start) => {
                    let start = e.number(start, frame)?;
                    collected.from = Some(collected.from.map_or(start, |from| from.min(start)));
                }
                Items::Range(start, end) => {
                    let (start, end) = (e.number(start, frame)?, e.number(end, frame)?);
                    if end >= start && end.abs_diff(start) >= ELEMENTS as u64 {
                        return Err(error(
                            span,
                            format!("there are more than {ELEMENTS} numbers from {start} to {end}"),
                        ));
                    }
                    collected.values.extend((start..=end).map(Value::Int));
                }
            }
            if collected.values.len() > ELEMENTS {
                return Err(error(span, format!("there are more than {ELEMENTS} elements here")));
            }
            Ok(())
        })?;
        Ok(collected)
    }
}
