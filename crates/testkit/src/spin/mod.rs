//! SPIN, where it is installed: `spin -a`, a C compiler, `pan`. A peer for measurements and a second opinion for tests.
//!
//! A model is built once ([`Spin::build`]) and searched as often as wanted ([`Pan::search`]). Every search goes on after
//! errors (`-c0`), so that one of them tells all kinds of errors and the size of the whole state space.

mod command;
mod report;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use command::{Ran, run};
pub use report::Search;

/// How to get SPIN where it is missing.
pub const INSTALL: &str = "SPIN or gcc is not here (on Debian: apt-get install spin gcc)";

/// How a model is turned into a verifier, and what the verifier may use.
#[derive(Clone, Debug)]
pub struct Spin {
    /// Partial-order reduction.
    pub reduction: bool,
    /// Data-flow optimisation, dead variables and statement merging: without them (`-o1 -o2 -o3`), states are what the
    /// manual says they are.
    pub optimisations: bool,
    /// What is looked for.
    pub goal: Goal,
    /// How the verifier is compiled.
    pub compiler: Compiler,
    /// The most steps of a path.
    pub depth: u64,
    /// The binary logarithm of the size of the hash table.
    pub table: u32,
    /// The longest that one search may take.
    pub time: Duration,
    /// The most memory that one search may take.
    pub megabytes: u64,
}

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Errors in states; claims and formulas take no part.
    Errors,
    /// The end of a `never` claim, besides.
    Ends,
    /// Acceptance cycles (`-a`), of claims, formulas and processes.
    Acceptance,
    /// Non-progress cycles (`-l`).
    NonProgress,
}

/// What is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compiler {
    /// A search of many states: `gcc -O2`.
    Speed,
    /// A small search, soon: `tcc` where it is, or gcc without optimisation.
    Haste,
}

impl Default for Spin {
    /// For tests: small state spaces, nothing reduced.
    fn default() -> Self {
        Self {
            reduction: false,
            optimisations: false,
            goal: Goal::Errors,
            compiler: Compiler::Haste,
            depth: 200_000,
            table: 16,
            time: Duration::from_secs(20),
            megabytes: 1024,
        }
    }
}

/// Why there is no verifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// SPIN, or the compiler after it, does not accept the model, and says why.
    Model(String),
    /// The tools do not work.
    Tools(String),
}

/// A verifier, in a folder of its own that goes with it.
#[derive(Debug)]
pub struct Pan {
    folder: Folder,
    options: Spin,
    /// What it took to build it.
    pub seconds: f64,
}

impl Spin {
    /// Whether SPIN and the compiler that it needs can be run.
    pub fn is_here() -> bool {
        starts("spin", "-V") && starts("gcc", "--version")
    }

    /// Builds the verifier of a file, whose includes are found beside it.
    pub fn build(&self, model: &Path) -> Result<Pan, Refusal> {
        let model = fs::canonicalize(model).map_err(|e| Refusal::Tools(format!("{}: {e}", model.display())))?;
        let folder = Folder::new().map_err(Refusal::Tools)?;
        self.build_in(folder, &model)
    }

    /// Builds the verifier of a text.
    pub fn build_text(&self, text: &str) -> Result<Pan, Refusal> {
        let folder = Folder::new().map_err(Refusal::Tools)?;
        let model = folder.0.join("model.pml");
        fs::write(&model, text).map_err(|e| Refusal::Tools(e.to_string()))?;
        self.build_in(folder, &model)
    }

    fn build_in(&self, folder: Folder, model: &Path) -> Result<Pan, Refusal> {
        let model = model.to_string_lossy();
        let mut args = if self.optimisations { vec![] } else { vec!["-o1", "-o2", "-o3"] };
        args.extend(["-a", &*model]);
        let generated = self.step("spin", &args, &folder)?;
        let verifier = folder.0.join("pan.c");
        if generated.code != Some(0) || !verifier.exists() {
            return Err(Refusal::Model(generated.output));
        }
        let (program, flags) = self.compile();
        let args: Vec<&str> = flags.iter().map(String::as_str).collect();
        let compiled = self.step(program, &args, &folder)?;
        if compiled.code != Some(0) {
            return Err(Refusal::Model(compiled.output));
        }
        Ok(Pan { folder, options: self.clone(), seconds: generated.seconds + compiled.seconds })
    }

    fn compile(&self) -> (&'static str, Vec<String>) {
        // Without a word, gcc takes it for granted that no sum is too large for an `int`.
        let (program, level): (_, &[&str]) = match self.compiler {
            Compiler::Speed => ("gcc", &["-O2", "-fwrapv"]),
            Compiler::Haste if starts("tcc", "-v") => ("tcc", &["-O0"]),
            Compiler::Haste => ("gcc", &["-O0", "-fwrapv"]),
        };
        let reduce = if self.reduction { "-DREDUCE" } else { "-DNOREDUCE" };
        let memory = format!("-DMEMLIM={}", self.megabytes);
        let fixed = ["-w", reduce, &memory];
        let mut flags: Vec<String> = level.iter().chain(&fixed).map(|flag| (*flag).to_owned()).collect();
        let goal: &[&str] = match self.goal {
            Goal::Errors => &["-DSAFETY", "-DNOCLAIM"],
            Goal::Ends => &["-DSAFETY"],
            Goal::Acceptance => &["-DNFAIR=8"],
            Goal::NonProgress => &["-DNP", "-DNOCLAIM", "-DNFAIR=8"],
        };
        flags.extend(goal.iter().map(|flag| (*flag).to_owned()));
        flags.extend(["-o", "pan", "pan.c"].map(str::to_owned));
        (program, flags)
    }

    fn step(&self, program: &str, args: &[&str], folder: &Folder) -> Result<Ran, Refusal> {
        run(Path::new(program), args, &folder.0, BUILDING).map_err(Refusal::Tools)
    }
}

/// The longest that it may take to build a verifier.
const BUILDING: Duration = Duration::from_secs(300);

fn starts(program: &str, question: &str) -> bool {
    run(Path::new(program), &[question], Path::new("."), BUILDING).is_ok_and(|ran| ran.code.is_some())
}

impl Pan {
    /// Searches the whole state space; more switches of `pan` may follow, such as `-E` or `-A`.
    pub fn search(&self, switches: &[&str]) -> Result<Search, String> {
        let (depth, table) = (format!("-m{}", self.options.depth), format!("-w{}", self.options.table));
        let mut args = vec!["-c0", "-n", &*depth, &*table];
        args.extend(match self.options.goal {
            Goal::Errors | Goal::Ends => None,
            Goal::Acceptance => Some("-a"),
            Goal::NonProgress => Some("-l"),
        });
        args.extend(switches);
        let ran = run(&self.folder.0.join("pan"), &args, &self.folder.0, self.options.time)?;
        Ok(Search::read(&ran.output, ran.seconds, ran.code.is_none()))
    }
}

/// A folder that is removed in the end.
#[derive(Debug)]
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self, String> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let name = format!("impasse-spin-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Nothing depends on it: the system clears its folder for temporary files.
        drop(fs::remove_dir_all(&self.0));
    }
}
