//! The static top of a term: compositions, hiding and renaming, down to the processes that become components.

use std::collections::HashSet;

use model::Span;

use super::event::{RelationId, SetId};
use super::explore::Subject;
use super::parallel::is_static;
use super::store::{force, unguarded};
use super::term::{CallId, Sync, Term, TermId};
use super::{Checked, Limits, World};
use crate::Diagnostic;

/// A static operator, or a component by its number.
#[derive(Debug)]
pub(super) enum Node {
    Leaf(u32),
    Parallel(Vec<Node>, Sync),
    Hide(Box<Node>, SetId),
    Rename(Box<Node>, RelationId),
}

/// The static operators of a term and the terms underneath them.
#[derive(Debug)]
pub(super) struct Structure {
    pub(super) root: Node,
    pub(super) leaves: Vec<(TermId, Subject)>,
    /// Whether there is a composition: then components terminate silently, and all together at the end.
    pub(super) composed: bool,
}

/// Static operators underneath each other.
const DEPTH: usize = 100_000;

/// Takes a term apart.
pub(super) fn structure<W: World>(world: &mut W, term: TermId, top: Subject, limits: &Limits) -> Checked<Structure> {
    let mut builder = Builder { world, leaves: vec![], composed: false, above: HashSet::new(), limits };
    let root = builder.node(term, top)?;
    Ok(Structure { root, leaves: builder.leaves, composed: builder.composed })
}

struct Builder<'w, W> {
    world: &'w mut W,
    leaves: Vec<(TermId, Subject)>,
    composed: bool,
    /// The static terms on the way down.
    above: HashSet<TermId>,
    limits: &'w Limits,
}

impl<W: World> Builder<'_, W> {
    fn node(&mut self, term: TermId, outer: Subject) -> Checked<Node> {
        let (subject, call) = self.subject(term, outer);
        let term = force(self.world, term)?;
        if !is_static(self.world.store().term(term)) {
            return self.leaf(term, subject);
        }
        if self.above.len() >= DEPTH || !self.above.insert(term) {
            return Err(self.endless(&subject, call));
        }
        let node = match self.world.store().term(term).clone() {
            Term::Parallel(parts, sync) => self.parallel(&parts, sync, &subject)?,
            Term::Hide(p, set) => Node::Hide(Box::new(self.node(p, subject)?), set),
            Term::Rename(p, relation) => Node::Rename(Box::new(self.node(p, subject)?), relation),
            _ => unreachable!("no other operator is static"),
        };
        self.above.remove(&term);
        Ok(node)
    }

    /// How to speak of a term: by its own name if it has one.
    fn subject(&self, term: TermId, outer: Subject) -> (Subject, Option<CallId>) {
        let Term::Call(call) = *self.world.store().term(term) else { return (outer, None) };
        let name = self.world.name(call).unwrap_or(outer.name);
        (Subject { name, span: self.world.span(call) }, Some(call))
    }

    fn parallel(&mut self, parts: &[TermId], sync: Sync, subject: &Subject) -> Checked<Node> {
        self.composed = true;
        let child = |i: usize| Subject { name: format!("{}.{}", subject.name, i + 1), span: subject.span };
        let children = parts.iter().enumerate().map(|(i, p)| self.node(*p, child(i)));
        Ok(Node::Parallel(children.collect::<Checked<_>>()?, sync))
    }

    fn leaf(&mut self, term: TermId, subject: Subject) -> Checked<Node> {
        if self.leaves.len() >= self.limits.components {
            return Err(too_many(subject.span, self.limits.components));
        }
        self.leaves.push((term, subject));
        Ok(Node::Leaf(self.leaves.len() as u32 - 1))
    }

    fn endless(&self, subject: &Subject, call: Option<CallId>) -> Box<Diagnostic> {
        match call {
            Some(call) => unguarded(self.world, call),
            None => Box::new(Diagnostic::error(
                subject.span,
                format!("the operators of the process `{}` nest too deep", subject.name),
            )),
        }
    }
}

fn too_many(span: Span, limit: usize) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(span, format!("the process is composed of more than {limit} others")))
}
