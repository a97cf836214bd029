//! `impasse test`: every model against what it expects of itself.

mod files;
mod outcome;
mod table;

use std::path::{Path, PathBuf};
use std::time::Instant;

use driver::{Choice, Contradiction, Inquiry, NetSource, ReportResult};
use evidence::{Silent, Statistics};
use formats::Case;
use formats::html::Document;
use frontend::ExpectedSize;
use model::{NamedProperty, Property};

use crate::args::{Format, LimitArgs, TestArgs};
use crate::deliver::{Results, can_deliver, deliver, deliver_failure};
use crate::exit::{Done, Exit, Failure};
use crate::input::{Model, Models, Patience, Refused, Wishes};
use crate::{budget, output, panics};
use outcome::{Check, Outcome, Tested, Totals};

/// The version of the JSON that is written.
const SCHEMA: &str = "impasse-test-1";

/// Tests all models, in the order of their paths.
pub(crate) fn run(args: &TestArgs) -> Done {
    let found = can_deliver(&args.output).and_then(|()| files::collect(&args.paths));
    let tested = found.and_then(|files| Ok((test_all(args, &files, |file| test(file, &args.limits))?, files.len())));
    let (tested, models) = match tested {
        Ok(tested) => tested,
        Err(failure) => {
            let file = args.paths.first().map(|p| p.display().to_string()).unwrap_or_default();
            deliver_failure(&args.output, SCHEMA, &file, &failure)?;
            return Err(failure);
        }
    };
    let totals = Totals::new(&tested, models);
    let cases: Vec<Case> = tested.iter().flat_map(|t| t.cases.iter().cloned()).collect();
    let times = args.output.times();
    let (summary, exit) = (|| table::summary(&totals), totals.exit());
    let json = || outcome::json(&tested, &totals, times);
    let page = || Document { title: "Models as expected?".to_owned(), ..Document::default() };
    deliver(&args.output, &Results { text: &summary, json: &json, log: &summary, cases: &cases, page: &page, exit })?;
    Ok(exit)
}

/// Tests the models one by one; people see each when it is done. That this program is at fault with one of them keeps nobody
/// from testing the others.
fn test_all(
    args: &TestArgs,
    files: &[PathBuf],
    test: impl Fn(&Path) -> Result<Tested, Failure>,
) -> Result<Vec<Tested>, Failure> {
    let names = files.iter().map(|f| f.display().to_string().chars().count());
    let width = names.max().unwrap_or_default().max("model".len());
    let show = |line: String| if args.output.format == Format::Text { output::emit(&line) } else { Ok(()) };
    let times = args.output.times();
    show(table::header(width, times))?;
    let mut tested = Vec::new();
    for file in files {
        let one = match panics::contained(|| test(file)) {
            Err(failure) if failure.exit == Exit::Internal => {
                output::complain(&failure.message);
                Tested::broken(file.display().to_string(), &failure)
            }
            tested => tested?,
        };
        show(table::row(&one, width, times))?;
        tested.push(one);
        if budget::interrupted() {
            break;
        }
    }
    Ok(tested)
}

/// Tests one model.
fn test(file: &Path, limits: &LimitArgs) -> Result<Tested, Failure> {
    let start = Instant::now();
    let path = file.display().to_string();
    let (file, patience) = (file.to_owned(), Patience::new(limits));
    let read = move || Models::read_file(&file, Wishes::default(), patience);
    let Models { models, refused } = match budget::in_time(&budget::start(limits), budget::READING, read) {
        Ok(models) => models,
        Err(failure) => {
            let mut tested = Tested { cases: failure.cases(&path), ..Tested::new(path) };
            let outcome = match failure.exit {
                Exit::Unknown => Outcome::Unknown(failure.summary),
                _ => Outcome::Unreadable(failure.message),
            };
            tested.checks.push(Check { name: "load".to_owned(), outcome });
            return Ok(Tested { seconds: start.elapsed().as_secs_f64(), ..tested });
        }
    };
    let source = models.first().map(|m| m.source.clone());
    let leave = |tested: &mut Tested, refused: Vec<Refused>| {
        for r in refused {
            let place = source.as_ref().map(|s| s.place(r.span));
            let result = ReportResult { source: place, ..ReportResult::undecided(r.name, r.kind, r.why.clone()) };
            tested.add(result, Outcome::Unknown(format!("no engine: {}", r.why)));
        }
    };
    let mut tested = Tested::new(path.clone());
    leave(&mut tested, refused);
    for mut model in models {
        let budget = budget::start(limits);
        let all = |model: &Model| {
            let mut tester = Tester::new(model, limits, &budget);
            let found = tester.checks().map_err(|c| Failure::internal(c.to_string()))?;
            Ok((found, tester.statistics, tester.unforeseen))
        };
        let (mut found, mut statistics, mut unforeseen) = all(&model)?;
        while let Some(number) = unforeseen {
            // What was not answered in time stays so.
            let Ok(refused) = model.widen(number)? else { break };
            tested = Tested::new(path.clone());
            leave(&mut tested, refused);
            (found, statistics, unforeseen) = all(&model)?;
        }
        found.into_iter().for_each(|(result, outcome)| tested.add(result, outcome));
        if statistics.states >= tested.statistics.states {
            tested.statistics = statistics;
        }
    }
    Ok(Tested { seconds: start.elapsed().as_secs_f64(), ..tested })
}

struct Tester<'a> {
    model: &'a Model,
    limits: &'a LimitArgs,
    /// For the whole model, and how many searches still have to share it.
    budget: evidence::Budget,
    open: usize,
    /// Of the search that covered the most.
    statistics: Statistics,
    /// What a search met that was not foreseen when the model was read.
    unforeseen: Option<u32>,
}

impl<'a> Tester<'a> {
    fn new(model: &'a Model, limits: &'a LimitArgs, budget: &evidence::Budget) -> Self {
        let loaded = &model.loaded;
        let decided = loaded.properties.iter().filter(|p| limits.engine.supports(&loaded.system, &p.property).is_ok());
        let open = decided.count() + usize::from(loaded.size != ExpectedSize::default());
        let (budget, statistics) = (budget.clone(), Statistics::default());
        Self { model, limits, budget, open, statistics, unforeseen: None }
    }

    /// Everything that the model expects of itself.
    fn checks(&mut self) -> Result<Vec<(ReportResult, Outcome)>, Contradiction> {
        let mut checks = Vec::new();
        for property in &self.model.loaded.properties {
            checks.push(self.property(property)?);
        }
        if self.model.loaded.size != ExpectedSize::default() {
            checks.push(self.size()?);
        }
        Ok(checks)
    }

    fn property(&mut self, property: &NamedProperty) -> Result<(ReportResult, Outcome), Contradiction> {
        let engine = self.limits.engine;
        if let Err(why) = engine.supports(&self.model.loaded.system, &property.property) {
            let kind = property.property.keyword();
            let source = property.span.map(|span| self.model.source.place(span));
            let result = ReportResult::undecided(property.name.clone(), kind, why.clone());
            return Ok((ReportResult { source, ..result }, Outcome::Unknown(format!("no engine: {why}"))));
        }
        let result = self.ask(property, engine)?;
        let outcome = match (&result.expect, result.verdict) {
            (_, "unknown") => Outcome::Unknown(result.reason.clone().unwrap_or_default()),
            (None, verdict) => Outcome::Decided(verdict.to_owned()),
            (Some(expect), verdict) if expect == verdict => Outcome::Passed,
            (Some(expect), verdict) => Outcome::Failed(format!("expected {expect}, found {verdict}")),
        };
        Ok((result, outcome))
    }

    /// Counts the whole state space and compares.
    fn size(&mut self) -> Result<(ReportResult, Outcome), Contradiction> {
        let question =
            NamedProperty { name: "size".to_owned(), property: Property::DeadlockFree, expect: None, span: None };
        let result = self.ask(&question, Choice::exhaustive())?;
        let outcome = self.compared(&result);
        // That there is a deadlock is no news here.
        let reason = result.reason.unwrap_or_default();
        let undecided = ReportResult::undecided("size".to_owned(), "size", reason);
        Ok((ReportResult { statistics: result.statistics, engine: result.engine, ..undecided }, outcome))
    }

    fn compared(&self, result: &ReportResult) -> Outcome {
        let (expected, found) = (&self.model.loaded.size, &result.statistics);
        if found.complete != Some(true) {
            let reason = result.reason.clone();
            return Outcome::Unknown(reason.unwrap_or_else(|| "the state space was not visited as a whole".to_owned()));
        }
        let pairs = [
            ("states", expected.states, found.states),
            ("transitions", expected.transitions, found.transitions),
            ("deadlocks", expected.deadlocks, found.deadlocks),
        ];
        let wrong: Vec<String> = pairs
            .iter()
            .filter(|(_, expected, found)| expected.is_some() && expected != found)
            .map(|(what, e, f)| format!("expected {} {what}, found {}", e.unwrap_or_default(), f.unwrap_or_default()))
            .collect();
        if wrong.is_empty() { Outcome::Passed } else { Outcome::Failed(wrong.join("; ")) }
    }

    fn ask(&mut self, property: &NamedProperty, engine: Choice) -> Result<ReportResult, Contradiction> {
        let loaded = &self.model.loaded;
        let net = self.model.net.as_ref().map(|file| NetSource { net: &file.net, threads: 1 });
        let known = self.model.known_error();
        let known_error = known.as_ref();
        let inquiry = Inquiry { net, known_error, ..Inquiry::new(&loaded.system, &[], &self.model.source) };
        let budget = self.budget.share(self.open);
        self.open = self.open.saturating_sub(1);
        let result = driver::answer(&inquiry, property, &*engine.engine(), &budget, &Silent)?;
        self.unforeseen = self.unforeseen.or(result.unforeseen);
        // An observer's states are not the model's.
        let own = !matches!(property.property, Property::Safety(_));
        if own && result.statistics.states > self.statistics.states {
            self.statistics = result.statistics;
        }
        Ok(result)
    }
}

impl Totals {
    /// The code of the whole run.
    fn exit(&self) -> Exit {
        let codes = [
            (self.broken > 0, Exit::Internal),
            (self.unreadable > 0, Exit::BadInput),
            (self.failed > 0, Exit::Safety),
            (self.unknown > 0 || self.untested > 0, Exit::Unknown),
        ];
        codes.iter().find(|(some, _)| *some).map_or(Exit::Holds, |(_, exit)| *exit)
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    /// After a model with which this program is at fault the others are tested, and everything is counted.
    #[test]
    fn a_planted_panic_ends_no_other_test() {
        let args = crate::args::Cli::parse_from(["impasse", "test", "models", "--format", "json"]);
        let crate::args::Command::Test(args) = args.command else { panic!("these are tests") };
        let files = ["a.imp", "b.imp", "c.imp", "d.imp"].map(PathBuf::from);
        let tested = test_all(&args, &files, |file| match file.to_str() {
            Some("b.imp") => panic!("planted"),
            Some("c.imp") => Err(Failure::internal("a contradiction")),
            _ => Ok(Tested::new(file.display().to_string())),
        });
        let tested = tested.expect("it goes on");
        let broken: Vec<bool> = tested.iter().map(|t| !t.checks.is_empty()).collect();
        assert_eq!(broken, [false, true, true, false]);
        let totals = Totals::new(&tested, files.len());
        assert_eq!((totals.broken, totals.untested, totals.exit()), (2, 0, Exit::Internal));
        let cases: Vec<Case> = tested.into_iter().flat_map(|t| t.cases).collect();
        assert!(cases.iter().all(|case| case.outcome == formats::Outcome::Unusable) && cases.len() == 2);
    }

    #[test]
    fn what_is_not_decided_is_no_success() {
        let totals = |outcome| {
            let checks = vec![Check { name: String::new(), outcome }];
            Totals::new(&[Tested { checks, ..Tested::new(String::new()) }], 1)
        };
        let why = || "why".to_owned();
        assert_eq!(totals(Outcome::Passed).exit(), Exit::Holds);
        assert_eq!(totals(Outcome::Decided("violated".to_owned())).exit(), Exit::Holds);
        assert_eq!(totals(Outcome::Unknown(why())).exit(), Exit::Unknown);
        assert_eq!(totals(Outcome::Failed(why())).exit(), Exit::Safety);
        assert_eq!(totals(Outcome::Unreadable(why())).exit(), Exit::BadInput);
    }
}
