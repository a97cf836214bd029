//! Reading scripts in tests, and all states of small networks.

use std::collections::{BTreeSet, HashMap};

use frontend::csp::{Limits, Script};
use model::views::{Network, StateId};

/// Reads a script that includes nothing.
pub(crate) fn script(text: &str) -> Script {
    Script::read("test", text, &|_| Err("nothing is included".to_owned())).unwrap_or_else(|e| panic!("{e:?}"))
}

/// The network of a process of a script.
pub(crate) fn network(text: &str, process: &str) -> Network {
    let script = script(text);
    let process = script.process(process).unwrap_or_else(|e| panic!("{e:?}"));
    script.network(&process, &Limits::default()).unwrap_or_else(|e| panic!("{e:?}"))
}

/// The first message about a process, a value or the script itself.
pub(crate) fn mistake(text: &str, process: &str) -> String {
    let read = Script::read("test", text, &|_| Err("nothing is included".to_owned()));
    let result = read.and_then(|script| {
        let process = script.process(process)?;
        script.network(&process, &Limits::default()).map(|network| network.components().len())
    });
    result.expect_err("a mistake").remove(0).message
}

/// The reachable part of a network.
#[derive(Debug, Default)]
pub(crate) struct Space {
    pub(crate) states: usize,
    pub(crate) transitions: usize,
    /// States without successors in which some component is not at an end.
    pub(crate) deadlocks: usize,
    pub(crate) labels: BTreeSet<String>,
}

/// Explores a network.
pub(crate) fn space(network: &Network) -> Space {
    let mut numbers: HashMap<Vec<StateId>, usize> = HashMap::from([(network.initial_state(), 0)]);
    let mut open = vec![network.initial_state()];
    let mut space = Space { states: 1, ..Space::default() };
    while let Some(state) = open.pop() {
        let mut stuck = true;
        for rule in network.rule_ids() {
            for next in network.successors(rule, &state) {
                stuck = false;
                space.transitions += 1;
                space.labels.insert(network.rule(rule).label.to_string());
                let fresh = numbers.len();
                if *numbers.entry(next.clone()).or_insert(fresh) == fresh {
                    space.states += 1;
                    open.push(next);
                }
            }
        }
        space.deadlocks += usize::from(stuck && !network.at_end(&state));
    }
    space
}
