//! How many joint steps the actions give: a few words can mean more of them than fit anywhere.

use super::Elaborator;
use crate::Diagnostic;
use crate::native::limits;

impl Elaborator<'_> {
    /// Refuses actions with too many combinations of steps.
    pub(super) fn joint_sizes(&mut self) {
        let mut total = 0u64;
        for action in 0..self.parties.len() {
            let parties = &self.parties[action];
            let combinations = parties.values().fold(1u64, |product, &n| product.saturating_mul(n));
            total = total.saturating_add(combinations.saturating_mul(parties.len() as u64));
            if total > limits::JOINT_PARTS {
                let (name, span) = self.actions[action].clone();
                let message = format!("the action `{name}` joins steps in too many ways");
                let what = Diagnostic::error(span, message).label("too many combinations");
                self.error(what.help("let fewer processes know the action, or give them fewer steps with it"));
                return;
            }
        }
    }
}
