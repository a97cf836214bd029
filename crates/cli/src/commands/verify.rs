//! `impasse verify`: whether certificates prove what they are said to, or a run shows it. No engine and no solver is used.

use std::path::Path;

use check::{CertificateError, Subject};
use evidence::{CertificateFile, CertifiedProperty, Question, TraceFile};
use model::{Fault, NamedProperty, Property};

use crate::args::{ModelArgs, VerifyArgs};
use crate::exit::{Done, Exit, Failure};
use crate::input::{self, Model, Models, Patience};
use crate::saved::Saved;
use crate::{output, plain, question};

/// Reads the model anew and checks the evidence against it.
pub(crate) fn run(args: &VerifyArgs) -> Done {
    let text = input::read_bytes(&args.certificate)?;
    if TraceFile::is_one(&text) {
        return replay(args);
    }
    let shown = args.certificate.display();
    let file = CertificateFile::from_json(&text).map_err(|e| e.to_string());
    let file = file.and_then(|file| plain::certificates(&file).map(|()| file));
    let file = file.map_err(|e| Failure::input(format!("{shown}: {}", plain::line(&e))))?;
    if file.proofs.is_empty() {
        return Err(Failure::input(format!("{shown}: it has no certificate")));
    }
    let reading = args.model.as_recorded(&file.set, &file.options).map_err(|why| unfit(args, &why))?;
    let mut models = models(args, &reading)?;
    let mut exit = Exit::Holds;
    for proof in &file.proofs {
        let position = models.iter().position(|m| m.loaded.system.name() == proof.model);
        let position = position.ok_or_else(|| unfit(args, &another(proof, &models)))?;
        let model = &mut models[position];
        let (property, checked) = check(args, model, proof)?;
        let claim = format!("{}: {}", subject(model, &reading), claim(&property, proof));
        match checked {
            Ok(()) => tell(&format!("VERIFIED {shown}: {claim}"))?,
            Err(why) => {
                tell(&format!("REFUSED {shown}: it does not prove this. {claim}: {why}"))?;
                exit = Exit::Unknown;
            }
        }
    }
    Ok(exit)
}

/// What was asked must be what the certificate says: of an automaton in a file, what is in the file.
fn question(args: &VerifyArgs, proof: &CertifiedProperty) -> Result<(), Failure> {
    match &proof.question {
        Some(Question { kind, file: Some(file), text }) if kind == "never" => {
            let now = input::read(Path::new(file))?;
            let changed = || unfit(args, &format!("{file} has changed since the certificate was made"));
            if now.text == *text { Ok(()) } else { Err(changed()) }
        }
        Some(Question { file: Some(_), .. }) => Err(unfit(args, "only automata are in files")),
        _ => Ok(()),
    }
}

/// Checks one certificate. The model is read anew where a run leads beyond what was foreseen.
fn check(
    args: &VerifyArgs,
    model: &mut Model,
    proof: &CertifiedProperty,
) -> Result<(NamedProperty, Result<(), CertificateError>), Failure> {
    question(args, proof)?;
    loop {
        let place = format!("the question of {}", args.certificate.display());
        question::prepare(model, proof.question.as_slice(), |_| place.clone())?;
        let property = question::saved(model, &proof.property, proof.question.as_ref(), &place)?;
        let missing = || unfit(args, &format!("it has no property `{}`", proof.property));
        let property = property.ok_or_else(missing)?;
        let subject = Subject {
            system: &model.loaded.system,
            network: model.network.as_deref(),
            net: model.net.as_ref().map(|file| &*file.net),
        };
        match subject.check(&property.property, &proof.certificate) {
            Err(CertificateError::Fault(Fault::Unforeseen(number))) => {
                let late = |why| Failure { exit: Exit::Unknown, ..Failure::input(why) };
                model.widen(number)?.map_err(late)?;
            }
            checked => return Ok((property, checked)),
        }
    }
}

/// One line of what came of it, whatever the texts in it are.
fn tell(text: &str) -> Result<(), Failure> {
    output::emit(&format!("{}\n", plain::line(text)))
}

/// The model that something is said about, and all that was said about how it is read.
fn subject(model: &Model, reading: &ModelArgs) -> String {
    let name = format!("`{}`", model.loaded.system.name());
    match &reading.conditions()[..] {
        [] => name,
        conditions => format!("{name} {}", conditions.join(", ")),
    }
}

/// What a certificate is said to prove.
fn claim(property: &NamedProperty, proof: &CertifiedProperty) -> String {
    let name = match &proof.question {
        Some(question) => question.name(),
        None => property.name.clone(),
    };
    let says = match &property.property {
        Property::DeadlockFree => "holds: there is no deadlock",
        Property::Reachable(_) => "is never reached",
        _ => "holds",
    };
    format!("`{name}` {says}")
}

/// Replays a saved run.
fn replay(args: &VerifyArgs) -> Done {
    let saved = Saved::read(&args.certificate)?;
    let reading = args.model.as_recorded(&saved.file.set, &saved.file.options).map_err(|why| unfit(args, &why))?;
    let mut model = saved.model(&reading)?;
    let property = saved.property(&mut model)?;
    let property = property.ok_or_else(|| saved.unfit(&format!("it has no property `{}`", saved.file.property)))?;
    let trace = saved.trace(&model)?;
    let shown = format!("{}: {}", args.certificate.display(), subject(&model, &reading));
    match check::replay(&model.loaded.system, &property.property, &trace) {
        Ok(run) => {
            let holds = matches!(property.property, Property::Reachable(_)) && run.finding() == check::Finding::Reached;
            let says = if holds { "holds" } else { "is violated" };
            tell(&format!("VERIFIED {shown}: the run shows that `{}` {says}", property.name))?;
            Ok(Exit::Holds)
        }
        Err(why) => {
            tell(&format!("REFUSED {shown}: the run says nothing about `{}`: {why}", property.name))?;
            Ok(Exit::Unknown)
        }
    }
}

/// The models of the file, read as the certificates say.
fn models(args: &VerifyArgs, reading: &ModelArgs) -> Result<Vec<Model>, Failure> {
    let models = Models::read_file(&reading.file, reading.wishes(reading.settings()?), Patience::default())?.models;
    if models.is_empty() { Err(unfit(args, "it asserts nothing")) } else { Ok(models) }
}

/// That none of these is the model that something is claimed of.
fn another(proof: &CertifiedProperty, models: &[Model]) -> String {
    let names: Vec<String> = models.iter().map(|m| format!("`{}`", m.loaded.system.name())).collect();
    let these = if names.len() == 1 { "this is" } else { "these are" };
    format!("it was made for the model `{}`, {these} {}", proof.model, names.join(", "))
}

fn unfit(args: &VerifyArgs, why: &str) -> Failure {
    Failure::input(format!("{} does not fit the model: {why}", args.certificate.display()))
}
