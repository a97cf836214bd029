//! What a script means: values, and processes as terms.
//!
//! Definitions are evaluated when they are needed, arguments before a call. A process that is called by name is not
//! evaluated at all: it is a [`Call`], unfolded when its behaviour is asked for.

mod builtin;
mod call;
mod collect;
mod compare;
mod dots;
mod events;
mod expr;
mod function;
mod matching;
mod prefix;
mod process;
mod relation;
mod sets;
mod types;

use std::collections::HashMap;
use std::rc::Rc;

use model::Span;

use super::code::{BlockId, HeadId, Program};
use super::process::{CallId, Checked, Event, Store, TermId};
use super::resolve::error;
use super::value::{Value, show};
use crate::Diagnostic;
use call::Call;
use dots::Shape;
use types::Extent;

/// The variables of a block that is being evaluated.
pub(super) type Frame = Vec<Value>;

/// Evaluates a program.
pub(super) struct Evaluator<'p> {
    program: &'p Program,
    store: Store,
    calls: Vec<Call>,
    call_ids: HashMap<Call, CallId>,
    /// The values of global definitions, as far as they are known.
    globals: Vec<super::value::Cell>,
    shapes: HashMap<HeadId, Option<Rc<Shape>>>,
    types: Vec<Extent>,
    events: HashMap<Value, Event>,
    /// What values were completed to.
    completed: HashMap<Value, Rc<[Value]>>,
    depth: usize,
}

/// How deep evaluation may go: the stack of the thread is made for it.
const DEPTH: usize = 60_000;
/// The stack that such a depth needs.
pub(super) const STACK: usize = 1 << 28;
/// The most elements that a set is listed with.
const ELEMENTS: usize = 10_000_000;

impl<'p> Evaluator<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        Self {
            program,
            store: Store::new(),
            calls: vec![],
            call_ids: HashMap::new(),
            globals: vec![super::value::Cell::Unknown; program.globals.len()],
            shapes: HashMap::new(),
            types: vec![Extent::Unknown; program.types.len()],
            events: HashMap::new(),
            completed: HashMap::new(),
            depth: 0,
        }
    }

    /// The value of a block that uses no variables of others.
    pub(super) fn value_of(&mut self, block: BlockId) -> Checked<Value> {
        let (code, mut frame) = self.closed(block);
        self.eval(code, &mut frame)
    }

    /// The process of a block that uses no variables of others.
    pub(super) fn process_of(&mut self, block: BlockId) -> Checked<TermId> {
        let (code, mut frame) = self.closed(block);
        self.process(code, &mut frame)
    }

    /// The text of a value.
    pub(super) fn show(&self, value: &Value) -> String {
        let mut text = show(self.program, value);
        if text.chars().count() > 200 {
            text = text.chars().take(200).collect();
            text.push_str("...");
        }
        text
    }

    /// Goes one level deeper, unless that is too deep.
    fn deeper<T>(&mut self, span: Span, inner: impl FnOnce(&mut Self) -> Checked<T>) -> Checked<T> {
        if self.depth >= DEPTH {
            let message = "the evaluation goes too deep: probably a function that calls itself for ever";
            return Err(error(span, message));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }
}

/// A value of the wrong kind.
fn wrong(span: Span, expected: &str, found: &Value) -> Box<Diagnostic> {
    let message = format!("{expected} is needed here, and this is {}", found.kind());
    Box::new(Diagnostic::error(span, message))
}
