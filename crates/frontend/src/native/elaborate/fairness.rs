//! Fairness: to every process, or to what is named.

use model::Fairness;

use super::Elaborator;
use super::scope::Scope;
use crate::native::ast::{Fair, Place};
use crate::native::report::Checked;

impl Elaborator<'_> {
    /// The ways to be fair that a property asks for.
    pub(super) fn fairness<'a>(&mut self, asked: &[Fair<'a>], scope: &Scope<'a>) -> Checked<Vec<Fairness>> {
        let mut all = Vec::new();
        for fair in asked {
            if fair.of.is_empty() {
                let everybody = self.named.as_ref().map_or_else(Vec::new, |steps| steps.everybody(fair.strength));
                all.extend(everybody);
            }
            for together in &fair.of {
                let to = self.followed(together, scope)?.into();
                let names: Vec<String> = together.iter().map(|place| self.as_written(place, scope)).collect();
                all.push(Fairness { name: names.join(", "), strength: fair.strength, to });
            }
        }
        Ok(all)
    }

    /// A place with its indices, as it is called elsewhere.
    pub(super) fn as_written<'a>(&mut self, place: &Place<'a>, scope: &Scope<'a>) -> String {
        let parts = std::iter::once(&place.head).chain(&place.member);
        let mut names = Vec::new();
        for part in parts {
            let indices = self.constant_indices(part, scope, "the index of a name").unwrap_or_default();
            names.push(super::scope::indexed(part.name.text, &indices));
        }
        names.join(".")
    }
}
