//! Gives the labels of a document their meaning.

use model::views::Place;

use super::declarations::Declarations;
use super::element::Element;
use super::ground::weights;
use super::labels::{Labels, PlaceLabels};
use super::limits::UnfoldLimits;
use super::net::{ColouredNet, ColouredPlace, ColouredTransition, Inscription};
use super::sorts::Basics;
use super::term::{Component, Scope, Summand, TermReader};
use crate::Diagnostic;
use crate::pnml::assemble::Link;
use crate::pnml::document::Document;

/// The net of a document, with its labels understood.
pub(super) fn resolve(
    document: &Document<'_>,
    labels: &Labels<'_>,
    links: &[Link],
    limits: UnfoldLimits,
) -> Result<ColouredNet, Diagnostic> {
    let mut declarations = Declarations::read(&labels.declarations)?;
    let mut places = Vec::with_capacity(document.places.len());
    for ((_, place), labels) in document.places.iter().zip(&labels.places) {
        places.push(coloured_place(&mut declarations, place, labels, limits)?);
    }
    let mut transitions = Vec::with_capacity(document.transitions.len());
    for ((_, name), condition) in document.transitions.iter().zip(&labels.conditions) {
        transitions.push(coloured_transition(&mut declarations, name, condition.as_ref())?);
    }
    for (link, label) in links.iter().zip(&labels.inscriptions) {
        let (transition, scope) = &mut transitions[link.transition.index()];
        let place = &places[link.place.index()];
        let mut reader = TermReader { declarations: &mut declarations, scope: Some(scope) };
        let summands = inscription(&mut reader, place, link, label.as_ref())?;
        let arcs = if link.consumes { &mut transition.inputs } else { &mut transition.outputs };
        arcs.push(Inscription { place: link.place.index(), summands, span: link.span });
    }
    let finish = |(mut transition, scope): (ColouredTransition, Scope)| {
        transition.variables = scope.variables;
        transition.find_needs();
        transition
    };
    let transitions = transitions.into_iter().map(finish).collect();
    Ok(ColouredNet { basics: declarations.basics, places, transitions })
}

fn coloured_place<'a>(
    declarations: &mut Declarations<'_, 'a>,
    place: &Place,
    labels: &PlaceLabels<'a>,
    limits: UnfoldLimits,
) -> Result<ColouredPlace, Diagnostic> {
    let missing = || Diagnostic::error(labels.span, "a place of a coloured net has no sort");
    let sort_element = labels.sort.as_ref().ok_or_else(missing)?;
    let sort = declarations.sort(sort_element)?;
    if declarations.basics.size(&sort).is_none() {
        return Err(sort_element.error("the sort of a place has more than 2^64 colours"));
    }
    let sizes = sort.iter().map(|id| declarations.basics.get(*id).size).collect();
    let mut coloured = ColouredPlace { name: place.name.clone(), sort, sizes, initial: Vec::new() };
    if let Some(marking) = &labels.marking {
        coloured.initial = initial(declarations, &coloured, marking, limits)?;
    }
    Ok(coloured)
}

fn initial<'a>(
    declarations: &mut Declarations<'_, 'a>,
    place: &ColouredPlace,
    marking: &Element<'a>,
    limits: UnfoldLimits,
) -> Result<Vec<(u64, i64)>, Diagnostic> {
    let summands = TermReader { declarations, scope: None }.multiset_of(&place.sort, marking)?;
    let too_many = || marking.error(format!("more than {} colours are marked in the beginning", limits.places));
    let tokens = place.tokens(&summands, &[], limits.places).ok_or_else(too_many)?;
    let checked = weights(tokens, place, marking.tag.span)?;
    Ok(checked.into_iter().map(|(colour, count)| (colour, i64::from(count))).collect())
}

fn coloured_transition<'a>(
    declarations: &mut Declarations<'_, 'a>,
    name: &str,
    condition: Option<&Element<'a>>,
) -> Result<(ColouredTransition, Scope), Diagnostic> {
    let (mut scope, mut guard) = (Scope::default(), Vec::new());
    if let Some(condition) = condition {
        TermReader { declarations, scope: Some(&mut scope) }.guard(condition)?.conjuncts(&mut guard);
    }
    let (variables, inputs, outputs, needs) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    Ok((ColouredTransition { name: name.to_owned(), variables, guard, inputs, outputs, needs }, scope))
}

fn inscription<'a>(
    reader: &mut TermReader<'_, '_, 'a>,
    place: &ColouredPlace,
    link: &Link,
    label: Option<&Element<'a>>,
) -> Result<Vec<Summand>, Diagnostic> {
    match label {
        Some(term) => reader.multiset_of(&place.sort, term),
        None if place.sort == [Basics::DOT] => {
            Ok(vec![Summand { coefficient: 1, token: vec![Component::Constant(0)] }])
        }
        None => Err(Diagnostic::error(link.span, format!("an arc of the coloured place `{}` has no term", place.name))),
    }
}
