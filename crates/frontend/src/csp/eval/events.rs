//! From values to events.

use std::rc::Rc;

use model::Span;

use super::{Evaluator, Frame};
use crate::csp::code::{Code, Pairs};
use crate::csp::process::{Checked, Event, SetId};
use crate::csp::resolve::error;
use crate::csp::value::Value;

impl<'p> Evaluator<'p> {
    /// The event that a value is.
    pub(super) fn event(&mut self, value: &Value, span: Span) -> Checked<Event> {
        if let Some(event) = self.events.get(value) {
            return Ok(*event);
        }
        let atoms = value.atoms();
        match atoms[0] {
            Value::Head(head) if self.program.head(head).is_channel => {}
            _ => return Err(error(span, format!("{} is {}, and not an event", self.show(value), value.kind()))),
        }
        let (length, complete) = self.unit(atoms)?;
        if !complete || length != atoms.len() {
            let text = self.show(value);
            let report = if complete {
                error(span, format!("`{text}` has more fields than were declared"))
            } else {
                let report =
                    crate::Diagnostic::error(span, format!("`{text}` is not a complete event: fields are missing"));
                Box::new(report.help(format!("all its events together are `{{| {text} |}}`")))
            };
            return Err(report);
        }
        self.check_fields(atoms, span)?;
        let text = crate::csp::value::show(self.program, value);
        let event = self.store.event(text);
        self.events.insert(value.clone(), event);
        Ok(event)
    }

    /// The events of a set.
    pub(super) fn event_set(&mut self, code: &'p Code, frame: &mut Frame) -> Checked<SetId> {
        let value = self.eval(code, frame)?;
        self.event_set_of(&value, code.span)
    }

    pub(super) fn event_set_of(&mut self, value: &Value, span: Span) -> Checked<SetId> {
        let set = self.set(value, span)?.clone();
        let values = self.elements(&set, span)?;
        let events = values.iter().map(|value| self.event(value, span)).collect::<Checked<_>>()?;
        Ok(self.store.set(events))
    }

    /// All events of the script.
    pub(super) fn all_events(&mut self, span: Span) -> Checked<Rc<[Value]>> {
        let mut all = vec![];
        for channel in self.program.channels() {
            all.extend_from_slice(&self.productions(&Value::Head(channel), span)?);
        }
        all.sort_unstable();
        Ok(all.into())
    }

    /// Pairs of events; channels stand for all their events.
    pub(super) fn event_pairs(&mut self, pairs: &'p Pairs, frame: &mut Frame) -> Checked<Vec<(Event, Event)>> {
        let mut found = vec![];
        self.each(&pairs.statements, frame, &mut |e, frame| {
            for (left, right) in &pairs.pairs {
                let (a, b) = (e.eval(left, frame)?, e.eval(right, frame)?);
                for tail in e.completions(a.atoms(), left.span)? {
                    let from = e.event(&Value::dotted(&[a.atoms(), &tail].concat()), left.span)?;
                    let to = e.event(&Value::dotted(&[b.atoms(), &tail].concat()), right.span)?;
                    found.push((from, to));
                }
            }
            Ok(())
        })?;
        Ok(found)
    }
}
