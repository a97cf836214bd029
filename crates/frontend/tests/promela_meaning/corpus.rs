//! All programs of the data folder that SPIN has an answer for: they are read, and where the state space is small the
//! answers about end states agree. Skipped without data.

use std::path::{Path, PathBuf};

use frontend::promela::elaborate::Patience;
use frontend::promela::{Options, reading};

use crate::space::explore;

/// The most states that are looked at.
const LIMIT: usize = 20_000;

/// Programs that are not read, and why.
const REFUSED: [(&str, &str); 2] = [
    ("spin-examples/priorities.pml", "priorities of processes are refused"),
    ("spin-examples/rtos1.pml", "priorities of processes are refused"),
];

struct Row {
    path: String,
    question: String,
    expected: String,
}

fn rows(data: &Path) -> Vec<Row> {
    let text = std::fs::read_to_string(data.join("promela/verdicts.csv")).unwrap_or_default();
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let [_, path, question, expected, ..] = fields[..] else { return None };
        Some(Row { path: path.to_owned(), question: question.to_owned(), expected: expected.to_owned() })
    };
    text.lines().skip(1).filter_map(row).collect()
}

#[test]
fn answers_agree_with_those_of_spin() {
    let Some(data) = std::env::var_os("IMPASSE_DATA").map(PathBuf::from) else { return };
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for row in rows(&data).iter().filter(|r| r.question == "invalid_end_state_reachable") {
        let path = data.join("promela").join(&row.path);
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let folder = path.parent().unwrap_or(&path);
        let include = |name: &str| std::fs::read_to_string(folder.join(name)).map_err(|e| e.to_string());
        let options = Options { ignore_assertions: true, ..Options::default() };
        let reading = match reading("corpus", &text, &include, &options, Patience::default()) {
            Ok(reading) => reading,
            Err(mistakes) => {
                if !REFUSED.iter().any(|(name, _)| row.path.ends_with(name)) {
                    wrong.push(format!("{}: {mistakes:?}", row.path));
                }
                continue;
            }
        };
        let space = explore(reading, LIMIT);
        let expected = row.expected == "TRUE";
        if space.stuck && !expected || !space.cut && space.faults.is_empty() && space.stuck != expected {
            wrong.push(format!("{}: stuck {}", row.path, space.stuck));
        }
        compared += usize::from(!space.cut);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared >= 50, "only {compared} programs were small enough");
}
