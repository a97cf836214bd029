//! Models in Promela: which files they are, and what becomes of them when a search meets more processes than foreseen.

use std::path::Path;

use explain::SourceText;
use frontend::Diagnostic;
use frontend::promela::elaborate::Reading;
use frontend::promela::{Options, reading};

use super::{Model, Wishes};
use crate::diagnostics;
use crate::exit::Failure;

/// The endings that Promela's users give to their files.
pub(crate) const EXTENSIONS: [&str; 7] = ["pml", "prom", "promela", "pm", "prm", "pr", "spin"];

/// Whether a file is in Promela, by its name.
pub(super) fn is_promela(path: &Path) -> bool {
    path.extension().is_some_and(|e| EXTENSIONS.iter().any(|known| e.eq_ignore_ascii_case(known)))
}

/// Reads a model; files that it includes are sought beside it.
pub(super) fn load(path: &Path, wishes: &Wishes<'_>) -> Result<Model, Failure> {
    let input = super::read(path)?;
    if wishes.process.is_some() {
        let message = format!("{} is in Promela: --process is for scripts of CSP and for BIP", input.name);
        return Err(Failure::usage(message));
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let included = |name: &str| super::beside(&folder.join(name));
    let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let set = wishes.settings.iter().map(|(name, value)| (name.clone(), value.to_string())).collect();
    let options = Options { set, ..wishes.promela.clone() };
    let reading = reading(&stem, &input.text, &included, &options)
        .map_err(|ds: Vec<Diagnostic>| diagnostics::failure(&input.name, &input.text, &ds))?;
    let source = SourceText::new(&input.name, &input.text);
    let (loaded, settings) = (reading.loaded().clone(), wishes.settings.clone());
    Ok(Model { settings, reading: Some(Box::new(reading)), ..Model::plain(input, loaded, source) })
}

impl Model {
    /// Reads the model anew, so that what a search met is foreseen: the step with this number.
    pub(crate) fn widen(&mut self, unforeseen: u32) -> Result<(), Failure> {
        let reading: &Reading = self.reading.as_deref().expect("only models in Promela have unforeseen steps");
        let wider = reading
            .widen(unforeseen)
            .map_err(|ds: Vec<Diagnostic>| diagnostics::failure(&self.input.name, &self.input.text, &ds))?;
        self.loaded = wider.loaded().clone();
        self.reading = Some(Box::new(wider));
        Ok(())
    }
}
