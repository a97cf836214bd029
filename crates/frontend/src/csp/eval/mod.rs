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
use super::interner::{FastMap, Interner};
use super::process::{Checked, Event, Limits, Store, TermId};
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
    calls: Interner<Call>,
    /// The values of global definitions, as far as they are known.
    globals: Vec<super::value::Cell>,
    shapes: HashMap<HeadId, Option<Rc<Shape>>>,
    types: Vec<Extent>,
    events: FastMap<Value, Event>,
    /// What values were completed to.
    completed: HashMap<Value, Rc<[Value]>>,
    depth: usize,
    steps: u64,
    limits: Limits,
}

/// How deep evaluation may go: the stack of the thread is made for it.
const DEPTH: usize = 60_000;
/// How deep values may be within arguments and functions. A process whose arguments grow for ever ends here.
const VALUE_DEPTH: u32 = 2_000;
/// How many expressions may be evaluated.
const STEPS: u64 = 4_000_000_000;
/// How many are evaluated between two looks at the clock.
const CLOCK: u64 = 1 << 14;
/// The stack that such a depth needs.
pub(super) const STACK: usize = 1 << 28;
/// The most elements that a set is listed with.
const ELEMENTS: usize = 4_000_000;

impl<'p> Evaluator<'p> {
    pub(super) fn new(program: &'p Program, limits: Limits) -> Self {
        Self {
            program,
            store: Store::new(),
            calls: Interner::new(),
            globals: vec![super::value::Cell::Unknown; program.globals.len()],
            shapes: HashMap::new(),
            types: vec![Extent::Unknown; program.types.len()],
            events: FastMap::default(),
            completed: HashMap::new(),
            depth: 0,
            steps: 0,
            limits,
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
        self.steps += 1;
        if self.steps.is_multiple_of(CLOCK) {
            self.limits.check_time(span)?;
        }
        if self.steps > STEPS {
            return Err(error(span, "the evaluation takes too long: probably it has no end"));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }
}

/// Refuses values that are nested so deep that there is probably no end to them.
fn check_depth(depth: u32, span: Span) -> Checked<()> {
    if depth <= VALUE_DEPTH {
        return Ok(());
    }
    Err(error(span, format!("the values here are nested more than {VALUE_DEPTH} deep: probably they grow for ever")))
}

/// A value of the wrong kind.
fn wrong(span: Span, expected: &str, found: &Value) -> Box<Diagnostic> {
    let message = format!("{expected} is needed here, and this is {}", found.kind());
    Box::new(Diagnostic::error(span, message))
}
