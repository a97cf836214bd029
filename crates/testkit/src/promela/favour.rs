//! What programs have more of than usual: all things at once rarely meet in a small program.

/// What there is more of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Favour {
    Nothing,
    /// Sending and receiving.
    Messages,
    /// `unless`, `atomic` and `d_step` in one another.
    Control,
    /// Processes that come and go.
    Births,
    /// Rendezvous that `unless` tries first.
    Escapes,
}

impl Favour {
    /// That of a seed.
    pub(super) fn of(seed: u64) -> Self {
        let all = [Favour::Nothing, Favour::Messages, Favour::Control, Favour::Births, Favour::Escapes];
        all[(seed % all.len() as u64) as usize]
    }
}
