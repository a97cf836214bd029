//! Chooses the reader of a net by the name of its file.

use std::path::Path;

use model::Span;

use crate::{Diagnostic, LoadedNet, ll_net, lola, pnml, tina};

type Reader = fn(&str, &[u8]) -> Result<LoadedNet, Vec<Diagnostic>>;

/// The reader for a file; `None` if this is no format of nets. Files called `.xml` are looked into.
fn reader(path: &Path, bytes: &[u8]) -> Option<Reader> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    match extension.as_str() {
        "pnml" => Some(pnml::read),
        "xml" if pnml::is_pnml(bytes) => Some(pnml::read),
        "lola" => Some(lola::read),
        "net" => Some(tina::read),
        "ll_net" => Some(ll_net::read),
        _ => None,
    }
}

/// Whether a file holds a net in one of the formats that are read.
pub fn is_net(path: &Path, bytes: &[u8]) -> bool {
    reader(path, bytes).is_some()
}

/// Reads a net in the format that the extension of its file says; the net is called like the file.
pub fn read_net(path: &Path, bytes: &[u8]) -> Result<LoadedNet, Vec<Diagnostic>> {
    let name = path.file_stem().map(|s| s.to_string_lossy()).unwrap_or_default();
    match reader(path, bytes) {
        Some(read) => read(&name, bytes),
        None => Err(vec![
            Diagnostic::error(Span::new(0, 0), "the name of the file says no format of nets that is read")
                .help("nets are read from `.pnml`, `.xml` (with PNML inside), `.lola`, `.net` and `.ll_net`"),
        ]),
    }
}
