//! Networks in the notation of CADP: an expression with a vector for each rule, and an automaton for each component.
//!
//! What is read back has the same runs. Where components may stop for good in states that are not reached by `exit`,
//! they get a common last step with that label; else the state spaces are the same, state by state.

use std::collections::{HashMap, HashSet};

use model::views::{Component, Network, StateId};

use super::aut::{aut, escaped, one_line};
use crate::automata::{EXIT, gate_of, is_silent};

/// The most entries of all vectors together.
const MAX_ENTRIES: usize = 1 << 26;

/// A network as files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    /// The expression.
    pub text: String,
    /// The automata that it refers to, by name of file; equal components share one.
    pub files: Vec<(String, String)>,
    /// Whether a common last step was added where all components may stop for good.
    pub terminates: bool,
}

/// The network as an expression; the names of its files begin with `stem`. Says why if it cannot be written.
pub fn exp(network: &Network, stem: &str) -> Result<Expression, String> {
    if let Some(rule) = network.rules().iter().find(|r| r.participants.is_empty()) {
        return Err(format!("nobody takes part in the rule `{}`, and no vector says that", rule.name));
    }
    let entries = network.rules().len().saturating_mul(network.components().len());
    if entries > MAX_ENTRIES {
        return Err(format!("the vectors of its rules would have {entries} entries"));
    }
    let plain = network.components().iter().all(terminates_by_exit);
    let can_end = |c: &Component| c.states().iter().any(|s| s.end);
    let last = !plain && network.components().iter().all(can_end);
    let silent = silent_events(network);
    let labels: Vec<Vec<String>> =
        network.components().iter().zip(&silent).map(|(c, silent)| event_labels(c, silent, plain)).collect();
    let texts = network.components().iter().zip(&labels).map(|(c, labels)| automaton(c, labels, last));
    let (names, files) = share(network, stem, texts);
    let text = expression(network, &labels, &names, last);
    Ok(Expression { text, files, terminates: last })
}

/// Whether the end states are those that a reader would find: where `exit` leads and nothing else does.
fn terminates_by_exit(component: &Component) -> bool {
    let exit: Vec<bool> = component.events().iter().map(|e| gate_of(e.trim()) == EXIT).collect();
    let is_end = |s: StateId| component.states()[s.index()].end;
    let is_sink = |s: StateId| component.moves(s).is_empty();
    states(component).all(|s| {
        let moves = component.moves(s).iter();
        let mut fits = moves.map(|m| is_end(m.to) == (exit[m.event.index()] && is_sink(m.to)));
        (!is_end(s) || (is_sink(s) && s != component.initial())) && fits.all(|fits| fits)
    })
}

fn states(component: &Component) -> impl Iterator<Item = StateId> + use<> {
    (0..component.states().len()).map(StateId::new)
}

/// By component and event: it is used for a silent step by itself and for nothing else, so it needs no vector.
fn silent_events(network: &Network) -> Vec<Vec<bool>> {
    let mut uses: Vec<Vec<(usize, bool)>> =
        network.components().iter().map(|c| vec![(0, true); c.events().len()]).collect();
    for rule in network.rules() {
        let silent = rule.participants.len() == 1 && is_silent(&rule.label);
        for (c, e) in &rule.participants {
            let (count, all) = &mut uses[c.index()][e.index()];
            (*count, *all) = (*count + 1, *all && silent);
        }
    }
    uses.into_iter().map(|events| events.into_iter().map(|(count, silent)| count == 1 && silent).collect()).collect()
}

/// Distinct labels for the events; only the silent ones are `i`, and only what terminates is `exit`.
fn event_labels(component: &Component, silent: &[bool], plain: bool) -> Vec<String> {
    let mut taken = HashSet::new();
    let mut label = |(event, silent): (&String, &bool)| {
        if *silent {
            return "i".to_owned();
        }
        let name = one_line(event);
        let reserved = is_silent(&name) || (!plain && gate_of(&name) == EXIT);
        let name = if reserved { format!("_{name}") } else { name };
        if taken.insert(name.clone()) {
            return name;
        }
        let numbered = (2..).map(|n| format!("{name} #{n}")).find(|name| taken.insert(name.clone()));
        numbered.expect("numbers never end")
    };
    component.events().iter().zip(silent).map(&mut label).collect()
}

/// The text of a component, with a last step out of its end states if it shall have one.
fn automaton(component: &Component, labels: &[String], last: bool) -> String {
    let mut moves = Vec::new();
    let count = component.states().len();
    for s in states(component) {
        moves.extend(component.moves(s).iter().map(|m| (s.index(), labels[m.event.index()].as_str(), m.to.index())));
        if last && component.states()[s.index()].end {
            moves.push((s.index(), EXIT, count));
        }
    }
    aut(component.initial().index(), count + usize::from(last), &moves)
}

/// The name of the file of each component, and the files.
fn share(network: &Network, stem: &str, texts: impl Iterator<Item = String>) -> (Vec<String>, Vec<(String, String)>) {
    let (mut known, mut taken) = (HashMap::new(), HashSet::new());
    let (mut names, mut files) = (Vec::new(), Vec::new());
    for (component, text) in network.components().iter().zip(texts) {
        let name = known.entry(text.clone()).or_insert_with(|| {
            let plain = format!("{stem}-{}", cleaned(component.name()));
            let candidates = (1..).map(|n| if n == 1 { plain.clone() } else { format!("{plain}-{n}") });
            let name = candidates.map(|n| format!("{n}.aut")).find(|name| taken.insert(name.clone()));
            let name = name.expect("numbers never end");
            files.push((name.clone(), text));
            name
        });
        names.push(name.clone());
    }
    (names, files)
}

fn cleaned(name: &str) -> String {
    let clean: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    clean.trim_end_matches('_').to_owned()
}

fn expression(network: &Network, labels: &[Vec<String>], names: &[String], last: bool) -> String {
    if names.is_empty() {
        return "stop\n".to_owned();
    }
    let mut vectors = Vec::new();
    for rule in network.rules() {
        if let [(c, e)] = rule.participants[..]
            && labels[c.index()][e.index()] == "i"
        {
            continue;
        }
        let mut parts = vec!["_".to_owned(); names.len()];
        for (c, e) in &rule.participants {
            parts[c.index()] = format!("\"{}\"", escaped(&labels[c.index()][e.index()]));
        }
        vectors.push((parts, escaped(&rule.label)));
    }
    if last {
        vectors.push((vec![format!("\"{EXIT}\""); names.len()], EXIT.to_owned()));
    }
    let vectors: Vec<String> =
        vectors.iter().map(|(parts, label)| format!("  {} -> \"{label}\"", parts.join(" * "))).collect();
    let names: Vec<String> = names.iter().map(|name| format!("  \"{}\"", escaped(name))).collect();
    format!("par using\n{}\nin\n{}\nend par\n", vectors.join(",\n"), names.join("\n||\n"))
}
