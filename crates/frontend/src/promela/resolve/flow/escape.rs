//! What `unless` does: every element of the main part, and of the escapes that it has already, gets the escape.

use super::{ElementId, Flow, Kind, Run};
use crate::promela::ir::Hold;

impl Flow<'_> {
    /// Attaches an escape to all of a run.
    pub(super) fn attach_escape(&mut self, main: Run, escape: Run) {
        for id in self.written(main) {
            self.escape_element(id, escape);
        }
    }

    fn escape_element(&mut self, id: ElementId, escape: Run) {
        let before = self.element(id).escapes.clone();
        if before.iter().any(|e| e.first == escape.first) {
            return;
        }
        // An escape can itself be escaped from.
        for inner in before {
            self.attach_escape(inner, escape);
        }
        self.element_mut(id).escapes.insert(0, escape);
        for inner in self.escaped_with(id) {
            self.attach_escape(inner, escape);
        }
    }

    /// What is inside an element and can be escaped from. The inside of a `d_step` cannot.
    fn escaped_with(&self, id: ElementId) -> Vec<Run> {
        match &self.element(id).kind {
            Kind::Unless(main, _) => vec![*main],
            Kind::Choice(options) => options.clone(),
            Kind::Group(inner, Hold::No | Hold::Atomic) => vec![*inner],
            _ => Vec::new(),
        }
    }
}
