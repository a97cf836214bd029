//! The transitions of the system, before places and hidden conditions are added to them.
//!
//! There is one for every interaction and every way in which its atoms can move, and one for every step that an atom
//! takes alone: internal transitions, and those of ports that are not exported.

use std::collections::BTreeSet;

use model::{Expr, MAX_TRANSITIONS, Span};

use super::Checked;
use super::behaviour::{Behaviour, LocalMove};
use super::blocked::{Step, asked};
use super::data::{AtomNames, Status};
use super::exclusive::contradict;
use super::frame::Frame;
use super::offers::{Leaf, Offer, Offers};
use super::pass::Pass;
use super::slots::Slot;
use super::sym::Sym;
use crate::Diagnostic;

/// A transition under construction.
pub(super) struct Draft {
    pub(super) name: String,
    pub(super) label: String,
    pub(super) moves: Vec<Moved>,
    pub(super) guard: Vec<Expr>,
    /// Atoms that do not take part, but must have no internal transition to take.
    pub(super) settled: BTreeSet<usize>,
    pub(super) asserts: Vec<Expr>,
    /// What becomes of the data, all at once.
    pub(super) writes: Vec<(Slot, Expr)>,
    pub(super) spans: Vec<Span>,
}

/// An atom's part in a transition.
#[derive(Clone)]
pub(super) struct Moved {
    pub(super) atom: usize,
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) label: String,
}

/// A local move together with what it does to the data.
struct Way<'b> {
    step: &'b LocalMove,
    writes: Vec<(Slot, Expr)>,
}

/// What a step writes to data, by the number of the item.
pub(super) type Written = Vec<(usize, Sym)>;

/// All transitions.
pub(super) fn drafts(offers: &mut Offers<'_, '_, '_>) -> Checked<Vec<Draft>> {
    let mut drafts = Vec::new();
    for atom in 0..offers.pass.design.atoms.len() {
        alone(offers.pass, &offers.behaviours[atom], atom, &mut drafts)?;
    }
    for at in 0..offers.pass.design.connectors.len() {
        if offers.pass.design.connectors[at].ty.export.is_none() {
            for offer in offers.maximal(at)?.iter() {
                together(offers, offer, &mut drafts)?;
            }
        }
    }
    Ok(drafts)
}

/// Whether the port of a move is for others.
pub(super) fn is_exported(pass: &Pass<'_, '_>, atom: usize, step: &LocalMove) -> bool {
    let ty = pass.design.atoms[atom].ty;
    let name = step.port.map(|port| &ty.ports[port].name.text);
    name.is_some_and(|name| ty.exports.iter().any(|e| e.ports.iter().any(|p| p.text == *name)))
}

fn alone(pass: &Pass<'_, '_>, behaviour: &Behaviour, atom: usize, drafts: &mut Vec<Draft>) -> Checked<()> {
    let instance = &pass.design.atoms[atom];
    for step in behaviour.moves.iter().filter(|m| !is_exported(pass, atom, m)) {
        let written = written(pass, atom, step, &[])?;
        let label = step.port.map_or("internal", |port| &instance.ty.ports[port].name.text).to_owned();
        let name = format!("{}.{label}", instance.path);
        drafts.push(Draft {
            label: name.clone(),
            name,
            moves: vec![Moved { atom, from: step.from, to: step.to, label }],
            guard: step.guard.clone(),
            settled: BTreeSet::new(),
            asserts: step.asserts.clone(),
            writes: writes(pass, step, &written),
            spans: vec![instance.ty.transitions[step.transition].span],
        });
    }
    Ok(())
}

/// What a move writes, after `before` was written to the atom's data.
pub(super) fn written(pass: &Pass<'_, '_>, atom: usize, step: &LocalMove, before: &[(usize, Sym)]) -> Checked<Written> {
    let instance = &pass.design.atoms[atom];
    let names = AtomNames { design: pass.design, atom: instance };
    let mut data = pass.reads(atom);
    for (item, value) in before {
        data[item - instance.first_item] = value.clone();
    }
    let mut frame = Frame { model: pass.design.model, notes: pass.notes, names: &names, data };
    frame.run(&instance.ty.transitions[step.transition].actions)?;
    Ok((instance.first_item..).zip(frame.data).collect())
}

/// The writes that change something; what is not followed has no value to write.
fn writes(pass: &Pass<'_, '_>, step: &LocalMove, written: &[(usize, Sym)]) -> Vec<(Slot, Expr)> {
    let changed = written.iter().filter(|(item, value)| !value.same(&pass.items[*item].read(*item)));
    // What may also be unknown is not part of the state, whatever is written here.
    let followed = changed.filter(|(item, _)| pass.items[*item].status == Status::Followed);
    let known = followed.filter_map(|(item, value)| Some((Slot::Item(*item), value.known()?.clone())));
    known.chain(step.marks.iter().cloned()).collect()
}

fn together(offers: &Offers<'_, '_, '_>, offer: &Offer, drafts: &mut Vec<Draft>) -> Checked<()> {
    let pass = offers.pass;
    let handed: Written = offers.down(offer)?.into_iter().collect();
    let mut choices: Vec<Vec<Way<'_>>> = Vec::new();
    for leaf in &offer.leaves {
        let own: Written = handed.iter().filter(|(item, _)| pass.design.owner(*item) == leaf.atom).cloned().collect();
        let ways = offers.behaviours[leaf.atom]
            .with(leaf.port)
            .map(|step| Ok(Way { step, writes: writes(pass, step, &written(pass, leaf.atom, step, &own)?) }));
        choices.push(ways.collect::<Checked<_>>()?);
    }
    let combinations = choices.iter().fold(1, |n: usize, c| n.saturating_mul(c.len()));
    if combinations.saturating_add(drafts.len()) > MAX_TRANSITIONS {
        let connector = &pass.design.connectors[offer.connector];
        let message = format!("up to `{}` the model has more than {MAX_TRANSITIONS} transitions", connector.path);
        return Err(Diagnostic::error(connector.span, message));
    }
    let same = (!offer.asks_partners()).then(|| waits(offers, offer, &[]));
    let mut wheel = vec![0; choices.len()];
    for _ in 0..combinations {
        let ways: Vec<&Way<'_>> = wheel.iter().zip(&choices).map(|(&k, c)| &c[k]).collect();
        let here = || waits(offers, offer, &ways.iter().map(|w| w.step.from).collect::<Vec<_>>());
        drafts.extend(combined(offers, offer, &ways, same.clone().unwrap_or_else(here)));
        for at in (0..wheel.len()).rev() {
            wheel[at] += 1;
            if wheel[at] < choices[at].len() {
                break;
            }
            wheel[at] = 0;
        }
    }
    Ok(())
}

/// What an interaction has to wait for, as conditions, and the atoms that they ask about.
#[derive(Clone)]
struct Waits {
    conditions: Vec<Expr>,
    settled: BTreeSet<usize>,
}

fn waits(offers: &Offers<'_, '_, '_>, offer: &Offer, at: &[usize]) -> Waits {
    let step = Step { behaviours: offers.behaviours, offer, at };
    let larger = offer.unless.iter().flat_map(|o| step.blocked(&[], o));
    let ranked = offer.waits.iter().flat_map(|w| step.blocked(&w.when, &w.other));
    let conditions: Vec<Expr> = larger.chain(ranked).collect();
    let mut settled = asked(offers.pass.design, &conditions, &offers.pass.hidden);
    settled.retain(|atom| offer.leaves.binary_search_by_key(atom, |l| l.atom).is_err());
    Waits { conditions, settled }
}

fn combined(offers: &Offers<'_, '_, '_>, offer: &Offer, ways: &[&Way<'_>], waits: Waits) -> Option<Draft> {
    let design = offers.pass.design;
    let connector = &design.connectors[offer.connector];
    let Waits { mut conditions, settled } = waits;
    let mut guard: Vec<Expr> = ways.iter().flat_map(|w| w.step.guard.iter().cloned()).collect();
    guard.extend(offer.guard.iter().cloned());
    conditions.retain(|c| !guard.contains(c));
    guard.append(&mut conditions);
    if contradict(&guard) {
        return None;
    }
    Some(Draft {
        name: format!("{}: {}", connector.path, offers.names(&offer.leaves)),
        label: connector.path.clone(),
        moves: offer.leaves.iter().zip(ways).map(|(leaf, way)| moved(offers, *leaf, way.step)).collect(),
        guard,
        settled,
        asserts: ways.iter().flat_map(|w| w.step.asserts.iter().cloned()).collect(),
        writes: ways.iter().flat_map(|w| w.writes.iter().cloned()).collect(),
        spans: offer
            .leaves
            .iter()
            .zip(ways)
            .map(|(leaf, way)| design.atoms[leaf.atom].ty.transitions[way.step.transition].span)
            .collect(),
    })
}

fn moved(offers: &Offers<'_, '_, '_>, leaf: Leaf, step: &LocalMove) -> Moved {
    let label = offers.pass.design.atoms[leaf.atom].ty.ports[leaf.port].name.text.to_string();
    Moved { atom: leaf.atom, from: step.from, to: step.to, label }
}
