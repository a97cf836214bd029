//! Diagrams of one manager in another one.

use std::collections::HashMap;

use super::{Bdd, Full, Manager};

impl Bdd {
    /// The same set in another manager, where variables have other numbers but come in the same order.
    pub fn copied(&self, into: &Manager, variable: &dyn Fn(u32) -> u32) -> Result<Bdd, Full> {
        Copy { into, variable, known: HashMap::new() }.of(self)
    }
}

struct Copy<'a> {
    into: &'a Manager,
    variable: &'a dyn Fn(u32) -> u32,
    known: HashMap<Bdd, Bdd>,
}

impl Copy<'_> {
    fn of(&mut self, set: &Bdd) -> Result<Bdd, Full> {
        let Some((test, high, low)) = set.split() else {
            return Ok(if set.is_none() { self.into.none() } else { self.into.all() });
        };
        if let Some(known) = self.known.get(set) {
            return Ok(known.clone());
        }
        let copy = Bdd::node((self.variable)(test), &self.of(&high)?, &self.of(&low)?)?;
        self.known.insert(set.clone(), copy.clone());
        Ok(copy)
    }
}
