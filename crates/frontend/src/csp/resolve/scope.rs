//! Variables of functions, comprehensions and `let`s.

use std::collections::HashMap;

use super::Resolver;
use crate::csp::ast::Text;
use crate::csp::code::{BlockId, Builtin, Slot};

/// What a name stands for within a function.
#[derive(Clone, Copy, Debug)]
pub(super) enum Local {
    Slot(Slot),
    Member(Slot, u32, BlockId),
    Builtin(Builtin),
}

/// A block that is being resolved.
#[derive(Debug, Default)]
pub(super) struct Context {
    pub(super) slots: u32,
    pub(super) captures: Vec<(Slot, Slot)>,
    scopes: Vec<HashMap<Text, Local>>,
}

impl Context {
    pub(super) fn new_slot(&mut self) -> Slot {
        self.slots += 1;
        Slot(self.slots - 1)
    }

    /// The own variable that takes over one of the block around.
    fn capture(&mut self, outer: Slot) -> Slot {
        if let Some((_, inner)) = self.captures.iter().find(|c| c.0 == outer) {
            return *inner;
        }
        let inner = self.new_slot();
        self.captures.push((outer, inner));
        inner
    }

    fn find(&self, name: &str) -> Option<Local> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name).copied())
    }
}

impl Resolver<'_> {
    pub(super) fn context(&mut self) -> &mut Context {
        self.contexts.last_mut().expect("expressions are resolved within a block")
    }

    pub(super) fn open_scope(&mut self) {
        self.context().scopes.push(HashMap::new());
    }

    pub(super) fn close_scope(&mut self) {
        self.context().scopes.pop();
    }

    /// Gives a name a meaning in the innermost scope; whether it had none there.
    pub(super) fn bind(&mut self, name: Text, local: Local) -> bool {
        let scope = self.context().scopes.last_mut().expect("names are bound within a scope");
        scope.insert(name, local).is_none()
    }

    /// The variable that a pattern has just bound.
    pub(super) fn bound(&mut self, name: &str) -> Slot {
        match self.context().find(name) {
            Some(Local::Slot(slot)) => slot,
            _ => unreachable!("the pattern has bound its variables"),
        }
    }

    /// What a name means within the function; variables of blocks around are taken over.
    pub(super) fn look_up_local(&mut self, name: &str) -> Option<Local> {
        let (depth, local) = self.contexts.iter().enumerate().rev().find_map(|(i, c)| Some((i, c.find(name)?)))?;
        let mut carried = |slot: Slot| self.contexts[depth + 1..].iter_mut().fold(slot, |s, c| c.capture(s));
        Some(match local {
            Local::Slot(slot) => Local::Slot(carried(slot)),
            Local::Member(slot, index, block) => Local::Member(carried(slot), index, block),
            Local::Builtin(builtin) => Local::Builtin(builtin),
        })
    }

    /// All names of variables, for suggestions.
    pub(super) fn local_names(&self) -> Vec<&str> {
        self.contexts.iter().flat_map(|c| &c.scopes).flat_map(|s| s.keys().map(|k| &**k)).collect()
    }
}
