//! Nets as models: the net itself, and the system with a counter for each place.

use std::path::Path;
use std::sync::Arc;

use explain::SourceText;
use frontend::native::Setting;
use frontend::{Diagnostic, Loaded, LoadedNet, NodeIds, Nupn, net_expectations, read_net};
use model::NamedProperty;
use model::views::Net;

use super::{Input, Model};
use crate::exit::Failure;
use crate::{diagnostics, question};

/// A net that was read.
#[derive(Debug)]
pub(crate) struct NetFile {
    /// The net.
    pub(crate) net: Arc<Net>,
    /// How its text refers to places and transitions.
    pub(crate) ids: NodeIds,
    /// The hierarchy of units that its author claims.
    pub(crate) nupn: Option<Nupn>,
}

/// Makes a model of the bytes of a net. Counters go as far as they can: a net has no bounds.
pub(super) fn load(path: &Path, bytes: &[u8], settings: &[Setting]) -> Result<Model, Failure> {
    let name = path.display().to_string();
    if let Some((parameter, _)) = settings.first() {
        return Err(Failure::usage(format!("{name} is a net and has no parameters: `{parameter}` cannot be set")));
    }
    let mistakes = |ds: Vec<Diagnostic>| diagnostics::failure(&name, &String::from_utf8_lossy(bytes), &ds);
    let LoadedNet { net, ids, nupn, warnings, .. } = read_net(path, bytes).map_err(mistakes)?;
    let (expect, size) = net_expectations(path, bytes).map_err(|d| mistakes(vec![d]))?;
    let system = net.to_system(|_| u32::MAX).map_err(|e| Failure::input(format!("{name}: {e}")))?;
    let text = if warnings.is_empty() { String::new() } else { String::from_utf8_lossy(bytes).into_owned() };
    let properties = vec![NamedProperty { expect, ..question::deadlock_free() }];
    let loaded = Loaded { system, properties, size, warnings };
    let source = SourceText::new(&name, "");
    let net = Some(NetFile { net: Arc::new(net), ids, nupn });
    Ok(Model { net, ..Model::plain(Input { name, text }, loaded, source) })
}
