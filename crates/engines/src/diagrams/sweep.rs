//! The image of a set under all rules at once.
//!
//! To apply a rule to a whole diagram is to walk through everything above the variables of its participants; for as
//! many rules as components that is quadratic. Here all rules go down together, and a rule begins to act where its
//! first participant is tested, on each subdiagram there once: what is above stays as it is, and is walked through
//! once. Rules are a trie by their participants in the order of the variables, so those that share their first
//! participants (all customers of one operator, say) share the work on these.
//!
//! The image is taken within another set, which goes down as well: what is not wanted is never made. This is the
//! transition relation trimmed to an invariant, and matters most where a set was made smaller by adding states outside
//! of it: when images were cut afterwards, rings of 14 philosophers that had been made four times smaller took ten times
//! as long, and four times more for every two philosophers more.

use std::collections::HashMap;

use model::views::{Network, Rule};
use solve::bdd::Bdd;

use super::codes::Codes;
use super::moves::{Moves, Port, Way};
use super::{Space, Stop};

/// How many subdiagrams are treated between two looks at the clock.
const PATIENCE: usize = 1 << 12;

/// What is left of some rules after their first participants have moved.
#[derive(Debug, Default)]
struct Branch {
    /// Nothing is left of one of them.
    done: bool,
    /// The next participants by their first variables, and what is left after each.
    ports: Vec<(u32, Port, usize)>,
}

/// Rules by their participants in the order of the variables.
#[derive(Debug)]
pub(super) struct Trie {
    branches: Vec<Branch>,
}

impl Trie {
    /// The rules of a network; model errors are left out, as they change nothing.
    pub(super) fn new(network: &Network, codes: &Codes) -> Self {
        let mut trie = Self { branches: vec![Branch::default()] };
        for rule in network.rules().iter().filter(|rule| !rule.fault) {
            trie.insert(rule, codes);
        }
        for branch in &mut trie.branches {
            branch.ports.sort_unstable();
        }
        trie
    }

    fn insert(&mut self, rule: &Rule, codes: &Codes) {
        let first = |port: &Port| codes.present(port.0).first().copied().unwrap_or(0);
        let mut ports: Vec<(u32, Port)> = rule.participants.iter().map(|port| (first(port), *port)).collect();
        ports.sort_unstable();
        let mut at = 0;
        for (variable, port) in ports {
            let known = self.branches[at].ports.iter().find(|p| p.1 == port).map(|p| p.2);
            at = known.unwrap_or_else(|| {
                let new = self.branches.len();
                self.branches.push(Branch::default());
                self.branches[at].ports.push((variable, port, new));
                new
            });
        }
        self.branches[at].done = true;
    }
}

/// The computation of an image.
pub(super) struct Sweep<'s, 'a> {
    space: &'s Space<'a>,
    events: &'s HashMap<Port, Moves>,
    way: Way,
    /// By branch, number of its first port that counts, set and where the image is wanted.
    known: HashMap<(usize, usize, Bdd, Bdd), Bdd>,
}

impl<'s, 'a> Sweep<'s, 'a> {
    pub(super) fn new(space: &'s Space<'a>, events: &'s HashMap<Port, Moves>, way: Way) -> Self {
        Self { space, events, way, known: HashMap::new() }
    }

    /// What the rules make of a set, within another one.
    pub(super) fn image(&mut self, trie: &Trie, set: &Bdd, within: &Bdd) -> Result<Bdd, Stop> {
        self.branch(trie, 0, (set, within))
    }

    fn branch(&mut self, trie: &Trie, branch: usize, sets: (&Bdd, &Bdd)) -> Result<Bdd, Stop> {
        let moved = self.ports(trie, (branch, 0), sets)?;
        Ok(if trie.branches[branch].done { moved.or(&sets.0.and(sets.1)?)? } else { moved })
    }

    /// What the ports of a branch do, from one of them on.
    fn ports(&mut self, trie: &Trie, (branch, from): (usize, usize), sets: (&Bdd, &Bdd)) -> Result<Bdd, Stop> {
        let (set, within) = sets;
        let first = match trie.branches[branch].ports.get(from) {
            Some(&(first, ..)) if !set.is_none() && !within.is_none() => first,
            _ => return Ok(self.space.manager().none()),
        };
        let key = (branch, from, set.clone(), within.clone());
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        if self.known.len() % PATIENCE == PATIENCE - 1 {
            self.space.check()?;
        }
        let image = match split(set, within) {
            Some((variable, [high, low])) if variable < first => {
                let high = self.ports(trie, (branch, from), (&high.0, &high.1))?;
                let low = self.ports(trie, (branch, from), (&low.0, &low.1))?;
                Bdd::node(variable, &high, &low)?
            }
            _ => self.here(trie, (branch, from), sets)?,
        };
        self.known.insert(key, image.clone());
        Ok(image)
    }

    /// The same where nothing is said of variables before those of the next component.
    fn here(&mut self, trie: &Trie, (branch, from): (usize, usize), sets: (&Bdd, &Bdd)) -> Result<Bdd, Stop> {
        let ports = &trie.branches[branch].ports[from..];
        let component = ports[0].1.0;
        let here = ports.partition_point(|(_, port, _)| port.0 == component);
        let mut sum = self.ports(trie, (branch, from + here), sets)?;
        for (_, port, rest) in &ports[..here] {
            let events = self.events;
            let moved =
                events[port].moved(self.way, sets, &mut |set, within| self.branch(trie, *rest, (set, within)))?;
            sum = sum.or(&moved)?;
        }
        Ok(sum)
    }
}

/// The first variable that one of two sets tests, and what is left of both when it is 1 and when it is 0.
fn split(a: &Bdd, b: &Bdd) -> Option<(u32, [(Bdd, Bdd); 2])> {
    Some(match (a.split(), b.split()) {
        (None, None) => return None,
        (Some((v, high, low)), None) => (v, [(high, b.clone()), (low, b.clone())]),
        (None, Some((v, high, low))) => (v, [(a.clone(), high), (a.clone(), low)]),
        (Some((v, high, low)), Some((w, ..))) if v < w => (v, [(high, b.clone()), (low, b.clone())]),
        (Some((v, ..)), Some((w, high, low))) if w < v => (w, [(a.clone(), high), (a.clone(), low)]),
        (Some((v, a_high, a_low)), Some((_, b_high, b_low))) => (v, [(a_high, b_high), (a_low, b_low)]),
    })
}
