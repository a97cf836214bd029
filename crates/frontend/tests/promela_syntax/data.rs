//! The models of others, where they are there: the folder is `IMPASSE_DATA`, or `../shared/data`.

use std::path::{Path, PathBuf};

use frontend::Diagnostic;
use frontend::promela::{Options, Parsed, parse};

fn folder() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let data = std::env::var_os("IMPASSE_DATA").map_or_else(|| root.join("../shared/data"), PathBuf::from);
    if !data.join("promela").is_dir() {
        eprintln!("skipped: there are no models in {}", data.display());
        return None;
    }
    Some(data)
}

fn models(folder: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.map(|entry| entry.expect("a readable entry").path()) {
        let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            models(&path, out);
        } else if ["pml", "pm", "pr", "prm", "prom", "promela", "sumo"].contains(&&*extension) {
            out.push(path);
        }
    }
}

fn read(path: &Path) -> Result<Parsed, Vec<Diagnostic>> {
    let text = std::fs::read_to_string(path).expect("a readable file");
    let folder = path.parent().expect("a folder").to_owned();
    parse(&text, &|name| std::fs::read_to_string(folder.join(name)).map_err(|e| e.to_string()), &Options::default())
}

#[test]
fn every_model_that_spin_takes_is_read() {
    let Some(data) = folder() else { return };
    let mut paths = Vec::new();
    models(&data.join("promela"), &mut paths);
    models(&data.join("beem/promela"), &mut paths);
    paths.sort();
    for path in paths {
        if let Err(mistakes) = read(&path) {
            let text = std::fs::read_to_string(&path).unwrap();
            println!("{}: {:?} {:?}", path.display(), mistakes[0].position(text.as_bytes()), mistakes[0]);
        }
    }
}
