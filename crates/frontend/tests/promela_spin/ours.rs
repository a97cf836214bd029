//! What a program means here.

use std::path::Path;

use frontend::promela::elaborate::{NoSystem, Patience, Reading};
use frontend::promela::{Options, reading};
use frontend::{Diagnostic, Loaded};

use model::{Claim, Expr, Ltl, Property, Strength, Temporal};
use testkit::naive::temporal::refutation;
use testkit::naive::{Naive, explore};
use testkit::spin::Goal;

use crate::walk::{Walk, ends, walk};

/// What is compared with SPIN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ours {
    /// All states, as if no assertion failed: SPIN goes on after an assertion.
    pub(crate) states: u64,
    /// Whether an invalid end state can be reached, behind a failed assertion too.
    pub(crate) invalid_end: bool,
    /// Whether an assertion can fail.
    pub(crate) assertion: bool,
    /// Whether the `trace` or `notrace` assertion is violated.
    pub(crate) trace: bool,
    /// Any other model error.
    pub(crate) other: Option<String>,
}

/// Walks through all states of a program, if there are no more than so many. Merged steps make states disappear in which
/// somebody has control, and nothing else.
pub(crate) fn look(text: &str, limit: usize) -> Result<Ours, String> {
    let ways = [false, true].map(|merge| look_beside(text, Path::new("."), merge, limit));
    let [Ok(plain), Ok(merged)] = &ways else { return ways.into_iter().find(Result::is_err).expect("one of them is") };
    let same = if plain.other.is_some() { merged.other.is_some() } else { plain == merged };
    if !same {
        return Err(format!("statements in one step: {merged:?}, and one by one: {plain:?}"));
    }
    Ok(plain.clone())
}

/// The same for a text that includes files of a folder.
pub(crate) fn look_beside(text: &str, folder: &Path, merge: bool, limit: usize) -> Result<Ours, String> {
    let checking = Options { merge, ..Options::default() };
    let ignoring = Options { ignore_assertions: true, ..checking.clone() };
    let (ignoring, checking) = (explored(text, folder, &ignoring, limit)?, explored(text, folder, &checking, limit)?);
    let Walk { states, invalid_end, broken: trace, other, .. } = ignoring;
    Ok(Ours { states, invalid_end, assertion: checking.assertion, trace, other })
}

/// The walk through a program whose processes are all foreseen.
pub(crate) fn explored(text: &str, folder: &Path, options: &Options, limit: usize) -> Result<Walk, String> {
    let mut reading = read(text, folder, options)?;
    loop {
        let loaded = reading.loaded();
        let found = walk(&loaded.system, &trace(loaded), limit);
        match found.unforeseen {
            Some(number) => reading = reading.widen(number).map_err(|none| why(&none))?,
            None if found.complete => return Ok(found),
            None => return Err(format!("more than {limit} states")),
        }
    }
}

/// What a `trace` or `notrace` says of states.
fn trace(loaded: &Loaded) -> Expr {
    let trace = loaded.properties.iter().find(|p| p.name == "trace" || p.name == "notrace");
    match trace.map(|p| &p.property) {
        Some(Property::Invariant(condition)) => condition.clone(),
        Some(other) => panic!("not about states: {other:?}"),
        None => Expr::TRUE,
    }
}

/// Whether the first claim of a program can come to its end, whatever assertions say.
pub(crate) fn claim_ends(text: &str, limit: usize) -> Result<bool, String> {
    let options = Options { ignore_assertions: true, ..Options::default() };
    let mut reading = read(text, Path::new("."), &options)?;
    while let Some(number) = walk(&reading.loaded().system, &Expr::TRUE, limit).unforeseen {
        reading = reading.widen(number).map_err(|none| why(&none))?;
    }
    let loaded = reading.loaded();
    let claim = loaded.properties.iter().find_map(|p| match &p.property {
        Property::Temporal(Temporal { claim: Claim::Never(claim), .. }) => Some(claim),
        _ => None,
    });
    match claim {
        Some(claim) => ends(&loaded.system, claim, limit).ok_or(format!("more than {limit} states")),
        None => Err(format!("the claim is not checked: {}", shown(&loaded.warnings))),
    }
}

/// Whether a claim about runs is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Broken {
    /// By some run that counts.
    pub(crate) by_any: bool,
    /// By one that does not end.
    pub(crate) by_endless: bool,
}

impl Broken {
    /// What SPIN may say: non-progress is endless, and with fairness SPIN misses some ends of runs.
    pub(crate) fn expected(self, fair: bool, goal: Goal) -> Vec<bool> {
        match (goal, fair) {
            (Goal::Acceptance, false) => vec![self.by_any],
            (Goal::Acceptance, true) => vec![self.by_any, self.by_endless],
            _ => vec![self.by_endless],
        }
    }
}

/// Whether a run, or a run that is weakly fair to every process, breaks the property of this name, whatever assertions say.
pub(crate) fn breaks(text: &str, property: &str, fair: bool, limit: usize) -> Result<Broken, String> {
    let fairness = fair.then_some(Strength::Weak);
    let options = Options { ignore_assertions: true, fairness, ..Options::default() };
    let mut reading = read(text, Path::new("."), &options)?;
    let walked = loop {
        let walked = walk(&reading.loaded().system, &Expr::TRUE, limit);
        let Some(number) = walked.unforeseen else { break walked };
        reading = reading.widen(number).map_err(|none| why(&none))?;
    };
    if walked.assertion || walked.other.is_some() {
        return Err("there are model errors".to_owned());
    }
    let loaded = reading.loaded();
    let asked = loaded.properties.iter().find(|p| p.name == property);
    let asked = asked.ok_or_else(|| format!("`{property}` is not asked: {}", shown(&loaded.warnings)))?;
    let mut temporal = match &asked.property {
        Property::Temporal(temporal) => temporal.clone(),
        Property::Invariant(e) => Temporal::formula(Ltl::Always(Box::new(Ltl::state(e.clone())))),
        other => return Err(format!("`{property}` is {other:?}")),
    };
    let naive = Naive::new(&loaded.system);
    let graph = explore(&naive, limit).ok_or_else(|| format!("more than {limit} states"))?;
    let mut broken = |finite| {
        temporal.finite = finite;
        refutation(&naive, &graph, &temporal).is_some()
    };
    Ok(Broken { by_any: broken(true), by_endless: broken(false) })
}

/// Reads a program.
pub(crate) fn read(text: &str, folder: &Path, options: &Options) -> Result<Reading, String> {
    let reader = |name: &str| std::fs::read_to_string(folder.join(name)).map_err(|e| e.to_string());
    reading("model", text, &reader, options, Patience::default()).map_err(|none| why(&none))
}

fn why(none: &NoSystem) -> String {
    match none {
        NoSystem::Mistakes(mistakes) => shown(mistakes),
        NoSystem::GivenUp { processes } => format!("given up at {processes} processes"),
    }
}

fn shown(diagnostics: &[Diagnostic]) -> String {
    let one = |d: &Diagnostic| format!("{} ({:?}) at {:?}", d.message, d.label, d.span);
    diagnostics.iter().map(one).collect::<Vec<_>>().join("; ")
}
