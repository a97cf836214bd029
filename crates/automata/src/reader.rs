//! Formulas and automata that read a word letter by letter, for those who check what others found.
//!
//! A formula is read by definition: what must be true of the rest of the word is a set of its subformulas, each letter
//! leaves some ways to keep all of them true, and each way leaves a set for the next letter. That `a U b` is true is a
//! *promise* of `b`; a word makes the formula true exactly if it can be read for ever with no promise postponed from some
//! letter on. Nothing of the translation is used here.

use std::collections::BTreeSet;

use crate::automaton::{Marks, State};
use crate::syntax::{Binary, Unary};
use crate::{Atom, Automaton, Ltl};

/// The most subformulas that are looked at for one letter: a disjunction of promises has many ways.
const MOST: usize = 1 << 16;

/// What has been read so far, as far as it matters: subformulas that must be true of the rest, or a state.
pub type Place = Vec<u32>;

/// Something that reads words.
#[derive(Clone, Debug)]
pub enum Reader<'a> {
    /// A formula that the word is to make false.
    Against(Obligations),
    /// An automaton that is to accept the word.
    Automaton(&'a Automaton),
}

impl<'a> Reader<'a> {
    /// Reads words for one that makes the formula false; `None` if it has too many promises.
    pub fn against(formula: &Ltl) -> Option<Self> {
        Obligations::new(formula, false).map(Reader::Against)
    }

    /// The place before the first letter.
    pub fn start(&self) -> Place {
        match self {
            Reader::Against(obligations) => vec![obligations.parts.len() as u32 - 1],
            Reader::Automaton(automaton) => vec![automaton.initial.0],
        }
    }

    /// How many marks there are: a word is one that was looked for if it can be read with each mark again and again.
    pub fn marks(&self) -> u32 {
        match self {
            Reader::Against(obligations) => obligations.promises,
            Reader::Automaton(automaton) => automaton.sets,
        }
    }

    /// The ways to read a letter, given as the set of its atoms: where they lead, and with which marks. `None` if they
    /// are too many.
    pub fn ways(&self, place: &[u32], letter: u64) -> Option<Vec<(Place, Marks)>> {
        match self {
            Reader::Against(obligations) => obligations.ways(place, letter),
            Reader::Automaton(automaton) => {
                let edges = automaton.from(State(place[0])).iter().filter(|edge| edge.label.holds(letter));
                Some(edges.map(|edge| (vec![edge.target.0], edge.marks)).collect())
            }
        }
    }
}

/// The subformulas of a formula in negation normal form, each after those that it is made of.
#[derive(Clone, Debug)]
pub struct Obligations {
    parts: Vec<Part>,
    promises: u32,
}

/// A subformula, made of others by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Constant(bool),
    Literal(Atom, bool),
    And(u32, u32),
    Or(u32, u32),
    Next(u32),
    /// The first up to the second, which is a promise.
    Until(u32, u32),
    /// The second up to and including the first, or for ever.
    Release(u32, u32),
}

/// One way to read a letter, not yet complete.
#[derive(Clone, Default)]
struct Way {
    open: Vec<u32>,
    met: BTreeSet<u32>,
    left: BTreeSet<u32>,
    postponed: Marks,
}

impl Obligations {
    /// A formula, or its negation.
    fn new(formula: &Ltl, positive: bool) -> Option<Self> {
        let mut all = Self { parts: Vec::new(), promises: 0 };
        let whole = all.part(formula, positive);
        // The whole is the last one.
        all.parts.push(Part::And(whole, whole));
        all.promises = all.parts.iter().filter(|part| matches!(part, Part::Until(..))).count() as u32;
        (all.promises <= Marks::MOST).then_some(all)
    }

    fn add(&mut self, part: Part) -> u32 {
        let known = self.parts.iter().position(|p| *p == part);
        known.unwrap_or_else(|| {
            self.parts.push(part);
            self.parts.len() - 1
        }) as u32
    }

    fn part(&mut self, formula: &Ltl, positive: bool) -> u32 {
        let part = match formula {
            Ltl::Constant(value) => Part::Constant(*value == positive),
            Ltl::Atom(atom) => Part::Literal(*atom, positive),
            Ltl::Unary(Unary::Not, a) => return self.part(a, !positive),
            Ltl::Unary(op, a) => {
                let a = self.part(a, positive);
                match (op, positive) {
                    (Unary::Next, _) => Part::Next(a),
                    (Unary::Eventually, true) | (Unary::Always, false) => {
                        Part::Until(self.add(Part::Constant(true)), a)
                    }
                    _ => Part::Release(self.add(Part::Constant(false)), a),
                }
            }
            Ltl::Binary(op, a, b) => return self.binary(*op, a, b, positive),
        };
        self.add(part)
    }

    fn binary(&mut self, op: Binary, a: &Ltl, b: &Ltl, positive: bool) -> u32 {
        // What is implied from is negated once more.
        let (first, second) = (self.part(a, positive != (op == Binary::Implies)), self.part(b, positive));
        let (both, one) = (Part::And(first, second), Part::Or(first, second));
        let part = match (op, positive) {
            (Binary::And, true) | (Binary::Or | Binary::Implies, false) => both,
            (Binary::And, false) | (Binary::Or | Binary::Implies, true) => one,
            (Binary::Until, true) | (Binary::Release, false) => Part::Until(first, second),
            (Binary::Until, false) | (Binary::Release, true) => Part::Release(first, second),
            // `a W b` is `b R (a | b)`, and `a M b` is `b U (a & b)`.
            (Binary::WeakUntil, true) | (Binary::StrongRelease, false) => Part::Release(second, self.add(one)),
            (Binary::WeakUntil, false) | (Binary::StrongRelease, true) => Part::Until(second, self.add(both)),
            (Binary::Iff | Binary::Xor, _) => {
                let same = (op == Binary::Iff) == positive;
                let [yes, no] = [true, false].map(|value| {
                    let (a, b) = (self.part(a, value), self.part(b, value == same));
                    self.add(Part::And(a, b))
                });
                Part::Or(yes, no)
            }
        };
        self.add(part)
    }

    fn ways(&self, place: &[u32], letter: u64) -> Option<Vec<(Place, Marks)>> {
        let (mut complete, mut tried) = (BTreeSet::new(), 0);
        let mut branches = vec![Way { open: place.to_vec(), ..Way::default() }];
        while let Some(mut way) = branches.pop() {
            let Some(number) = way.open.pop() else {
                let kept = Marks(Marks::first(self.promises).0 & !way.postponed.0);
                complete.insert((way.left.into_iter().collect::<Place>(), kept));
                continue;
            };
            tried += 1;
            if tried > MOST {
                return None;
            }
            if !way.met.insert(number) {
                branches.push(way);
                continue;
            }
            match self.parts[number as usize] {
                Part::Constant(false) => continue,
                Part::Literal(atom, positive) if (letter >> atom.0 & 1 == 1) != positive => continue,
                Part::Constant(true) | Part::Literal(..) => {}
                Part::And(a, b) => way.open.extend([a, b]),
                Part::Next(a) => _ = way.left.insert(a),
                Part::Or(a, b) => {
                    let mut other = way.clone();
                    other.open.push(b);
                    branches.push(other);
                    way.open.push(a);
                }
                Part::Until(a, b) => {
                    let mut later = way.clone();
                    later.open.push(a);
                    later.left.insert(number);
                    later.postponed = later.postponed.with(self.promise(number));
                    branches.push(later);
                    way.open.push(b);
                }
                Part::Release(a, b) => {
                    way.open.push(b);
                    let mut later = way.clone();
                    later.left.insert(number);
                    branches.push(later);
                    way.open.push(a);
                }
            }
            branches.push(way);
        }
        Some(complete.into_iter().collect())
    }

    /// The number of a promise among the promises.
    fn promise(&self, part: u32) -> u32 {
        self.parts[..part as usize].iter().filter(|part| matches!(part, Part::Until(..))).count() as u32
    }
}
