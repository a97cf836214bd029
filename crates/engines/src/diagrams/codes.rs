//! Which variables stand for the states of a component.

use model::views::{ComponentId, EventId, Network, StateId};
use solve::bdd::{Bdd, Cube, Full, Manager};

/// An event with more moves than this is a relation over present and next bits; with fewer, each move is done by itself.
pub(super) const FEW: usize = 6;

/// The variables of all components.
#[derive(Debug)]
pub(super) struct Codes {
    /// By component, its present bits, the most significant first.
    present: Vec<Vec<u32>>,
    /// By component, its next bits, each right after its present bit; empty if no event needs them.
    next: Vec<Vec<u32>>,
    variables: u32,
}

impl Codes {
    /// Variables for the components, in this order.
    pub(super) fn new(network: &Network, order: &[ComponentId]) -> Self {
        let mut codes = Self {
            present: vec![Vec::new(); network.components().len()],
            next: vec![Vec::new(); network.components().len()],
            variables: 0,
        };
        for &c in order {
            let both = needs_next(network, c);
            for _ in 0..bits(network.component(c).states().len()) {
                codes.present[c.index()].push(codes.variables);
                codes.variables += 1;
                if both {
                    codes.next[c.index()].push(codes.variables);
                    codes.variables += 1;
                }
            }
        }
        codes
    }

    /// How many variables there are.
    pub(super) fn variables(&self) -> u32 {
        self.variables
    }

    /// How many of them are present bits.
    pub(super) fn present_bits(&self) -> u32 {
        self.present.iter().map(|bits| bits.len() as u32).sum()
    }

    /// The present bits of a component, the most significant first.
    pub(super) fn present(&self, c: ComponentId) -> &[u32] {
        &self.present[c.index()]
    }

    /// The next bits of a component.
    pub(super) fn next(&self, c: ComponentId) -> &[u32] {
        &self.next[c.index()]
    }

    /// The values of the present bits in a state.
    pub(super) fn literals(&self, c: ComponentId, s: StateId) -> impl Iterator<Item = (u32, bool)> + '_ {
        literals(&self.present[c.index()], s)
    }

    /// The component is in this state.
    pub(super) fn state(&self, manager: &Manager, c: ComponentId, s: StateId) -> Result<Cube, Full> {
        manager.cube(self.literals(c, s))
    }

    /// The component goes from the first state to the second.
    pub(super) fn step(&self, manager: &Manager, c: ComponentId, (from, to): (StateId, StateId)) -> Result<Bdd, Full> {
        let after = literals(&self.next[c.index()], to);
        Ok(manager.cube(self.literals(c, from).chain(after))?.set().clone())
    }

    /// The state of a component in an assignment.
    pub(super) fn read(&self, c: ComponentId, assignment: &[bool]) -> StateId {
        let bits = self.present[c.index()].iter();
        StateId::new(bits.fold(0, |number, &v| number << 1 | usize::from(assignment[v as usize])))
    }
}

fn literals(bits: &[u32], s: StateId) -> impl Iterator<Item = (u32, bool)> + '_ {
    let last = bits.len().saturating_sub(1);
    bits.iter().enumerate().map(move |(k, &v)| (v, s.index() >> (last - k) & 1 == 1))
}

/// The bits that as many states take.
pub(super) fn bits(states: usize) -> u32 {
    usize::BITS - states.saturating_sub(1).leading_zeros()
}

fn needs_next(network: &Network, c: ComponentId) -> bool {
    let component = network.component(c);
    let mut moves = vec![0; component.events().len()];
    for from in (0..component.states().len()).map(StateId::new) {
        for EventId(e) in component.moves(from).iter().filter(|m| m.to != from).map(|m| m.event) {
            moves[e as usize] += 1;
        }
    }
    moves.into_iter().any(|moves| moves > FEW)
}

#[cfg(test)]
mod tests {
    use super::bits;

    #[test]
    fn as_few_bits_as_possible() {
        assert_eq!([1, 2, 3, 4, 5, 8, 9].map(bits), [0, 1, 2, 2, 3, 3, 4]);
    }
}
