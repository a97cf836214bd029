//! Hiding, cutting and renaming: what becomes of the labels of a behaviour.
//!
//! Silent moves and termination stay what they are.

use std::collections::HashMap;

use super::ast::{Change, Matcher, Matching, Selection};
use super::pattern::Pattern;
use super::rules::{Rules, TooMany};
use crate::Diagnostic;
use crate::automata::labels::{GateId, LabelId, Labels, gate_of, is_silent, unescape};

/// A change with its patterns compiled.
pub(super) struct Compiled {
    kind: Kind,
    /// Matchers by gate, and others; each with its place in the list.
    gates: HashMap<String, usize>,
    patterns: Vec<(usize, Matching, Pattern)>,
}

enum Kind {
    Hide { inverted: bool },
    Cut { inverted: bool },
    Rename(Vec<String>),
}

/// What becomes of a label.
enum Fate {
    Stays,
    Silent,
    Never,
    Becomes(LabelId),
}

/// Compiles the patterns of a change.
pub(super) fn compile(change: &Change) -> Result<Compiled, Diagnostic> {
    let list = |s: &Selection| s.matchers.clone();
    let (kind, matchers) = match change {
        Change::Hide(s) => (Kind::Hide { inverted: s.inverted }, list(s)),
        Change::Cut(s) => (Kind::Cut { inverted: s.inverted }, list(s)),
        Change::Rename(list) => {
            let (matchers, targets) = list.iter().cloned().unzip();
            (Kind::Rename(targets), matchers)
        }
    };
    let mut compiled = Compiled { kind, gates: HashMap::new(), patterns: Vec::new() };
    for (place, Matcher { matching, text, span }) in matchers.into_iter().enumerate() {
        if matching == Matching::Gate {
            compiled.gates.entry(unescape(&text)).or_insert(place);
            continue;
        }
        let pattern = Pattern::new(&text).map_err(|what| {
            Diagnostic::error(span, format!("{what} is not supported in patterns")).help(
                "patterns have `.`, `[...]`, `*`, `\\(...\\)`; a backslash takes the meaning of the next character",
            )
        })?;
        compiled.patterns.push((place, matching, pattern));
    }
    Ok(compiled)
}

impl Compiled {
    /// Changes the labels of all rules.
    pub(super) fn apply(&self, labels: &mut Labels, mut rules: Rules) -> Result<Rules, TooMany> {
        let gates: Vec<GateId> = match (self.patterns.is_empty(), self.inverted()) {
            // Only these gates can be meant.
            (true, false) => {
                let mut gates: Vec<_> = self.gates.keys().filter_map(|name| labels.find_gate(name)).collect();
                gates.sort_unstable();
                gates
            }
            _ => rules.gate_ids().collect(),
        };
        let mut changed = Vec::new();
        for gate in gates.into_iter().filter(|g| ![Labels::HIDDEN, Labels::EXIT].contains(g)) {
            for (label, parts) in rules.take(gate) {
                match self.fate(labels, label) {
                    Fate::Never => {}
                    Fate::Stays => changed.push((label, parts)),
                    Fate::Silent => changed.push((labels.hidden(), parts)),
                    Fate::Becomes(new) => changed.push((new, parts)),
                }
            }
        }
        for (label, parts) in changed {
            rules.put(labels.gate_of(label), [(label, parts)].into())?;
        }
        Ok(rules)
    }

    fn inverted(&self) -> bool {
        matches!(self.kind, Kind::Hide { inverted: true } | Kind::Cut { inverted: true })
    }

    fn fate(&self, labels: &mut Labels, label: LabelId) -> Fate {
        let text = labels.text(label).clone();
        let (gate, first) = (labels.gate_text(labels.gate_of(label)), self.first(labels, label));
        match &self.kind {
            Kind::Hide { inverted } if first.is_some() != *inverted => Fate::Silent,
            Kind::Cut { inverted } if first.is_some() != *inverted => Fate::Never,
            Kind::Hide { .. } | Kind::Cut { .. } => Fate::Stays,
            Kind::Rename(targets) => match first {
                None => Fate::Stays,
                Some(place) => {
                    let new = self.renamed(place, &targets[place], &text, gate.len());
                    let new = new.trim();
                    if is_silent(gate_of(new)) { Fate::Silent } else { Fate::Becomes(labels.label(new)) }
                }
            },
        }
    }

    /// The first matcher that fits a label.
    fn first(&self, labels: &Labels, label: LabelId) -> Option<usize> {
        let text = labels.text(label);
        let gate = self.gates.get(labels.gate_text(labels.gate_of(label))).copied();
        let fits = |(_, matching, pattern): &&(usize, Matching, Pattern)| match matching {
            Matching::Total => pattern.whole(text).is_some(),
            _ => pattern.first(text, 0).is_some(),
        };
        let pattern = self.patterns.iter().find(fits).map(|(place, ..)| *place);
        gate.into_iter().chain(pattern).min()
    }

    fn renamed(&self, place: usize, target: &str, text: &str, gate: usize) -> String {
        let Some((_, matching, pattern)) = self.patterns.iter().find(|(p, ..)| *p == place) else {
            return format!("{}{}", unescape(target), &text[gate..]);
        };
        match matching {
            Matching::Total => pattern.whole(text).map_or_else(|| text.to_owned(), |m| m.fill(target, text)),
            Matching::Multiple => substitute(pattern, target, text, usize::MAX),
            Matching::Partial | Matching::Gate => substitute(pattern, target, text, 1),
        }
    }
}

/// Replaces the first parts that a pattern fits.
fn substitute(pattern: &Pattern, target: &str, text: &str, mut most: usize) -> String {
    let (mut out, mut at) = (String::new(), 0);
    while most > 0
        && let Some(found) = pattern.first(text, at)
    {
        out.push_str(&text[at..found.range.start]);
        out.push_str(&found.fill(target, text));
        most -= 1;
        at = found.range.end;
        // After nothing was replaced by something, a character passes: else it would never end.
        if found.range.is_empty() {
            let Some(c) = text[at..].chars().next() else { break };
            out.push(c);
            at += c.len_utf8();
        }
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}
