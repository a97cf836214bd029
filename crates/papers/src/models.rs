//! The models of the papers, which ship with the program: texts of the corpus, and nets.

use frontend::native;
use model::System;
use model::views::Net;
use serde::Serialize;

use crate::antonino::{Family, Topology};
use crate::bensalem::Components;
use crate::nets;

/// A model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Model {
    /// Round robin access, for `n` stations.
    RoundRobin,
    /// Dining philosophers, `n` of them.
    Philosophers,
    /// Example 8.1 of the thesis, with a channel of length `N`.
    ProducerConsumer,
    /// Holzmann's file transfer protocol.
    Pftp,
    /// Mutual exclusion by Trehel and Naimi, for `n` sites.
    Mulog,
    /// The Abracadabra protocol.
    Abracadabra,
    /// A data transfer protocol.
    Dtp,
    /// The net of Wang and Buy's Figure 1: `n` dining philosophers.
    Figure1,
    /// The same, but the right fork is put back first.
    Figure1RightFirst,
    /// Wang and Buy's net of Figure 3, for `n` users of the resource.
    Figure3,
    /// The same, modified as the paper says.
    Figure3Modified,
    /// A network of automata, of size `n`.
    #[serde(untagged)]
    Network(Family),
    /// Components that interact, of size `n`.
    #[serde(untagged)]
    Components(Components),
    /// Random networks of size `n`, as many as `systems` says.
    #[serde(untagged)]
    Random(Topology),
}

impl Model {
    /// The text, and the name of its file in the corpus; `None` if it is a net or a network.
    pub fn text(self) -> Option<(&'static str, &'static str)> {
        macro_rules! corpus {
            ($file:literal) => {
                ($file, include_str!(concat!("../../../corpus/", $file)))
            };
        }
        Some(match self {
            Model::RoundRobin => corpus!("classics/round-robin.imp"),
            Model::Philosophers => corpus!("classics/philosophers-booleans.imp"),
            Model::ProducerConsumer => corpus!("thesis/example-8-1.imp"),
            Model::Pftp => corpus!("thesis/pftp.imp"),
            Model::Mulog => corpus!("thesis/mulog.imp"),
            Model::Abracadabra => corpus!("thesis/abracadabra.imp"),
            Model::Dtp => corpus!("thesis/dtp.imp"),
            Model::Figure1 | Model::Figure1RightFirst | Model::Figure3 | Model::Figure3Modified => return None,
            Model::Network(_) | Model::Random(_) | Model::Components(_) => return None,
        })
    }

    /// Whether it is a network, or many.
    pub(crate) fn is_network(self) -> bool {
        matches!(self, Model::Network(_) | Model::Random(_))
    }

    /// The net, with these parameters, if it is one.
    pub(crate) fn net(self, set: &[(&str, i64)]) -> Option<Net> {
        let n = || set.iter().find(|(name, _)| *name == "n").map_or(0, |&(_, n)| n as usize);
        match self {
            Model::Figure1 => Some(nets::philosophers(n(), true)),
            Model::Figure1RightFirst => Some(nets::philosophers(n(), false)),
            Model::Figure3 => Some(nets::users(n(), false)),
            Model::Figure3Modified => Some(nets::users(n(), true)),
            _ => None,
        }
    }

    /// The system, with these parameters. It must be a text.
    pub(crate) fn system(self, set: &[(&str, i64)]) -> System {
        let (file, text) = self.text().expect("nets and networks are asked as such");
        let settings: Vec<native::Setting> = set.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
        native::load(file, text, &settings).expect("a model that ships is right, and so are its parameters").system
    }
}
