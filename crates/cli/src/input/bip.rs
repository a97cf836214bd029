//! Packages of BIP as models: the compound type that is the system, and what its text asks.

use std::path::Path;

use explain::SourceText;
use frontend::Diagnostic;
use frontend::bip::{Options, read};

use super::{Model, Wishes};
use crate::diagnostics;
use crate::exit::Failure;

/// Whether a file is a package, by its name.
pub(super) fn is_package(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("bip"))
}

/// Makes a model of a package; the packages that it uses are sought beside it.
pub(super) fn load(path: &Path, wishes: &Wishes<'_>) -> Result<Model, Failure> {
    let input = super::read(path)?;
    if let Some((parameter, _)) = wishes.settings.first() {
        let message = format!("{} is a package and has no parameters: `{parameter}` cannot be set", input.name);
        return Err(Failure::usage(message));
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let used = |name: &str| super::beside(&folder.join(name));
    let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let options = Options { root: wishes.process.map(str::to_owned), external: wishes.external.unwrap_or_default() };
    let loaded = read(&stem, &input.text, &used, &options)
        .map_err(|ds: Vec<Diagnostic>| diagnostics::failure(&input.name, &input.text, &ds))?;
    let abstracted = abstracted(&input.text, &loaded.warnings);
    let source = SourceText::new(&input.name, &input.text);
    Ok(Model { abstracted, ..Model::plain(input, loaded, source) })
}

/// What a verdict about an abstraction must say.
fn abstracted(text: &str, warnings: &[Diagnostic]) -> Vec<String> {
    if warnings.is_empty() {
        return Vec::new();
    }
    let head = "parts of the model are abstracted: what has no run here has none; a run may be impossible outside of the model";
    let each = warnings.iter().map(|w| format!("line {}: {}", w.position(text.as_bytes()).0, w.message));
    [head.to_owned()].into_iter().chain(each).collect()
}
