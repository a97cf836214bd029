//! Standard output that may close early, and files that are written whole or not at all.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::exit::Failure;

/// Writes results to standard output. A reader that has gone away is no mistake.
pub(crate) fn emit(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => Err(Failure::input(format!("standard output: {e}"))),
        _ => Ok(()),
    }
}

/// Writes a message to standard error, whatever becomes of it.
pub(crate) fn complain(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", text.trim_end());
}

/// Writes to a file, or to standard output if there is none.
pub(crate) fn write_to(path: Option<&Path>, text: &str) -> Result<(), Failure> {
    path.map_or_else(|| emit(text), |path| write_file(path, text))
}

/// Replaces a file in one step: nobody ever sees half of it, and a failure leaves the old one.
pub(crate) fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    let result = match fs::metadata(path) {
        Ok(m) if m.is_file() => fs::canonicalize(path).and_then(|path| replace(&path, text, Some(m.permissions()))),
        Ok(m) if m.is_dir() => Err(std::io::Error::new(ErrorKind::IsADirectory, "it is a directory")),
        Ok(_) => fs::write(path, text),
        Err(_) => replace(path, text, None),
    };
    result.map_err(|e| Failure::input(format!("cannot write {}: {e}", path.display())))
}

/// Fails now if `write_file` would fail later: nobody should wait for something that cannot be kept.
pub(crate) fn can_write(path: &Path) -> Result<(), Failure> {
    let target = match fs::metadata(path) {
        Ok(m) if m.is_dir() => Err(std::io::Error::new(ErrorKind::IsADirectory, "it is a directory")),
        Ok(m) if m.is_file() => fs::canonicalize(path).map(Some),
        Ok(_) => Ok(None),
        Err(_) => Ok(Some(path.to_owned())),
    };
    let tried = target.and_then(|target| target.map_or(Ok(()), |path| attempt(&beside(&path))));
    tried.map_err(|e| Failure::input(format!("cannot write {}: {e}", path.display())))
}

fn attempt(path: &Path) -> std::io::Result<()> {
    fs::File::create(path).and_then(|_| fs::remove_file(path))
}

fn replace(path: &Path, text: &str, permissions: Option<fs::Permissions>) -> std::io::Result<()> {
    let temporary = beside(path);
    let written = write_new(&temporary, text, permissions).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}

fn write_new(path: &Path, text: &str, permissions: Option<fs::Permissions>) -> std::io::Result<()> {
    let mut file = fs::File::create(path)?;
    file.write_all(text.as_bytes())?;
    permissions.map_or(Ok(()), |p| file.set_permissions(p))?;
    file.sync_all()
}

/// A name in the same directory, so that renaming stays within one file system.
fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().map_or_else(Default::default, |n| n.to_string_lossy().into_owned());
    path.with_file_name(format!(".{name}.{}.tmp", std::process::id()))
}
