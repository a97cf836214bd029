//! The examinations of the contest.

use crate::args::MccArgs;
use crate::exit::Failure;

/// What the contest asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Examination {
    ReachabilityDeadlock,
    /// Formulas in the file of this name.
    Formulas(&'static str),
    OneSafe,
    QuasiLiveness,
    StableMarking,
    StateSpace,
    /// A part of the contest that has no answer here.
    Other,
}

const FORMULAS: [&str; 5] =
    ["ReachabilityCardinality", "ReachabilityFireability", "UpperBounds", "LTLCardinality", "LTLFireability"];
const OTHERS: [&str; 3] = ["CTLCardinality", "CTLFireability", "Liveness"];

impl Examination {
    /// The examination of the arguments, or else of the contest's environment.
    pub(super) fn chosen(args: &MccArgs) -> Result<Self, Failure> {
        let name = args.examination.clone().or_else(|| std::env::var("BK_EXAMINATION").ok());
        let name = name.ok_or_else(|| Failure::usage("no examination: name one, or set BK_EXAMINATION"))?;
        Self::named(name.trim()).ok_or_else(|| {
            let plain = ["ReachabilityDeadlock", "OneSafe", "QuasiLiveness", "StableMarking", "StateSpace"];
            let known = plain.iter().chain(&FORMULAS).copied().collect::<Vec<_>>().join(", ");
            Failure::usage(format!("there is no examination `{name}`; there are {known}"))
        })
    }

    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "ReachabilityDeadlock" => Self::ReachabilityDeadlock,
            "OneSafe" => Self::OneSafe,
            "QuasiLiveness" => Self::QuasiLiveness,
            "StableMarking" => Self::StableMarking,
            "StateSpace" => Self::StateSpace,
            other if OTHERS.contains(&other) => Self::Other,
            other => Self::Formulas(FORMULAS.into_iter().find(|f| *f == other)?),
        })
    }

    /// Whether there are answers.
    pub(super) fn is_answered(self) -> bool {
        self != Self::Other
    }
}
