//! The parts of the state, before they are objects of a system.

use model::{Expr, ObjectId, Target};

/// A part of the state. In expressions it is an object whose number says which.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Slot {
    /// A data item of an atom, by its number.
    Item(usize),
    /// Where an atom is: its location, for guards of others.
    Place(usize),
    /// Whether a condition holds that depends on something unknown.
    Hidden(usize),
    /// Whether a place of an atom holds a token, where markings are too many to be locations.
    Token(usize),
    /// A value that must be kept while others are exchanged.
    Spare(usize),
}

const KIND_BITS: u32 = 29;
const NUMBER: u32 = (1 << KIND_BITS) - 1;

impl Slot {
    /// The object that stands for it in expressions.
    pub(super) fn object(self) -> ObjectId {
        let (kind, number) = match self {
            Slot::Item(n) => (0, n),
            Slot::Place(n) => (1, n),
            Slot::Hidden(n) => (2, n),
            Slot::Token(n) => (3, n),
            Slot::Spare(n) => (4, n),
        };
        debug_assert!(number <= NUMBER as usize, "limits keep the numbers of parts small");
        ObjectId(kind << KIND_BITS | number as u32)
    }

    /// The part that an object stands for.
    pub(super) fn of(object: ObjectId) -> Self {
        let number = (object.0 & NUMBER) as usize;
        match object.0 >> KIND_BITS {
            0 => Slot::Item(number),
            1 => Slot::Place(number),
            2 => Slot::Hidden(number),
            3 => Slot::Token(number),
            _ => Slot::Spare(number),
        }
    }

    /// Its value.
    pub(super) fn read(self) -> Expr {
        Expr::read(self.object())
    }
}

/// The parts of the state that an expression reads.
pub(super) fn reads(expr: &Expr) -> Vec<Slot> {
    let mut out = Vec::new();
    expr.walk(&mut |e| out.extend(e.target().into_iter().flat_map(Target::objects).map(Slot::of)));
    out
}
