//! The files of BIP's authors, where they are there: the folder is `IMPASSE_DATA`, or `../shared/data`.

use std::path::{Path, PathBuf};

use frontend::bip::parse;

/// Refused, with the reason: none. Files named `..._error` fail when they run, not when they are read.
const REFUSED: &[(&str, &str)] = &[];

fn folder() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let data = std::env::var_os("IMPASSE_DATA").map_or_else(|| root.join("../shared/data"), PathBuf::from);
    let folder = data.join("bip");
    if !folder.is_dir() {
        eprintln!("skipped: there are no packages in {}", folder.display());
        return None;
    }
    Some(folder)
}

fn packages(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            packages(&path, out);
        } else if path.extension().is_some_and(|extension| extension == "bip") {
            out.push(path);
        }
    }
}

#[test]
fn every_package_of_its_authors_is_read() {
    let Some(folder) = folder() else { return };
    let mut paths = Vec::new();
    packages(&folder, &mut paths);
    paths.sort();
    assert!(paths.len() > 100, "only {} packages in {}", paths.len(), folder.display());
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let name = path.strip_prefix(&folder).expect("a file of the folder").to_string_lossy().into_owned();
        let result = parse(&text, &|file| Err(format!("there is no {file}")));
        let refused = REFUSED.iter().any(|(file, _)| *file == name);
        assert_eq!(result.is_err(), refused, "{name}: {:?}", result.err());
    }
}
