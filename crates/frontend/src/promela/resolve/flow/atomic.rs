//! Which elements keep control: all of an `atomic` sequence but its last, and jumps from one such sequence into another.
//!
//! A block inside such a sequence has nothing of its own to keep: it becomes a plain one, except a `d_step` in an
//! `atomic`.

use super::{ElementId, Flow, Kind, Run};
use crate::promela::ir::Hold;

impl Flow<'_> {
    /// Marks the elements of an `atomic` or, with its element, of a `d_step`.
    pub(super) fn make_atomic(&mut self, run: Run, step: Option<ElementId>) {
        self.mark(run, step);
        match &self.element(run.last).kind {
            Kind::Group(inner, Hold::No | Hold::Atomic) => self.make_atomic(*inner, step),
            Kind::Unless(main, _) => self.make_atomic(*main, step),
            _ => {
                let last = self.element_mut(run.last);
                (last.keeps, last.ends) = (false, true);
            }
        }
    }

    fn mark(&mut self, run: Run, step: Option<ElementId>) {
        for id in self.whole(run) {
            let element = self.element_mut(id);
            element.keeps = true;
            element.step = step.or(element.step);
            for inner in self.loosen(id, step.is_some()) {
                self.mark(inner, step);
            }
        }
    }

    /// Makes a plain block of a block that need not keep control itself; says what is to be marked inside an element.
    fn loosen(&mut self, id: ElementId, in_step: bool) -> Vec<Run> {
        match &mut self.element_mut(id).kind {
            Kind::Group(_, Hold::Step) if !in_step => Vec::new(),
            Kind::Group(inner, hold) => {
                *hold = Hold::No;
                vec![*inner]
            }
            Kind::Choice(options) => options.clone(),
            Kind::Unless(main, escape) => vec![*main, *escape],
            _ => Vec::new(),
        }
    }

    /// Decides for the jumps of a block whether they leave it, or go on in another one without a break.
    pub(super) fn patch_jumps(&mut self, run: Run) {
        for id in self.written(run) {
            match &self.element(id).kind {
                Kind::Goto(jump) => {
                    let target = self.destination(id, jump);
                    let inside = target.is_some_and(|t| self.element(t).keeps || self.element(t).ends);
                    self.patch(id, inside);
                }
                Kind::Choice(options) => options.clone().into_iter().for_each(|o| self.patch_jumps(o)),
                Kind::Unless(main, escape) => [*main, *escape].into_iter().for_each(|o| self.patch_jumps(o)),
                _ => {}
            }
        }
    }

    fn patch(&mut self, jump: ElementId, inside: bool) {
        let element = self.element_mut(jump);
        if (element.keeps || element.ends) && !inside {
            (element.keeps, element.ends) = (false, true);
        }
        if element.ends && inside {
            (element.keeps, element.ends) = (true, false);
        }
    }
}
