//! Labels of edges: boolean functions of at most 64 atoms, as sums of products.

use crate::bdd::{Bdd, Manager, Metered, Var};

/// A product: the atoms that must be true and those that must be false, as bit sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cube {
    /// Atoms that must be true.
    pub positive: u64,
    /// Atoms that must be false.
    pub negative: u64,
}

impl Cube {
    /// The product of no literals, which is always true.
    pub const TRUE: Cube = Cube { positive: 0, negative: 0 };

    /// Whether the valuation, the bit set of true atoms, satisfies it.
    pub fn holds(self, valuation: u64) -> bool {
        valuation & self.positive == self.positive && valuation & self.negative == 0
    }

    /// The product of both, unless they contradict each other.
    pub fn and(self, other: Cube) -> Option<Cube> {
        let both = Cube { positive: self.positive | other.positive, negative: self.negative | other.negative };
        (both.positive & both.negative == 0).then_some(both)
    }
}

/// A sum of products.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Label(pub Box<[Cube]>);

impl Label {
    /// The label that every valuation satisfies.
    pub fn always() -> Label {
        Label([Cube::TRUE].into())
    }

    /// Whether it is the label that every valuation satisfies, as irredundant sums show it.
    pub fn is_always(&self) -> bool {
        self.0.contains(&Cube::TRUE)
    }

    /// Whether the valuation, the bit set of true atoms, satisfies it.
    pub fn holds(&self, valuation: u64) -> bool {
        self.0.iter().any(|cube| cube.holds(valuation))
    }

    /// Whether no valuation satisfies both.
    pub fn excludes(&self, other: &Label) -> bool {
        self.0.iter().all(|a| other.0.iter().all(|b| a.and(*b).is_none()))
    }

    /// The products of both, unless they exclude each other.
    pub fn and(&self, other: &Label) -> Option<Label> {
        let mut cubes: Vec<Cube> = Vec::new();
        for cube in self.0.iter().flat_map(|a| other.0.iter().filter_map(|b| a.and(*b))) {
            if !cubes.contains(&cube) {
                cubes.push(cube);
            }
        }
        (!cubes.is_empty()).then(|| Label(cubes.into()))
    }

    /// The atoms that it speaks of.
    pub fn support(&self) -> u64 {
        self.0.iter().fold(0, |atoms, cube| atoms | cube.positive | cube.negative)
    }

    pub(crate) fn function(&self, m: &mut Manager) -> Metered<Bdd> {
        let mut sum = Bdd::FALSE;
        for cube in &self.0 {
            let mut product = Bdd::TRUE;
            for atom in (0..64).rev().filter(|a| (cube.positive | cube.negative) >> a & 1 == 1) {
                let literal = m.literal(Var(atom), cube.positive >> atom & 1 == 1)?;
                product = m.and(literal, product)?;
            }
            sum = m.or(sum, product)?;
        }
        Ok(sum)
    }

    pub(crate) fn from_function(m: &mut Manager, f: Bdd) -> Metered<Label> {
        let cubes = m.products(f)?.into_iter().map(|product| {
            product.into_iter().fold(Cube::TRUE, |mut cube, (var, positive)| {
                let bits = if positive { &mut cube.positive } else { &mut cube.negative };
                *bits |= 1 << var.0;
                cube
            })
        });
        Ok(Label(cubes.collect()))
    }
}
