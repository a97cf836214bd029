//! Which elements the labels mark whose names mean something: those that carry them, and those behind first statements.
//!
//! Nobody waits before the first statement of an option: control is at the choice. SPIN's verifier gives the mark of a
//! label there to the state to which the statement leads, and that of a choice within a choice to all of its options; in
//! a `d_step` there are no states at all.

use super::table::{Row, Table, hunt};
use super::{ElementId, Flow, Kind};
use crate::promela::ir::Hold;
use crate::promela::resolve::labels::Marks;

impl Flow<'_> {
    /// The marks of all elements.
    pub(super) fn marks(&self, table: &Table) -> Vec<Marks> {
        let mut marks = vec![Marks::default(); self.elements.len()];
        for label in &self.labels {
            give(&mut marks, label.element, Marks::of(&label.name.text));
        }
        let outside = || self.elements().filter(|(_, e)| e.step.is_none()).map(|(id, _)| id);
        for option in outside().flat_map(|id| self.options(table, id).unwrap_or_default()) {
            let given = marks[option.0 as usize];
            self.leaves(table, *option).into_iter().for_each(|leaf| give(&mut marks, leaf, given));
        }
        for id in outside().filter(|id| self.options(table, *id).is_some()) {
            for leaf in self.leaves(table, id) {
                if let Some(to) = self.after(table, leaf) {
                    let given = marks[leaf.0 as usize];
                    give(&mut marks, to, given);
                }
            }
        }
        for id in outside().filter(|id| matches!(self.element(*id).kind, Kind::Joint)) {
            if let Row::Step(to) = table.rows[id.0 as usize] {
                let end = marks[id.0 as usize].end;
                give(&mut marks, to, Marks { end, ..Marks::default() });
            }
        }
        marks
    }

    /// The first statements of a choice or a block; a `d_step` is one statement.
    fn options<'t>(&self, table: &'t Table, id: ElementId) -> Option<&'t [ElementId]> {
        match (&table.rows[id.0 as usize], &self.element(id).kind) {
            (_, Kind::Group(_, Hold::Step)) => None,
            (Row::Choice(options), _) => Some(options),
            _ => None,
        }
    }

    /// The statements of a choice, those of choices inside it in their places.
    fn leaves(&self, table: &Table, id: ElementId) -> Vec<ElementId> {
        match self.options(table, id) {
            Some(options) => options.iter().flat_map(|o| self.leaves(table, *o)).collect(),
            None => vec![id],
        }
    }

    /// Where a statement leads.
    fn after(&self, table: &Table, id: ElementId) -> Option<ElementId> {
        let element = self.element(id);
        match (&table.rows[id.0 as usize], &element.kind) {
            (_, Kind::Group(_, Hold::Step)) => hunt(self, element.next?, element.keeps).ok(),
            (Row::Step(to), _) => Some(*to),
            _ => None,
        }
    }
}

fn give(marks: &mut [Marks], to: ElementId, more: Marks) {
    let at = &mut marks[to.0 as usize];
    *at = at.and(more);
}
