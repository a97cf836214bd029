//! Formulas in negation normal form, each stored once: equal formulas have equal ids.
//!
//! The constructors here only fold constants and flatten; [`Pool::simplify`] does the rest.

mod convert;
mod display;
mod implies;
mod kind;
mod simplify;

pub use kind::Kind;

use crate::hash::Map;
use crate::syntax::Atom;

/// A formula of a [`Pool`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Formula(u32);

/// How a formula is made. Negation stands before atoms only.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// True.
    True,
    /// False.
    False,
    /// An atom, or its negation where the flag is false.
    Literal(Atom, bool),
    /// All of them: at least two, in order, none a conjunction or constant.
    And(Box<[Formula]>),
    /// One of them: at least two, in order, none a disjunction or constant.
    Or(Box<[Formula]>),
    /// At the next position.
    Next(Formula),
    /// Now or later.
    Eventually(Formula),
    /// From now on.
    Always(Formula),
    /// The first up to the second, which comes.
    Until(Formula, Formula),
    /// The first up to the second, or for ever.
    WeakUntil(Formula, Formula),
    /// The second up to and including the first, or for ever.
    Release(Formula, Formula),
    /// The second up to and including the first, which comes.
    StrongRelease(Formula, Formula),
}

/// All formulas that were made, and what is known of them.
#[derive(Debug)]
pub struct Pool {
    nodes: Vec<Node>,
    kinds: Vec<Kind>,
    index: Map<Node, Formula>,
    negations: Map<Formula, Formula>,
    implications: Map<(Formula, Formula), bool>,
    simplified: Map<Formula, Formula>,
}

impl Default for Pool {
    fn default() -> Self {
        Self::new()
    }
}

impl Pool {
    /// The formula that always holds, of every pool.
    pub const TRUE: Formula = Formula(0);
    /// The formula that never holds, of every pool.
    pub const FALSE: Formula = Formula(1);

    /// A pool of the constants.
    pub fn new() -> Self {
        let mut pool = Self {
            nodes: Vec::new(),
            kinds: Vec::new(),
            index: Map::default(),
            negations: Map::default(),
            implications: Map::default(),
            simplified: Map::default(),
        };
        pool.make(Node::True);
        pool.make(Node::False);
        pool
    }

    /// How the formula is made.
    pub fn node(&self, f: Formula) -> &Node {
        &self.nodes[f.0 as usize]
    }

    /// The classes that the formula is in by its syntax.
    pub fn kind(&self, f: Formula) -> Kind {
        self.kinds[f.0 as usize]
    }

    fn make(&mut self, node: Node) -> Formula {
        if let Some(&f) = self.index.get(&node) {
            return f;
        }
        let f = Formula(u32::try_from(self.nodes.len()).expect("fewer than 2^32 formulas"));
        self.kinds.push(kind::of(&node, |f| self.kind(f)));
        self.nodes.push(node.clone());
        self.index.insert(node, f);
        f
    }

    /// True or false.
    pub fn constant(&self, value: bool) -> Formula {
        if value { Self::TRUE } else { Self::FALSE }
    }

    /// An atom, or its negation.
    pub fn literal(&mut self, atom: Atom, positive: bool) -> Formula {
        self.make(Node::Literal(atom, positive))
    }

    /// The conjunction.
    pub fn and(&mut self, parts: impl IntoIterator<Item = Formula>) -> Formula {
        let mut flat = Vec::new();
        for part in parts {
            match self.node(part) {
                Node::And(inner) => flat.extend_from_slice(inner),
                _ => flat.push(part),
            }
        }
        flat.retain(|f| *f != Self::TRUE);
        flat.sort_unstable();
        flat.dedup();
        if flat.contains(&Self::FALSE) || self.has_opposites(&flat) {
            return Self::FALSE;
        }
        match flat[..] {
            [] => Self::TRUE,
            [one] => one,
            _ => self.make(Node::And(flat.into())),
        }
    }

    /// The disjunction.
    pub fn or(&mut self, parts: impl IntoIterator<Item = Formula>) -> Formula {
        let mut flat = Vec::new();
        for part in parts {
            match self.node(part) {
                Node::Or(inner) => flat.extend_from_slice(inner),
                _ => flat.push(part),
            }
        }
        flat.retain(|f| *f != Self::FALSE);
        flat.sort_unstable();
        flat.dedup();
        if flat.contains(&Self::TRUE) || self.has_opposites(&flat) {
            return Self::TRUE;
        }
        match flat[..] {
            [] => Self::FALSE,
            [one] => one,
            _ => self.make(Node::Or(flat.into())),
        }
    }

    /// Whether an atom and its negation are among the formulas.
    fn has_opposites(&self, parts: &[Formula]) -> bool {
        parts.iter().any(|f| match *self.node(*f) {
            Node::Literal(atom, true) => {
                self.index.get(&Node::Literal(atom, false)).is_some_and(|g| parts.binary_search(g).is_ok())
            }
            _ => false,
        })
    }

    /// At the next position.
    pub fn next(&mut self, f: Formula) -> Formula {
        if is_constant(f) { f } else { self.make(Node::Next(f)) }
    }

    /// Now or later.
    pub fn eventually(&mut self, f: Formula) -> Formula {
        let done = is_constant(f) || matches!(self.node(f), Node::Eventually(_));
        if done { f } else { self.make(Node::Eventually(f)) }
    }

    /// From now on.
    pub fn always(&mut self, f: Formula) -> Formula {
        let done = is_constant(f) || matches!(self.node(f), Node::Always(_));
        if done { f } else { self.make(Node::Always(f)) }
    }

    /// `a U b`.
    pub fn until(&mut self, a: Formula, b: Formula) -> Formula {
        match (a, b) {
            (Self::TRUE, _) => self.eventually(b),
            (Self::FALSE, _) | (_, Self::TRUE | Self::FALSE) => b,
            _ if a == b => b,
            _ => self.make(Node::Until(a, b)),
        }
    }

    /// `a W b`.
    pub fn weak_until(&mut self, a: Formula, b: Formula) -> Formula {
        match (a, b) {
            (Self::TRUE, _) | (_, Self::TRUE) => Self::TRUE,
            (Self::FALSE, _) => b,
            (_, Self::FALSE) => self.always(a),
            _ if a == b => b,
            _ => self.make(Node::WeakUntil(a, b)),
        }
    }

    /// `a R b`.
    pub fn release(&mut self, a: Formula, b: Formula) -> Formula {
        match (a, b) {
            (Self::FALSE, _) => self.always(b),
            (Self::TRUE, _) | (_, Self::TRUE | Self::FALSE) => b,
            _ if a == b => b,
            _ => self.make(Node::Release(a, b)),
        }
    }

    /// `a M b`.
    pub fn strong_release(&mut self, a: Formula, b: Formula) -> Formula {
        match (a, b) {
            (Self::FALSE, _) | (_, Self::FALSE) => Self::FALSE,
            (Self::TRUE, _) => b,
            (_, Self::TRUE) => self.eventually(a),
            _ if a == b => b,
            _ => self.make(Node::StrongRelease(a, b)),
        }
    }

    /// The negation, in normal form.
    pub fn not(&mut self, f: Formula) -> Formula {
        if let Some(&g) = self.negations.get(&f) {
            return g;
        }
        let g = self.negated(f);
        self.negations.insert(f, g);
        self.negations.insert(g, f);
        g
    }

    fn negated(&mut self, f: Formula) -> Formula {
        match self.node(f).clone() {
            Node::True => Self::FALSE,
            Node::False => Self::TRUE,
            Node::Literal(atom, positive) => self.literal(atom, !positive),
            Node::And(parts) => {
                let parts: Vec<_> = parts.iter().map(|p| self.not(*p)).collect();
                self.or(parts)
            }
            Node::Or(parts) => {
                let parts: Vec<_> = parts.iter().map(|p| self.not(*p)).collect();
                self.and(parts)
            }
            Node::Next(a) => self.negate_one(a, Self::next),
            Node::Eventually(a) => self.negate_one(a, Self::always),
            Node::Always(a) => self.negate_one(a, Self::eventually),
            Node::Until(a, b) => self.negate_two(a, b, Self::release),
            Node::WeakUntil(a, b) => self.negate_two(a, b, Self::strong_release),
            Node::Release(a, b) => self.negate_two(a, b, Self::until),
            Node::StrongRelease(a, b) => self.negate_two(a, b, Self::weak_until),
        }
    }

    fn negate_one(&mut self, a: Formula, dual: fn(&mut Self, Formula) -> Formula) -> Formula {
        let a = self.not(a);
        dual(self, a)
    }

    fn negate_two(&mut self, a: Formula, b: Formula, dual: fn(&mut Self, Formula, Formula) -> Formula) -> Formula {
        let (a, b) = (self.not(a), self.not(b));
        dual(self, a, b)
    }

    /// The largest number of an atom in the formula, plus one.
    pub fn atoms(&self, f: Formula) -> usize {
        let mut seen = Map::default();
        let mut open = vec![f];
        let mut atoms = 0;
        while let Some(f) = open.pop() {
            if seen.insert(f, ()).is_some() {
                continue;
            }
            if let Node::Literal(atom, _) = self.node(f) {
                atoms = atoms.max(atom.index() + 1);
            }
            open.extend(self.node(f).children());
        }
        atoms
    }
}

fn is_constant(f: Formula) -> bool {
    f == Pool::TRUE || f == Pool::FALSE
}

impl Node {
    /// The formulas directly below.
    pub fn children(&self) -> Vec<Formula> {
        match self {
            Node::True | Node::False | Node::Literal(..) => Vec::new(),
            Node::And(parts) | Node::Or(parts) => parts.to_vec(),
            Node::Next(a) | Node::Eventually(a) | Node::Always(a) => vec![*a],
            Node::Until(a, b) | Node::WeakUntil(a, b) | Node::Release(a, b) | Node::StrongRelease(a, b) => {
                vec![*a, *b]
            }
        }
    }
}
