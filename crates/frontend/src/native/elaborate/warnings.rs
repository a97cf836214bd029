//! Remarks on what is allowed but hardly meant. Few, and true.

use std::collections::{HashMap, HashSet};

use super::{Elaborator, Source};
use crate::Diagnostic;
use crate::native::ast::{BodyItem, Item, Name};
use crate::native::limits;
use crate::native::report::Reports;
use crate::native::token::{Kind, tokens};

impl<'t> Elaborator<'t> {
    /// All remarks, in the order of the text.
    pub(super) fn warnings(&self, source: Source<'_, 't>) -> Vec<Diagnostic> {
        let mut out = unused(source);
        out.extend(self.unreached());
        out.extend(self.lonely_actions());
        out.extend(self.empty_families());
        out.extend(self.empty_ranges());
        out.extend(self.lonely_steps());
        out.sort_by_key(|d| d.span);
        out.truncate(limits::DIAGNOSTICS);
        out
    }

    /// States of a family that no step of any member leads to, and where no member starts.
    fn unreached(&self) -> Vec<Diagnostic> {
        let mut seen = HashSet::new();
        let mut out = Vec::new();
        for member in self.families.iter().flat_map(|f| &f.members) {
            for (name, group) in &member.states.groups {
                if !self.reached.contains(&group.span) && seen.insert(group.span) {
                    let what = Diagnostic::warning(group.span, format!("no step leads to the state `{name}`"));
                    out.push(what.label("never entered"));
                }
            }
        }
        out
    }

    /// Families without a member: whatever is said of all of them is true.
    fn empty_families(&self) -> impl Iterator<Item = Diagnostic> {
        self.families.iter().filter(|f| f.members.is_empty()).map(|f| {
            let what = Diagnostic::warning(f.name.span, format!("the family `{}` has no members", f.name.text));
            what.label("an empty range").help("nothing in it is checked with these parameters")
        })
    }

    /// Ranges of quantifiers that have no value, wherever the quantifier is expanded.
    fn empty_ranges(&self) -> impl Iterator<Item = Diagnostic> {
        self.ranges.iter().filter(|(_, (_, some))| !some).map(|(span, (word, _))| {
            let value = match *word {
                "forall" => "true",
                "exists" => "false",
                _ => "0",
            };
            let what = Diagnostic::warning(*span, format!("this range is empty, so the `{word}` is {value}"));
            what.label("no values").help("it says nothing about the model with these parameters")
        })
    }

    /// Steps that a property asks for and that never find whom they need.
    fn lonely_steps(&self) -> impl Iterator<Item = Diagnostic> {
        self.lonely.iter().map(|(span, why)| {
            Diagnostic::warning(*span, format!("this step never happens: {why}")).label("never possible, never taken")
        })
    }

    /// Actions that a single process knows: nobody synchronises.
    fn lonely_actions(&self) -> Vec<Diagnostic> {
        let mut seen = HashSet::new();
        let mut out = Vec::new();
        for ((name, span), parties) in self.actions.iter().zip(&self.parties) {
            if parties.len() == 1 && seen.insert(*span) {
                let what = Diagnostic::warning(*span, format!("only one process knows the action `{name}`"));
                out.push(what.label("nobody to synchronise with").help("name a step by `a -> b : name` instead"));
            }
        }
        out
    }
}

/// Declarations whose name occurs nowhere else in the text.
fn unused(source: Source<'_, '_>) -> Vec<Diagnostic> {
    let mut reports = Reports::default();
    let mut occurrences: HashMap<&str, u32> = HashMap::new();
    for token in tokens(source.text, &mut reports).unwrap_or_default() {
        if token.kind == Kind::Word {
            *occurrences.entry(&source.text[token.span.range()]).or_insert(0) += 1;
        }
    }
    let once = |(noun, name): &(&str, Name<'_>)| occurrences.get(name.text) == Some(&1) && !noun.is_empty();
    let warning = |(noun, name): (&str, Name<'_>)| {
        Diagnostic::warning(name.span, format!("the {noun} `{}` is never used", name.text)).label("unused")
    };
    source.items.iter().flat_map(declared).filter(once).map(warning).collect()
}

/// The names that an item declares and that somebody should use, with the word for them.
fn declared<'t>(item: &Item<'t>) -> Vec<(&'static str, Name<'t>)> {
    match item {
        Item::Param(name, _) => vec![("parameter", *name)],
        Item::Const(name, _) => vec![("constant", *name)],
        Item::Objects(objects) => objects.names.iter().map(|p| ("object", p.name)).collect(),
        Item::Actions(parts) => parts.iter().map(|p| ("action", p.name)).collect(),
        Item::Process(process) => process.body.iter().flat_map(declared_inside).collect(),
        Item::Enum(..) | Item::Property(_) | Item::Size(_) => Vec::new(),
    }
}

fn declared_inside<'t>(item: &BodyItem<'t>) -> Vec<(&'static str, Name<'t>)> {
    match item {
        BodyItem::Objects(objects) => objects.names.iter().map(|p| ("object", p.name)).collect(),
        _ => Vec::new(),
    }
}
