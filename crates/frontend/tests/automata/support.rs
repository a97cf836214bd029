//! Files in memory, and the explicit graph of a network.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use frontend::Diagnostic;
use frontend::automata::{LoadedNetwork, read};
use model::Network;
use model::views::StateId;

/// Texts by name.
pub(crate) type Folder = HashMap<String, String>;

pub(crate) fn folder(files: &[(&str, &str)]) -> Folder {
    files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
}

pub(crate) fn load(text: &str, files: &Folder) -> Result<LoadedNetwork, Vec<Diagnostic>> {
    let open = |name: &str| files.get(name).map(|t| t.clone().into_bytes()).ok_or("there is no such file".to_owned());
    read("main.exp", text.as_bytes(), &open)
}

pub(crate) fn network(text: &str, files: &Folder) -> Network {
    load(text, files).unwrap_or_else(|d| panic!("{text}\n{d:?}")).network
}

/// An automaton whose states are numbered from 0, the first one being initial.
pub(crate) fn aut(moves: &[(usize, &str, usize)]) -> String {
    let states = moves.iter().map(|m| m.0.max(m.2) + 1).max().unwrap_or(1);
    let lines: Vec<String> = moves.iter().map(|(from, label, to)| format!("({from}, \"{label}\", {to})\n")).collect();
    format!("des (0, {}, {states})\n{}", moves.len(), lines.concat())
}

/// What can happen in a state, and whether it is an end.
pub(crate) type Space = BTreeMap<Vec<usize>, (BTreeSet<(String, Vec<usize>)>, bool)>;

/// All reachable states.
pub(crate) fn space(network: &Network) -> Space {
    let plain = |s: &[StateId]| s.iter().map(|s| s.index()).collect::<Vec<_>>();
    let mut found = Space::new();
    let mut open = vec![network.initial_state()];
    while let Some(state) = open.pop() {
        if found.contains_key(&plain(&state)) {
            continue;
        }
        let mut steps = BTreeSet::new();
        for rule in network.rule_ids() {
            for next in network.successors(rule, &state) {
                steps.insert((network.rule(rule).label.to_string(), plain(&next)));
                open.push(next);
            }
        }
        found.insert(plain(&state), (steps, network.at_end(&state)));
    }
    found
}

/// States, transitions, and those states where nothing can happen and not everything has ended.
pub(crate) fn counts(network: &Network) -> (usize, usize, usize) {
    let space = space(network);
    let stuck = space.values().filter(|(steps, end)| steps.is_empty() && !end).count();
    (space.len(), space.values().map(|(steps, _)| steps.len()).sum(), stuck)
}

/// The labels of all rules, with how many take part.
pub(crate) fn rules(network: &Network) -> Vec<(String, usize)> {
    let mut rules: Vec<_> = network.rules().iter().map(|r| (r.label.to_string(), r.participants.len())).collect();
    rules.sort();
    rules
}
