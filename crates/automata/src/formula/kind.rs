//! Classes of formulas, by syntax: the temporal hierarchy of Manna and Pnueli (as Chang, Manna and Pnueli, and Černá
//! and Pelánek, read it off a formula), pure eventuality and pure universality (Etessami and Holzmann), and freedom
//! from `X`, which makes a formula blind to stuttering. A class that is claimed holds; one that is not may still hold.

use std::ops::{BitAnd, BitOr};

use super::{Formula, Node};

/// A set of classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind(u16);

impl Kind {
    /// No temporal operator.
    pub const BOOLEAN: Kind = Kind(1);
    /// True of `uw` for all `u` if true of `w`.
    pub const EVENTUAL: Kind = Kind(2);
    /// True of all suffixes of `w` if true of `w`.
    pub const UNIVERSAL: Kind = Kind(4);
    /// Violated by a finite prefix, if violated.
    pub const SAFETY: Kind = Kind(8);
    /// Satisfied by a finite prefix, if satisfied.
    pub const GUARANTEE: Kind = Kind(16);
    /// A boolean combination of safety and guarantee.
    pub const OBLIGATION: Kind = Kind(32);
    /// Something good infinitely often: what deterministic Büchi automata accept.
    pub const RECURRENCE: Kind = Kind(64);
    /// Something good from some point on.
    pub const PERSISTENCE: Kind = Kind(128);
    /// No next operator, so that repeating a letter changes nothing.
    pub const STUTTER_INVARIANT: Kind = Kind(256);

    const ALL: Kind = Kind(511);
    const CONSTANT: Kind = Self::ALL;
    const LITERAL: Kind = Kind(511 & !(2 | 4));
    /// Below a temporal operator a formula is no longer boolean.
    const NOT_BOOLEAN: Kind = Kind(511 & !1);
    const NONE: Kind = Kind(0);

    /// Whether all of these classes are claimed.
    pub fn is(self, classes: Kind) -> bool {
        self & classes == classes
    }

    /// The classes, if the condition holds.
    fn if_all(self, condition: bool) -> Kind {
        if condition { self } else { Kind::NONE }
    }
}

impl BitAnd for Kind {
    type Output = Kind;

    fn bitand(self, other: Kind) -> Kind {
        Kind(self.0 & other.0)
    }
}

impl BitOr for Kind {
    type Output = Kind;

    fn bitor(self, other: Kind) -> Kind {
        Kind(self.0 | other.0)
    }
}

/// The classes of a formula, from those of its parts.
pub(super) fn of(node: &Node, kind: impl Fn(Formula) -> Kind) -> Kind {
    match node {
        Node::True | Node::False => Kind::CONSTANT,
        Node::Literal(..) => Kind::LITERAL,
        Node::And(parts) | Node::Or(parts) => parts.iter().fold(Kind::ALL, |all, p| all & kind(*p)),
        Node::Next(a) => kind(*a) & Kind(511 & !(1 | 256)),
        Node::Eventually(a) => eventually(kind(*a)),
        Node::Always(a) => always(kind(*a)),
        Node::Until(a, b) => until(kind(*a), kind(*b)),
        Node::WeakUntil(a, b) => weak_until(kind(*a), kind(*b)),
        Node::Release(a, b) => release(kind(*a), kind(*b)),
        Node::StrongRelease(a, b) => strong_release(kind(*a), kind(*b)),
    }
}

fn eventually(a: Kind) -> Kind {
    let inherited = a & (Kind::UNIVERSAL | Kind::GUARANTEE | Kind::PERSISTENCE | Kind::STUTTER_INVARIANT);
    inherited | Kind::EVENTUAL | (Kind::OBLIGATION | Kind::RECURRENCE).if_all(a.is(Kind::GUARANTEE))
}

fn always(a: Kind) -> Kind {
    let inherited = a & (Kind::EVENTUAL | Kind::SAFETY | Kind::RECURRENCE | Kind::STUTTER_INVARIANT);
    inherited | Kind::UNIVERSAL | (Kind::OBLIGATION | Kind::PERSISTENCE).if_all(a.is(Kind::SAFETY))
}

/// What both operands have, but for the classes that the operator decides by itself.
fn shared(a: Kind, b: Kind, decided: Kind) -> Kind {
    a & b & Kind::NOT_BOOLEAN & Kind(!decided.0)
}

fn until(a: Kind, b: Kind) -> Kind {
    shared(a, b, Kind::SAFETY | Kind::OBLIGATION | Kind::RECURRENCE)
        | (b & Kind::EVENTUAL)
        | (a & (Kind::OBLIGATION | Kind::RECURRENCE)).if_all(b.is(Kind::GUARANTEE))
}

fn release(a: Kind, b: Kind) -> Kind {
    shared(a, b, Kind::GUARANTEE | Kind::OBLIGATION | Kind::PERSISTENCE)
        | (b & Kind::UNIVERSAL)
        | (a & (Kind::OBLIGATION | Kind::PERSISTENCE)).if_all(b.is(Kind::SAFETY))
}

fn weak_until(a: Kind, b: Kind) -> Kind {
    shared(a, b, Kind::GUARANTEE | Kind::OBLIGATION | Kind::PERSISTENCE)
        | (b & (Kind::OBLIGATION | Kind::PERSISTENCE)).if_all(a.is(Kind::SAFETY))
}

fn strong_release(a: Kind, b: Kind) -> Kind {
    shared(a, b, Kind::SAFETY | Kind::OBLIGATION | Kind::RECURRENCE)
        | (b & (Kind::OBLIGATION | Kind::RECURRENCE)).if_all(a.is(Kind::GUARANTEE))
}
