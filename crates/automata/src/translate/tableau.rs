//! The tableau: from a formula to an automaton with promises (Couvreur, FM'99).
//!
//! Every formula is a boolean function of three kinds of variables: the atoms now, formulas that must hold from the
//! next position on, and promises. `a U b` is `b`, or else `a` now, itself next, and the promise of `b`. A state is a
//! conjunction of formulas; its edges are the prime implicants of its function, taken apart by the atoms first, so
//! that edges to different states overlap no more than they must. The functions are monotone in all but the atoms, so
//! their primes are unique. An edge that makes the promise of `b` is outside the acceptance set of `b`: who promises
//! for ever never keeps.
//!
//! States with equal functions are one state. Obligations that another one implies must stay nevertheless: `Fd` dropped
//! beside `F(c & Fd)` would let a run put off `d` and `c & Fd` in turns, and promise neither for ever.

use std::collections::BTreeMap;

use crate::automaton::{Automaton, Edge, Marks, State, Symbolic};
use crate::bdd::{Bdd, Exhausted, Manager, Metered, Var};
use crate::formula::{Formula, Node, Pool};
use crate::hash::Map;

/// The first variable that is not an atom.
pub(crate) const BEYOND_ATOMS: Var = Var(64);

/// What a variable beyond the atoms stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Meaning {
    /// This must hold from the next position on.
    Next(Formula),
    /// This is promised.
    Promise(Formula),
}

struct Tableau<'a> {
    pool: &'a mut Pool,
    m: &'a mut Manager,
    functions: Map<Formula, Bdd>,
    variables: Map<Meaning, Var>,
    meanings: Vec<Meaning>,
    promises: Vec<Formula>,
}

/// The automaton of the formula, as the tableau gives it.
pub(crate) fn tableau(pool: &mut Pool, m: &mut Manager, formula: Formula) -> Metered<Symbolic> {
    let atoms = pool.atoms(formula);
    if atoms > 64 {
        return Err(Exhausted);
    }
    let mut tableau = Tableau {
        pool,
        m,
        functions: Map::default(),
        variables: Map::default(),
        meanings: Vec::new(),
        promises: Vec::new(),
    };
    let edges = tableau.expand(formula)?;
    let sets = tableau.promises.len() as u32;
    if sets > Marks::MOST {
        return Err(Exhausted);
    }
    let all = Marks::first(sets);
    let keep = |e: Edge<Bdd>| Edge { marks: Marks(all.0 & !e.marks.0), ..e };
    let edges = edges.into_iter().map(|row| row.into_iter().map(keep).collect()).collect();
    Ok(Automaton { atoms, sets, initial: State(0), edges })
}

impl Tableau<'_> {
    /// All states that the formula leads to. The marks of edges are the promises that they make.
    fn expand(&mut self, formula: Formula) -> Metered<Vec<Vec<Edge<Bdd>>>> {
        let first = self.function(formula)?;
        let mut number: Map<Bdd, State> = Map::default();
        number.insert(first, State(0));
        let mut states = vec![first];
        let mut edges = Vec::new();
        while edges.len() < states.len() {
            let mut row = Vec::new();
            for ((target, marks), label) in self.successors(states[edges.len()])? {
                let function = self.function(target)?;
                let target = *number.entry(function).or_insert_with(|| {
                    states.push(function);
                    State(states.len() as u32 - 1)
                });
                row.push(Edge { label, marks, target });
            }
            edges.push(self.merged(row)?);
        }
        Ok(edges)
    }

    /// Edges that differ in their labels only are one edge.
    fn merged(&mut self, row: Vec<Edge<Bdd>>) -> Metered<Vec<Edge<Bdd>>> {
        let mut merged: Vec<Edge<Bdd>> = Vec::new();
        for edge in row {
            match merged.iter_mut().find(|e| (e.target, e.marks) == (edge.target, edge.marks)) {
                Some(same) => same.label = self.m.or(same.label, edge.label)?,
                None => merged.push(edge),
            }
        }
        Ok(merged)
    }

    /// The conjunctions that may hold next, with the promises made, and the atoms' condition for each.
    fn successors(&mut self, function: Bdd) -> Metered<BTreeMap<(Formula, Marks), Bdd>> {
        let mut successors = BTreeMap::new();
        for (leaf, condition) in self.m.leaves(function, BEYOND_ATOMS)? {
            for prime in self.m.primes(leaf)? {
                let (mut next, mut promised) = (Vec::new(), Marks::default());
                for var in prime {
                    match self.meanings[(var.0 - BEYOND_ATOMS.0) as usize] {
                        Meaning::Next(f) => next.push(f),
                        Meaning::Promise(f) => promised = promised.with(self.promise(f)?),
                    }
                }
                let target = self.pool.and(next);
                let label = successors.entry((target, promised)).or_insert(Bdd::FALSE);
                *label = self.m.or(*label, condition)?;
            }
        }
        Ok(successors)
    }

    fn promise(&mut self, f: Formula) -> Metered<u32> {
        let known = self.promises.iter().position(|p| *p == f).expect("promises are numbered when made");
        if known < Marks::MOST as usize { Ok(known as u32) } else { Err(Exhausted) }
    }

    fn variable(&mut self, meaning: Meaning) -> Metered<Bdd> {
        let var = match self.variables.get(&meaning) {
            Some(&var) => var,
            None => {
                let var = Var(BEYOND_ATOMS.0 + self.meanings.len() as u32);
                self.meanings.push(meaning);
                self.variables.insert(meaning, var);
                if let Meaning::Promise(f) = meaning {
                    self.promises.push(f);
                }
                var
            }
        };
        self.m.literal(var, true)
    }

    /// What must hold next: a conjunction is several things.
    fn next(&mut self, f: Formula) -> Metered<Bdd> {
        match self.pool.node(f).clone() {
            Node::True => Ok(Bdd::TRUE),
            Node::False => Ok(Bdd::FALSE),
            Node::And(parts) => {
                let mut all = Bdd::TRUE;
                for part in &parts {
                    let part = self.next(*part)?;
                    all = self.m.and(all, part)?;
                }
                Ok(all)
            }
            _ => self.variable(Meaning::Next(f)),
        }
    }

    fn function(&mut self, f: Formula) -> Metered<Bdd> {
        if let Some(&known) = self.functions.get(&f) {
            return Ok(known);
        }
        let function = self.expanded(f)?;
        self.functions.insert(f, function);
        Ok(function)
    }

    fn expanded(&mut self, f: Formula) -> Metered<Bdd> {
        match self.pool.node(f).clone() {
            Node::True => Ok(Bdd::TRUE),
            Node::False => Ok(Bdd::FALSE),
            Node::Literal(atom, positive) => self.m.literal(Var(atom.0), positive),
            Node::And(parts) => {
                let mut all = Bdd::TRUE;
                for part in &parts {
                    let part = self.function(*part)?;
                    all = self.m.and(all, part)?;
                }
                Ok(all)
            }
            Node::Or(parts) => {
                let mut any = Bdd::FALSE;
                for part in &parts {
                    let part = self.function(*part)?;
                    any = self.m.or(any, part)?;
                }
                Ok(any)
            }
            Node::Next(a) => self.next(a),
            Node::Eventually(b) => self.pending(f, Pool::TRUE, b, true),
            Node::Until(a, b) => self.pending(f, a, b, true),
            Node::WeakUntil(a, b) => self.pending(f, a, b, false),
            Node::Always(b) => self.lasting(f, b),
            Node::Release(a, b) => self.released(f, a, b, false),
            Node::StrongRelease(a, b) => self.released(f, a, b, true),
        }
    }

    /// `b`, or `a` now and the formula itself next.
    fn pending(&mut self, f: Formula, a: Formula, b: Formula, strong: bool) -> Metered<Bdd> {
        let (now, done, later) = (self.function(a)?, self.function(b)?, self.next(f)?);
        let mut waiting = self.m.and(now, later)?;
        if strong {
            let promise = self.variable(Meaning::Promise(b))?;
            waiting = self.m.and(waiting, promise)?;
        }
        self.m.or(done, waiting)
    }

    /// `b` now, and `a` now or the formula itself next.
    fn released(&mut self, f: Formula, a: Formula, b: Formula, strong: bool) -> Metered<Bdd> {
        let (done, now, mut later) = (self.function(a)?, self.function(b)?, self.next(f)?);
        if strong {
            let promise = self.variable(Meaning::Promise(a))?;
            later = self.m.and(later, promise)?;
        }
        let either = self.m.or(done, later)?;
        self.m.and(now, either)
    }

    /// `b` now and the formula itself next. An `F` directly below needs no obligation of its own: it is renewed at
    /// every position, and the promise alone is what must be kept again and again.
    fn lasting(&mut self, f: Formula, b: Formula) -> Metered<Bdd> {
        let parts = match self.pool.node(b) {
            Node::And(parts) => parts.to_vec(),
            _ => vec![b],
        };
        let mut all = self.next(f)?;
        for part in parts {
            let now = match *self.pool.node(part) {
                Node::Eventually(c) => {
                    let (done, promise) = (self.function(c)?, self.variable(Meaning::Promise(c))?);
                    self.m.or(done, promise)?
                }
                _ => self.function(part)?,
            };
            all = self.m.and(all, now)?;
        }
        Ok(all)
    }
}
