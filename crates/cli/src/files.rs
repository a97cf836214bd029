//! What a worker may read: the folders that it is confined to, and the texts that stand for files. Everybody else reads
//! every file as it is.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

/// What files are to this process.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Files {
    /// The folders whose files may be read, as they really are; all, if none are named.
    pub(crate) folders: Option<Vec<PathBuf>>,
    /// Texts that stand for those of files, as an editor has them.
    pub(crate) texts: Vec<(PathBuf, String)>,
}

static FILES: OnceLock<Files> = OnceLock::new();

/// Says once what files are to this process.
pub(crate) fn set(files: Files) {
    FILES.set(files).expect("it is said once");
}

/// The text that stands for a file.
pub(crate) fn given(path: &Path) -> Option<&'static str> {
    FILES.get()?.texts.iter().find(|(known, _)| known == path).map(|(_, text)| &**text)
}

/// Whether a file may be read; if not, why.
pub(crate) fn permit(path: &Path) -> Result<(), String> {
    match FILES.get().and_then(|files| files.folders.as_ref()) {
        Some(folders) if !is_within(path, folders) => Err(OUTSIDE.to_owned()),
        _ => Ok(()),
    }
}

/// Why a file may not be read.
pub(crate) const OUTSIDE: &str = "it is outside of the folders that may be read";

/// Whether a file is in one of some folders, whatever links say. Of a file that does not exist the folder counts.
pub(crate) fn is_within(path: &Path, folders: &[PathBuf]) -> bool {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let real = path.canonicalize().or_else(|_| folder.canonicalize());
    real.is_ok_and(|real| folders.iter().any(|folder| real.starts_with(folder)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_dots_lead_nowhere_else() {
        let root = std::env::temp_dir().join(format!("impasse-files-{}", std::process::id()));
        std::fs::create_dir_all(root.join("in/deep")).expect("a folder");
        std::fs::write(root.join("out"), "x").expect("a file");
        let folders = [root.join("in").canonicalize().expect("it exists")];
        let within = |name: &str| is_within(&root.join("in").join(name), &folders);
        assert!(within("new") && within("deep/new") && within("deep/../new"));
        assert!(!within("../out") && !within("../new") && !within("/etc/hostname") && !within("nowhere/new"));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(root.join("out"), root.join("in/link")).expect("a link");
            assert!(!within("link"));
        }
        std::fs::remove_dir_all(&root).expect("the folder is ours");
    }
}
