//! How large an analysis was and what it used, in numbers and in words.

use model::views::Network;

use super::Local;
use super::sdd::Cycles;
use super::survey::Survey;

/// How large an analysis was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Components that are not isomorphic.
    pub classes: usize,
    /// Pairs of components that share a rule.
    pub pairs: usize,
    /// Pairs that differ in their components or in how these are connected.
    pub kinds: usize,
    /// Kinds of pairs with too many joint states to be looked at.
    pub skipped: usize,
    /// The joint states of all kinds of pairs.
    pub joint_states: u64,
    /// Questions to the solver.
    pub questions: usize,
    /// Candidates that the solver found.
    pub candidates: usize,
    /// How many of them a conserved quantity excluded.
    pub conserved: usize,
    /// How many another inequality excluded.
    pub inequalities: usize,
    /// How many a trap excluded.
    pub traps: usize,
    /// How many a group of more than two components excluded.
    pub groups: usize,
}

impl Figures {
    pub(super) fn of(survey: &Survey<'_>) -> Self {
        Self {
            classes: survey.classes.forms.len(),
            pairs: survey.kinds.pairs.len(),
            kinds: survey.kinds.kinds.len(),
            skipped: survey.reaches().filter(Option::is_none).count(),
            joint_states: survey.reaches().flatten().map(|r| r.states).sum(),
            ..Self::default()
        }
    }

    /// Adds what a search for candidates counted.
    pub(super) fn add(&mut self, search: &Self) {
        self.questions += search.questions;
        self.candidates += search.candidates;
        self.conserved += search.conserved;
        self.inequalities += search.inequalities;
        self.traps += search.traps;
        self.groups += search.groups;
    }
}

/// What the state dependency digraph said.
pub(super) fn of_cycles(network: &Network, cycles: &Cycles) -> String {
    match cycles {
        Cycles::Acyclic => "no cycle of ungranted requests".to_owned(),
        Cycles::Inapplicable(why) => format!("cycles of requests say nothing: {why}"),
        Cycles::Cycle(cycle) => {
            let shown: Vec<String> = cycle.iter().take(8).map(|&(c, s)| network.component(c).show_state(s)).collect();
            let more = if cycle.len() > shown.len() { ", ..." } else { "" };
            format!("a cycle of {} ungranted requests: {}{more}", cycle.len(), shown.join(", "))
        }
    }
}

/// Which methods were used, and how much.
pub(super) fn of_methods(options: &Local, figures: &Figures) -> Vec<String> {
    let mut words = Vec::new();
    if options.pairs {
        words.push(counted(figures.kinds, "kind of pairs", "kinds of pairs"));
    }
    if figures.skipped > 0 {
        words.push(counted(figures.skipped, "kind of pairs is too large", "kinds of pairs are too large"));
    }
    let used = [
        (figures.conserved, "conserved quantity", "conserved quantities"),
        (figures.inequalities, "inequality", "inequalities"),
        (figures.traps, "trap", "traps"),
        (figures.groups, "larger group of components", "larger groups of components"),
    ];
    words.extend(used.iter().filter(|u| u.0 > 0).map(|&(n, one, many)| counted(n, one, many)));
    words
}

fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
