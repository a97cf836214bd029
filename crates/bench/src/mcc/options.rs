//! The arguments of `bench mcc`.

use std::path::PathBuf;

use super::instance::Instance;

/// What is run.
#[derive(Debug)]
pub(crate) struct Options {
    /// Seconds for an instance and an examination.
    pub(crate) seconds: u64,
    pub(crate) threads: usize,
    pub(crate) examinations: Vec<String>,
    /// The engines of each run; several are compared with each other.
    pub(super) engines: Vec<String>,
    pub(super) every: usize,
    pub(super) offset: usize,
    /// Parts of names, one of which an instance must have.
    only: Vec<String>,
    /// A binary instead of the one built here.
    pub(crate) binary: Option<PathBuf>,
}

const ALL: &str = "reduce,walk,structural,bmc,ic3,search";

impl Options {
    pub(crate) fn parse(args: &[String]) -> Result<Self, String> {
        let exams = ["ReachabilityDeadlock", "ReachabilityCardinality", "ReachabilityFireability"];
        let mut options = Self {
            seconds: 60,
            threads: 2,
            examinations: exams.map(str::to_owned).into(),
            engines: vec![ALL.to_owned()],
            every: 1,
            offset: 0,
            only: Vec::new(),
            binary: None,
        };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
            match arg.as_str() {
                "--seconds" => options.seconds = number(value()?)?,
                "--threads" => options.threads = number(value()?)? as usize,
                "--every" => options.every = number(value()?)?.max(1) as usize,
                "--offset" => options.offset = number(value()?)? as usize,
                "--examination" => options.examinations = value()?.split(',').map(str::to_owned).collect(),
                "--binary" => options.binary = Some(value()?.into()),
                "--alone" => {
                    options.engines.extend(["walk", "structural", "bmc", "search"].map(|e| format!("reduce,{e}")));
                }
                "--engines" => options.engines.push(value()?.to_owned()),
                "--unreduced" => options.engines.push("walk,structural,bmc,ic3,search".to_owned()),
                flag if flag.starts_with('-') => return Err(format!("there is no {flag}")),
                part => options.only.push(part.to_owned()),
            }
        }
        Ok(options)
    }

    pub(super) fn wants(&self, instance: &Instance) -> bool {
        self.only.is_empty() || self.only.iter().any(|part| instance.name.contains(part))
    }
}

fn number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("`{text}` is not a number"))
}
