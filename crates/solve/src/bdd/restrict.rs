//! Coudert and Madre's *restrict*: a diagram that agrees with another one on a care set and is free elsewhere.
//!
//! Where the care set leaves one value of a variable only, the node is dropped; a variable that the care set tests and
//! the diagram does not is quantified out of the care set, so that no variable comes in. The result can be larger, and
//! then the diagram itself is the better answer.

use std::collections::HashMap;

use super::{Bdd, Full};

impl Bdd {
    /// A diagram that has the same assignments inside the care set, no larger than this one.
    pub fn restrict(&self, care: &Bdd) -> Result<Bdd, Full> {
        if care.is_none() {
            return Ok(care.clone());
        }
        let restricted = Restrict::default().of(self, care)?;
        Ok(if restricted.nodes() <= self.nodes() { restricted } else { self.clone() })
    }
}

#[derive(Default)]
struct Restrict {
    known: HashMap<(Bdd, Bdd), Bdd>,
}

impl Restrict {
    /// The care set is not empty.
    fn of(&mut self, f: &Bdd, care: &Bdd) -> Result<Bdd, Full> {
        let (Some((test, high, low)), Some((cared, care_high, care_low))) = (f.split(), care.split()) else {
            return Ok(f.clone());
        };
        let key = (f.clone(), care.clone());
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let result = if cared < test {
            self.of(f, &care_high.or(&care_low)?)?
        } else if test < cared {
            Bdd::node(test, &self.of(&high, care)?, &self.of(&low, care)?)?
        } else if care_high.is_none() {
            self.of(&low, &care_low)?
        } else if care_low.is_none() {
            self.of(&high, &care_high)?
        } else {
            Bdd::node(test, &self.of(&high, &care_high)?, &self.of(&low, &care_low)?)?
        };
        self.known.insert(key, result.clone());
        Ok(result)
    }
}
