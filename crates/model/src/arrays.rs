//! Arrays in the names of their cells: `grid[0][0]` to `grid[1][2]` are the cells of `grid`, which has two dimensions.

use crate::{Binary, Expr};

/// The name of the array that a cell belongs to, and the cell's indices: `Phil[0].x[2]` is cell 2 of `Phil[0].x`.
pub(crate) fn split_cell(name: &str) -> (&str, Vec<u32>) {
    let (mut array, mut indices) = (name, Vec::new());
    while let Some((rest, index)) = array.strip_suffix(']').and_then(|a| a.rsplit_once('[')) {
        let Ok(index) = index.parse() else { break };
        indices.push(index);
        array = rest;
    }
    indices.reverse();
    (array, indices)
}

/// The indices, one for each dimension, that were made into one: `(i * d1 + j) * d2 + k`, with -1 instead where an
/// inner index is outside its dimension. Nothing if the index was not made that way.
pub(crate) fn indices(index: &Expr, dims: &[i64]) -> Option<Vec<Expr>> {
    match index {
        Expr::If(_, index, outside) if dims.len() > 1 && **outside == Expr::Const(-1) => unfold(index, dims),
        index => unfold(index, dims),
    }
}

fn unfold(index: &Expr, dims: &[i64]) -> Option<Vec<Expr>> {
    let (&dim, outer) = dims.split_last()?;
    if outer.is_empty() {
        return Some(vec![index.clone()]);
    }
    let (row, last) = match index {
        Expr::Const(c) => (Expr::Const(c / dim), Expr::Const(c % dim)),
        Expr::Binary(Binary::Add, row, last) => match &**row {
            Expr::Const(c) if c % dim == 0 => (Expr::Const(c / dim), (**last).clone()),
            Expr::Binary(Binary::Mul, row, size) if **size == Expr::Const(dim) => ((**row).clone(), (**last).clone()),
            _ => return None,
        },
        _ => return None,
    };
    let mut all = unfold(&row, outer)?;
    all.push(last);
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_indices_are_those_of_the_cell() {
        assert_eq!(split_cell("Phil[0].x[2]"), ("Phil[0].x", vec![2]));
        assert_eq!(split_cell("grid[1][2]"), ("grid", vec![1, 2]));
        assert_eq!(split_cell("odd]"), ("odd]", vec![]));
    }

    #[test]
    fn an_index_of_another_form_is_left_alone() {
        let i = Expr::read(crate::ObjectId(0));
        assert_eq!(indices(&i, &[2, 3]), None);
        assert_eq!(indices(&i.clone().op(Binary::Mul, 2).op(Binary::Add, 1), &[2, 3]), None);
        assert_eq!(indices(&Expr::Const(3).op(Binary::Add, i.clone()), &[2, 3]), Some(vec![Expr::Const(1), i]));
    }
}
