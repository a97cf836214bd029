//! Safety on reduced spaces: the proviso of the stack, of components, and the search towards a goal, over the corpus.
//!
//! The thesis (section 6.5) leaves open whether Godefroid and Wolper's reduction of reachability to deadlocks (1993) is
//! better than the proviso, and which proviso is better. This table answers for our models, in states and transitions
//! until the question is decided: they do not depend on the machine.

use std::path::{Path, PathBuf};

use engines::explore::{Explore, Order, Persistent, Proviso, Wish};
use engines::persistent::{Algorithm, Interference};
use engines::{Engine, Problem};
use evidence::{Budget, Silent, Statistics, Verdict};
use model::{Class, Property, System};

use crate::measure::geometric_mean;

/// The contestants: a name, sleep sets, the proviso.
const REDUCED: [(&str, bool, Proviso); 6] = [
    ("stack", false, Proviso::Stack),
    ("+sleep", true, Proviso::Stack),
    ("component", false, Proviso::Component),
    ("goal", false, Proviso::Goal),
    ("+sleep", true, Proviso::Goal),
    ("sleep only", true, Proviso::None),
];

/// Questions with fewer states than this in the full search say little.
const FEWEST: u64 = 200;
const TIMEOUT: std::time::Duration = std::time::Duration::from_secs(20);

/// A question and what each search needed: states and transitions, the full one first.
struct Row {
    name: String,
    holds: bool,
    figures: Vec<Option<(u64, u64)>>,
}

/// Measures and prints as it goes.
pub(crate) fn run() -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    print!("{:<46} {:>8}", "states until decided", "full");
    REDUCED.iter().for_each(|(name, ..)| print!(" {name:>10}"));
    println!();
    let mut rows = Vec::new();
    for path in models(&root.join("corpus")) {
        for row in questions(&path)? {
            println!("{}", line(&row));
            rows.push(row);
        }
    }
    summary(&rows);
    Ok(())
}

fn models(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(|e| Some(e.ok()?.path()));
    let (mut folders, mut files): (Vec<PathBuf>, Vec<PathBuf>) = entries.partition(|p| p.is_dir());
    files.retain(|p| p.extension().is_some_and(|e| e == "imp"));
    folders.sort();
    files.sort();
    files.into_iter().chain(folders.iter().flat_map(|f| models(f))).collect()
}

fn questions(path: &Path) -> Result<Vec<Row>, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let model = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let loaded = frontend::native::load(&model, &text, &[]).map_err(|_| format!("{model} is no model"))?;
    let mut rows = Vec::new();
    for named in loaded.properties.iter().filter(|p| p.property.class() == Class::Safety) {
        let name = format!("{model}: {}", named.name);
        rows.extend(measure(name, &loaded.system, &named.property)?);
    }
    Ok(rows)
}

fn measure(name: String, system: &System, property: &Property) -> Result<Option<Row>, String> {
    let persistent = Persistent { algorithm: Algorithm::Stubborn, interference: Interference::DoNotAccord };
    let Some((holds, full)) = ask(system, property, Wish::default()) else { return Ok(None) };
    if full.0 < FEWEST {
        return Ok(None);
    }
    let mut figures = vec![Some(full)];
    for (_, sleep, proviso) in REDUCED {
        let persistent = (proviso != Proviso::None).then_some(persistent);
        let answer = ask(system, property, Wish { persistent, sleep, proviso });
        if answer.is_some_and(|(other, _)| other != holds) {
            return Err(format!("{name}: two searches contradict each other"));
        }
        figures.push(answer.map(|(_, size)| size));
    }
    Ok(Some(Row { name, holds, figures }))
}

/// The verdict, states and transitions; nothing if the search may not be used here or takes too long.
fn ask(system: &System, property: &Property, reduce: Wish) -> Option<(bool, (u64, u64))> {
    let engine = Explore { order: Order::Depth, finish: 0, reduce, ..Explore::default() };
    engine.supports(&Problem { system, property }).ok()?;
    let outcome = engine.run(&Problem { system, property }, &Budget::unlimited().with_timeout(TIMEOUT), &Silent);
    let Statistics { states, transitions, .. } = outcome.statistics;
    match outcome.verdict {
        Verdict::Unknown(_) => None,
        verdict => Some((matches!(verdict, Verdict::Holds(_)), (states?, transitions?))),
    }
}

fn line(row: &Row) -> String {
    let show = |size: &Option<(u64, u64)>| size.map_or("-".to_owned(), |(states, _)| states.to_string());
    let mut line = format!("{:<46} {:>8}", row.name, show(&row.figures[0]));
    row.figures[1..].iter().for_each(|f| line += &format!(" {:>10}", show(f)));
    line
}

/// Geometric means of the ratios to the full search, over the questions that all contestants answered.
fn summary(rows: &[Row]) {
    let complete = |row: &&Row| row.figures.iter().all(Option::is_some);
    for (title, holds) in [("hold", true), ("are violated", false)] {
        let rows: Vec<&Row> = rows.iter().filter(|r| r.holds == holds).filter(complete).collect();
        let figures = [("states", 0), ("transitions", 1)];
        for (what, which) in figures {
            let of = |row: &Row, i: usize| {
                let (states, transitions) = row.figures[i].expect("only complete rows");
                if which == 0 { states as f64 } else { transitions as f64 }
            };
            print!("mean {what} against the full search, {:>3} that {title:<13}", rows.len());
            for i in 1..=REDUCED.len() {
                let ratios: Vec<f64> = rows.iter().map(|row| of(row, i) / of(row, 0)).collect();
                print!(" {:>8.3}", geometric_mean(&ratios));
            }
            println!();
        }
    }
}
