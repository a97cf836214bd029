//! Random formulas and words.

use automata::automaton::Word;
use automata::syntax::{Atom, Binary, Ltl, Unary};
use testkit::Rng;

pub(crate) const UNARY: [Unary; 4] = [Unary::Not, Unary::Next, Unary::Eventually, Unary::Always];
pub(crate) const BINARY: [Binary; 9] = [
    Binary::And,
    Binary::Or,
    Binary::Implies,
    Binary::Iff,
    Binary::Xor,
    Binary::Until,
    Binary::WeakUntil,
    Binary::Release,
    Binary::StrongRelease,
];

/// A formula with about so many operators.
pub(crate) fn formula(rng: &mut Rng, atoms: u32, operators: usize) -> Ltl {
    if operators == 0 {
        return if rng.chance(3) {
            Ltl::Constant(rng.chance(50))
        } else {
            Ltl::Atom(Atom(rng.below(atoms as usize) as u32))
        };
    }
    if rng.chance(45) {
        return formula(rng, atoms, operators - 1).under(*rng.pick(&UNARY));
    }
    let left = rng.below(operators);
    let (a, b) = (formula(rng, atoms, left), formula(rng, atoms, operators - 1 - left));
    // Mostly the connectives that formulas are made of: equivalences double them.
    let op = if rng.chance(45) { *rng.pick(&BINARY[..2]) } else { *rng.pick(&BINARY) };
    a.with(op, b)
}

/// A word with a short stem and cycle; letters repeat often enough for `G` to have a chance.
pub(crate) fn word(rng: &mut Rng, atoms: u32) -> Word {
    let mask = if atoms >= 64 { u64::MAX } else { (1 << atoms) - 1 };
    let density = rng.below(3);
    let letter = |rng: &mut Rng| {
        let bits = match density {
            0 => rng.bits(),
            1 => rng.bits() | rng.bits() | rng.bits(),
            _ => rng.bits() & rng.bits() & rng.bits(),
        };
        bits & mask
    };
    let letters = |rng: &mut Rng, length: usize| {
        let mut letters: Vec<u64> = Vec::new();
        while letters.len() < length {
            let same = letters.last().copied().filter(|_| rng.chance(40));
            letters.push(same.unwrap_or_else(|| letter(rng)));
        }
        letters
    };
    let (stem, cycle) = (rng.below(5), 1 + rng.below(5));
    let (stem, cycle) = (letters(rng, stem), letters(rng, cycle));
    Word::new(&stem, &cycle).expect("the cycle is not empty")
}

/// The word with some letters repeated.
pub(crate) fn stuttered(rng: &mut Rng, word: &Word) -> Word {
    let shape = word.shape();
    let mut repeated = |range: std::ops::Range<usize>| -> Vec<u64> {
        range.flat_map(|i| vec![word.letter(i); 1 + rng.below(3)]).collect()
    };
    let (stem, cycle) = (repeated(0..shape.cycle_start()), repeated(shape.cycle_start()..shape.positions()));
    Word::new(&stem, &cycle).expect("there is a cycle")
}
