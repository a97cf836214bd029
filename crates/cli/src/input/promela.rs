//! Models in Promela: which files they are, and what becomes of them when a search meets more processes than foreseen.

use std::path::Path;

use evidence::Trace;
use explain::SourceText;
use frontend::MAX_TEXT;
use frontend::promela::elaborate::{NoSystem, Query, Reading, Unasked};
use frontend::promela::{Options, elaborate, reading};

use model::Property;

use super::{Input, Model, Models, Patience, Refused, Wishes};
use crate::exit::{Exit, Failure};
use crate::{budget, diagnostics};

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

/// The text of a file that a model includes.
pub(crate) fn beside(path: &Path) -> Result<String, String> {
    super::bytes_beside(path).map(super::old_text)
}

/// Reads a model; files that it includes are sought beside it.
pub(super) fn load(path: &Path, wishes: &Wishes<'_>, patience: Patience) -> Result<Models, Failure> {
    let name = path.display().to_string();
    let text = super::decode(&name, super::old_text(super::read_file(path, MAX_TEXT)?).into_bytes())?;
    let input = Input { name, text };
    if wishes.process.is_some() {
        let message = format!("{} is in Promela: --process is for scripts of CSP and for BIP", input.name);
        return Err(Failure::usage(message));
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let included = |name: &str| beside(&folder.join(name));
    let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let set = wishes.settings.iter().map(|(name, value)| (name.clone(), value.to_string())).collect();
    let options = Options { set, fairness: wishes.fairness, ..wishes.promela.clone() };
    let waits = elaborate::Patience::new(move || patience.lasts());
    let reading = reading(&stem, &input.text, &included, &options, waits).map_err(|none| match none {
        NoSystem::Mistakes(mistakes) => diagnostics::failure(&input.name, &input.text, &mistakes),
        NoSystem::GivenUp { processes } => late(processes),
    })?;
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

/// Why there is no answer where the system was not made in time.
fn given_up(processes: usize) -> String {
    let why = if budget::interrupted() { "the search was interrupted" } else { "the time limit was reached" };
    format!(
        "{why} while a system of the processes that the program may create was made: there are {processes} at least"
    )
}

/// That there is no system, because it was not made in time.
pub(crate) fn late(processes: usize) -> Failure {
    Failure { exit: Exit::Unknown, ..Failure::input(given_up(processes)) }
}

impl Model {
    /// Makes the system anew, with a question. Mistakes are about the question.
    pub(crate) fn ask(&mut self, question: Query<'_>) -> Result<(), NoSystem> {
        let reading = self.reading.as_deref().expect("only models in Promela are made anew");
        let wider = reading.asking(question)?;
        self.loaded = wider.loaded().clone();
        self.reading = Some(Box::new(wider));
        Ok(())
    }

    /// A run to a model error that was met when the model was read.
    pub(crate) fn known_error(&self) -> Option<Trace> {
        self.reading.as_deref()?.error().map(|run| Trace::finite(run.to_vec()))
    }

    /// What a question means, with which the system was made.
    pub(crate) fn asked(&self, question: Query<'_>) -> &Property {
        let found = self.loaded.properties.iter().find(|p| p.name == question.name());
        &found.expect("the system was made with the question").property
    }

    /// Reads the model anew, so that what a search met is foreseen: the step with this number. Says what cannot be asked,
    /// or why the model stays as it is: there was no time.
    pub(crate) fn widen(&mut self, unforeseen: u32) -> Result<Result<Vec<Refused>, String>, Failure> {
        let reading: &Reading = self.reading.as_deref().expect("only models in Promela have unforeseen steps");
        let wider = match reading.widen(unforeseen) {
            Ok(wider) => wider,
            Err(NoSystem::GivenUp { processes }) => return Ok(Err(given_up(processes))),
            Err(NoSystem::Mistakes(all)) => {
                return Err(diagnostics::failure(&self.input.name, &self.input.text, &all));
            }
        };
        self.loaded = wider.loaded().clone();
        let refused = refused(&wider);
        self.reading = Some(Box::new(wider));
        Ok(Ok(refused))
    }
}
