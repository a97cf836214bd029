//! Forward reachability by saturation (Ciardo, Lüttgen and Siminiescu): rules that start further down are applied to
//! the lower parts of a diagram, each part once, before rules that reach higher up are.
//!
//! The *top* of a rule is its first participant in the order. A part of the diagram from a component downwards is
//! saturated when no rule with its top there or below adds to it. What is known of a part holds wherever it occurs.

use std::collections::HashMap;

use model::views::{ComponentId, RuleId, StateId};
use solve::bdd::{Bdd, Cube};

use super::{Space, Stop};

impl Space<'_> {
    /// All states that can be reached from a set.
    pub fn reachable(&self, from: &Bdd) -> Result<Bdd, Stop> {
        Saturation::new(self)?.of(from, 0)
    }
}

struct Saturation<'s, 'a> {
    space: &'s Space<'a>,
    levels: Vec<Level>,
    /// Saturated parts, by what they were before.
    known: Vec<HashMap<Bdd, Bdd>>,
}

/// A component, at its place in the order.
struct Level {
    /// One for each of its states.
    states: Vec<Cube>,
    /// The rules whose top it is.
    rules: Vec<RuleId>,
}

impl<'s, 'a> Saturation<'s, 'a> {
    fn new(space: &'s Space<'a>) -> Result<Self, Stop> {
        let network = space.network();
        let order: Vec<ComponentId> = space.order().to_vec();
        let mut place = vec![0; order.len()];
        for (k, c) in order.iter().enumerate() {
            place[c.index()] = k;
        }
        let level = |&c: &ComponentId| {
            let states = (0..network.component(c).states().len()).map(|s| space.cube(c, StateId::new(s)));
            Ok(Level { states: states.collect::<Result<_, _>>()?, rules: Vec::new() })
        };
        let mut levels = order.iter().map(level).collect::<Result<Vec<_>, Stop>>()?;
        for r in network.rule_ids().filter(|&r| !network.rule(r).fault) {
            let top = network.rule(r).participants.iter().map(|(c, _)| place[c.index()]).min();
            if let Some(top) = top {
                levels[top].rules.push(r);
            }
        }
        let known = order.iter().map(|_| HashMap::new()).collect();
        Ok(Self { space, levels, known })
    }

    /// A part that starts at the component at this place, saturated.
    fn of(&mut self, part: &Bdd, place: usize) -> Result<Bdd, Stop> {
        if place == self.levels.len() || part.is_none() {
            return Ok(part.clone());
        }
        if let Some(known) = self.known[place].get(part) {
            return Ok(known.clone());
        }
        self.space.check()?;
        let mut set = self.below(part, place)?;
        loop {
            let mut grown = set.clone();
            for i in 0..self.levels[place].rules.len() {
                let rule = self.levels[place].rules[i];
                let more = self.space.after(rule, &grown)?.minus(&grown)?;
                if !more.is_none() {
                    grown = grown.or(&self.below(&more, place)?)?;
                }
            }
            if grown == set {
                break;
            }
            set = grown;
        }
        self.known[place].insert(part.clone(), set.clone());
        // What comes out of it has nothing to add.
        self.known[place].insert(set.clone(), set.clone());
        Ok(set)
    }

    /// Saturates what lies below a component, for each of its states.
    fn below(&mut self, set: &Bdd, place: usize) -> Result<Bdd, Stop> {
        let mut sum = self.space.manager().none();
        for s in 0..self.levels[place].states.len() {
            let cube = self.levels[place].states[s].clone();
            let part = set.given(&cube)?;
            if !part.is_none() {
                let part = self.of(&part, place + 1)?;
                sum = sum.or(&part.and(cube.set())?)?;
            }
        }
        Ok(sum)
    }
}
