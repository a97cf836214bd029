//! Labels whose names mean something, and labels that other processes look at.

/// Whether a process may stop at a label.
pub(super) fn is_end(label: &str) -> bool {
    label.starts_with("end")
}

/// Whether a label marks what must not be repeated for ever, or in claims what must.
pub(super) fn is_accept(label: &str) -> bool {
    label.starts_with("accept")
}

/// Whether a label marks progress.
pub(super) fn is_progress(label: &str) -> bool {
    label.starts_with("progress")
}

/// Whether a label means something by its name.
pub(super) fn is_special(label: &str) -> bool {
    is_end(label) || is_accept(label) || is_progress(label)
}
