//! From the syntax tree to a system.
//!
//! Instances come first (`design`). Then the model is looked at in passes (`pass`), each of which knows the statuses of
//! all data (`data`) and finds what the atoms can do (`behaviour`) and which interactions there are (`offers`); what these
//! write raises statuses, until nothing changes. The last pass gives the transitions (`drafts`), with guards for maximal
//! progress and priorities (`maximal`, `blocked`), and these become the system (`finish`).

mod algebra;
mod behaviour;
mod blocked;
mod constants;
mod control;
mod data;
mod design;
mod drafts;
mod exclusive;
mod finish;
mod frame;
mod hidden;
mod limits;
mod maximal;
mod offers;
mod order;
mod pass;
mod properties;
mod slots;
mod sym;
mod types;
mod writes;

use std::collections::BTreeSet;

use model::{NamedProperty, Span, System};

use super::ast::{CompoundType, Model};
use super::{Abstraction, External, Options};
use crate::{Diagnostic, ExpectedSize, Loaded};
use behaviour::Behaviour;
use data::{Item, Status};
use design::Design;
use finish::{Made, Parts};
use frame::Notes;
use offers::Offers;
use pass::{Cycle, Pass};

/// A result, or what is wrong with the model.
type Checked<T> = Result<T, Diagnostic>;

/// What is abstracted.
type Abstractions = BTreeSet<Abstraction>;

/// Makes a system of a model.
pub(super) fn elaborate(name: &str, model: &Model, options: &Options) -> Result<Loaded, Vec<Diagnostic>> {
    let placed = |d: Diagnostic| model.sources.placed(d);
    let (mut loaded, abstractions) = load(name, model, options).map_err(|d| vec![placed(d)])?;
    if options.external == External::Refuse && !abstractions.is_empty() {
        let refused = abstractions.into_iter().map(|a| placed(Diagnostic::error(a.span, a.message).label("refused")));
        return Err(refused.collect());
    }
    loaded.warnings = abstractions.into_iter().map(|a| placed(Diagnostic::warning(a.span, a.message))).collect();
    Ok(loaded)
}

fn load(name: &str, model: &Model, options: &Options) -> Checked<(Loaded, Abstractions)> {
    let notes = Notes::default();
    let design = Design::new(model, root(model, options)?, &notes)?;
    timeless(&design)?;
    let mut items = data::items(&design, &notes)?;
    let first = notes.into_inner();
    loop {
        let notes = Notes::default();
        let pass = Pass::new(&design, &items, &notes);
        let behaviours: Vec<Behaviour> =
            (0..design.atoms.len()).map(|atom| Behaviour::new(&pass, atom)).collect::<Checked<_>>()?;
        let raised = raised(&mut Offers::new(&pass, &behaviours))?;
        if raised.is_empty() {
            let (system, properties) = system(name, pass, &behaviours)?;
            let mut abstractions = notes.into_inner();
            abstractions.extend(first);
            abstractions.extend(not_followed(&items));
            let size = ExpectedSize::default();
            return Ok((Loaded { system, properties, size, warnings: Vec::new() }, abstractions));
        }
        for (item, status) in raised {
            items[item].status = items[item].status.max(status);
        }
    }
}

/// The compound type that is the system.
fn root<'m>(model: &'m Model, options: &Options) -> Checked<&'m CompoundType> {
    let package = model.package(Model::MAIN);
    let found = match &options.root {
        Some(name) => package.compounds.iter().find(|c| &*c.name.text == name),
        None => package.compounds.iter().rfind(|c| c.parameters.is_empty()),
    };
    let Some(root) = found else {
        let what = options
            .root
            .as_ref()
            .map_or("no compound type without parameters".to_owned(), |n| format!("no compound type `{n}`"));
        return Err(
            Diagnostic::error(package.name.span, format!("the package has {what}")).label("nothing to instantiate")
        );
    };
    if root.parameters.is_empty() {
        return Ok(root);
    }
    let message = format!("`{}` has parameters, so it cannot be the system", root.name.text);
    Err(Diagnostic::error(root.name.span, message).help("wrap it in a compound type without parameters"))
}

/// Refuses what counts time.
fn timeless(design: &Design<'_>) -> Checked<()> {
    let timed = |span: Span, what: &str| {
        Err(Diagnostic::error(span, format!("{what} are not supported")).label("this model counts time"))
    };
    for atom in &design.atoms {
        if let Some(clock) = atom.ty.clocks.first() {
            return timed(clock.name.span, "clocks");
        }
        let resumes = atom.ty.initial.resume.iter().chain(atom.ty.transitions.iter().filter_map(|t| t.resume.as_ref()));
        if let Some(resume) = resumes.into_iter().next() {
            return timed(resume.span, "`resume` conditions");
        }
    }
    Ok(())
}

/// The data items that are written what their status does not allow, with the status that they need.
fn raised(offers: &mut Offers<'_, '_, '_>) -> Checked<Vec<(usize, Status)>> {
    let pass = offers.pass;
    let mut raised = Vec::new();
    let mut write = |(item, value): (usize, sym::Sym)| {
        let status = pass.items[item].after(item, &value);
        if status > pass.items[item].status {
            raised.push((item, status));
        }
    };
    for (atom, behaviour) in offers.behaviours.iter().enumerate() {
        for step in &behaviour.moves {
            drafts::written(pass, atom, step, &[])?.into_iter().for_each(&mut write);
        }
    }
    for at in 0..pass.design.connectors.len() {
        if pass.design.connectors[at].ty.export.is_none() {
            for offer in offers.all(at)?.iter() {
                offers.down(offer)?.into_iter().for_each(&mut write);
            }
        }
    }
    Ok(raised)
}

/// Data of native types that may hold unknown values.
fn not_followed(items: &[Item]) -> impl Iterator<Item = Abstraction> {
    let unknown = items.iter().filter(|i| i.status == Status::Unknown && data::is_followed(&i.ty));
    unknown.map(|item| {
        let name = item.name.rsplit('.').next().unwrap_or(&item.name);
        let message = format!("`{name}` may hold unknown values, so it is not part of the state");
        Abstraction { span: item.span, message }
    })
}

fn system(name: &str, pass: Pass<'_, '_>, behaviours: &[Behaviour]) -> Checked<(System, Vec<NamedProperty>)> {
    let drafts = drafts::drafts(&mut Offers::new(&pass, behaviours))?;
    let asked = properties::invariants(&pass, behaviours)?;
    let (design, items) = (pass.design, pass.items);
    let (hidden, cycles) = pass.finish();
    no_cycle(&cycles)?;
    let conditions = hidden.into_conditions();
    let questions = cycles.iter().map(|c| &c.when).collect();
    let parts = Parts { design, items, behaviours, conditions: &conditions, drafts, asked: questions };
    let made = parts.make(name)?;
    let mut properties = vec![properties::deadlock_free()];
    properties.extend(asked.iter().map(|a| a.property(&made)));
    properties.extend(cycles.iter().enumerate().map(|(n, c)| properties::acyclic(c, n, &made)));
    for property in &mut properties {
        property.span = property.span.map(|s| place(design.model, s));
    }
    Ok((build(made)?, properties))
}

/// Refuses priorities that are cyclic in every state.
fn no_cycle(cycles: &[Cycle]) -> Checked<()> {
    match cycles.iter().find(|c| c.when == model::Expr::TRUE) {
        None => Ok(()),
        Some(cycle) => {
            let message = format!("the priorities are cyclic: {} waits for itself", cycle.what);
            Err(Diagnostic::error(cycle.span, message).label("one of the rules"))
        }
    }
}

/// Where a place is in the main text.
fn place(model: &Model, span: Span) -> Span {
    model.sources.placed(Diagnostic::error(span, "")).span
}

fn build(made: Made<'_>) -> Checked<System> {
    made.builder.build().map_err(|errors| {
        let error = errors.into_iter().next();
        let (message, span) = error.map_or(("the model cannot be built".to_owned(), None), |e| (e.message, e.span));
        Diagnostic::error(span.unwrap_or(Span::new(0, 0)), message)
    })
}
