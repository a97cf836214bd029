//! `impasse test`: every model against what it expects of itself.

mod files;
mod outcome;
mod table;

use std::path::Path;
use std::time::Instant;

use driver::{Choice, Contradiction, Inquiry, Listing, NetSource, ReportResult};
use evidence::{Silent, Statistics};
use frontend::ExpectedSize;
use model::{NamedProperty, Property};

use crate::args::{LimitArgs, TestArgs, TestFormat};
use crate::exit::{Done, Exit, Failure};
use crate::input::{Model, Models, Patience, Refused, Wishes};
use crate::render::junit;
use crate::{budget, output};
pub(crate) use outcome::{Check, Outcome, Tested, Totals};

/// Tests all models, in the order of their paths.
pub(crate) fn run(args: &TestArgs) -> Done {
    let mut tested = Vec::new();
    let text = args.format == TestFormat::Text;
    let files = files::collect(&args.paths)?;
    let width =
        files.iter().map(|f| f.display().to_string().chars().count()).max().unwrap_or_default().max("model".len());
    if text {
        output::emit(&table::header(width))?;
    }
    for file in &files {
        let one = test(file, &args.limits)?;
        if text {
            output::emit(&table::row(&one, width))?;
        }
        tested.push(one);
        if budget::interrupted() {
            break;
        }
    }
    let totals = Totals::new(&tested, files.len());
    output::emit(&match args.format {
        TestFormat::Text => table::summary(&totals),
        TestFormat::Json => outcome::json(&tested, &totals),
        TestFormat::Junit => junit::render(&tested),
    })?;
    Ok(totals.exit())
}

/// Tests one model. Only a contradiction between engine and checker ends the whole run.
fn test(file: &Path, limits: &LimitArgs) -> Result<Tested, Failure> {
    let start = Instant::now();
    let path = file.display().to_string();
    let Models { models, refused } = match Models::read_file(file, Wishes::default(), Patience::new(limits)) {
        Ok(models) => models,
        Err(failure) => {
            let check = Check { name: "load".to_owned(), outcome: Outcome::Unreadable(failure.message) };
            let seconds = start.elapsed().as_secs_f64();
            return Ok(Tested { path, checks: vec![check], statistics: Statistics::default(), seconds });
        }
    };
    let skipped = |r: Refused| Check { name: r.name, outcome: Outcome::Skipped(format!("no engine: {}", r.why)) };
    let mut checks: Vec<Check> = refused.into_iter().map(skipped).collect();
    let mut statistics = Statistics::default();
    for mut model in models {
        let mut tester = Tester::new(&model, limits);
        let mut found = tester.checks().map_err(|c| Failure::internal(c.to_string()))?;
        while let Some(number) = tester.unforeseen {
            checks = model.widen(number)?.into_iter().map(skipped).collect();
            tester = Tester::new(&model, limits);
            found = tester.checks().map_err(|c| Failure::internal(c.to_string()))?;
        }
        checks.extend(found);
        if tester.statistics.states >= statistics.states {
            statistics = tester.statistics;
        }
    }
    Ok(Tested { path, checks, statistics, seconds: start.elapsed().as_secs_f64() })
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
    fn new(model: &'a Model, limits: &'a LimitArgs) -> Self {
        let loaded = &model.loaded;
        let decided = loaded.properties.iter().filter(|p| limits.engine.supports(&loaded.system, &p.property).is_ok());
        let open = decided.count() + usize::from(loaded.size != ExpectedSize::default());
        let (budget, statistics) = (budget::start(limits), Statistics::default());
        Self { model, limits, budget, open, statistics, unforeseen: None }
    }

    /// Everything that the model expects of itself.
    fn checks(&mut self) -> Result<Vec<Check>, Contradiction> {
        let mut checks = Vec::new();
        for property in &self.model.loaded.properties {
            checks.push(Check { name: property.name.clone(), outcome: self.property(property)? });
        }
        if self.model.loaded.size != ExpectedSize::default() {
            checks.push(Check { name: "size".to_owned(), outcome: self.size()? });
        }
        Ok(checks)
    }

    fn property(&mut self, property: &NamedProperty) -> Result<Outcome, Contradiction> {
        let engine = self.limits.engine;
        if let Err(why) = engine.supports(&self.model.loaded.system, &property.property) {
            return Ok(Outcome::Skipped(format!("no engine: {why}")));
        }
        let result = self.ask(property, engine)?;
        Ok(match (&result.expect, result.verdict) {
            (_, "unknown") => Outcome::Unknown(result.reason.unwrap_or_default()),
            (None, verdict) => Outcome::Decided(verdict.to_owned()),
            (Some(expect), verdict) if expect == verdict => Outcome::Passed,
            (Some(expect), verdict) => Outcome::Failed(format!("expected {expect}, found {verdict}")),
        })
    }

    /// Counts the whole state space and compares.
    fn size(&mut self) -> Result<Outcome, Contradiction> {
        let question =
            NamedProperty { name: "size".to_owned(), property: Property::DeadlockFree, expect: None, span: None };
        let result = self.ask(&question, Choice::exhaustive())?;
        let (expected, found) = (&self.model.loaded.size, &result.statistics);
        if found.complete != Some(true) {
            let reason = result.reason.unwrap_or_else(|| "the state space was not visited as a whole".to_owned());
            return Ok(Outcome::Unknown(reason));
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
        Ok(if wrong.is_empty() { Outcome::Passed } else { Outcome::Failed(wrong.join("; ")) })
    }

    fn ask(&mut self, property: &NamedProperty, engine: Choice) -> Result<ReportResult, Contradiction> {
        let loaded = &self.model.loaded;
        let (source, list) = (&self.model.source, Listing::default());
        let net = self.model.net.as_ref().map(|file| NetSource { net: &file.net, threads: 1 });
        let inquiry =
            Inquiry { system: &loaded.system, properties: &[], source, set: &[], list, net, network: None, threads: 1 };
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
            (self.unreadable > 0, Exit::BadInput),
            (self.failed > 0, Exit::Safety),
            (self.unknown > 0 || self.untested > 0, Exit::Unknown),
        ];
        codes.iter().find(|(some, _)| *some).map_or(Exit::Holds, |(_, exit)| *exit)
    }
}
