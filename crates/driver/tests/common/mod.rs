//! The corpus as the tests read it.

use std::path::Path;

use testkit::corpus::{Case, Size, cases};

/// State spaces up to this size are held against the naive oracle.
pub(crate) const ORACLE_LIMIT: usize = 5_000;

fn load(path: &Path) -> Result<Case, String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let name = path.to_string_lossy().into_owned();
    let loaded = frontend::native::load(&name, &text, &[]).map_err(|d| format!("{d:?}"))?;
    let (states, transitions, deadlocks) = (loaded.size.states, loaded.size.transitions, loaded.size.deadlocks);
    let size = Size { states, transitions, deadlocks };
    Ok(Case { name, system: loaded.system, properties: loaded.properties, size })
}

/// Every model of the corpus; its name is its path.
pub(crate) fn corpus() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    cases(&folder, "imp", load).expect("the corpus can be read")
}
