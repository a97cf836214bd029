//! What may be used on nets: everything, unless somebody wants to know what a part is worth.

use std::fmt;
use std::str::FromStr;

/// What may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetEngines {
    /// Structural reductions.
    pub reduce: bool,
    /// Walks.
    pub walk: bool,
    /// Structural proofs.
    pub structural: bool,
    /// Runs of few parallel steps, by satisfiability.
    pub bmc: bool,
    /// Inductive invariants, clause by clause.
    pub ic3: bool,
    /// Unfoldings.
    pub unfold: bool,
    /// Searches of the state space.
    pub search: bool,
}

const NAMES: [&str; 7] = ["reduce", "walk", "structural", "bmc", "ic3", "unfold", "search"];

impl NetEngines {
    const NONE: Self =
        Self { reduce: false, walk: false, structural: false, bmc: false, ic3: false, unfold: false, search: false };

    /// Satisfiability alone, bounded and unbounded, on the net as it stands.
    pub(crate) const IC3: Self = Self { bmc: true, ic3: true, ..Self::NONE };

    fn parts(&mut self) -> [&mut bool; 7] {
        let Self { reduce, walk, structural, bmc, ic3, unfold, search } = self;
        [reduce, walk, structural, bmc, ic3, unfold, search]
    }
}

impl Default for NetEngines {
    fn default() -> Self {
        Self { reduce: true, walk: true, structural: true, bmc: true, ic3: true, unfold: true, search: true }
    }
}

impl fmt::Display for NetEngines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut copy = *self;
        let used = NAMES.into_iter().zip(copy.parts()).filter(|(_, used)| **used).map(|(name, _)| name);
        f.write_str(&used.collect::<Vec<_>>().join(","))
    }
}

impl FromStr for NetEngines {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut engines = Self::NONE;
        for name in text.split(',') {
            let known = NAMES.iter().position(|n| *n == name);
            let i = known.ok_or_else(|| format!("there is no `{name}`; there are {}", NAMES.join(", ")))?;
            *engines.parts()[i] = true;
        }
        if engines == (Self { reduce: true, ..Self::NONE }) {
            return Err("`reduce` alone answers nothing".to_owned());
        }
        Ok(engines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back() {
        for text in ["reduce,walk,structural,bmc,ic3,unfold,search", "walk", "bmc", "ic3", "reduce,search"] {
            assert_eq!(text.parse::<NetEngines>().expect("known names").to_string(), text);
        }
        assert_eq!(NetEngines::default().to_string(), "reduce,walk,structural,bmc,ic3,unfold,search");
        assert!("".parse::<NetEngines>().is_err() && "walks".parse::<NetEngines>().is_err());
        assert!("reduce".parse::<NetEngines>().is_err());
    }
}
