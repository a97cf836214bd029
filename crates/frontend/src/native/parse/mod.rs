//! Recursive descent: tokens to syntax tree. After a mistake the parser goes on at the next item or step, so that one
//! run reports several; `nested` bounds the recursion.

mod body;
mod cursor;
mod expr;
mod items;
mod marks;
mod objects;
mod operations;
mod property;

pub(super) use marks::{Mark, Marks};

use super::ast::{Expr, Fair, Item};
use super::report::{Checked, Reported, Reports};
use super::token::{Token, tokens};
use cursor::Parser;

/// The items of a text; what could not be parsed was reported and is missing. A text with characters that mean nothing
/// has no items that can be trusted: they may be parts of names.
pub(super) fn parse<'t>(text: &'t str, reports: &mut Reports) -> Checked<Vec<Item<'t>>> {
    let tokens = tokens(text, reports)?;
    let trusted = reports.is_empty();
    let items = Parser::new(text, &tokens, reports).items();
    if trusted { Ok(items) } else { Err(Reported) }
}

/// The marks of a text: what the formatter must know of each token.
pub(super) fn parse_marks(text: &str, tokens: &[Token], reports: &mut Reports) -> Marks {
    let mut marks = Marks::new(tokens);
    Parser::new(text, tokens, reports).marking(&mut marks).items();
    marks
}

/// A single expression that makes up the whole text.
pub(super) fn parse_expr<'t>(text: &'t str, reports: &mut Reports) -> Checked<Expr<'t>> {
    let tokens = tokens(text, reports)?;
    let mut parser = Parser::new(text, &tokens, reports);
    let expr = parser.expr()?;
    parser.at_end()?;
    Ok(expr)
}

/// A formula that makes up the whole text.
pub(super) fn parse_formula<'t>(text: &'t str, reports: &mut Reports) -> Checked<(Expr<'t>, Vec<Fair<'t>>)> {
    let tokens = tokens(text, reports)?;
    let mut parser = Parser::new(text, &tokens, reports);
    let formula = parser.formula()?;
    parser.at_end()?;
    Ok((formula, Vec::new()))
}

/// A formula that makes up the whole text, with the fairness that it asks for.
pub(super) fn parse_claim<'t>(text: &'t str, reports: &mut Reports) -> Checked<(Expr<'t>, Vec<Fair<'t>>)> {
    let tokens = tokens(text, reports)?;
    let mut parser = Parser::new(text, &tokens, reports);
    let asked = (parser.formula()?, parser.fairness()?);
    parser.at_end()?;
    Ok(asked)
}
