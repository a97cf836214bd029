//! Conditions that depend on something unknown: each is a hidden boolean that the steps of its atoms choose anew.
//!
//! The true value of the condition is among the choices in every state, whether the condition is asked as such or
//! negated, so what can happen and what cannot are both covered: every deadlock of the concrete system has its image.

use std::cell::RefCell;
use std::collections::HashMap;

use model::{Expr, Span};

use super::slots::Slot;

/// A condition that depends on something unknown.
#[derive(Clone, Debug)]
pub(super) struct Condition {
    pub(super) name: String,
    pub(super) span: Span,
    /// The atoms whose steps may change it.
    pub(super) owners: Vec<usize>,
}

/// All such conditions.
#[derive(Default)]
pub(super) struct Hidden {
    found: RefCell<(Vec<Condition>, HashMap<String, usize>)>,
}

impl Hidden {
    /// The condition with this name; the same text over the same data is the same condition.
    pub(super) fn condition(&self, name: String, span: Span, owners: &[usize]) -> Expr {
        let (conditions, index) = &mut *self.found.borrow_mut();
        let at = *index.entry(name.clone()).or_insert_with(|| {
            conditions.push(Condition { name, span, owners: owners.to_vec() });
            conditions.len() - 1
        });
        Slot::Hidden(at).read()
    }

    /// The atoms whose steps may change a condition.
    pub(super) fn owners(&self, at: usize) -> Vec<usize> {
        self.found.borrow().0[at].owners.clone()
    }

    /// All of them, by their numbers.
    pub(super) fn into_conditions(self) -> Vec<Condition> {
        self.found.into_inner().0
    }
}
