//! What workers do, as the commands do it, with data in the place of printing.

use driver::{ModelInfo, ReportResult};
use evidence::TraceFile;
use explain::text::{self, Limits};
use explain::{Step, operations};
use formats::Times;
use formats::text::{Detail, render, why};
use formats::waiting::Waiting;
use model::TransitionId;
use serde_json::{Value, json};

use super::{Task, outline, view};
use crate::args::{CheckArgs, Command, InfoArgs, SimulateArgs};
use crate::commands::check::Judged;
use crate::commands::simulate::replay::told;
use crate::commands::simulate::stepper::{Choice, Stepper};
use crate::commands::{check, info};
use crate::diagnostics::Mistake;
use crate::exit::Failure;
use crate::input::Model;
use crate::saved::Saved;

/// So many transitions are listed.
const LISTED: usize = 200;

/// Does a task with the arguments of a command.
pub(super) fn perform(task: Task, command: Command) -> Result<Value, Failure> {
    match (task, command) {
        (Task::Check, Command::Check(args)) => check(&args),
        (Task::Explain(run), Command::Simulate(args)) => explain(&args, *run),
        (Task::Simulate(choices), Command::Simulate(args)) => simulate(&args, &choices),
        (Task::Info, Command::Info(args)) => info(&args),
        (Task::Outline, Command::Info(args)) => Ok(json!(outline::of(&args.model))),
        (Task::Judge { certificates }, Command::Check(args)) => judge(*args, certificates),
        (Task::Look, Command::Info(args)) => view::look(&args.model),
        (Task::Step { run, filter }, Command::Info(args)) => view::step(&args.model, &run, &filter),
        (Task::Space(run), Command::Info(args)) => view::space(&args.model, &run),
        (Task::Prefix(run), Command::Info(args)) => view::prefix(&args.model, run.as_deref()),
        _ => Err(Failure::usage("the task is not one of the command".to_owned())),
    }
}

fn check(args: &CheckArgs) -> Result<Value, Failure> {
    let (report, worst) = check::report(args)?;
    let text = render(&report, Detail::Explained(Limits::SHORT), Times::Shown);
    Ok(json!({ "report": report, "outcome": worst.meaning(), "exit_code": worst as u8, "text": text }))
}

fn judge(mut args: CheckArgs, certificates: bool) -> Result<Value, Failure> {
    args.certified = certificates;
    let Judged { report, worst, html, charts, certificate } = check::judge(&args)?;
    let told = |result: &ReportResult, chart: &Option<String>| {
        let deadlock = result.explanation.as_ref().and_then(|e| e.conclusion.deadlock());
        let waiting = deadlock.and_then(|deadlock| Waiting::new(&report.model.name, deadlock)).map(|w| w.svg());
        let text = result.explanation.as_ref().map(|e| text::explanation(e, Limits::SHORT));
        json!({ "why": why(result), "text": text, "chart": chart, "waiting": waiting })
    };
    let told: Vec<Value> = report.results.iter().zip(&charts).map(|(result, chart)| told(result, chart)).collect();
    let text = render(&report, Detail::Explained(Limits::SHORT), Times::Shown);
    Ok(json!({
        "report": report, "told": told, "text": text, "html": html, "certificate": certificate,
        "outcome": worst.meaning(), "exit_code": worst as u8,
    }))
}

fn explain(args: &SimulateArgs, run: TraceFile) -> Result<Value, Failure> {
    let property = run.property.clone();
    let told = told(&args.model, &Saved::new("the run", run))?;
    Ok(json!({ "property": property, "explanation": told.explanation, "text": told.text }))
}

fn info(args: &InfoArgs) -> Result<Value, Failure> {
    let model = Model::read(&args.model)?;
    let property = |p: &model::NamedProperty| {
        let line = p.span.map(|span| model.source.place(span).line);
        json!({ "name": p.name, "kind": p.property.keyword(), "line": line, "expect": p.expect.map(|e| e.to_string()) })
    };
    let properties: Vec<Value> = model.loaded.properties.iter().map(property).collect();
    let input = &model.input;
    let warnings: Vec<Mistake> =
        model.loaded.warnings.iter().map(|d| Mistake::new(&input.name, &input.text, d)).collect();
    let figures = ModelInfo::new(&model.loaded.system, &input.name, &model.set());
    Ok(json!({ "model": figures, "properties": properties, "warnings": warnings, "text": info::text(&model) }))
}

fn simulate(args: &SimulateArgs, choices: &[Value]) -> Result<Value, Failure> {
    let model = Model::read(&args.model)?;
    let system = &model.loaded.system;
    let mut stepper = Stepper::new(system);
    let mut taken: Vec<Step> = Vec::new();
    for (choice, number) in choices.iter().zip(1..) {
        let wrong = |why: String| Failure::input(format!("step {number}: {why}"));
        let t = chosen(&stepper, &model, choice).map_err(wrong)?;
        let step = stepper.fire(t, &model.source);
        taken.push(step.map_err(|fault| wrong(format!("model error: {}", fault.show(system))))?);
    }
    let transition = |t: TransitionId| {
        let source = model.source.places(&system.transition(t).spans);
        json!({ "transition": system.transition(t).name, "operations": operations(system, system.transition(t)), "source": source })
    };
    let enabled = stepper.choices();
    let listed = enabled.iter().take(LISTED).zip(1..).map(|(choice, number)| {
        let (Choice::Step(t) | Choice::Fault(t, _)) = choice;
        let mut value = transition(*t);
        value["number"] = json!(number);
        if let Choice::Fault(_, why) = choice {
            value["model_error"] = json!(why);
        }
        value
    });
    let mut text = [stepper.show_state(), stepper.show_choices()].concat();
    let disabled = stepper.disabled().take(LISTED).map(|(t, reasons)| {
        text.push_str(&format!("  disabled: {}: {}\n", system.transition(t).name, reasons.join("; ")));
        let mut value = transition(t);
        value["reasons"] = json!(reasons);
        value
    });
    let disabled: Vec<Value> = disabled.collect();
    Ok(json!({
        "taken": taken,
        "state": state(&stepper, &model),
        "enabled": listed.collect::<Vec<_>>(),
        "enabled_count": enabled.len(),
        "disabled": disabled,
        "may_end": system.at_end(stepper.state()),
        "deadlock": enabled.is_empty() && !system.at_end(stepper.state()),
        "text": text,
    }))
}

fn state(stepper: &Stepper<'_>, model: &Model) -> Value {
    let (system, state) = (&model.loaded.system, stepper.state());
    let at = |p| {
        let process = system.process(p);
        let location = &process.locations[system.location(p, state).index()];
        json!({ "process": process.name, "at": location.name })
    };
    let value = |o| json!({ "object": system.object(o).name, "value": system.show_value(o, &system.value(o, state)) });
    let processes: Vec<Value> = system.process_ids().map(at).collect();
    let objects: Vec<Value> = system.object_ids().map(value).collect();
    json!({ "processes": processes, "objects": objects })
}

/// The transition that is meant: the one with this number in the list of those that are enabled, or with this name.
fn chosen(stepper: &Stepper<'_>, model: &Model, choice: &Value) -> Result<TransitionId, String> {
    let system = &model.loaded.system;
    let steps = stepper.choices();
    let of = |choice: &Choice| match choice {
        Choice::Step(t) | Choice::Fault(t, _) => *t,
    };
    if let Some(number) = choice.as_u64() {
        let found = usize::try_from(number).ok().and_then(|n| steps.get(n.wrapping_sub(1)));
        return found.map(of).ok_or_else(|| format!("there is no number {number}: {} can be chosen", steps.len()));
    }
    let Some(name) = choice.as_str() else { return Err("a step is chosen by its number or by its name".to_owned()) };
    let named: Vec<TransitionId> = steps.iter().map(of).filter(|t| system.transition(*t).name == name).collect();
    match named[..] {
        [one] => Ok(one),
        [] => {
            let why = stepper.disabled().find(|(t, _)| system.transition(*t).name == name);
            let known = system.transitions().iter().any(|t| t.name == name);
            Err(match why {
                Some((_, reasons)) => format!("`{name}` is disabled: {}", reasons.join("; ")),
                None if known => format!("`{name}` is disabled: its processes are elsewhere"),
                None => format!("there is no transition `{name}`"),
            })
        }
        _ => Err(format!("{} enabled transitions are called `{name}`: choose one by its number", named.len())),
    }
}
