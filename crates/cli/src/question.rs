//! Questions that are not in the model's file: from the command line, or from a trace that answers one.

use evidence::Question;
use frontend::native;
use model::{NamedProperty, Property};

use crate::diagnostics;
use crate::exit::Failure;
use crate::input::Model;

/// Makes a property of a question. Mistakes in it are reported as being in `place`.
pub(crate) fn read(model: &Model, question: &Question, place: &str) -> Result<NamedProperty, Failure> {
    let (text, settings, asked) = (&model.input.text, &model.settings, &*question.text);
    let property = match &*question.kind {
        "invariant" => native::predicate(text, settings, asked).map(Property::Invariant),
        "reachable" => native::predicate(text, settings, asked).map(Property::Reachable),
        "ltl" => native::formula(text, settings, asked).map(Property::Ltl),
        other => return Err(Failure::input(format!("{place}: there are no questions of the kind `{other}`"))),
    };
    let property = property.map_err(|ds| diagnostics::failure(place, asked, &ds))?;
    Ok(named(question.name(), property))
}

/// Deadlock freedom, which can be asked of every model.
pub(crate) fn deadlock_free() -> NamedProperty {
    named(Property::DeadlockFree.keyword().to_owned(), Property::DeadlockFree)
}

fn named(name: String, property: Property) -> NamedProperty {
    NamedProperty { name, property, expect: None, span: None }
}
