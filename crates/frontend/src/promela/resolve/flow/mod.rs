//! The control structure of a body, before names are resolved: elements in sequences, linked as SPIN links them, so that
//! the graph that comes of it has SPIN's control states.
//!
//! The way of a body: [`build`] makes elements of statements, [`atomic`] and [`escape`] mark them, [`table`] says what
//! leads from each element to which, [`marks`] what labels mean, and [`skeleton`] keeps what can be reached.

mod atomic;
mod build;
mod elses;
mod escape;
mod expand;
mod jumps;
mod marks;
mod skeleton;
mod table;

use std::borrow::Cow;
use std::collections::HashMap;

use model::Span;

use super::scope::{Place, ScopeId, Scopes};
use super::types::Shape;
use crate::promela::ast::{Name, StmtKind, VarDecl};
use crate::promela::ir::Hold;

pub(super) use build::Builder;
pub(super) use skeleton::{Arc, Skeleton};

/// The number of an element of one body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ElementId(pub(super) u32);

/// The number of a loop of one body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LoopId(u32);

/// The body of a proctype, a claim or a trace.
#[derive(Debug, Default)]
pub(super) struct Flow<'a> {
    /// All elements: what is inside first.
    elements: Vec<Element<'a>>,
    /// Where each `goto` leads.
    targets: HashMap<ElementId, ElementId>,
    /// Where each loop is left to.
    exits: Vec<Option<ElementId>>,
    /// The labels with the scopes and the elements that carry them.
    labels: Vec<Label>,
    /// The whole of it.
    body: Option<Run>,
}

/// A label.
#[derive(Clone, Debug)]
struct Label {
    name: Name,
    scope: ScopeId,
    element: ElementId,
}

/// A run of elements, each followed by the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    first: ElementId,
    /// The last one that was written.
    extent: ElementId,
    /// The last one: what joins the options of a choice is appended to each of them.
    last: ElementId,
}

/// A statement, or a joint between statements.
#[derive(Debug)]
pub(super) struct Element<'a> {
    pub(super) kind: Kind<'a>,
    /// What follows it.
    next: Option<ElementId>,
    /// Whether it keeps control when it is executed.
    keeps: bool,
    /// Whether it ends an `atomic` sequence.
    ends: bool,
    /// The `d_step` in which it stands.
    step: Option<ElementId>,
    /// The escapes, the outermost first.
    escapes: Vec<Run>,
    /// The number of the control state before it: SPIN's own.
    pub(super) state: u32,
    /// What is visible there.
    pub(super) place: Place,
    pub(super) span: Span,
    /// The same, but what an `inline` gave stands in its body.
    pub(super) home: Span,
}

/// What an element is.
#[derive(Debug)]
pub(super) enum Kind<'a> {
    /// A statement without statements inside.
    Basic(Cow<'a, StmtKind>),
    /// `else`.
    Else,
    /// A declaration behind statements: the variable gets its first value here.
    Declare(&'a VarDecl, Late),
    /// A jump.
    Goto(Jump),
    /// A joint: goes on with what follows.
    Joint,
    /// The joint behind a loop.
    Exit,
    /// `if` or `do`.
    Choice(Vec<Run>),
    /// A block.
    Group(Run, Hold),
    /// The main part, and the escape.
    Unless(Run, Run),
    /// The end of the body.
    End,
}

/// A variable that was declared behind statements.
#[derive(Clone, Copy, Debug)]
pub(super) struct Late {
    pub(super) column: u32,
    pub(super) shape: Shape,
    pub(super) is_array: bool,
}

/// Where a jump leads.
#[derive(Clone, Debug)]
pub(super) enum Jump {
    /// `goto`.
    Label(Name),
    /// `break`.
    Exit(LoopId),
}

impl<'a> Flow<'a> {
    /// An element.
    pub(super) fn element(&self, id: ElementId) -> &Element<'a> {
        &self.elements[id.0 as usize]
    }

    /// All elements.
    pub(super) fn elements(&self) -> impl Iterator<Item = (ElementId, &Element<'a>)> {
        self.elements.iter().enumerate().map(|(at, e)| (ElementId(at as u32), e))
    }

    fn element_mut(&mut self, id: ElementId) -> &mut Element<'a> {
        &mut self.elements[id.0 as usize]
    }

    /// The elements of a run, up to its `extent`.
    fn written(&self, run: Run) -> Vec<ElementId> {
        self.until(run.first, run.extent)
    }

    /// The elements of a run with what is appended to it.
    fn whole(&self, run: Run) -> Vec<ElementId> {
        self.until(run.first, run.last)
    }

    fn until(&self, first: ElementId, last: ElementId) -> Vec<ElementId> {
        let mut all = vec![first];
        let mut at = first;
        while at != last {
            at = self.element(at).next.expect("a run is linked up to its end");
            all.push(at);
        }
        all
    }

    /// Where a jump leads; nothing if there is no such label.
    fn destination(&self, id: ElementId, jump: &Jump) -> Option<ElementId> {
        match jump {
            Jump::Label(name) => self.targets.get(&id).copied().or_else(|| self.label(&name.text)),
            Jump::Exit(loop_id) => self.exits[loop_id.0 as usize],
        }
    }

    /// The element that carries a label.
    fn label(&self, name: &str) -> Option<ElementId> {
        self.labels.iter().find(|l| &*l.name.text == name).map(|l| l.element)
    }

    /// All labels with their elements.
    pub(super) fn labels(&self) -> impl Iterator<Item = (&Name, ElementId)> {
        self.labels.iter().map(|l| (&l.name, l.element))
    }

    /// Each `goto` leads to the label of the innermost block around it that has one of that name: what an `inline` or a
    /// macro gave twice has its labels twice.
    fn bind_jumps(&mut self, scopes: &Scopes) {
        for (at, element) in self.elements.iter().enumerate() {
            let Kind::Goto(Jump::Label(name)) = &element.kind else { continue };
            let around = std::iter::successors(Some(element.place.scope), |s| scopes.parent(*s));
            let labels = || self.labels.iter().filter(|l| l.name.text == name.text);
            let found = around.into_iter().find_map(|scope| labels().find(|l| l.scope == scope));
            if let Some(label) = found.or_else(|| labels().next()) {
                self.targets.insert(ElementId(at as u32), label.element);
            }
        }
    }
}

#[cfg(test)]
impl Element<'_> {
    /// Whether it keeps control when it is executed.
    pub(super) fn keeps(&self) -> bool {
        self.keeps
    }
}
