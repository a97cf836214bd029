//! Labels whose names mean something, and labels that other processes look at.

/// Whether a process may stop at a label.
fn is_end(label: &str) -> bool {
    label.starts_with("end")
}

/// Whether a label marks what must not be repeated for ever, or in claims what must.
fn is_accept(label: &str) -> bool {
    label.starts_with("accept")
}

/// Whether a label marks progress.
fn is_progress(label: &str) -> bool {
    label.starts_with("progress")
}

/// Whether a label says something about runs that go on for ever.
pub(super) fn means_cycles(label: &str) -> bool {
    is_accept(label) || is_progress(label)
}

/// Whether a label means something by its name.
pub(super) fn is_special(label: &str) -> bool {
    Marks::of(label) != Marks::default()
}

/// What the labels of a control state mean by their names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Marks {
    pub(super) end: bool,
    pub(super) accept: bool,
    pub(super) progress: bool,
}

impl Marks {
    /// Those of one label.
    pub(super) fn of(label: &str) -> Self {
        Self { end: is_end(label), accept: is_accept(label), progress: is_progress(label) }
    }

    /// Those of both.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            end: self.end || other.end,
            accept: self.accept || other.accept,
            progress: self.progress || other.progress,
        }
    }
}
