//! How large an unfolded net may become.

/// Limits of the net that a coloured net is unfolded to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnfoldLimits {
    /// Places.
    pub places: usize,
    /// Transitions.
    pub transitions: usize,
    /// Arcs.
    pub arcs: usize,
}

impl Default for UnfoldLimits {
    /// About a gigabyte for the net and what is needed to make it.
    fn default() -> Self {
        Self { places: 3_000_000, transitions: 3_000_000, arcs: 10_000_000 }
    }
}
