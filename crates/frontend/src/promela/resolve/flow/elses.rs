//! One `else` for each control state, as SPIN's verifier has it: a choice that begins an option is part of the choice
//! around it, and an escape is part of what it escapes from. Of two `else` each would take the other for a neighbour
//! that can go on, so that one of them were never executable.

use super::{ElementId, Flow, Kind};
use crate::Diagnostic;
use crate::promela::resolve::reports::Reports;

impl Flow<'_> {
    /// Reports a second `else` among the statements that leave one control state. Inside of a `d_step` each choice is
    /// one of its own.
    pub(super) fn check_else(&self, leaving: impl Iterator<Item = ElementId>, reports: &mut Reports) {
        let is_else = |e: &&super::Element<'_>| matches!(e.kind, Kind::Else) && e.step.is_none();
        let mut places: Vec<_> = leaving.map(|id| self.element(id)).filter(is_else).map(|e| e.span).collect();
        places.sort_unstable();
        if let [_, second, ..] = places[..] {
            let what = "two `else` for one choice";
            let help = "an `if` or `do` that begins an option is part of the choice around it, and an escape is part of what \
                        it escapes from: write one `else`, or put a statement before the inner choice, such as `skip`";
            reports.push(Diagnostic::error(second, what).label("the second one").help(help));
        }
    }
}
