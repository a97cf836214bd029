//! `impasse check`.

use std::path::Path;

use driver::{Inquiry, Listing, NetSource, Report};
use evidence::Question;
use explain::text::Limits;
use model::{NamedProperty, Property};

use crate::args::{CheckArgs, QuestionArgs, ReportFormat};
use crate::exit::{Done, Exit, Failure};
use crate::input::Model;
use crate::picture::{self, NoPicture, PICTURE, PictureFile};
use crate::progress::Live;
use crate::render::failure;
use crate::render::report::{Detail, render};
use crate::{budget, diagnostics, output, question};

/// Answers the questions and exits with the worst answer.
pub(crate) fn run(args: &CheckArgs) -> Done {
    let (model, report) = match report(args) {
        Ok(found) => found,
        Err(failure) => {
            if args.format == ReportFormat::Json {
                output::emit(&failure::json(&failure))?;
            }
            return Err(failure);
        }
    };
    // The answer first: whatever becomes of the file, it is not lost.
    output::emit(&show(args, &report))?;
    args.trace.as_deref().map_or(Ok(()), |path| save(path, &report))?;
    args.picture.as_ref().map_or(Ok(()), |file| draw(file, &model, &report))?;
    Ok(report.results.iter().map(Exit::of).fold(Exit::Holds, Exit::worst))
}

/// Saves the first run, and each run of a list under a numbered name.
fn save(path: &Path, report: &Report) -> Result<(), Failure> {
    match report.results.iter().find_map(|r| r.trace.as_ref()) {
        Some(trace) => output::write_file(path, &trace.to_json())?,
        None => output::complain("note: there is no run to save; nothing was written"),
    }
    // Every list is of the same deadlocks.
    let listed = report.results.iter().map(|r| &r.deadlocks).find(|list| !list.is_empty());
    for (deadlock, number) in listed.into_iter().flatten().zip(1..) {
        let mut numbered = path.as_os_str().to_owned();
        numbered.push(format!(".{number}"));
        output::write_file(Path::new(&numbered), &deadlock.trace.to_json())?;
    }
    Ok(())
}

/// Draws the process of the first run.
fn draw(file: &PictureFile, model: &Model, report: &Report) -> Result<(), Failure> {
    let Some(trace) = report.results.iter().find_map(|r| r.trace.as_ref()) else {
        output::complain("note: there is no run to draw; nothing was written");
        return Ok(());
    };
    let broken = |why: &str| Failure::internal(format!("the run that was found is none: {why}"));
    let net = picture::net(model)?;
    let trace = trace.trace(&model.loaded.system).map_err(|e| broken(&e.to_string()))?;
    let run = picture::run(&net, &model.loaded.system, &trace, PICTURE);
    match run.and_then(|run| picture::process(&net, &run, PICTURE)) {
        Ok(picture) => output::write_file(&file.path, &file.language.write(&picture)),
        Err(NoPicture::Unknown(why)) => {
            output::complain(&format!("note: {why}; no picture was written"));
            Ok(())
        }
        Err(other) => Err(other.failure(broken)),
    }
}

fn report(args: &CheckArgs) -> Result<(Model, Report), Failure> {
    let model = Model::read(&args.model)?;
    warn(&model);
    let properties = questions(&args.questions, &model)?;
    if args.all && !properties.iter().any(|p| matches!(p.property, Property::DeadlockFree)) {
        output::complain("note: --all lists deadlocks, and deadlock is not asked for; --deadlock asks for it");
    }
    args.trace.as_deref().map_or(Ok(()), output::can_write)?;
    if let Some(file) = &args.picture {
        output::can_write(&file.path)?;
        picture::net(&model)?;
    }
    let mut report = answers(args, &model, &properties)?;
    keep_questions(&mut report, &asked(&args.questions));
    Ok((model, report))
}

/// Shows the front end's remarks.
pub(crate) fn warn(model: &Model) {
    let warnings = &model.loaded.warnings;
    if !warnings.is_empty() {
        output::complain(&diagnostics::render(&model.input.name, &model.input.text, warnings));
    }
}

fn answers(args: &CheckArgs, model: &Model, properties: &[NamedProperty]) -> Result<Report, Failure> {
    let set = model.set();
    let list = Listing { deadlocks: args.all, dead_code: args.dead_code };
    let threads = args.threads();
    let net = model.net.as_ref().map(|file| NetSource { net: &file.net, threads });
    let inquiry = Inquiry { system: &model.loaded.system, properties, source: &model.source, set: &set, list, net };
    let progress = Live::new(args.progress);
    let report = driver::check(&inquiry, &args.limits.engine, &budget::start(&args.limits), &progress);
    progress.clear();
    report.map_err(|contradiction| Failure::internal(contradiction.to_string()))
}

fn show(args: &CheckArgs, report: &Report) -> String {
    let detail = match (args.quiet, args.all_steps) {
        (true, _) => Detail::Verdicts,
        (false, true) => Detail::Explained(Limits::NONE),
        (false, false) => Detail::Explained(Limits::SHORT),
    };
    match args.format {
        ReportFormat::Text => render(report, detail),
        ReportFormat::Json => serde_json::to_string_pretty(report).expect("a report is always JSON") + "\n",
    }
}

/// The questions of the command line, or those of the file if there are none.
fn questions(args: &QuestionArgs, model: &Model) -> Result<Vec<NamedProperty>, Failure> {
    let mut out = Vec::new();
    for name in &args.property {
        out.push(named(name, model)?.clone());
    }
    if args.deadlock {
        out.push(question::deadlock_free());
    }
    for asked in asked(args) {
        out.push(question::read(model, &asked, &format!("--{}", asked.kind))?);
    }
    Ok(if out.is_empty() { model.loaded.properties.clone() } else { out })
}

/// The questions of the command line that are given as text.
fn asked(args: &QuestionArgs) -> Vec<Question> {
    let kinds = [("invariant", &args.invariant), ("reachable", &args.reachable), ("ltl", &args.ltl)];
    let all = kinds.iter().flat_map(|(kind, texts)| texts.iter().map(move |text| (*kind, text)));
    all.map(|(kind, text)| Question { kind: kind.to_owned(), text: text.clone() }).collect()
}

/// A saved trace must be of use without the command line that it came from.
fn keep_questions(report: &mut Report, asked: &[Question]) {
    for result in &mut report.results {
        if let Some(trace) = &mut result.trace {
            trace.question = asked.iter().find(|q| q.name() == trace.property).cloned();
        }
    }
}

fn named<'a>(name: &str, model: &'a Model) -> Result<&'a NamedProperty, Failure> {
    let properties = &model.loaded.properties;
    properties.iter().find(|p| p.name == name).ok_or_else(|| {
        let known: Vec<&str> = properties.iter().map(|p| p.name.as_str()).collect();
        Failure::input(format!("{} has no property `{name}`; it has: {}", model.input.name, known.join(", ")))
    })
}
