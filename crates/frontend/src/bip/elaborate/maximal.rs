//! Which interactions have to wait for which: maximal progress in a connector, and the priorities of its compound.
//!
//! An interaction waits for every larger one of its connector that is possible, where larger looks into connectors
//! below, and for every one above it by the rules of the compound, taken together with maximal progress.

use std::collections::HashMap;
use std::rc::Rc;

use super::algebra::{self, Ports, within};
use super::design::{Design, Port, given};
use super::exclusive::contradict;
use super::frame::{Frame, Meaning, Names, conjuncts};
use super::offers::{Offer, Offers, Wait};
use super::order::{Order, TooMany, Way};
use super::pass::Pass;
use super::{Checked, limits};
use crate::Diagnostic;
use crate::bip::ast::{Expr, ExprKind, InteractionPattern, Member, PackageId, Priority};

/// The offers of a connector with all that they have to wait for.
pub(super) fn restrict(offers: &mut Offers<'_, '_, '_>, at: usize) -> Checked<Vec<Rc<Offer>>> {
    let all = offers.all(at)?;
    let design = offers.pass.design;
    let direct = |connector: usize, port: u16| {
        matches!(design.connectors[connector].ports[usize::from(port)], Port::Connector(_))
    };
    let ranked = offers.ranked(design.connectors[at].compound)?;
    let mut out = Vec::with_capacity(all.len());
    for offer in all.iter() {
        let mut restricted = (**offer).clone();
        let larger = all.iter().filter(|o| offer.within(o, &direct) && !o.within(offer, &direct)).cloned();
        restricted.unless.extend(least(larger.collect()));
        restricted.waits.extend(waits(offers, &ranked, offer)?);
        out.push(Rc::new(restricted));
    }
    Ok(out)
}

/// Those without which the others are not possible either.
fn least(mut offers: Vec<Rc<Offer>>) -> Vec<Rc<Offer>> {
    offers.sort_by_key(|o| o.leaves.len());
    let mut kept: Vec<Rc<Offer>> = Vec::new();
    for offer in offers {
        let implied = |k: &Rc<Offer>| k.is_plain() && k.leaves.iter().all(|l| offer.leaves.binary_search(l).is_ok());
        if !kept.iter().any(implied) {
            kept.push(offer);
        }
    }
    kept
}

fn waits(offers: &mut Offers<'_, '_, '_>, ranked: &Ranked, offer: &Offer) -> Checked<Vec<Wait>> {
    let Some(&node) = ranked.index.get(&(offer.connector, offer.ports.clone())) else { return Ok(Vec::new()) };
    // By their conditions, in the order of the rules.
    let mut grouped: Vec<(&[model::Expr], Vec<Rc<Offer>>)> = Vec::new();
    for way in ranked.above[node].iter().filter(|w| w.high != node) {
        if contradict(&[&way.when[..], &offer.guard].concat()) {
            continue;
        }
        let (connector, ports) = &ranked.nodes[way.high];
        let found = offers.all(*connector)?;
        let same = found.iter().filter(|o| o.ports == *ports).cloned();
        match grouped.iter_mut().find(|(when, _)| *when == &way.when[..]) {
            Some((_, group)) => group.extend(same),
            None => grouped.push((&way.when, same.collect())),
        }
    }
    let wait = |when: &[model::Expr], other| Wait { when: when.to_vec(), other };
    Ok(grouped.into_iter().flat_map(|(when, group)| least(group).into_iter().map(move |o| wait(when, o))).collect())
}

/// The interactions of a compound that its priorities speak about, and the order among them.
#[derive(Default)]
pub(super) struct Ranked {
    nodes: Vec<(usize, Ports)>,
    index: HashMap<(usize, Ports), usize>,
    above: Vec<Vec<Way>>,
}

/// The names that guards of priorities may use.
struct Exported<'a, 'm> {
    pass: &'a Pass<'a, 'm>,
    compound: usize,
}

impl Names for Exported<'_, '_> {
    fn name(&self, name: &str) -> Option<Meaning> {
        let compound = &self.pass.design.compounds[self.compound];
        let own = given(&compound.ty.parameters, &compound.arguments, name);
        own.or_else(|| self.pass.design.constants.get(compound.package, name))
    }

    fn member(&self, owner: &str, name: &str) -> Option<Meaning> {
        let number = self.pass.design.exported_data(self.compound, owner, name)?;
        let item = &self.pass.items[number];
        Some(Meaning::Value(item.read(number), item.ty()))
    }

    fn package(&self) -> PackageId {
        self.pass.design.compounds[self.compound].package
    }
}

impl Ranked {
    /// The order in a compound.
    pub(super) fn new(pass: &Pass<'_, '_>, compound: usize) -> Checked<Self> {
        let ty = pass.design.compounds[compound].ty;
        let Some(first) = ty.priorities.first() else { return Ok(Self::default()) };
        let nodes = nodes(pass.design, compound, first)?;
        let index: HashMap<(usize, Ports), usize> = nodes.iter().cloned().zip(0..).collect();
        let mut order = Order::new(nodes.len());
        for (low, (connector, small)) in nodes.iter().enumerate() {
            let same = nodes.iter().enumerate().filter(|(_, (c, large))| c == connector && small != large);
            same.filter(|(_, (_, large))| within(small, large)).for_each(|(high, _)| order.progress(low, high));
        }
        let mut this = Self { nodes, index, above: Vec::new() };
        for rule in &ty.priorities {
            this.add(pass, compound, rule, &mut order)?;
        }
        for node in 0..this.nodes.len() {
            let ways = order.above(node).map_err(|TooMany| {
                Diagnostic::error(first.span, "the guards of the priorities can be combined in too many ways")
            })?;
            for way in ways.iter().filter(|w| w.high == node && !contradict(&w.when)) {
                let path = &pass.design.connectors[this.nodes[node].0].path;
                pass.cycle(format!("an interaction of `{path}`"), way.when.clone(), first.span);
            }
            this.above.push(ways);
        }
        Ok(this)
    }

    fn add(&self, pass: &Pass<'_, '_>, compound: usize, rule: &Priority, order: &mut Order) -> Checked<()> {
        let names = Exported { pass, compound };
        let frame = Frame { model: pass.design.model, notes: pass.notes, names: &names, data: Vec::new() };
        let owners = rule.guard.as_ref().map(|g| owners(pass.design, compound, g)).unwrap_or_default();
        let scope = format!("{}{}", pass.design.compounds[compound].prefix, rule.name.text);
        let guard = conjuncts(&frame, rule.guard.as_ref(), &mut |e| pass.unknown(&scope, &owners, e))?;
        if contradict(&guard) {
            return Ok(());
        }
        let guard = order.guard(guard);
        let lows = self.side(pass.design, compound, rule, &rule.low, &rule.high)?;
        let highs = self.side(pass.design, compound, rule, &rule.high, &rule.low)?;
        if lows.len().saturating_mul(highs.len()) > limits::PRIORITIES {
            return Err(Diagnostic::error(rule.span, "the rule orders too many pairs of interactions"));
        }
        for &low in &lows {
            highs.iter().for_each(|&high| order.rule(low, high, guard));
        }
        Ok(())
    }

    fn side(
        &self,
        design: &Design<'_>,
        compound: usize,
        rule: &Priority,
        side: &InteractionPattern,
        other: &InteractionPattern,
    ) -> Checked<Vec<usize>> {
        let connector = |name: &str| design.compounds[compound].connectors.get(name).copied();
        let of = |at: Option<usize>| (0..self.nodes.len()).filter(move |&n| Some(self.nodes[n].0) == at);
        let found: Vec<usize> = match side {
            InteractionPattern::Any(_) => {
                let rest = named(other).and_then(connector);
                (0..self.nodes.len()).filter(|&n| Some(self.nodes[n].0) != rest).collect()
            }
            InteractionPattern::All(name) => of(connector(&name.text)).collect(),
            InteractionPattern::One { connector: name, ports, .. } => {
                let wanted = connector(&name.text).map(|at| numbers(design, compound, at, ports)).transpose()?;
                of(connector(&name.text)).filter(|&n| Some(&self.nodes[n].1) == wanted.as_ref()).collect()
            }
        };
        let missing = found.is_empty() && !matches!(side, InteractionPattern::Any(_));
        if missing {
            let what = named(side).unwrap_or_default();
            let message = format!("`{what}` has no such interaction, or another connector is bound to it");
            return Err(Diagnostic::error(rule.span, message).label("priorities order interactions of top connectors"));
        }
        Ok(found)
    }
}

fn nodes(design: &Design<'_>, compound: usize, first: &Priority) -> Checked<Vec<(usize, Ports)>> {
    let mut connectors: Vec<usize> = design.compounds[compound].connectors.values().copied().collect();
    connectors.sort_unstable();
    let mut nodes = Vec::new();
    for at in connectors.into_iter().filter(|&at| design.connectors[at].top) {
        nodes.extend(algebra::interactions(design.connectors[at].ty)?.into_iter().map(|ports| (at, ports)));
        if nodes.len() * nodes.len() > limits::PRIORITIES * 16 {
            return Err(Diagnostic::error(first.span, "there are too many interactions beside these priorities"));
        }
    }
    Ok(nodes)
}

fn named(side: &InteractionPattern) -> Option<&str> {
    match side {
        InteractionPattern::One { connector, .. } | InteractionPattern::All(connector) => Some(&connector.text),
        InteractionPattern::Any(_) => None,
    }
}

fn numbers(design: &Design<'_>, compound: usize, connector: usize, members: &[Member]) -> Checked<Ports> {
    let mut ports = Ports::new();
    for member in members {
        let port = design.port(compound, member)?;
        let at = design.connectors[connector].ports.iter().position(|p| *p == port).ok_or_else(|| {
            let message = format!("`{}` is not bound to this port", design.connectors[connector].path);
            Diagnostic::error(member.span, message)
        })?;
        ports.push(at as u16);
    }
    ports.sort_unstable();
    ports.dedup();
    Ok(ports)
}

/// The atoms whose data a guard reads; all atoms, if it reads none.
fn owners(design: &Design<'_>, compound: usize, guard: &Expr) -> Vec<usize> {
    let mut found = Vec::new();
    members(guard, &mut |owner, name| {
        found.extend(design.exported_data(compound, owner, name).map(|item| design.owner(item)));
    });
    found.sort_unstable();
    found.dedup();
    if found.is_empty() { (0..design.atoms.len()).collect() } else { found }
}

fn members(expr: &Expr, f: &mut dyn FnMut(&str, &str)) {
    match &expr.kind {
        ExprKind::Member(owner, name) => f(&owner.text, &name.text),
        ExprKind::Call(_, arguments) => arguments.iter().for_each(|a| members(a, f)),
        ExprKind::Not(inner) | ExprKind::Negate(inner) | ExprKind::Complement(inner) => members(inner, f),
        ExprKind::Chain(first, rest) => {
            members(first, f);
            rest.iter().for_each(|(_, operand)| members(operand, f));
        }
        _ => {}
    }
}
