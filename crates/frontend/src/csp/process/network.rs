//! From a term to a network: its static operators become rules, the terms underneath become components.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use model::views::{ComponentId, EventId, Network, Rule};

use super::automaton::Leaf;
use super::event::{Event, TAU};
use super::explore::{Explored, Subject, explore};
use super::names::distinct;
use super::prune::prune;
use super::structure::{Structure, structure};
use super::term::TermId;
use super::vectors::{Joint, vectors};
use super::{Checked, Limits, World};
use crate::Diagnostic;

/// The network of a term.
pub(crate) fn network<W: World>(world: &mut W, term: TermId, subject: &Subject, limits: &Limits) -> Checked<Network> {
    let structure = structure(world, term, subject.clone(), limits)?;
    let mut leaves = components(world, &structure, limits)?;
    let events: Vec<Rc<[Event]>> = leaves.iter().map(|leaf| leaf.events().into()).collect();
    let mut joints = vectors(world.store(), &structure, &events, limits.participants)
        .map_err(|_| too_many(subject, limits.participants))?;
    prune(&mut leaves, &mut joints);
    let names = distinct(structure.leaves.iter().map(|(_, subject)| subject.name.clone()).collect());
    let automata: Vec<_> = leaves.iter().zip(names).map(|(leaf, name)| leaf.automaton(world, name)).collect();
    let rules = rules(world, &leaves, &joints);
    let network = Network::new(subject.name.clone(), automata, rules);
    Ok(network.expect("names are distinct, and rules use the events of their components"))
}

/// Explores the components; equal terms only once.
fn components<W: World>(world: &mut W, structure: &Structure, limits: &Limits) -> Checked<Vec<Leaf>> {
    let mut known: HashMap<TermId, Rc<Explored>> = HashMap::new();
    let mut leaves = vec![];
    for (term, subject) in &structure.leaves {
        let explored = match known.get(term) {
            Some(explored) => explored.clone(),
            None => Rc::new(explore(world, *term, subject, limits)?),
        };
        leaves.push(Leaf::new(world.store(), &explored, structure.composed));
        known.insert(*term, explored);
    }
    Ok(leaves)
}

fn rules<W: World>(world: &W, leaves: &[Leaf], joints: &[Joint]) -> Vec<Rule> {
    let events: Vec<Vec<Event>> = leaves.iter().map(Leaf::events).collect();
    let mut texts: HashMap<Event, Arc<str>> = HashMap::new();
    let mut text = |event: Event| texts.entry(event).or_insert_with(|| Arc::from(&**world.store().text(event))).clone();
    let participant = |&(leaf, event): &(u32, Event)| {
        let local = events[leaf as usize].binary_search(&event).expect("a vector uses the events of its components");
        (ComponentId(leaf), EventId::new(local))
    };
    let mut rule = |joint: &Joint| {
        let mut rule = Rule::new(text(joint.label), joint.vector.iter().map(participant).collect());
        if joint.label == TAU && joint.hidden != TAU {
            rule.name = format!("tau ({})", text(joint.hidden)).into();
        }
        rule
    };
    joints.iter().map(&mut rule).collect()
}

fn too_many(subject: &Subject, limit: usize) -> Box<Diagnostic> {
    let message = format!("the rules of the process `{}` have more than {limit} participants", subject.name);
    Box::new(Diagnostic::error(subject.span, message).label("too many combinations of synchronising events"))
}
