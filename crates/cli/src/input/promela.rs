//! Models in Promela: which files they are, and what becomes of them when a search meets more processes than foreseen.

use std::path::Path;

use explain::SourceText;
use frontend::Diagnostic;
use frontend::promela::elaborate::{Query, Reading, Unasked};
use frontend::promela::{Options, reading};

use model::Property;

use super::{Model, Models, Refused, Wishes};
use crate::diagnostics;
use crate::exit::Failure;

/// The endings that Promela's users give to their files.
pub(crate) const EXTENSIONS: [&str; 7] = ["pml", "prom", "promela", "pm", "prm", "pr", "spin"];

/// Whether a file is in Promela, by its name.
pub(crate) fn is_promela(path: &Path) -> bool {
    path.extension().is_some_and(|e| EXTENSIONS.iter().any(|known| e.eq_ignore_ascii_case(known)))
}

/// Whether a file is in Promela, by what stands in it: a declaration that no other language has at the beginning of a
/// line.
pub(super) fn looks_like_promela(path: &Path) -> bool {
    let Ok(bytes) = super::read_bytes(path) else { return false };
    let text = String::from_utf8_lossy(&bytes);
    text.lines().any(|line| {
        let line = line.trim_start();
        let (word, rest) = line.split_at(line.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(0));
        match word {
            "proctype" | "D_proctype" => true,
            "active" => ["proctype", "["].iter().any(|next| rest.trim_start().starts_with(next)),
            "mtype" => ["=", ":", "{"].iter().any(|next| rest.trim_start().starts_with(next)),
            "init" | "never" => rest.trim() == "{",
            _ => false,
        }
    })
}

/// Reads a model; files that it includes are sought beside it.
pub(super) fn load(path: &Path, wishes: &Wishes<'_>) -> Result<Models, Failure> {
    let input = super::read(path)?;
    if wishes.process.is_some() {
        let message = format!("{} is in Promela: --process is for scripts of CSP and for BIP", input.name);
        return Err(Failure::usage(message));
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let included = |name: &str| super::beside(&folder.join(name));
    let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let set = wishes.settings.iter().map(|(name, value)| (name.clone(), value.to_string())).collect();
    let options = Options { set, fairness: wishes.fairness, ..wishes.promela.clone() };
    let reading = reading(&stem, &input.text, &included, &options)
        .map_err(|ds: Vec<Diagnostic>| diagnostics::failure(&input.name, &input.text, &ds))?;
    let source = SourceText::new(&input.name, &input.text);
    let (loaded, settings) = (reading.loaded().clone(), wishes.settings.clone());
    let refused = refused(&reading);
    let model = Model { settings, reading: Some(Box::new(reading)), ..Model::plain(input, loaded, source) };
    Ok(Models { models: vec![model], refused })
}

/// What is asked and cannot be.
fn refused(reading: &Reading) -> Vec<Refused> {
    let refused = |Unasked { name, kind, why }| Refused { name, kind, span: why.span, why: why.message };
    reading.unasked().iter().cloned().map(refused).collect()
}

impl Model {
    /// Makes the system anew, with a question.
    pub(crate) fn ask(&mut self, question: Query<'_>) -> Result<(), Vec<Diagnostic>> {
        let reading = self.reading.as_deref().expect("only models in Promela are made anew");
        let wider = reading.asking(question)?;
        self.loaded = wider.loaded().clone();
        self.reading = Some(Box::new(wider));
        Ok(())
    }

    /// What a question means, with which the system was made.
    pub(crate) fn asked(&self, question: Query<'_>) -> &Property {
        let found = self.loaded.properties.iter().find(|p| p.name == question.name());
        &found.expect("the system was made with the question").property
    }

    /// Reads the model anew, so that what a search met is foreseen: the step with this number. Says what cannot be asked.
    pub(crate) fn widen(&mut self, unforeseen: u32) -> Result<Vec<Refused>, Failure> {
        let reading: &Reading = self.reading.as_deref().expect("only models in Promela have unforeseen steps");
        let wider = reading
            .widen(unforeseen)
            .map_err(|ds: Vec<Diagnostic>| diagnostics::failure(&self.input.name, &self.input.text, &ds))?;
        self.loaded = wider.loaded().clone();
        let refused = refused(&wider);
        self.reading = Some(Box::new(wider));
        Ok(refused)
    }
}
