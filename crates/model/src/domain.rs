//! Finite sets of values: what a variable or a field of a message may hold.

use std::fmt;
use std::sync::Arc;

/// A non-empty finite set of integers, with the names that people gave them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Domain {
    /// `false` and `true`, stored as 0 and 1.
    Bool,
    /// All integers from `lo` to `hi`, both included.
    Range {
        /// The least value.
        lo: i32,
        /// The greatest value.
        hi: i32,
    },
    /// The constants of an enumeration, stored as 0, 1, ...
    Named(Arc<Enumeration>),
}

/// A declared enumeration.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Enumeration {
    /// The name of the type.
    pub name: String,
    /// Its constants, in order.
    pub constants: Vec<String>,
}

impl Domain {
    /// The least value.
    pub fn lo(&self) -> i64 {
        match self {
            Domain::Range { lo, .. } => i64::from(*lo),
            Domain::Bool | Domain::Named(_) => 0,
        }
    }

    /// The greatest value.
    pub fn hi(&self) -> i64 {
        match self {
            Domain::Bool => 1,
            Domain::Range { hi, .. } => i64::from(*hi),
            Domain::Named(e) => e.constants.len() as i64 - 1,
        }
    }

    /// The number of values.
    pub fn size(&self) -> u64 {
        (self.hi() - self.lo() + 1) as u64
    }

    /// Whether `value` belongs to the domain.
    pub fn contains(&self, value: i64) -> bool {
        self.lo() <= value && value <= self.hi()
    }

    /// The value a variable has when nobody says otherwise: 0 where that is allowed, else the least value.
    pub fn default_value(&self) -> i64 {
        if self.contains(0) { 0 } else { self.lo() }
    }

    /// The value as the user writes it.
    pub fn show(&self, value: i64) -> String {
        match self {
            Domain::Bool if value == 0 => "false".to_owned(),
            Domain::Bool if value == 1 => "true".to_owned(),
            Domain::Named(e) => match usize::try_from(value).ok().and_then(|v| e.constants.get(v)) {
                Some(name) => name.clone(),
                None => value.to_string(),
            },
            _ => value.to_string(),
        }
    }
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Domain::Bool => f.write_str("bool"),
            Domain::Range { lo, hi } => write!(f, "{lo}..{hi}"),
            Domain::Named(e) => f.write_str(&e.name),
        }
    }
}
