//! Networks of automata: components in Aldebaran's format (`.aut`), composed in CADP's notation (`.exp`).
//!
//! No file is read here: whoever calls gives a function that does, which is asked for names relative to the folder of
//! the main file.

mod aut;
mod exp;
mod files;
mod labels;
mod lts;
mod network;

use std::path::Path;
use std::rc::Rc;

use model::views::{EventId, Network};
use model::{NamedProperty, Span};

use crate::loaded_net::utf8;
use crate::{Diagnostic, ExpectedSize};
pub(crate) use labels::{EXIT, gate_of, is_silent};

use labels::Labels;
use lts::Lts;
use network::Draft;

/// Gives the bytes of a file, or says why it cannot.
pub type Files<'a> = &'a dyn Fn(&str) -> Result<Vec<u8>, String>;

/// A network that was read.
#[derive(Clone, Debug)]
pub struct LoadedNetwork {
    /// The network.
    pub network: Network,
    /// What is asked of it, with what its author expects: deadlock freedom, and what notes ask for.
    pub properties: Vec<NamedProperty>,
    /// The size of the state space that its author expects.
    pub size: ExpectedSize,
    /// Remarks that do not prevent an answer.
    pub warnings: Vec<Diagnostic>,
}

/// Whether the name of a file says that it holds an automaton or a network of them.
pub fn is_network(path: &Path) -> bool {
    let extension = path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
    matches!(extension.as_deref(), Some("aut" | "exp"))
}

/// Reads an automaton or a network, whichever the name of the file says.
pub fn read(name: &str, bytes: &[u8], files: Files<'_>) -> Result<LoadedNetwork, Vec<Diagnostic>> {
    let text = utf8(bytes).map_err(|d| vec![d])?;
    let loaded = match files::extension(name).as_str() {
        "exp" => exp::load(name, text, files),
        _ => automaton(name, text),
    };
    loaded.map_err(|d| vec![d])
}

/// A single automaton: a network with one component, which does what it likes.
fn automaton(name: &str, text: &str) -> Result<LoadedNetwork, Diagnostic> {
    let (lts, notes) = aut::read(text)?;
    let (mut labels, mut draft, lts): (_, _, Rc<Lts>) = (Labels::new(), Draft::default(), Rc::new(lts));
    let texts: Vec<_> = lts.labels.iter().map(|text| labels.label(text)).collect();
    let too_large = || Diagnostic::error(Span::new(0, 0), "the automaton is too large");
    let id = draft.add(files::stem(name), lts).ok_or_else(too_large)?;
    let rule = |(event, label)| (label, vec![(id, EventId::new(event))]);
    let rules = texts.into_iter().enumerate().map(rule).collect();
    let network = draft.finish(files::stem(name), &labels, rules)?;
    Ok(LoadedNetwork { network, properties: notes.properties()?, size: notes.size, warnings: Vec::new() })
}
