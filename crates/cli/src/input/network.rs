//! Networks of automata as models: the network itself, and the system with a process for each component.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use explain::SourceText;
use frontend::automata::{LoadedNetwork, read};
use frontend::native::Setting;
use frontend::{Loaded, MAX_NET_TEXT};

use super::{Input, Model};
use crate::exit::Failure;
use crate::{diagnostics, files};

/// The label of steps that nobody sees.
const SILENT: &str = "i";

/// Makes a model of an automaton or an expression; the files that it refers to are sought beside it.
pub(super) fn load(path: &Path, settings: &[Setting]) -> Result<Model, Failure> {
    let name = path.display().to_string();
    if let Some((parameter, _)) = settings.first() {
        return Err(Failure::usage(format!("{name} is a network and has no parameters: `{parameter}` cannot be set")));
    }
    let bytes = super::read_encoded(path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let open = |name: &str| component(&folder.join(name));
    let file = path.file_name().map(|f| f.to_string_lossy()).unwrap_or_default();
    let LoadedNetwork { network, properties, size, warnings } =
        read(&file, &bytes, &open).map_err(|ds| diagnostics::failure(&name, &String::from_utf8_lossy(&bytes), &ds))?;
    let system = network.to_system().map_err(|e| Failure::input(format!("{name}: {e}")))?;
    let text = if warnings.is_empty() { String::new() } else { String::from_utf8_lossy(&bytes).into_owned() };
    let loaded = Loaded { system, properties, size, warnings };
    let (input, source) = (Input { name, text }, SourceText::new(path.display().to_string(), ""));
    let network = Some(Arc::new(network));
    Ok(Model { network, silent: Some(SILENT), ..Model::plain(input, loaded, source) })
}

/// A file that an expression refers to.
fn component(path: &Path) -> Result<Vec<u8>, String> {
    if let Some(text) = files::given(path) {
        return Ok(text.as_bytes().to_vec());
    }
    files::permit(path)?;
    let problem = |e: std::io::Error| super::reason(&e);
    match fs::metadata(path).map_err(problem)? {
        m if m.is_dir() => Err("it is a directory".to_owned()),
        m if m.len() > MAX_NET_TEXT as u64 => Err(format!("it is larger than {} MB", MAX_NET_TEXT >> 20)),
        _ => fs::read(path).map_err(problem),
    }
}
