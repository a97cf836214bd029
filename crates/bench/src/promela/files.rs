//! The models, in the order of their paths.

use std::fs;
use std::path::{Path, PathBuf};

/// The endings that Promela has in the collections.
const ENDINGS: [&str; 7] = ["pml", "pm", "prom", "prm", "pr", "promela", "sumo"];

/// A model under a name that is known to be Promela's.
pub(super) fn named(path: &Path) -> Result<PathBuf, String> {
    if path.extension().is_none_or(|e| e != "sumo") {
        return Ok(path.to_owned());
    }
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let copy = std::env::temp_dir().join(format!("impasse-bench-{}-{name}.pml", std::process::id()));
    fs::copy(path, &copy).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(copy)
}

/// All models with their names, which are paths below the folder of the data.
pub(super) fn models(root: &Path) -> Result<Vec<(String, PathBuf)>, String> {
    let data = std::env::var_os("IMPASSE_DATA").map_or_else(|| root.join("../shared/data"), PathBuf::from);
    let mut paths = Vec::new();
    for folder in ["promela", "beem/promela"] {
        collect(&data.join(folder), &mut paths)?;
    }
    paths.sort();
    let name = |path: &Path| path.strip_prefix(&data).unwrap_or(path).to_string_lossy().into_owned();
    Ok(paths.into_iter().map(|path| (name(&path), path)).collect())
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<(), String> {
    let fails = |e: std::io::Error| format!("{}: {e}", folder.display());
    for entry in fs::read_dir(folder).map_err(fails)? {
        let path = entry.map_err(fails)?.path();
        if path.is_dir() {
            collect(&path, paths)?;
        } else if path.extension().is_some_and(|e| ENDINGS.iter().any(|ending| e == *ending)) {
            paths.push(path);
        }
    }
    Ok(())
}
