//! A simplified formula, written over as few atoms as its automaton needs: a whole condition on markings is one atom, unless
//! parts of it occur elsewhere, too.

use std::collections::HashMap;

use automata::formula::Node;
use automata::syntax::{Atom, Binary, Unary};
use automata::{Formula, Ltl, Pool};

use super::facts::{is_condition, literals};

/// With more atoms than this, conditions are atoms in any case: their automata would become large.
const MANY: usize = 8;

/// The formula, and the condition that each of its atoms stands for.
pub(super) fn written(pool: &mut Pool, formula: Formula) -> (Ltl, Vec<Formula>) {
    let mut uses = HashMap::new();
    count(pool, formula, &mut uses);
    let mut writer = Writer { pool, uses, conditions: Vec::new() };
    let written = writer.written(formula);
    (written, writer.conditions)
}

/// In how many largest conditions each atom occurs.
fn count(pool: &Pool, formula: Formula, uses: &mut HashMap<Atom, usize>) {
    if is_condition(pool, formula) {
        atoms(pool, formula).into_iter().for_each(|atom| *uses.entry(atom).or_default() += 1);
    } else {
        pool.node(formula).children().into_iter().for_each(|part| count(pool, part, uses));
    }
}

fn atoms(pool: &Pool, condition: Formula) -> Vec<Atom> {
    let mut all = Vec::new();
    literals(pool, condition, &mut all);
    let atom = |f: Formula| match *pool.node(f) {
        Node::Literal(atom, _) => Some(atom),
        _ => None,
    };
    let mut atoms: Vec<Atom> = all.into_iter().filter_map(atom).collect();
    atoms.sort_unstable_by_key(|a| a.index());
    atoms.dedup();
    atoms
}

struct Writer<'p> {
    pool: &'p mut Pool,
    uses: HashMap<Atom, usize>,
    conditions: Vec<Formula>,
}

impl Writer<'_> {
    fn written(&mut self, formula: Formula) -> Ltl {
        let node = self.pool.node(formula).clone();
        if is_condition(self.pool, formula) && self.is_one(&node, formula) {
            return self.atom(formula);
        }
        match node {
            Node::True => Ltl::Constant(true),
            Node::False => Ltl::Constant(false),
            Node::Literal(..) => self.atom(formula),
            Node::And(parts) => self.joined(&parts, Binary::And),
            Node::Or(parts) => self.joined(&parts, Binary::Or),
            Node::Next(a) => self.written(a).under(Unary::Next),
            Node::Eventually(a) => self.written(a).under(Unary::Eventually),
            Node::Always(a) => self.written(a).under(Unary::Always),
            Node::Until(a, b) => self.both(a, Binary::Until, b),
            Node::Release(a, b) => self.both(a, Binary::Release, b),
            Node::WeakUntil(a, b) => self.both(a, Binary::WeakUntil, b),
            Node::StrongRelease(a, b) => self.both(a, Binary::StrongRelease, b),
        }
    }

    /// Whether a condition is to be one atom.
    fn is_one(&self, node: &Node, condition: Formula) -> bool {
        let alone = |atom: &Atom| self.uses.get(atom).is_none_or(|uses| *uses == 1);
        matches!(node, Node::And(_) | Node::Or(_))
            && (self.uses.len() > MANY || atoms(self.pool, condition).iter().all(alone))
    }

    /// The atom of a condition, or of its negation.
    fn atom(&mut self, condition: Formula) -> Ltl {
        let negation = self.pool.not(condition);
        let atom = |i: usize| Ltl::Atom(Atom(i as u32));
        if let Some(i) = self.conditions.iter().position(|c| *c == condition) {
            return atom(i);
        }
        if let Some(i) = self.conditions.iter().position(|c| *c == negation) {
            return atom(i).under(Unary::Not);
        }
        self.conditions.push(condition);
        atom(self.conditions.len() - 1)
    }

    fn both(&mut self, a: Formula, op: Binary, b: Formula) -> Ltl {
        let a = self.written(a);
        a.with(op, self.written(b))
    }

    /// The parts of a junction; its conditions are one part.
    fn joined(&mut self, parts: &[Formula], op: Binary) -> Ltl {
        let (conditions, mut others): (Vec<Formula>, Vec<Formula>) =
            parts.iter().partition(|f| is_condition(self.pool, **f));
        if conditions.len() > 1 && !others.is_empty() {
            others.push(if op == Binary::And { self.pool.and(conditions) } else { self.pool.or(conditions) });
        } else {
            others.extend(conditions);
        }
        let parts = others.into_iter().map(|f| self.written(f)).collect::<Vec<_>>();
        parts.into_iter().reduce(|a, b| a.with(op, b)).expect("there are at least two")
    }
}
