//! Property files of the Model Checking Contest: XML with named formulas over the ids of a net.
//!
//! A formula that is not understood, or that speaks of nodes which the net does not have, is refused by itself: the
//! others of the file keep their meaning. Only a file that is not XML of the expected shape is refused as a whole.

mod condition;
mod expression;
mod formula;
mod predicate;
mod runs;
mod stop;

use model::Span;
use model::nets::{Linear, Predicate};

use crate::loaded_net::utf8;
use crate::xml::{Tag, Xml};
use crate::{Diagnostic, LoadedNet};
use formula::FormulaReader;
pub use runs::Runs;
use stop::Stop;

/// A formula with the name that its answer is given under.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedFormula {
    /// The id in the file.
    pub id: String,
    /// What is asked.
    pub formula: Formula,
}

/// What is asked about the reachable markings of a net, or about its runs.
#[derive(Clone, Debug, PartialEq)]
pub enum Formula {
    /// Whether one of them enables nothing.
    Deadlock,
    /// Whether one of them satisfies a predicate.
    Exists(Predicate),
    /// Whether all of them satisfy a predicate.
    Always(Predicate),
    /// The greatest value of a sum of tokens.
    Bound(Linear),
    /// Whether all runs satisfy a formula; where a run ends, its last marking is repeated for ever.
    Runs(Runs),
    /// Something that is not answered, with the reason.
    Unsupported(String),
}

/// So many terms of comparisons may the formulas of a file have together, once their transitions and colours are
/// written out: about two gigabytes.
const MAX_TERMS: usize = 20_000_000;

/// Reads a property file about a net.
pub fn read(loaded: &LoadedNet, bytes: &[u8]) -> Result<Vec<NamedFormula>, Vec<Diagnostic>> {
    let text = utf8(bytes).map_err(|d| vec![d])?;
    properties(loaded, text).map_err(|d| vec![d])
}

fn properties(loaded: &LoadedNet, text: &str) -> Result<Vec<NamedFormula>, Diagnostic> {
    let mut xml = Xml::new(text);
    match xml.child()? {
        Some(tag) if tag.name == "property-set" => {}
        Some(tag) => {
            return Err(Diagnostic::error(tag.span, format!("the root element is `{}`, not `property-set`", tag.name)));
        }
        None => return Err(Diagnostic::error(Span::new(0, 0), "the file has no `property-set` element")),
    }
    let (mut formulas, mut room) = (Vec::new(), MAX_TERMS);
    while let Some(tag) = xml.child()? {
        match tag.name {
            "property" => formulas.push(property(loaded, &mut xml, &tag, &mut room)?),
            _ => xml.skip()?,
        }
    }
    Ok(formulas)
}

fn property<'a>(
    loaded: &LoadedNet,
    xml: &mut Xml<'a>,
    property: &Tag<'a>,
    room: &mut usize,
) -> Result<NamedFormula, Diagnostic> {
    let (mut id, mut formula) = (None, None);
    while let Some(tag) = xml.child()? {
        match tag.name {
            "id" => id = Some(xml.text()?.text.trim().to_owned()),
            "formula" if formula.is_some() => return Err(Diagnostic::error(tag.span, "a property has two formulas")),
            "formula" => formula = Some(whole_formula(loaded, xml, room)?),
            _ => xml.skip()?,
        }
    }
    let missing = |what| Diagnostic::error(property.span, format!("this property has no {what}"));
    let id = id.filter(|id| !id.is_empty()).ok_or_else(|| missing("`id`"))?;
    Ok(NamedFormula { id, formula: formula.ok_or_else(|| missing("`formula`"))? })
}

/// The formula inside the current element, which is left whether it is understood or not.
fn whole_formula(loaded: &LoadedNet, xml: &mut Xml<'_>, room: &mut usize) -> Result<Formula, Diagnostic> {
    let outside = xml.depth() - 1;
    match FormulaReader::new(loaded, xml, room).whole() {
        Ok(formula) => Ok(formula),
        Err(Stop::Malformed(d)) => Err(*d),
        Err(Stop::Refused(reason)) => {
            xml.leave(outside)?;
            Ok(Formula::Unsupported(reason))
        }
    }
}
