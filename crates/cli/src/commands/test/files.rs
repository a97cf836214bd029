//! The models below some paths, sorted.

use std::fs;
use std::path::{Path, PathBuf};

use crate::exit::Failure;

/// What models below a directory are called; automata are parts of expressions.
const EXTENSIONS: [&str; 10] = ["imp", "exp", "csp", "cspm", "bip", "pml", "pnml", "lola", "net", "ll_net"];

/// The files among `paths` as they are, and every model below the directories.
pub(super) fn collect(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        let before = files.len();
        visit(path, true, &mut files)?;
        if files.len() == before {
            let known = EXTENSIONS.map(|e| format!("*.{e}")).join(", ");
            return Err(Failure::input(format!("there is no model below {}: none of {known}", path.display())));
        }
    }
    files.sort();
    files.dedup();
    Ok(files)
}

fn visit(path: &Path, named: bool, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let problem = |e: std::io::Error| Failure::input(format!("cannot read {}: {e}", path.display()));
    if path.is_dir() {
        let entries = fs::read_dir(path).map_err(problem)?.collect::<Result<Vec<_>, _>>().map_err(problem)?;
        for entry in entries {
            // A link to a directory may lead back up: only real directories are entered.
            let linked = entry.file_type().map_err(problem)?.is_symlink();
            if !(linked && entry.path().is_dir()) {
                visit(&entry.path(), false, files)?;
            }
        }
    } else if named || path.extension().is_some_and(|e| EXTENSIONS.iter().any(|known| e == *known)) {
        files.push(path.to_owned());
    }
    Ok(())
}
