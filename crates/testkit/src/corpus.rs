//! Every engine with every switch on all models of a folder.
//!
//! Reading a model is left to the caller, so that this crate knows no language:
//!
//! ```text
//! let load = |path: &Path| -> Result<Case, String> { /* front end: text -> system, properties, size */ };
//! let breadth = |s: &System, p: &Property| Explore::default().run(&Problem { system: s, property: p }, ...);
//! let contestants = [Contestant { name: "explore".into(), demand: Demand { shortest: true, complete: true }, run: &breadth }];
//! let cases = corpus::cases(Path::new("corpus"), "imp", load).expect("the corpus can be read");
//! corpus::run(&cases, &contestants, 100_000).assert_clean();
//! ```

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use evidence::{Outcome, Reason, Verdict};
use model::{Expectation, NamedProperty, Property, System};

use crate::compare::{Demand, Oracle};

/// A model with what its author expects.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its name in messages.
    pub name: String,
    /// The system.
    pub system: System,
    /// The questions, with the expected answers.
    pub properties: Vec<NamedProperty>,
    /// The expected size of the state space.
    pub size: Size,
}

/// The size of a state space, as far as it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Reachable states.
    pub states: Option<u64>,
    /// Transitions between them.
    pub transitions: Option<u64>,
    /// Deadlocks among them.
    pub deadlocks: Option<u64>,
}

/// An engine with its switches set.
pub struct Contestant<'a> {
    /// Its name in messages, switches included.
    pub name: String,
    /// What it promises besides the right verdict.
    pub demand: Demand,
    /// Answers a question, with no limit.
    pub run: &'a dyn Fn(&System, &Property) -> Outcome,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Questions answered.
    pub runs: usize,
    /// Answers that were held against the oracle; the other state spaces are too large for it.
    pub compared: usize,
    /// Questions that an engine declined, with its reason.
    pub declined: Vec<String>,
    /// What was wrong.
    pub failures: Vec<String>,
}

impl Report {
    /// Fails with everything that was wrong.
    pub fn assert_clean(&self) {
        assert!(self.failures.is_empty(), "{} failures:\n{}", self.failures.len(), self.failures.join("\n"));
    }
}

/// Reads all models below a folder, in the order of their paths.
pub fn cases<L>(folder: &Path, extension: &str, load: L) -> Result<Vec<Case>, String>
where
    L: Fn(&Path) -> Result<Case, String>,
{
    let mut paths = Vec::new();
    collect(folder, &mut paths).map_err(|e| format!("{}: {e}", folder.display()))?;
    paths.retain(|p| p.extension().is_some_and(|e| e == extension));
    paths.sort();
    paths.iter().map(|p| load(p).map_err(|e| format!("{}: {e}", p.display()))).collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { collect(&path, paths)? } else { paths.push(path) }
    }
    Ok(())
}

/// Asks every contestant every question; the oracle joins in on state spaces of up to `limit` states.
pub fn run(cases: &[Case], contestants: &[Contestant<'_>], limit: usize) -> Report {
    let mut report = Report::default();
    for case in cases {
        for property in &case.properties {
            question(case, property, contestants, limit, &mut report);
        }
    }
    report
}

fn question(case: &Case, asked: &NamedProperty, contestants: &[Contestant<'_>], limit: usize, report: &mut Report) {
    let oracle = match &asked.property {
        Property::Temporal(_) => None,
        property => Oracle::new(&case.system, property, limit),
    };
    let place = format!("{}, {}", case.name, asked.name);
    if let (Some(oracle), Some(expect)) = (&oracle, asked.expect)
        && oracle.answer().holds(&asked.property) != (expect == Expectation::Holds)
    {
        report.failures.push(format!("{place}: the author expects `{expect}`, the oracle does not"));
    }
    for contestant in contestants {
        let outcome = (contestant.run)(&case.system, &asked.property);
        let place = format!("{place}, {}", contestant.name);
        if let Verdict::Unknown(Reason::Unsupported(why)) = &outcome.verdict {
            report.declined.push(format!("{place}: {why}"));
            continue;
        }
        report.runs += 1;
        report.compared += usize::from(oracle.is_some());
        let compared = oracle.as_ref().map_or(Ok(()), |o| o.check(&outcome, contestant.demand));
        let all = [compared, expectation(asked, &outcome), size(case, asked, &outcome)];
        report.failures.extend(all.into_iter().filter_map(Result::err).map(|e| format!("{place}: {e}")));
    }
}

fn expectation(asked: &NamedProperty, outcome: &Outcome) -> Result<(), String> {
    match asked.expect {
        Some(expect) if expect.to_string() != outcome.verdict.word() => {
            Err(format!("{} instead of {expect}", outcome.verdict.word()))
        }
        _ => Ok(()),
    }
}

/// The figures of a complete search are the author's. An observer changes them.
fn size(case: &Case, asked: &NamedProperty, outcome: &Outcome) -> Result<(), String> {
    let found = &outcome.statistics;
    if found.complete != Some(true) || matches!(asked.property, Property::Safety(_)) {
        return Ok(());
    }
    let differ = |expected: Option<u64>, found: Option<u64>| expected.is_some() && expected != found;
    let (size, wrong) = (case.size, "the size of the state space is not as expected");
    let differs = differ(size.states, found.states)
        || differ(size.transitions, found.transitions)
        || differ(size.deadlocks, found.deadlocks);
    if differs { Err(format!("{wrong}: {size:?}, {found:?}")) } else { Ok(()) }
}

impl std::fmt::Debug for Contestant<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Contestant").field("name", &self.name).field("demand", &self.demand).finish_non_exhaustive()
    }
}
