//! Processes as terms.

use std::collections::HashSet;

use model::Span;

use super::{Evaluator, Frame, wrong};
use crate::csp::code::{Code, Combine, Kind, Pairs, Replicate, Replicated};
use crate::csp::process::{Checked, Event, SetId, Sync, Term, TermId};
use crate::csp::resolve::error;
use crate::csp::value::Value;

impl<'p> Evaluator<'p> {
    /// The term of an expression that is a process.
    pub(super) fn process(&mut self, code: &'p Code, frame: &mut Frame) -> Checked<TermId> {
        self.deeper(code.span, |e| e.term(code, frame))
    }

    pub(super) fn as_process(&self, value: Value, span: Span) -> Checked<TermId> {
        match value {
            Value::Process(term) => Ok(term),
            other => Err(wrong(span, "a process", &other)),
        }
    }

    fn term(&mut self, code: &'p Code, frame: &mut Frame) -> Checked<TermId> {
        match &code.kind {
            Kind::Prefix(prefix) => self.prefix(prefix, frame),
            Kind::Guard(parts) => {
                if self.truth(&parts.0, frame)? {
                    self.process(&parts.1, frame)
                } else {
                    Ok(self.store.plain(Term::Stop))
                }
            }
            Kind::If(parts) => {
                let branch = if self.truth(&parts[0], frame)? { &parts[1] } else { &parts[2] };
                self.process(branch, frame)
            }
            Kind::Let(id, slot, body) => {
                self.open_let(*id, *slot, frame);
                self.process(body, frame)
            }
            Kind::Combined(first, rest) => self.combined(first, rest, frame),
            Kind::Hide(parts) => {
                let (process, set) = (self.process(&parts.0, frame)?, self.event_set(&parts.1, frame)?);
                Ok(self.store.hide(process, set))
            }
            Kind::Project(parts) => {
                let (process, kept) = (self.process(&parts.0, frame)?, self.event_set(&parts.1, frame)?);
                let set = self.complement(kept, code.span)?;
                Ok(self.store.hide(process, set))
            }
            Kind::Rename(process, pairs) => {
                let (process, pairs) = (self.process(process, frame)?, self.event_pairs(pairs, frame)?);
                let relation = self.store.relation(pairs);
                Ok(self.store.rename(process, relation))
            }
            Kind::Replicated(replicated) => self.replicated(replicated, frame, code.span),
            _ => {
                let value = self.eval(code, frame)?;
                self.as_process(value, code.span)
            }
        }
    }

    /// All events that are not in a set.
    fn complement(&mut self, kept: SetId, span: Span) -> Checked<SetId> {
        let all = self.all_events(span)?;
        let all = all.iter().map(|value| self.event(value, span)).collect::<Checked<Vec<_>>>()?;
        let kept = self.store.events(kept).clone();
        Ok(self.store.set(all.into_iter().filter(|event| !kept.contains(*event)).collect()))
    }

    fn combined(&mut self, first: &'p Code, rest: &'p [(Combine, Code)], frame: &mut Frame) -> Checked<TermId> {
        let mut left = self.process(first, frame)?;
        let mut at = 0;
        while at < rest.len() {
            let run = 1 + rest[at + 1..].iter().take_while(|next| joins(&rest[at].0, &next.0)).count();
            let mut parts = vec![left];
            for (_, code) in &rest[at..at + run] {
                parts.push(self.process(code, frame)?);
            }
            left = self.combine(&rest[at].0, parts, frame)?;
            at += run;
        }
        Ok(left)
    }

    fn combine(&mut self, operator: &'p Combine, parts: Vec<TermId>, frame: &mut Frame) -> Checked<TermId> {
        let (p, q) = (parts[0], parts[1]);
        let term = match operator {
            Combine::External => return Ok(self.store.external(parts)),
            Combine::Internal => return Ok(self.store.internal(parts)),
            Combine::Interleave => {
                let none = self.store.set(vec![]);
                return Ok(self.store.parallel(parts, Sync::Interface(none)));
            }
            Combine::Parallel(set) => {
                let set = self.event_set(set, frame)?;
                return Ok(self.store.parallel(parts, Sync::Interface(set)));
            }
            Combine::Alphabetised(a, b) => {
                let sets = [self.event_set(a, frame)?, self.event_set(b, frame)?];
                return Ok(self.store.parallel(parts, Sync::Alphabets(sets.into())));
            }
            Combine::Linked(pairs) => {
                let links = self.links(pairs, frame)?;
                return Ok(self.store.linked(p, &links, q));
            }
            Combine::Sliding => Term::Sliding(p, q),
            Combine::Sequential => Term::Sequential(p, q),
            Combine::Interrupt => Term::Interrupt(p, q),
            Combine::Exception(set) => Term::Exception(p, self.event_set(set, frame)?, q),
            Combine::SynchronisingExternal(set) => Term::SynchronisingExternal(p, self.event_set(set, frame)?, q),
            Combine::SynchronisingInterrupt(set) => Term::SynchronisingInterrupt(p, self.event_set(set, frame)?, q),
        };
        Ok(self.store.plain(term))
    }

    /// Pairs of events that are linked; an event in two of them would be ambiguous.
    fn links(&mut self, pairs: &'p Pairs, frame: &mut Frame) -> Checked<Vec<(Event, Event)>> {
        let mut links = self.event_pairs(pairs, frame)?;
        links.sort_unstable();
        links.dedup();
        let (mut left, mut right) = (HashSet::new(), HashSet::new());
        for &(a, b) in &links {
            if !left.insert(a) || !right.insert(b) {
                let event = if left.contains(&a) { a } else { b };
                let text = self.store.text(event);
                return Err(error(pairs.pairs[0].0.span, format!("the event `{text}` is linked more than once")));
            }
        }
        Ok(links)
    }

    fn replicated(&mut self, replicated: &'p Replicated, frame: &mut Frame, span: Span) -> Checked<TermId> {
        let mut parts = vec![];
        let mut alphabets = vec![];
        let mut links = vec![];
        self.each(&replicated.statements, frame, &mut |e, frame| {
            parts.push(e.process(&replicated.body, frame)?);
            match &replicated.operator {
                Replicate::Alphabetised(set) => alphabets.push(e.event_set(set, frame)?),
                Replicate::Linked(pairs) => links.push(e.links(pairs, frame)?),
                _ => {}
            }
            Ok(())
        })?;
        let needed = |what: &str| error(span, format!("a replicated {what} needs at least one process"));
        match &replicated.operator {
            Replicate::External => Ok(self.store.external(parts)),
            Replicate::Internal if parts.is_empty() => Err(needed("internal choice")),
            Replicate::Internal => Ok(self.store.internal(parts)),
            Replicate::Interleave => {
                let none = self.store.set(vec![]);
                Ok(self.store.parallel(parts, Sync::Interface(none)))
            }
            Replicate::Parallel(set) => {
                let set = self.event_set(set, frame)?;
                Ok(self.store.parallel(parts, Sync::Interface(set)))
            }
            Replicate::Alphabetised(_) => Ok(self.store.parallel(parts, Sync::Alphabets(alphabets.into()))),
            Replicate::Sequential => self.folded(parts, Term::Skip, Term::Sequential),
            Replicate::SynchronisingExternal(set) => {
                let set = self.event_set(set, frame)?;
                self.folded(parts, Term::Stop, |p, q| Term::SynchronisingExternal(p, set, q))
            }
            Replicate::Linked(_) => {
                let mut all = parts.into_iter().zip(links).rev();
                let (mut right, _) = all.next().ok_or_else(|| needed("linked parallel"))?;
                for (left, links) in all {
                    right = self.store.linked(left, &links, right);
                }
                Ok(right)
            }
        }
    }

    /// Joins the parts from the right; without any, there is a unit.
    fn folded(&mut self, parts: Vec<TermId>, unit: Term, join: impl Fn(TermId, TermId) -> Term) -> Checked<TermId> {
        let mut parts = parts.into_iter().rev();
        let Some(mut right) = parts.next() else { return Ok(self.store.plain(unit)) };
        for left in parts {
            let term = join(left, right);
            right = self.store.plain(term);
        }
        Ok(right)
    }
}

/// Whether two operators in a row make one of more parts.
fn joins(a: &Combine, b: &Combine) -> bool {
    matches!(
        (a, b),
        (Combine::External, Combine::External)
            | (Combine::Internal, Combine::Internal)
            | (Combine::Interleave, Combine::Interleave)
    )
}
