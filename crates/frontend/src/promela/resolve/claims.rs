//! `never` claims, `trace` assertions and `ltl` formulas.

use super::reports::Reports;
use super::tables::{Others, Tables};
use crate::promela::{ast, ir};

/// Adds those of a program.
pub(super) fn add(
    program: &ast::Program,
    tables: &Tables,
    others: &Others,
    result: &mut ir::Program,
    reports: &mut Reports,
) {
    let _ = (program, tables, others, result, reports);
}
