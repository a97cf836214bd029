//! Labels with their gates, numbered: a label is a gate and offers, such as `PUT !1 !TRUE`.

use std::collections::HashMap;
use std::sync::Arc;

/// The label of silent moves.
pub(super) const HIDDEN: &str = "i";
/// The gate on which behaviours terminate together.
pub(crate) const EXIT: &str = "exit";

/// Whether a label says that nobody sees the step.
pub(crate) fn is_silent(label: &str) -> bool {
    matches!(label, HIDDEN | "tau")
}

/// A label, numbered in the order in which it was met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct LabelId(u32);

/// A gate, numbered likewise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct GateId(u32);

/// The gate of a label: up to the first blank, offer or parenthesis.
pub(crate) fn gate_of(label: &str) -> &str {
    match label.find(|c: char| c.is_whitespace() || matches!(c, '!' | '?' | '(')) {
        None | Some(0) => label,
        Some(end) => &label[..end],
    }
}

/// A text between quotes as it is meant: `\"` is a quote, `\\` a backslash.
pub(super) fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let escaped = if c == '\\' { chars.next_if(|c| matches!(c, '"' | '\\')) } else { None };
        out.push(escaped.unwrap_or(c));
    }
    out
}

/// All labels and gates of a network.
#[derive(Debug)]
pub(super) struct Labels {
    labels: Vec<(Arc<str>, GateId)>,
    label_ids: HashMap<Arc<str>, LabelId>,
    gates: Vec<Arc<str>>,
    gate_ids: HashMap<Arc<str>, GateId>,
}

impl Labels {
    /// The gate of silent moves.
    pub(super) const HIDDEN: GateId = GateId(0);
    /// The gate of termination.
    pub(super) const EXIT: GateId = GateId(1);

    pub(super) fn new() -> Self {
        let mut labels =
            Self { labels: Vec::new(), label_ids: HashMap::new(), gates: Vec::new(), gate_ids: HashMap::new() };
        labels.label(HIDDEN);
        labels.gate(EXIT);
        labels
    }

    /// The silent label.
    pub(super) fn hidden(&self) -> LabelId {
        LabelId(0)
    }

    pub(super) fn label(&mut self, text: &str) -> LabelId {
        if let Some(id) = self.label_ids.get(text) {
            return *id;
        }
        let (id, gate, text) = (LabelId(self.labels.len() as u32), self.gate(gate_of(text)), Arc::<str>::from(text));
        self.labels.push((text.clone(), gate));
        self.label_ids.insert(text, id);
        id
    }

    pub(super) fn gate(&mut self, text: &str) -> GateId {
        if let Some(id) = self.gate_ids.get(text) {
            return *id;
        }
        let (id, text) = (GateId(self.gates.len() as u32), Arc::<str>::from(text));
        self.gates.push(text.clone());
        self.gate_ids.insert(text, id);
        id
    }

    /// The label with this text, if there is one.
    pub(super) fn find(&self, text: &str) -> Option<LabelId> {
        self.label_ids.get(text).copied()
    }

    /// The gate with this text, if there is one.
    pub(super) fn find_gate(&self, text: &str) -> Option<GateId> {
        self.gate_ids.get(text).copied()
    }

    pub(super) fn text(&self, label: LabelId) -> &Arc<str> {
        &self.labels[label.0 as usize].0
    }

    pub(super) fn gate_of(&self, label: LabelId) -> GateId {
        self.labels[label.0 as usize].1
    }

    pub(super) fn gate_text(&self, gate: GateId) -> &str {
        &self.gates[gate.0 as usize]
    }

    /// What follows the gate of a label.
    pub(super) fn offers(&self, label: LabelId) -> &str {
        let (text, gate) = &self.labels[label.0 as usize];
        &text[self.gates[gate.0 as usize].len()..]
    }

    /// A gate that differs from this one in upper and lower case only.
    pub(super) fn alike(&self, gate: GateId) -> Option<&str> {
        let text = self.gate_text(gate);
        self.gates.iter().map(|g| &**g).find(|g| *g != text && g.eq_ignore_ascii_case(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_end_where_offers_begin() {
        for (label, gate) in [("PUT !1 !2", "PUT"), ("PUT!1", "PUT"), ("lock(p, f)", "lock"), ("a.1", "a.1")] {
            assert_eq!(gate_of(label), gate);
        }
        assert_eq!(gate_of("(x)"), "(x)");
        let mut labels = Labels::new();
        let label = labels.label("PUT !1");
        assert_eq!(labels.offers(label), " !1");
        assert_eq!(labels.gate_of(label), labels.gate("PUT"));
        assert_eq!(labels.gate_of(labels.hidden()), Labels::HIDDEN);
        let exit = labels.label("exit !0");
        assert_eq!(labels.gate_of(exit), Labels::EXIT);
    }
}
