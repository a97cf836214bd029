//! The network that components and rules make: distinct names, and what rules are called.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use model::views::{ComponentId, EventId, Network, Rule};
use model::{Span, views};

use super::labels::{LabelId, Labels};
use super::lts::Lts;
use crate::Diagnostic;

/// The most components.
pub(super) const MAX_COMPONENTS: usize = 1 << 17;
/// The most states and moves of all components together.
const MAX_PARTS: usize = 1 << 26;

/// A network while it is read.
#[derive(Debug, Default)]
pub(super) struct Draft {
    components: Vec<(String, Rc<Lts>)>,
    parts: usize,
}

impl Draft {
    /// Adds a component, unless there are too many.
    pub(super) fn add(&mut self, name: &str, lts: Rc<Lts>) -> Option<ComponentId> {
        self.parts += lts.states.len() + lts.moves.len();
        if self.components.len() >= MAX_COMPONENTS || self.parts > MAX_PARTS {
            return None;
        }
        self.components.push((name.to_owned(), lts));
        Some(ComponentId::new(self.components.len() - 1))
    }

    pub(super) fn finish(
        self,
        name: &str,
        labels: &Labels,
        rules: Vec<(LabelId, Vec<(ComponentId, EventId)>)>,
    ) -> Result<Network, Diagnostic> {
        let names = self.names();
        let rule = |(label, parts): (LabelId, Vec<(ComponentId, EventId)>)| {
            let name = self.rule_name(&names, labels, label, &parts);
            Rule { name, ..Rule::new(labels.text(label).clone(), parts) }
        };
        let rules = rules.into_iter().map(rule).collect();
        let components = self.components.iter().zip(&names).map(|((_, lts), name)| lts.component(name.clone()));
        let failed = |e: views::ViewError| Diagnostic::error(Span::new(0, 0), e.message);
        Network::new(name, components.collect(), rules).map_err(failed)
    }

    /// Components that share a name are numbered, in the order of the text.
    fn names(&self) -> Vec<String> {
        let mut uses: HashMap<&str, usize> = HashMap::new();
        self.components.iter().for_each(|(name, _)| *uses.entry(name).or_default() += 1);
        let mut taken: HashSet<String> =
            uses.iter().filter(|(_, n)| **n == 1).map(|(name, _)| (*name).to_owned()).collect();
        let mut next: HashMap<&str, usize> = HashMap::new();
        let mut names = Vec::with_capacity(self.components.len());
        for (name, _) in &self.components {
            let number = next.entry(name).or_default();
            while uses[name.as_str()] > 1 && !taken.insert(format!("{name}[{number}]")) {
                *number += 1;
            }
            names.push(if uses[name.as_str()] > 1 { format!("{name}[{number}]") } else { name.clone() });
        }
        names
    }

    /// What one component does by itself has its name; what became silent is called what it was.
    fn rule_name(
        &self,
        names: &[String],
        labels: &Labels,
        label: LabelId,
        parts: &[(ComponentId, EventId)],
    ) -> Arc<str> {
        let text = labels.text(label);
        let was = |(c, e): &(ComponentId, EventId)| self.components[c.index()].1.labels[e.index()].as_str();
        let hidden = match parts.first() {
            Some(part) if label == labels.hidden() && was(part) != &**text => format!("{} (hidden)", was(part)),
            _ => text.to_string(),
        };
        match parts {
            [(c, _)] if names.len() > 1 => format!("{}.{hidden}", names[c.index()]).into(),
            _ => hidden.into(),
        }
    }
}
