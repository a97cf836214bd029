//! The automaton of the runs that break a formula, in the Hanoi Omega-Automata format: what `--never` reads.

use evidence::Question;
use frontend::refuting_automaton;
use model::Property;

use crate::args::ConvertArgs;
use crate::exit::Failure;
use crate::input::Model;
use crate::question;

/// The automaton of the formula of the command line, or of the property that it names.
pub(super) fn text(args: &ConvertArgs, model: &mut Model) -> Result<String, Failure> {
    let formula = |text: &String| Question { kind: "ltl".to_owned(), text: text.clone(), file: None };
    let asked = args.ltl.as_ref().map(formula);
    question::prepare(model, asked.as_slice(), question::place)?;
    let name = args.property.as_deref().unwrap_or_default();
    let property = question::saved(model, name, asked.as_ref(), "--ltl")?;
    let property = property.ok_or_else(|| match args.property.as_deref() {
        Some(name) => Failure::input(format!("{} has no property `{name}`", model.input.name)),
        None => Failure::usage("--to hoa needs a formula: --ltl FORMULA or --property NAME".to_owned()),
    })?;
    let Property::Temporal(temporal) = &property.property else {
        return Err(Failure::usage(format!("`{}` is no formula", property.name)));
    };
    if !temporal.fairness.is_empty() {
        return Err(Failure::usage("an automaton does not know which runs are fair: leave fairness out".to_owned()));
    }
    let name = format!("breaks {}", property.name);
    refuting_automaton(&model.loaded.system, &name, &temporal.claim).map_err(Failure::input)
}
