//! Questions that are not in the model's file: from the command line, or from a trace that answers one.

use evidence::Question;
use frontend::promela::elaborate::{NoSystem, Query};
use frontend::{Diagnostic, NeverClaim};
use model::{Claim, Expr, NamedProperty, Property, Proposition, Temporal};

use crate::args::QuestionArgs;
use crate::diagnostics;
use crate::exit::Failure;
use crate::input::{self, Model, promela};

/// The questions of a command line that are given as text, or in files.
pub(crate) fn given(args: &QuestionArgs) -> Result<Vec<Question>, Failure> {
    let kinds = [("invariant", &args.invariant), ("reachable", &args.reachable), ("ltl", &args.ltl)];
    let texts = kinds.iter().flat_map(|(kind, texts)| texts.iter().map(move |text| (*kind, text)));
    let mut all: Vec<Question> =
        texts.map(|(kind, text)| Question { kind: kind.to_owned(), text: text.clone(), file: None }).collect();
    for path in &args.never {
        let input::Input { name, text } = input::read(path)?;
        all.push(Question { kind: "never".to_owned(), text, file: Some(name) });
    }
    Ok(all)
}

/// Where mistakes in a question of the command line are.
pub(crate) fn place(question: &Question) -> String {
    question.file.clone().unwrap_or_else(|| format!("--{}", question.kind))
}

/// Makes the system anew with these questions, if its language needs that. Mistakes in them are reported as being in
/// `place`.
pub(crate) fn prepare(
    model: &mut Model,
    questions: &[Question],
    place: impl Fn(&Question) -> String,
) -> Result<(), Failure> {
    if model.subject().is_some() {
        return Ok(());
    }
    let mut late = None;
    let mut ask = |query: Query<'_>| match model.ask(query) {
        Err(NoSystem::Mistakes(mistakes)) => Err(mistakes),
        Err(NoSystem::GivenUp { processes }) => {
            late = Some(processes);
            Ok(())
        }
        Ok(()) => Ok(()),
    };
    for question in questions {
        let text = &*question.text;
        let asked = match &*question.kind {
            "invariant" | "reachable" => ask(Query::Predicate(text)),
            "ltl" => ask(Query::Formula(text)),
            "never" => {
                NeverClaim::read(text).and_then(|claim| claim.meanings(|atom| ask(Query::Predicate(atom)))).map(|_| ())
            }
            _ => Ok(()),
        };
        asked.map_err(|ds| diagnostics::failure(&place(question), text, &ds))?;
    }
    late.map_or(Ok(()), |processes| Err(promela::late(processes)))
}

/// Makes a property of a question, with which the model was prepared. Mistakes in it are reported as being in `place`.
pub(crate) fn read(model: &Model, question: &Question, place: &str) -> Result<NamedProperty, Failure> {
    let asked = &*question.text;
    let property = match &*question.kind {
        "invariant" => predicate(model, asked).map(Property::Invariant),
        "reachable" => predicate(model, asked).map(Property::Reachable),
        "ltl" => formula(model, asked),
        "never" => automaton(model, asked),
        other => return Err(Failure::input(format!("{place}: there are no questions of the kind `{other}`"))),
    };
    let property = property.map_err(|ds| diagnostics::failure(place, asked, &ds))?;
    Ok(model.fairly(named(question.name(), property)))
}

/// The property that a file is about: what was asked, or one of the model, or deadlock freedom, which all have.
pub(crate) fn saved(
    model: &Model,
    name: &str,
    asked: Option<&Question>,
    place: &str,
) -> Result<Option<NamedProperty>, Failure> {
    if let Some(question) = asked {
        return read(model, question, place).map(Some);
    }
    let always =
        [deadlock_free()].into_iter().chain(partial_deadlock_free(model).ok()).chain(divergence_free(model).ok());
    Ok(model.loaded.properties.iter().cloned().chain(always).find(|p| p.name == name))
}

fn predicate(model: &Model, asked: &str) -> Result<Expr, Vec<Diagnostic>> {
    match model.subject() {
        Some(subject) => subject.predicate(asked),
        None => match model.asked(Query::Predicate(asked)) {
            Property::Invariant(predicate) => Ok(predicate.clone()),
            _ => unreachable!("what is always true is an invariant"),
        },
    }
}

fn formula(model: &Model, asked: &str) -> Result<Property, Vec<Diagnostic>> {
    match model.subject() {
        Some(subject) => subject.claim(asked).map(Property::Temporal),
        None => Ok(model.asked(Query::Formula(asked)).clone()),
    }
}

fn automaton(model: &Model, text: &str) -> Result<Property, Vec<Diagnostic>> {
    let acceptor = NeverClaim::read(text)?.acceptor(|atom| match model.subject() {
        Some(subject) => subject.proposition(atom),
        None => predicate(model, atom).map(Proposition::State),
    })?;
    Ok(Property::Temporal(Temporal { claim: Claim::Never(acceptor), fairness: Vec::new(), finite: true }))
}

/// Deadlock freedom, which can be asked of every model.
pub(crate) fn deadlock_free() -> NamedProperty {
    named(Property::DeadlockFree.keyword().to_owned(), Property::DeadlockFree)
}

/// Freedom from partial deadlocks, which can be asked of models that have processes.
pub(crate) fn partial_deadlock_free(model: &Model) -> Result<NamedProperty, Failure> {
    let why = "this model has no processes that could get stuck while others go on; of a net, ask which transitions no run takes \
               with --dead-code, or whether one is taken again and again with --ltl";
    let property = Property::PartialDeadlockFree;
    match model.loaded.system.processes().is_empty() {
        true => Err(Failure::usage(why)),
        false => Ok(named(property.keyword().to_owned(), property)),
    }
}

/// Divergence freedom, which can be asked of models that say which steps are silent.
pub(crate) fn divergence_free(model: &Model) -> Result<NamedProperty, Failure> {
    let why = "no step of this model is silent: divergence can be asked of networks and scripts of CSP";
    let silent = model.silent.ok_or_else(|| Failure::usage(why.to_owned()))?;
    let property = Property::DivergenceFree(silent.into());
    Ok(named(property.keyword().to_owned(), property))
}

fn named(name: String, property: Property) -> NamedProperty {
    NamedProperty { name, property, expect: None, span: None }
}
