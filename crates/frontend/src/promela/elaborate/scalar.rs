//! Types of numbers: how they are cut down, which values they have, and how these are shown.

use std::sync::Arc;

use model::{Domain, Enumeration, Wrap};

use super::term::INT;
use crate::promela::ir::{Program, Scalar};

impl Scalar {
    /// What is left of a number that is written to it.
    pub(super) fn wrap(self) -> Wrap {
        let unsigned = |bits| Wrap { bits, signed: false };
        match self {
            Scalar::Bit | Scalar::Bool => unsigned(1),
            Scalar::Byte | Scalar::ByteBool | Scalar::Pid | Scalar::Mtype(_) => unsigned(8),
            // The numbers of channels are ours.
            Scalar::Chan => unsigned(20),
            Scalar::Short => Wrap { bits: 16, signed: true },
            Scalar::Int => INT,
            Scalar::Unsigned(bits) if bits < 32 => unsigned(bits),
            // Like every operand, it is used as a signed number.
            Scalar::Unsigned(_) => INT,
        }
    }

    /// All its values that lie within bounds.
    pub(super) fn domain(self, bounds: (i64, i64), program: &Program) -> Domain {
        let range = self.wrap().range();
        let (lo, hi) = (bounds.0.max(range.0), bounds.1.min(range.1));
        match self {
            Scalar::Bool => Domain::Bool,
            Scalar::ByteBool if lo >= 0 && hi <= 1 => Domain::Bool,
            Scalar::Mtype(sub) => {
                let constants = &program.mtypes[sub as usize].constants;
                if hi > constants.len() as i64 {
                    return Domain::Range { lo: lo as i32, hi: hi as i32 };
                }
                let name = program.mtypes[sub as usize].name.as_deref().unwrap_or("mtype");
                let constants = std::iter::once("0").chain(constants.iter().map(|c| &**c)).map(str::to_owned);
                Domain::Named(Arc::new(Enumeration { name: name.to_owned(), constants: constants.collect() }))
            }
            _ => Domain::Range { lo: lo as i32, hi: hi as i32 },
        }
    }
}
