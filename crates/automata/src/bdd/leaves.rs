//! A function of early and late variables, taken apart: which function of the late ones is left by which of the early.

use std::collections::BTreeMap;

use super::{Bdd, Manager, Metered, Var};

impl Manager {
    /// The distinct functions of the variables from `late` on that the earlier variables leave, false excepted, each
    /// with the condition on the earlier ones that leaves it. The conditions exclude each other.
    pub(crate) fn leaves(&mut self, f: Bdd, late: Var) -> Metered<Vec<(Bdd, Bdd)>> {
        // Functions still to be looked at, in order of their first variable, with the condition that leads there.
        let mut open = BTreeMap::from([((self.top(f), f), Bdd::TRUE)]);
        let mut leaves = Vec::new();
        while let Some(((var, f), condition)) = open.pop_first() {
            if var >= late {
                if f != Bdd::FALSE {
                    leaves.push((f, condition));
                }
                continue;
            }
            let (low, high) = self.branches(f);
            for (next, positive) in [(low, false), (high, true)] {
                let literal = self.literal(var, positive)?;
                let way = self.and(condition, literal)?;
                let known = open.get(&(self.top(next), next)).copied().unwrap_or(Bdd::FALSE);
                let ways = self.or(known, way)?;
                open.insert((self.top(next), next), ways);
            }
        }
        Ok(leaves)
    }
}
