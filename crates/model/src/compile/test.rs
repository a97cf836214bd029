//! What must hold for a transition to be enabled, as tests of packed states.
//!
//! Tests may only move forward past tests that cannot be faults, because a fault counts only if all earlier conjuncts
//! hold.

use super::Compiler;
use crate::bounds::bounds_knowing;
use crate::code::{Code, Offer, Place};
use crate::known::{Known, learn};
use crate::layout::{Field, Layout};
use crate::{Binary, Command, Expr, Fault, ObjectId, Pattern, Target, Transition, Unary};

/// A condition on a packed state.
#[derive(Clone, Debug)]
pub(crate) enum Test {
    /// The masked word equals these bits.
    Bits {
        word: u32,
        mask: u64,
        bits: u64,
    },
    /// The masked word differs from these bits.
    NotBits {
        word: u32,
        mask: u64,
        bits: u64,
    },
    AtMost(Field, i64),
    AtLeast(Field, i64),
    /// A condition that may be a fault.
    Code(Code),
    /// A condition that cannot be one where all tests before it hold.
    Pure(Code),
    /// The scalar of the cell is zero: a free lock.
    CellIsZero(Place),
    CellAtLeast(Place, i64),
    NotFull(Place),
    /// There is a message to receive.
    Receivable(Box<Offer>),
}

impl Test {
    /// Whether the condition holds. What nearly all tests are is decided on the spot.
    #[inline(always)]
    pub(crate) fn holds(&self, state: &[u64], layout: &Layout) -> Result<bool, Fault> {
        match self {
            Test::Bits { word, mask, bits } => Ok(state[*word as usize] & mask == *bits),
            Test::NotBits { word, mask, bits } => Ok(state[*word as usize] & mask != *bits),
            Test::AtMost(field, k) => Ok(field.get(state) <= *k),
            Test::AtLeast(field, k) => Ok(field.get(state) >= *k),
            Test::Pure(code) => Ok(code.value(state, layout) != 0),
            _ => self.holds_in(state, layout),
        }
    }

    fn holds_in(&self, state: &[u64], layout: &Layout) -> Result<bool, Fault> {
        let scalar = |p: &Place| Ok(layout.scalars[p.resolve(state, layout)?.index()].get(state));
        match self {
            Test::Code(code) => Ok(code.eval(state, layout)? != 0),
            Test::CellIsZero(place) => Ok(scalar(place)? == 0),
            Test::CellAtLeast(place, k) => Ok(scalar(place)? >= *k),
            Test::NotFull(place) => {
                let object = place.resolve(state, layout)?;
                let capacity = i64::from(layout.channel(object).capacity);
                Ok(layout.scalars[object.index()].get(state) < capacity)
            }
            Test::Receivable(offer) => Ok(offer.find(state, layout)?.1.is_some()),
            Test::Bits { .. } | Test::NotBits { .. } | Test::AtMost(..) | Test::AtLeast(..) | Test::Pure(_) => {
                self.holds(state, layout)
            }
        }
    }

    /// Joins this test with an earlier one of the same word, if both compare bits.
    fn merge_into(&self, earlier: &mut [Test]) -> bool {
        let Test::Bits { word, mask, bits } = self else { return false };
        for test in earlier {
            if let Test::Bits { word: w, mask: m, bits: b } = test
                && w == word
                && *m & mask == 0
            {
                *m |= mask;
                *b |= bits;
                return true;
            }
        }
        false
    }
}

impl Compiler<'_> {
    /// All tests of a transition. The first is where its first process is, if it has any: it stands alone, because whoever
    /// goes by the location of that process leaves it out.
    pub(super) fn tests(&self, transition: &Transition) -> Vec<Test> {
        let mut tests: Vec<Test> = Vec::new();
        let alone = transition.moves.len().min(1);
        // Tests before this one may be joined with later ones; from it on, a fault stands between them.
        let mut safe = true;
        let mut add = |test: Test, faultless: bool| {
            if !(safe && test.merge_into(tests.get_mut(alone..).unwrap_or_default())) {
                tests.push(test);
            }
            safe &= faultless;
        };
        for m in &transition.moves {
            add(bits(self.layout.locations[m.process.index()], i64::from(m.from.0)), true);
        }
        let mut known = Known::new();
        for conjunct in &transition.guard {
            let faultless = bounds_knowing(conjunct, self.objects, &known).is_some();
            match self.test(conjunct) {
                Test::Code(code) if faultless => add(Test::Pure(code), true),
                test => add(test, faultless),
            }
            learn(conjunct, self.objects, &mut known);
        }
        for command in &transition.command {
            if let Some(test) = self.definedness(command) {
                let faultless = command.expressions().is_empty();
                add(test, faultless);
            }
        }
        tests
    }

    pub(crate) fn test(&self, conjunct: &Expr) -> Test {
        let code = self.coder().code(conjunct);
        match &code {
            Code::Field(f) => compare(Binary::Ne, *f, 0).unwrap_or(Test::Code(code)),
            Code::Unary(Unary::Not, a) => match **a {
                Code::Field(f) => compare(Binary::Eq, f, 0).unwrap_or(Test::Code(code)),
                Code::Binary(op, ref ab) => match (op.complement(), &**ab) {
                    (Some(op), (Code::Field(f), Code::Const(c))) => compare(op, *f, *c).unwrap_or(Test::Code(code)),
                    _ => Test::Code(code),
                },
                _ => Test::Code(code),
            },
            Code::Binary(op, ab) => match &**ab {
                (Code::Field(f), Code::Const(c)) => compare(*op, *f, *c).unwrap_or(Test::Code(code)),
                (Code::Const(c), Code::Field(f)) => {
                    op.mirror().and_then(|op| compare(op, *f, *c)).unwrap_or(Test::Code(code))
                }
                _ => Test::Code(code),
            },
            _ => Test::Code(code),
        }
    }

    /// The condition under which a partial operation is defined.
    pub(crate) fn definedness(&self, command: &Command) -> Option<Test> {
        let coder = self.coder();
        let scalar = |object: ObjectId| self.layout.scalars[object.index()];
        Some(match command {
            Command::Acquire(t, _) => match coder.place(t) {
                Place::Fixed(o) => bits(scalar(o), 0),
                place => Test::CellIsZero(place),
            },
            Command::Take(t, amount) => match coder.place(t) {
                Place::Fixed(o) => Test::AtLeast(scalar(o), i64::from(*amount)),
                place => Test::CellAtLeast(place, i64::from(*amount)),
            },
            Command::Send(t, _) | Command::Insert(t, _) => match coder.place(t) {
                Place::Fixed(o) => Test::AtMost(scalar(o), i64::from(self.layout.channel(o).capacity) - 1),
                place => Test::NotFull(place),
            },
            Command::Receive(t, patterns) => self.receivable(t, patterns, false),
            Command::Retrieve(t, patterns, how) => self.receivable(t, patterns, how.anywhere),
            Command::Assign(..)
            | Command::Release(..)
            | Command::Gain(..)
            | Command::Assert(_)
            | Command::Unforeseen(_) => return None,
        })
    }

    fn receivable(&self, channel: &Target, patterns: &[Pattern], anywhere: bool) -> Test {
        let offer = self.coder().offer(channel, patterns, anywhere);
        match offer.channel {
            Place::Fixed(o) if offer.matches.is_empty() => Test::AtLeast(self.layout.scalars[o.index()], 1),
            _ => Test::Receivable(Box::new(offer)),
        }
    }
}

fn bits(field: Field, value: i64) -> Test {
    let (mask, bits) = (field.mask << field.shift, ((value - field.base) as u64) << field.shift);
    Test::Bits { word: field.word, mask, bits }
}

/// A comparison of a field with a constant, constants outside the field's range included.
fn compare(op: Binary, field: Field, value: i64) -> Option<Test> {
    let representable = (field.base..=field.base.saturating_add_unsigned(field.mask)).contains(&value);
    Some(match op {
        Binary::Eq if representable => bits(field, value),
        Binary::Ne if representable => match bits(field, value) {
            Test::Bits { word, mask, bits } => Test::NotBits { word, mask, bits },
            test => test,
        },
        Binary::Eq => Test::Code(Code::Const(0)),
        Binary::Ne => Test::Code(Code::Const(1)),
        Binary::Le => Test::AtMost(field, value),
        Binary::Lt => Test::AtMost(field, value.checked_sub(1)?),
        Binary::Ge => Test::AtLeast(field, value),
        Binary::Gt => Test::AtLeast(field, value.checked_add(1)?),
        _ => return None,
    })
}
