//! Which engines are tried, in which order: what the measurements say, as data. See docs/measurements.md.
//!
//! Explicit search is not listed: it has the first moment alone, because it settles nearly everything that is small, and
//! then goes on beside the others.

use model::Class;

/// Engines for one kind of question.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule {
    /// What is asked for.
    pub(crate) class: Class,
    /// The engines, as `--engine` spells them, the cheapest first.
    pub(crate) entrants: &'static [Entrant],
}

/// An engine, and why it is worth a try.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entrant {
    pub(crate) engine: &'static str,
    pub(crate) why: &'static str,
}

const LOCAL: Entrant =
    Entrant { engine: "local", why: "proofs from pairs of components do not grow with the state space" };
const NET: Entrant =
    Entrant { engine: "net", why: "walks, place invariants, short runs and IC3 on the model seen as a net" };
const INVARIANT: Entrant = Entrant { engine: "invariant", why: "invariants first, then sets of states within them" };
const UNFOLD: Entrant = Entrant { engine: "unfold", why: "few events where much is concurrent and little is chosen" };

const NESTED: Entrant = Entrant {
    engine: "ltl:reduce=none,search=nested",
    why: "nested search of everything, for claims whose steps all count and nothing can be left out",
};

/// The rules, one for each class for which there is more than one engine.
pub(crate) const RULES: &[Rule] = &[
    Rule { class: Class::Deadlock, entrants: &[LOCAL, NET, INVARIANT, UNFOLD] },
    Rule { class: Class::Safety, entrants: &[NET, LOCAL, INVARIANT, UNFOLD] },
    Rule { class: Class::Liveness, entrants: &[NESTED] },
];

/// The engines for a class of questions.
pub(crate) fn entrants(class: Class) -> &'static [Entrant] {
    RULES.iter().find(|rule| rule.class == class).map_or(&[], |rule| rule.entrants)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Choice;

    #[test]
    fn every_engine_is_one() {
        for entrant in RULES.iter().flat_map(|rule| rule.entrants) {
            assert!(entrant.engine.parse::<Choice>().is_ok(), "{}", entrant.engine);
        }
    }
}
