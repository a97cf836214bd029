//! The models of the papers, which ship with the program.

use frontend::native;
use model::System;
use serde::Serialize;

/// A model of the corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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
}

impl Model {
    /// The text, and the name of its file in the corpus.
    pub fn text(self) -> (&'static str, &'static str) {
        macro_rules! corpus {
            ($file:literal) => {
                ($file, include_str!(concat!("../../../corpus/", $file)))
            };
        }
        match self {
            Model::RoundRobin => corpus!("classics/round-robin.imp"),
            Model::Philosophers => corpus!("classics/philosophers-booleans.imp"),
            Model::ProducerConsumer => corpus!("thesis/example-8-1.imp"),
            Model::Pftp => corpus!("thesis/pftp.imp"),
            Model::Mulog => corpus!("thesis/mulog.imp"),
            Model::Abracadabra => corpus!("thesis/abracadabra.imp"),
            Model::Dtp => corpus!("thesis/dtp.imp"),
        }
    }

    /// The system, with these parameters.
    pub(crate) fn system(self, set: &[(&str, i64)]) -> System {
        let (file, text) = self.text();
        let settings: Vec<native::Setting> = set.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
        native::load(file, text, &settings).expect("a model that ships is right, and so are its parameters").system
    }
}
