//! The protocols of section 8.3, with the parameters that make them about as large as those of 1994.

use crate::models::Model;

/// A protocol of the thesis.
pub(crate) struct Protocol {
    pub(crate) name: &'static str,
    pub(crate) model: Model,
    pub(crate) set: &'static [(&'static str, i64)],
}

pub(crate) const PFTP: Protocol = Protocol { name: "PFTP", model: Model::Pftp, set: &[("window", 4), ("line", 2)] };
pub(crate) const MULOG3: Protocol = Protocol { name: "MULOG3", model: Model::Mulog, set: &[("n", 3), ("entries", 5)] };
pub(crate) const ABRA: Protocol =
    Protocol { name: "ABRA", model: Model::Abracadabra, set: &[("tries", 1), ("calls", 2), ("talkers", 1)] };
pub(crate) const DTP: Protocol = Protocol { name: "DTP", model: Model::Dtp, set: &[("blocks", 4), ("room", 4)] };

/// What every table with these models must say.
pub(crate) const RECONSTRUCTED: &str = "The models of 1994 are not public: ours follow public descriptions of the same \
                                        protocols, so that percentages can be compared and absolute figures cannot.";
/// Where the paper's seconds were measured.
pub(crate) const MACHINE: &str = "The paper's seconds are those of a SPARC2 with 64 megabytes.";
