//! An irredundant sum of products of a function (Minato and Morreale): the form in which labels leave this room.

use super::{Bdd, Manager, Metered, Var};

/// A product: variables with the values that they must have, in order.
pub(crate) type Product = Vec<(Var, bool)>;

impl Manager {
    /// Products that together are the function, none of which could be left out or shortened.
    pub(crate) fn products(&mut self, f: Bdd) -> Metered<Vec<Product>> {
        let mut products = Vec::new();
        self.cover(f, f, &mut products)?;
        Ok(products)
    }

    /// Adds products that cover `must` and stay within `may`; gives the function that they are.
    fn cover(&mut self, must: Bdd, may: Bdd, products: &mut Vec<Product>) -> Metered<Bdd> {
        self.spend(1)?;
        if must == Bdd::FALSE {
            return Ok(Bdd::FALSE);
        }
        if may == Bdd::TRUE {
            products.push(Vec::new());
            return Ok(Bdd::TRUE);
        }
        let var = self.top(must).min(self.top(may));
        let ((must0, must1), (may0, may1)) = (self.split(must, var), self.split(may, var));
        let only0 = self.without(must0, may1)?;
        let cover0 = self.covered_by(only0, may0, Some((var, false)), products)?;
        let only1 = self.without(must1, may0)?;
        let cover1 = self.covered_by(only1, may1, Some((var, true)), products)?;
        let left0 = self.without(must0, cover0)?;
        let left1 = self.without(must1, cover1)?;
        let (left, both) = (self.or(left0, left1)?, self.and(may0, may1)?);
        let free = self.covered_by(left, both, None, products)?;
        let (low, high) = (self.or(cover0, free)?, self.or(cover1, free)?);
        self.decide(var, low, high)
    }

    /// As [`Self::cover`], with a literal before every product.
    fn covered_by(
        &mut self,
        must: Bdd,
        may: Bdd,
        literal: Option<(Var, bool)>,
        products: &mut Vec<Product>,
    ) -> Metered<Bdd> {
        let first = products.len();
        let covered = self.cover(must, may, products)?;
        if let Some(literal) = literal {
            products[first..].iter_mut().for_each(|p| p.insert(0, literal));
        }
        Ok(covered)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A random function of four variables, as the set of rows of its table.
    fn from_table(m: &mut Manager, table: u16) -> Bdd {
        let mut f = Bdd::FALSE;
        for row in (0..16).filter(|row| table >> row & 1 == 1) {
            let mut minterm = Bdd::TRUE;
            for var in 0..4 {
                let literal = m.literal(Var(var), row >> var & 1 == 1).expect("work is left");
                minterm = m.and(minterm, literal).expect("work is left");
            }
            f = m.or(f, minterm).expect("work is left");
        }
        f
    }

    #[test]
    fn products_are_the_function_and_all_needed() {
        let mut m = Manager::new(1 << 40);
        for table in (0..=u16::MAX).step_by(97) {
            let f = from_table(&mut m, table);
            let products = m.products(f).expect("work is left");
            let rows = |p: &Product| {
                (0..16)
                    .filter(|row| p.iter().all(|(v, positive)| (row >> v.0 & 1 == 1) == *positive))
                    .fold(0, |t, r| t | 1 << r)
            };
            let tables: Vec<u16> = products.iter().map(rows).collect();
            assert_eq!(tables.iter().fold(0, |t, p| t | p), table);
            for skipped in 0..tables.len() {
                let others = tables.iter().enumerate().filter(|(i, _)| *i != skipped).fold(0, |t, (_, p)| t | p);
                assert_ne!(others, table, "every product is needed");
            }
        }
    }

    #[test]
    fn work_runs_out() {
        let mut m = Manager::new(3);
        let made: Metered<Vec<Bdd>> = (0..5).map(|v| m.literal(Var(v), true)).collect();
        assert!(made.is_err());
    }
}
