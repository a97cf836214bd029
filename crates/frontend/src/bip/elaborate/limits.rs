//! The sizes beyond which a model is refused: far above any real one, far below what would exhaust a machine.

/// Atoms, compounds and connectors together.
pub(super) const INSTANCES: usize = 400_000;
/// Compounds within compounds, and connectors on connectors.
pub(super) const DEPTH: usize = 200;
/// Interactions of one connector, each choice of interactions below it counted.
pub(super) const INTERACTIONS: usize = 1 << 13;
/// Markings of one atom that become locations; with more, its places are parts of the state by themselves.
pub(super) const MARKINGS: usize = 1 << 10;
/// Interactions that priorities of one compound speak about, and pairs of them.
pub(super) const PRIORITIES: usize = 1 << 20;
/// Ways in which one interaction can have to wait for another.
pub(super) const WAYS: usize = 1 << 12;
/// Conditions that depend on something unknown and are chosen anew by one step.
pub(super) const CHOICES: usize = 10;
