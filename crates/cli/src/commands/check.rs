//! `impasse check`.

use driver::{Inquiry, Report};
use explain::text::Limits;
use frontend::Diagnostic;
use frontend::native;
use model::{NamedProperty, Property};

use crate::args::{CheckArgs, QuestionArgs, ReportFormat};
use crate::exit::{Done, Exit, Failure};
use crate::input::Model;
use crate::progress::Live;
use crate::render::failure;
use crate::render::report::{Detail, render};
use crate::{budget, diagnostics, output};

/// Answers the questions and exits with the worst answer.
pub(crate) fn run(args: &CheckArgs) -> Done {
    let report = match report(args) {
        Ok(report) => report,
        Err(failure) => {
            if args.format == ReportFormat::Json {
                output::emit(&failure::json(&failure))?;
            }
            return Err(failure);
        }
    };
    // The answer first: whatever becomes of the file, it is not lost.
    output::emit(&show(args, &report))?;
    if let Some(path) = &args.trace {
        match report.results.iter().find_map(|r| r.trace.as_ref()) {
            Some(trace) => output::write_file(path, &trace.to_json())?,
            None => output::complain("note: there is no run to save; nothing was written"),
        }
    }
    Ok(report.results.iter().map(Exit::of).fold(Exit::Holds, Exit::worst))
}

fn report(args: &CheckArgs) -> Result<Report, Failure> {
    let model = Model::read(&args.model)?;
    warn(&model);
    let properties = questions(&args.questions, &model)?;
    args.trace.as_deref().map_or(Ok(()), output::can_write)?;
    answers(args, &model, &properties)
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
    let inquiry = Inquiry { system: &model.loaded.system, properties, source: &model.source, set: &set };
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
        out.push(asked("deadlock-free", Property::DeadlockFree));
    }
    let (text, settings) = (&model.input.text, &model.settings);
    let wrong = |option: &str, text: &str, ds: Vec<Diagnostic>| diagnostics::failure(option, text, &ds);
    for e in &args.invariant {
        let expr = native::predicate(text, settings, e).map_err(|ds| wrong("--invariant", e, ds))?;
        out.push(asked(&format!("invariant {e}"), Property::Invariant(expr)));
    }
    for e in &args.reachable {
        let expr = native::predicate(text, settings, e).map_err(|ds| wrong("--reachable", e, ds))?;
        out.push(asked(&format!("reachable {e}"), Property::Reachable(expr)));
    }
    for f in &args.ltl {
        let formula = native::formula(text, settings, f).map_err(|ds| wrong("--ltl", f, ds))?;
        out.push(asked(&format!("ltl {f}"), Property::Ltl(formula)));
    }
    Ok(if out.is_empty() { model.loaded.properties.clone() } else { out })
}

fn asked(name: &str, property: Property) -> NamedProperty {
    NamedProperty { name: name.to_owned(), property, expect: None, span: None }
}

fn named<'a>(name: &str, model: &'a Model) -> Result<&'a NamedProperty, Failure> {
    let properties = &model.loaded.properties;
    properties.iter().find(|p| p.name == name).ok_or_else(|| {
        let known: Vec<&str> = properties.iter().map(|p| p.name.as_str()).collect();
        Failure::input(format!("{} has no property `{name}`; it has: {}", model.input.name, known.join(", ")))
    })
}
