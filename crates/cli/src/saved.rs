//! Runs that were saved, and the models that they are of.

use std::path::Path;

use evidence::{Trace, TraceFile};
use frontend::native::Setting;
use model::NamedProperty;

use crate::args::ModelArgs;
use crate::exit::Failure;
use crate::input::{self, Model, Models, Patience};
use crate::{plain, quantity, question};

/// A file with a run.
#[derive(Debug)]
pub(crate) struct Saved {
    /// What it is called in messages.
    name: String,
    pub(crate) file: TraceFile,
}

impl Saved {
    /// Reads a file that `impasse check --trace` wrote.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let file = TraceFile::from_json(&input::read(path)?.text);
        let name = path.display().to_string();
        let file = file.map_err(|e| e.to_string()).and_then(|file| plain::run(&file).map(|()| file));
        file.map_err(|e| Failure::input(format!("{name}: {}", plain::line(&e)))).map(|file| Self::new(name, file))
    }

    /// A run that is in no file.
    pub(crate) fn new(name: impl Into<String>, file: TraceFile) -> Self {
        Self { name: name.into(), file }
    }

    /// The model, with the parameters and the options of the command line, or those that the run was found with.
    pub(crate) fn model(&self, args: &ModelArgs) -> Result<Model, Failure> {
        let settings = self.settings(args.settings()?).map_err(|why| self.unfit(&why))?;
        let recorded = args.reading_by(&self.file.options).map_err(|why| self.unfit(&why))?;
        let args = if args.options().is_empty() { &recorded } else { args };
        let mut models = Models::read_file(&args.file, args.wishes(settings), Patience::default())?.models;
        // Of several, the one that has the property, or else the name.
        let has = |m: &Model| m.loaded.properties.iter().any(|p| p.name == self.file.property);
        let is = |m: &Model| m.loaded.system.name() == self.file.model;
        let position = models.iter().position(has).or_else(|| models.iter().position(is)).unwrap_or_default();
        if models.is_empty() { Err(self.unfit("it asserts nothing")) } else { Ok(models.swap_remove(position)) }
    }

    fn settings(&self, given: Vec<Setting>) -> Result<Vec<Setting>, String> {
        if !given.is_empty() {
            return Ok(given);
        }
        self.file.set.iter().map(|s| quantity::setting(s)).collect()
    }

    /// The run, if its steps are steps of the model.
    pub(crate) fn trace(&self, model: &Model) -> Result<Trace, Failure> {
        self.file.trace(&model.loaded.system).map_err(|e| self.unfit(&e.to_string()))
    }

    /// The property that the run is about, if the model has it.
    pub(crate) fn property(&self, model: &mut Model) -> Result<Option<NamedProperty>, Failure> {
        let place = format!("the question of {}", self.name);
        question::prepare(model, self.file.question.as_slice(), |_| place.clone())?;
        question::saved(model, &self.file.property, self.file.question.as_ref(), &place)
    }

    /// Why the run is not one of the model.
    pub(crate) fn unfit(&self, why: &str) -> Failure {
        let found = match &self.file.options[..] {
            [] => String::new(),
            options => format!(" (it was found with {})", options.join(" ")),
        };
        Failure::input(format!("{} does not fit the model: {why}{found}", self.name))
    }
}
