//! Questions that are not in the model's file: from the command line, or from a trace that answers one.

use evidence::Question;
use frontend::{Diagnostic, native};
use model::{Expr, Ltl, NamedProperty, Property, Span, Temporal};

use crate::diagnostics;
use crate::exit::Failure;
use crate::input::Model;

/// Makes a property of a question. Mistakes in it are reported as being in `place`.
pub(crate) fn read(model: &Model, question: &Question, place: &str) -> Result<NamedProperty, Failure> {
    let asked = &*question.text;
    let property = match &*question.kind {
        "invariant" => predicate(model, asked).map(Property::Invariant),
        "reachable" => predicate(model, asked).map(Property::Reachable),
        "ltl" => formula(model, asked).map(|f| Property::Temporal(Temporal::formula(f))),
        other => return Err(Failure::input(format!("{place}: there are no questions of the kind `{other}`"))),
    };
    let property = property.map_err(|ds| diagnostics::failure(place, asked, &ds))?;
    Ok(named(question.name(), property))
}

/// Only nets and texts in the native language have names for what could be asked.
fn has_names(model: &Model) -> Result<(), Vec<Diagnostic>> {
    let message = match model.network {
        _ if model.net.is_some() || model.is_native() => return Ok(()),
        Some(_) => "networks of automata have no variables: only deadlock freedom can be asked",
        None if model.reading.is_some() => {
            "of a model in Promela, only deadlock freedom and its own claims can be asked"
        }
        None => "of a package of BIP, only deadlock freedom and its own invariants can be asked",
    };
    Err(vec![Diagnostic::error(Span::new(0, 0), message)])
}

fn predicate(model: &Model, asked: &str) -> Result<Expr, Vec<Diagnostic>> {
    has_names(model)?;
    match &model.net {
        Some(file) => native::place_predicate(&file.net, &file.ids, asked),
        None => native::predicate(&model.input.text, &model.settings, asked),
    }
}

fn formula(model: &Model, asked: &str) -> Result<Ltl, Vec<Diagnostic>> {
    has_names(model)?;
    match &model.net {
        Some(file) => native::place_formula(&file.net, &file.ids, asked),
        None => native::formula(&model.input.text, &model.settings, asked),
    }
}

/// Deadlock freedom, which can be asked of every model.
pub(crate) fn deadlock_free() -> NamedProperty {
    named(Property::DeadlockFree.keyword().to_owned(), Property::DeadlockFree)
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
