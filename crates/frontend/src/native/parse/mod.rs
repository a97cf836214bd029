//! Recursive descent: tokens to syntax tree. After a mistake the parser goes on at the next item or step, so that one
//! run reports several; `nested` bounds the recursion.

mod body;
mod cursor;
mod expr;
mod items;
mod objects;
mod operations;
mod property;

use super::ast::{Expr, Item};
use super::report::{Checked, Reports};
use super::token::tokens;
use cursor::Parser;

/// The items of a text; what could not be parsed was reported and is missing.
pub(super) fn parse<'t>(text: &'t str, reports: &mut Reports) -> Vec<Item<'t>> {
    match tokens(text, reports) {
        Ok(tokens) => Parser::new(text, &tokens, reports).items(),
        Err(_) => Vec::new(),
    }
}

/// A single expression that makes up the whole text; `temporal` admits formulas.
pub(super) fn parse_expr<'t>(text: &'t str, temporal: bool, reports: &mut Reports) -> Checked<Expr<'t>> {
    let tokens = tokens(text, reports)?;
    let mut parser = Parser::new(text, &tokens, reports);
    let expr = if temporal { parser.formula() } else { parser.expr() }?;
    parser.at_end()?;
    Ok(expr)
}
