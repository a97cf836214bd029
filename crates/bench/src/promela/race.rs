//! Both tools on one model.

use std::path::Path;
use std::time::Duration;

use serde_json::Value;
use testkit::spin::{Compiler, Spin};

use crate::impasse::Figures;
use crate::measure;

/// How the models are run.
pub(super) struct Race<'a> {
    pub(super) binary: &'a Path,
    /// The most seconds of each run.
    pub(super) limit: u64,
    /// Whether SPIN takes part.
    pub(super) peer: bool,
}

/// What a tool found out.
#[derive(Clone, Debug)]
pub(super) enum Found {
    /// All of the state space, and whether something is wrong with the model.
    All(Figures, bool),
    /// It was not searched in time, or in the memory that there is.
    Unfinished,
    /// The model is not accepted.
    Refused,
    /// The tool is not here.
    Absent,
}

/// One model, measured.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) ours: Found,
    pub(super) spin: Found,
    /// With reduction.
    pub(super) ours_reduced: Found,
    pub(super) spin_reduced: Found,
}

impl Found {
    /// The figures of a finished search.
    pub(super) fn figures(&self) -> Option<&Figures> {
        match self {
            Found::All(figures, _) => Some(figures),
            _ => None,
        }
    }

    /// Whether the model is wrong, if that is known.
    pub(super) fn wrong(&self) -> Option<bool> {
        match self {
            Found::All(_, wrong) => Some(*wrong),
            _ => None,
        }
    }
}

impl Race<'_> {
    pub(super) fn run(&self, name: &str, model: &Path) -> Result<Row, String> {
        Ok(Row {
            name: name.to_owned(),
            ours: self.impasse(model, "explore:finish=unlimited,order=depth")?,
            spin: self.spin(model, false)?,
            ours_reduced: self.impasse(model, "explore:finish=unlimited,order=depth,persistent=stubborn")?,
            spin_reduced: self.spin(model, true)?,
        })
    }

    fn impasse(&self, model: &Path, engine: &str) -> Result<Found, String> {
        // The search stops by itself; reading, which has no limit of its own, is stopped from outside.
        let (limit, grace) = (format!("{}s", self.limit), (self.limit + 5).to_string());
        let (binary, model) = (self.binary.to_string_lossy(), model.to_string_lossy());
        let check = ["check", &*model, "--deadlock", "--engine", engine, "--format", "json", "--timeout", &limit];
        let args = [&[&*grace, &*binary], &check[..]].concat();
        let ran = measure::run(Path::new("timeout"), &args, Path::new("."))?;
        let Ok(report) = serde_json::from_str::<Value>(&ran.stdout) else {
            let refused = ran.code == Some(3);
            return Ok(if refused { Found::Refused } else { Found::Unfinished });
        };
        let result = &report["results"][0];
        let statistics = &result["statistics"];
        let finished = [&statistics["complete"], &statistics["reduced"]].contains(&&Value::Bool(true));
        let count = |key: &str| statistics[key].as_u64().unwrap_or(0);
        if !finished || result["verdict"] == "unknown" || count("states") == 0 {
            return Ok(Found::Unfinished);
        }
        let figures = Figures {
            states: count("states"),
            transitions: count("transitions"),
            states_per_second: count("states") as f64 / statistics["seconds"].as_f64().unwrap_or(f64::NAN).max(1e-4),
            bytes_per_state: count("peak_bytes") as f64 / count("states") as f64,
            end_to_end: ran.seconds,
        };
        Ok(Found::All(figures, result["verdict"] == "violated"))
    }

    /// Without reduction, states are what they are here; with it, all of SPIN's optimisations join in.
    fn spin(&self, model: &Path, reduction: bool) -> Result<Found, String> {
        if !self.peer {
            return Ok(Found::Absent);
        }
        let options = Spin {
            reduction,
            optimisations: reduction,
            compiler: Compiler::Speed,
            depth: 10_000_000,
            table: 22,
            time: Duration::from_secs(self.limit),
            megabytes: 8192,
            ..Spin::default()
        };
        let pan = match options.build(model) {
            Ok(pan) => pan,
            Err(testkit::spin::Refusal::Model(_)) => return Ok(Found::Refused),
            Err(testkit::spin::Refusal::Tools(why)) => return Err(why),
        };
        let search = pan.search(&[])?;
        if !search.finished {
            return Ok(Found::Unfinished);
        }
        let states = search.states as f64;
        let figures = Figures {
            states: search.states,
            transitions: search.transitions,
            states_per_second: states / search.elapsed.max(1e-3),
            bytes_per_state: search.bytes as f64 / states,
            end_to_end: pan.seconds + search.seconds,
        };
        Ok(Found::All(figures, search.invalid_end || search.assertion || search.other.is_some()))
    }
}
