//! Processes that are called by name, and unfolded when they are needed.

use std::rc::Rc;

use model::Span;

use super::{Evaluator, Frame};
use crate::csp::code::{BlockId, Body, Code, GlobalId};
use crate::csp::process::{CallId, Checked, Store, Term, TermId, World};
use crate::csp::value::{Function, Group, Target, Value};

/// A process that is not evaluated yet.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Call {
    Global(GlobalId, BlockId),
    /// A definition of a `let`.
    Member(Rc<Group>, u32, BlockId),
    /// A function with all its arguments.
    Apply(Rc<Function>),
    /// What follows an event, with the variables that it uses.
    Delayed(BlockId, Vec<Value>),
}

/// Longer names are of no use to anybody.
const NAME: usize = 60;

impl<'p> Evaluator<'p> {
    /// The term of a call.
    pub(super) fn call(&mut self, call: Call) -> TermId {
        let id = match self.call_ids.get(&call) {
            Some(id) => *id,
            None => {
                let id = CallId(self.calls.len() as u32);
                self.calls.push(call.clone());
                self.call_ids.insert(call, id);
                id
            }
        };
        self.store.plain(Term::Call(id))
    }

    /// The code and the variables of a block that uses no variables of others.
    pub(super) fn closed(&self, block: BlockId) -> (&'p Code, Frame) {
        self.opened(block, |_| unreachable!("the block uses no variables of others"))
    }

    /// The code of a block that is a value, and its variables; `from` gives those that it takes over, by their place.
    pub(super) fn opened(&self, id: BlockId, from: impl Fn(usize) -> Value) -> (&'p Code, Frame) {
        let block = self.program.block(id);
        let Body::Value(code) = &block.body else { unreachable!("the block is a value") };
        (code, self.frame(id, from))
    }

    /// The variables of a block before it is evaluated.
    pub(super) fn frame(&self, id: BlockId, from: impl Fn(usize) -> Value) -> Frame {
        let block = self.program.block(id);
        let mut frame = vec![Value::Unset; block.slots as usize];
        for (i, (_, inner)) in block.captures.iter().enumerate() {
            frame[inner.0 as usize] = from(i);
        }
        frame
    }

    /// The variables that a block takes over from the one that is being evaluated.
    pub(super) fn captured(&self, id: BlockId, frame: &Frame) -> Vec<Value> {
        self.program.block(id).captures.iter().map(|(outer, _)| frame[outer.0 as usize].clone()).collect()
    }

    /// A variable that a definition of a `let` takes over from its group.
    pub(super) fn member_variable(&self, group: &Rc<Group>, block: BlockId, place: usize) -> Value {
        match self.program.block(block).captures[place].0.0 {
            0 => Value::Group(group.clone()),
            slot => group.slots[slot as usize].clone(),
        }
    }

    /// The variables of a function before its arguments are bound.
    pub(super) fn target_frame(&self, target: &Target) -> Frame {
        match target {
            Target::Global(_, block) => self.frame(*block, |_| unreachable!("globals use no variables of others")),
            Target::Member(group, _, block) => self.frame(*block, |i| self.member_variable(group, *block, i)),
            Target::Lambda(block, captured) => self.frame(*block, |i| captured[i].clone()),
        }
    }
}

impl World for Evaluator<'_> {
    fn store(&self) -> &Store {
        &self.store
    }

    fn store_mut(&mut self) -> &mut Store {
        &mut self.store
    }

    fn unfold(&mut self, call: CallId) -> Checked<TermId> {
        let (code, mut frame) = match self.calls[call.0 as usize].clone() {
            Call::Global(_, block) => self.closed(block),
            Call::Member(group, _, block) => self.opened(block, |i| self.member_variable(&group, block, i)),
            Call::Delayed(block, captured) => self.opened(block, |i| captured[i].clone()),
            Call::Apply(function) => self.selected(&function)?,
        };
        self.process(code, &mut frame)
    }

    fn name(&self, call: CallId) -> Option<String> {
        let call = &self.calls[call.0 as usize];
        let text = match call {
            Call::Global(_, block) | Call::Member(_, _, block) => {
                self.program.block(*block).name.as_deref()?.to_owned()
            }
            Call::Apply(function) => {
                self.program.block(function.target.block()).name.as_ref()?;
                self.show(&Value::Function(function.clone()))
            }
            Call::Delayed(..) => return None,
        };
        if text.chars().count() <= NAME {
            return Some(text);
        }
        Some(text.chars().take(NAME).chain("...".chars()).collect())
    }

    fn span(&self, call: CallId) -> Span {
        let block = match &self.calls[call.0 as usize] {
            Call::Global(_, block) | Call::Member(_, _, block) | Call::Delayed(block, _) => *block,
            Call::Apply(function) => function.target.block(),
        };
        self.program.block(block).span
    }
}
