//! What can be wrong, for readers who do not know the tool: a rule for each kind of question.

/// A kind of question.
pub(crate) struct Rule {
    pub(crate) id: &'static str,
    pub(crate) name: &'static str,
    /// What is demanded, in one sentence.
    pub(crate) short: &'static str,
    /// What to do if it is not so.
    pub(crate) help: &'static str,
}

/// The run is in the result; most helps begin with it.
static RULES: &[Rule] = &[
    Rule {
        id: "deadlock-free",
        name: "DeadlockFree",
        short: "The system cannot get stuck.",
        help: "The run that is shown ends where nothing can happen any more. Look at who waits for whom: break the cycle, for \
               example by taking locks in one order. Processes that may stop there need to be declared.",
    },
    Rule {
        id: "partial-deadlock-free",
        name: "PartialDeadlockFree",
        short: "No process can get stuck for good, even if others go on.",
        help: "After the run that is shown some processes never take a step again, whatever happens. Look at what they wait for; \
               if one of them may stop there, declare that.",
    },
    Rule {
        id: "invariant",
        name: "Invariant",
        short: "The predicate is true in every reachable state.",
        help: "The run that is shown ends in a state where the predicate is false.",
    },
    Rule {
        id: "reachable",
        name: "Reachable",
        short: "The predicate is true in some reachable state.",
        help: "No run leads to such a state: look for guards that are never true.",
    },
    Rule {
        id: "safety",
        name: "Safety",
        short: "The observer never reaches an error location.",
        help: "The run that is shown takes the observer to an error location.",
    },
    Rule {
        id: "ltl",
        name: "Temporal",
        short: "The formula is true of every run that counts.",
        help: "The run that is shown breaks the formula; if it goes on for ever, the steps that repeat are marked. Ask for fair \
               runs only if the run is unrealistic because somebody is never served.",
    },
    Rule {
        id: "never",
        name: "Never",
        short: "No run is accepted by the automaton.",
        help: "The run that is shown is accepted.",
    },
    Rule {
        id: "divergence-free",
        name: "DivergenceFree",
        short: "The system cannot go on for ever without a visible step.",
        help: "The silent steps at the end of the run that is shown repeat for ever.",
    },
    Rule {
        id: "assertion",
        name: "Assertion",
        short: "What the script asserts is true.",
        help: "Assertions of this kind are not decided.",
    },
    Rule {
        id: "model-error",
        name: "ModelError",
        short: "No run leads to a value outside its range, a wrong index or a false assertion.",
        help: "The last step of the run that is shown has no meaning: guard it, or widen the range.",
    },
    Rule {
        id: "size",
        name: "Size",
        short: "The state space has the size that the author of the model expects.",
        help: "The model has changed, or the expectation is wrong.",
    },
    Rule {
        id: "input",
        name: "Input",
        short: "The model can be read.",
        help: "Mistakes are shown where they are in the text.",
    },
];

/// What is said of a kind that nobody described.
static ANY: Rule = Rule {
    id: "property",
    name: "Property",
    short: "The property holds.",
    help: "The run that is shown, if there is one, breaks the property.",
};

/// The rule with this name.
pub(crate) fn rule(id: &str) -> &'static Rule {
    RULES.iter().find(|r| r.id == id).unwrap_or(&ANY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_property_is_described() {
        let schema = include_str!("../../../docs/report.schema.json");
        let schema: serde_json::Value = serde_json::from_str(schema).expect("JSON");
        let kinds = schema["$defs"]["result"]["properties"]["kind"]["enum"].as_array().expect("kinds");
        assert!(kinds.len() > 5);
        for kind in kinds {
            let kind = kind.as_str().expect("a word");
            assert_eq!(rule(kind).id, kind, "the schema knows this kind, and SARIF has no rule for it");
        }
    }
}
