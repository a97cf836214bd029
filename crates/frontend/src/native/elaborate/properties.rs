//! Properties with their names and expectations, and the expected size of the state space.

use std::collections::HashMap;

use model::{NamedProperty, Property, Span};

use super::Elaborator;
use super::scope::Scope;
use crate::native::ast::{self, Item, PropertyKind};
use crate::native::report::Checked;
use crate::{Diagnostic, ExpectedSize};

impl<'t> Elaborator<'t> {
    /// The properties in the order of the text; deadlock freedom if there is none.
    pub(super) fn properties(&mut self, items: &[Item<'t>]) -> Vec<NamedProperty> {
        let declared = || items.iter().filter_map(|i| if let Item::Property(p) = i { Some(p) } else { None });
        let names = self.property_names(declared());
        let mut out = Vec::new();
        for (declared, name) in declared().zip(names) {
            if let Ok(property) = self.property(declared) {
                out.push(NamedProperty { name, property, expect: declared.expect, span: Some(declared.span) });
            }
        }
        if out.is_empty() {
            let (property, expect, span) = (Property::DeadlockFree, None, None);
            out.push(NamedProperty { name: property.keyword().to_owned(), property, expect, span });
        }
        out
    }

    fn property(&mut self, declared: &ast::Property<'t>) -> Checked<Property> {
        let scope = Scope { may_ask_where: true, ..Scope::default() };
        match &declared.kind {
            PropertyKind::DeadlockFree => Ok(Property::DeadlockFree),
            PropertyKind::PartialDeadlockFree => Ok(Property::PartialDeadlockFree),
            PropertyKind::Invariant(e) => Ok(Property::Invariant(self.bool(e, &scope)?.expr)),
            PropertyKind::Reachable(e) => Ok(Property::Reachable(self.bool(e, &scope)?.expr)),
            PropertyKind::Safety(body) => Ok(Property::Safety(self.observer(body, declared.span)?)),
            PropertyKind::Ltl(e, fairness) => Ok(Property::Temporal(self.temporal_claim(e, fairness)?)),
        }
    }

    /// The names: as given, or the kind, with a number from the second of a kind on.
    fn property_names<'a>(&mut self, declared: impl Iterator<Item = &'a ast::Property<'t>> + Clone) -> Vec<String>
    where
        't: 'a,
    {
        let mut taken: HashMap<String, Span> = HashMap::new();
        for (name, span) in declared.clone().filter_map(|p| p.name.as_ref()) {
            if let Some(first) = taken.get(name) {
                let first = self.line(*first);
                let what = Diagnostic::error(*span, format!("the property name `{name}` is used twice"));
                self.error(what.label("second property").help(format!("the first one is {first}")));
            } else {
                taken.insert(name.clone(), *span);
            }
        }
        let mut next: HashMap<&str, usize> = HashMap::new();
        let mut free_name = |keyword: &'static str| {
            loop {
                let number = next.entry(keyword).and_modify(|n| *n += 1).or_insert(1);
                let name = if *number == 1 { keyword.to_owned() } else { format!("{keyword}-{number}") };
                if !taken.contains_key(&name) {
                    return name;
                }
            }
        };
        declared.map(|p| p.name.as_ref().map_or_else(|| free_name(keyword(&p.kind)), |(n, _)| n.clone())).collect()
    }

    /// What the author says about the size of the state space.
    pub(super) fn sizes(&mut self, items: &[Item<'t>]) -> ExpectedSize {
        let mut size = ExpectedSize::default();
        let all = items.iter().filter_map(|i| if let Item::Size(list) = i { Some(list) } else { None }).flatten();
        for (number, word) in all {
            let field = match word.text.trim_end_matches('s') {
                "state" => &mut size.states,
                "transition" => &mut size.transitions,
                _ => &mut size.deadlocks,
            };
            if field.replace(*number).is_some() {
                let message = format!("the number of {} is stated twice", word.text);
                self.error(Diagnostic::error(word.span, message).label("second statement"));
            }
        }
        size
    }
}

fn keyword(kind: &PropertyKind<'_>) -> &'static str {
    match kind {
        PropertyKind::DeadlockFree => "deadlock-free",
        PropertyKind::PartialDeadlockFree => "partial-deadlock-free",
        PropertyKind::Invariant(_) => "invariant",
        PropertyKind::Reachable(_) => "reachable",
        PropertyKind::Safety(_) => "safety",
        PropertyKind::Ltl(..) => "ltl",
    }
}

/// Whether a property speaks of steps.
pub(super) fn asks_for_steps(items: &[Item<'_>]) -> bool {
    let asks = |p: &ast::Property<'_>| matches!(p.kind, PropertyKind::Safety(_) | PropertyKind::Ltl(..));
    items.iter().any(|item| matches!(item, Item::Property(p) if asks(p)))
}
