//! Types and the values that their variables run through: few, and those at which they wrap around among them.

use crate::Rng;

/// A type of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Bit,
    Bool,
    Byte,
    Short,
    Int,
    /// Of three bits.
    Unsigned,
    Mtype,
    Pid,
}

/// The constants of the only `mtype`.
pub(super) const MTYPES: [&str; 3] = ["red", "green", "blue"];

impl Kind {
    /// Any of them; small ones more often, for small state spaces.
    pub(super) fn random(rng: &mut Rng) -> Self {
        use Kind::{Bit, Bool, Byte, Int, Mtype, Pid, Short, Unsigned};
        *rng.pick(&[Bit, Bool, Bool, Byte, Byte, Byte, Short, Int, Unsigned, Mtype, Mtype, Pid])
    }

    /// The declaration of a variable of this type.
    pub(super) fn declare(self, name: &str) -> String {
        match self {
            Kind::Bit => format!("bit {name}"),
            Kind::Bool => format!("bool {name}"),
            Kind::Byte => format!("byte {name}"),
            Kind::Short => format!("short {name}"),
            Kind::Int => format!("int {name}"),
            Kind::Unsigned => format!("unsigned {name} : 3"),
            Kind::Mtype => format!("mtype {name}"),
            Kind::Pid => format!("pid {name}"),
        }
    }

    /// A constant, at the edge of the type now and then.
    pub(super) fn constant(self, rng: &mut Rng) -> String {
        let edge = rng.chance(25);
        let choices: &[&str] = match self {
            Kind::Bit => &["0", "1"],
            Kind::Bool => &["true", "false"],
            Kind::Byte | Kind::Pid if edge => &["255", "254", "256", "128"],
            Kind::Short if edge => &["32767", "-32768", "-1", "65535"],
            Kind::Int if edge => &["2147483647", "-1", "1073741824"],
            Kind::Unsigned if edge => &["7", "8", "-1"],
            Kind::Mtype => &MTYPES,
            _ => &["0", "1", "2"],
        };
        (*rng.pick(choices)).to_owned()
    }

    /// What can be assigned to `place` over and over without giving more than a few values.
    pub(super) fn step(self, place: &str, rng: &mut Rng) -> Option<String> {
        let choices: &[&str] = match self {
            Kind::Bit | Kind::Bool => &["{} = !{}", "{} = 1 - {}", "{}++", "{} = ({} ^ 1)", "{} = {} + 1"],
            Kind::Byte | Kind::Pid => &[
                "{} = {} + 64",
                "{} = {} + 128",
                "{} = ({} + 1) % 3",
                "{} = ({} ^ 3)",
                "{} = ({} >> 1)",
                "{} = ({} - 1) & 3",
                "{} = {} - 128",
                "{} = ({} << 7)",
            ],
            Kind::Short => &["{} = {} + 16384", "{} = -{}", "{} = ({} + 1) % 3", "{} = ~{}", "{} = {} * 3 % 5"],
            Kind::Int => &["{} = {} + 1073741824", "{} = -{}", "{} = ({} - 1) % 3", "{} = {} / 2", "{} = ({} << 30)"],
            Kind::Unsigned => &["{} = {} + 4", "{} = {} - 2", "{} = ({} + 1) % 3", "{} = {} * 3"],
            Kind::Mtype => return None,
        };
        Some(rng.pick(choices).replace("{}", place))
    }
}
