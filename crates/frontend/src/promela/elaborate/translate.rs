//! From resolved expressions to terms; what an expression looks at is left to its [`Leaves`].

use super::Checked;
use super::term::Term;
use crate::promela::ir::Expr;

/// The meaning of expressions that are neither constants nor operators.
pub(super) trait Leaves {
    /// The term for such an expression.
    fn leaf(&self, expr: &Expr) -> Checked<Term>;
}

/// The term for an expression.
pub(super) fn term(expr: &Expr, leaves: &impl Leaves) -> Checked<Term> {
    Ok(match expr {
        Expr::Const(value) => Term::constant(*value),
        Expr::Unary(op, a) => Term::unary(*op, term(a, leaves)?),
        Expr::Binary(op, a, b) => {
            let a = term(a, leaves)?;
            // What is never evaluated need not have a meaning.
            match (op, a.value()) {
                (crate::promela::ir::Binary::And, Some(0)) => Term::constant(0),
                (crate::promela::ir::Binary::Or, Some(v)) if v != 0 => Term::constant(1),
                _ => Term::binary(*op, a, term(b, leaves)?),
            }
        }
        Expr::Cond(c, a, b) => {
            let c = term(c, leaves)?;
            match c.value() {
                Some(0) => term(b, leaves)?,
                Some(_) => term(a, leaves)?,
                None => Term::choice(c, term(a, leaves)?, term(b, leaves)?),
            }
        }
        expr => leaves.leaf(expr)?,
    })
}

/// The one index of a cell whose variable has several dimensions: out of range if one of them is.
pub(super) fn flat_index(sizes: &[u32], indices: &[Expr], leaves: &impl Leaves) -> Checked<Option<Term>> {
    use crate::promela::ir::Binary::{Add, Ge, Lt, Mul};
    let mut flat: Option<Term> = None;
    let mut inside = Term::constant(1);
    for (at, (index, size)) in indices.iter().zip(sizes).enumerate() {
        let (index, size) = (term(index, leaves)?, Term::constant(i64::from(*size)));
        if at > 0 {
            let above = Term::binary(Ge, index.clone(), Term::constant(0));
            inside = inside.and(above).and(Term::binary(Lt, index.clone(), size.clone()));
        }
        flat = Some(match flat {
            None => index,
            Some(before) => Term::binary(Add, Term::binary(Mul, before, size), index),
        });
    }
    Ok(flat.map(|flat| Term::choice(inside, flat, Term::constant(-1))))
}
