//! Communications: `c?x:S!e$y -> P`.

use super::call::Call;
use super::{Evaluator, Frame};
use crate::csp::code::{Code, FieldCode, FieldMode, Pat, Prefix};
use crate::csp::process::{Checked, Event, TermId};
use crate::csp::resolve::error;
use crate::csp::value::Value;

/// What a prefix offers: events, and processes that choose among events themselves.
#[derive(Default)]
struct Offer {
    menu: Vec<(Event, TermId)>,
    others: Vec<TermId>,
}

impl<'p> Evaluator<'p> {
    pub(super) fn prefix(&mut self, prefix: &'p Prefix, frame: &mut Frame) -> Checked<TermId> {
        let atoms = self.eval(&prefix.event, frame)?.atoms().to_vec();
        let mut offer = Offer::default();
        self.communicate(prefix, 0, atoms, frame, &mut offer)?;
        Ok(self.offered(offer))
    }

    fn offered(&mut self, offer: Offer) -> TermId {
        let menu = self.store.menu(offer.menu);
        self.store.external([menu].into_iter().chain(offer.others))
    }

    /// Goes on with the fields from a place on, after the atoms so far.
    fn communicate(
        &mut self,
        prefix: &'p Prefix,
        place: usize,
        mut atoms: Vec<Value>,
        frame: &mut Frame,
        offer: &mut Offer,
    ) -> Checked<()> {
        let Some(field) = prefix.fields.get(place) else {
            let event = self.event(&Value::dotted(&atoms), prefix.event.span)?;
            let then = self.call(Call::Delayed(prefix.then, self.captured(prefix.then, frame)));
            offer.menu.push((event, then));
            return Ok(());
        };
        match &field.mode {
            FieldMode::Output(code) => {
                atoms.extend_from_slice(self.eval(code, frame)?.atoms());
                self.communicate(prefix, place + 1, atoms, frame, offer)
            }
            FieldMode::Input(pat, set) => {
                let last = place + 1 == prefix.fields.len();
                for value in self.candidates((pat, set.as_ref()), field, &atoms, last, frame)? {
                    if self.matches(pat, &value, frame)? {
                        let longer = [&atoms[..], value.atoms()].concat();
                        self.communicate(prefix, place + 1, longer, frame, offer)?;
                    }
                }
                Ok(())
            }
            FieldMode::Nondeterministic(pat, set) => {
                let last = place + 1 == prefix.fields.len();
                let mut choices = vec![];
                for value in self.candidates((pat, set.as_ref()), field, &atoms, last, frame)? {
                    if self.matches(pat, &value, frame)? {
                        let longer = [&atoms[..], value.atoms()].concat();
                        let mut inner = Offer::default();
                        self.communicate(prefix, place + 1, longer, frame, &mut inner)?;
                        choices.push(self.offered(inner));
                    }
                }
                if choices.is_empty() {
                    return Err(error(field.span, "there is nothing to choose from"));
                }
                let choice = self.store.internal(choices);
                offer.others.push(choice);
                Ok(())
            }
        }
    }

    /// The values that a field may have.
    fn candidates(
        &mut self,
        (pat, set): (&'p Pat, Option<&'p Code>),
        field: &'p FieldCode,
        atoms: &[Value],
        last: bool,
        frame: &mut Frame,
    ) -> Checked<Vec<Value>> {
        let set = match set {
            None => None,
            Some(code) => {
                let value = self.eval(code, frame)?;
                Some(self.set(&value, code.span)?.clone())
            }
        };
        if let Some(set) = &set
            && let Some(values) = self.listed(set)?
        {
            return Ok(values.to_vec());
        }
        let mut values = if last {
            self.completions(atoms, field.span)?.iter().filter(|t| !t.is_empty()).map(|t| Value::dotted(t)).collect()
        } else if matches!(pat, Pat::Dot(_) | Pat::Both(_)) {
            self.beginnings(pat, atoms, field)?
        } else {
            self.next_units(atoms, field.span)?
        };
        if let Some(set) = &set {
            let mut kept = vec![];
            for value in values {
                if self.contains(set, &value, field.span)? {
                    kept.push(value);
                }
            }
            values = kept;
        }
        Ok(values)
    }

    /// The parts of all completions that a dotted pattern takes.
    fn beginnings(&mut self, pat: &'p Pat, atoms: &[Value], field: &'p FieldCode) -> Checked<Vec<Value>> {
        let mut found = vec![];
        for tail in self.completions(atoms, field.span)? {
            if let Some(taken) = self.takes(pat, &tail)? {
                found.push(Value::dotted(&tail[..taken]));
            }
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }
}
