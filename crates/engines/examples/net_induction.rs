//! Measures what k-induction proves that the state equation does not:
//! `net_induction SECONDS EXAMINATION DIRECTORY...`, each with a `model.pnml` and property files.
//! The net is reduced for each goal by itself; then each engine gets the time for it. A line for each examination, and
//! one for each goal that the state equation does not exclude.

use std::path::Path;
use std::time::{Duration, Instant};

use engines::net::{Board, Finding, Proof, Task, induction, structural};
use evidence::Budget;
use frontend::LoadedNet;
use frontend::mcc::{Formula, NamedFormula};
use model::nets::{Goal, Predicate};
use model::views::NetTransitionId;
use reduce::Reduced;

/// Needs no file.
const DEADLOCK: &str = "ReachabilityDeadlock";

fn main() {
    let mut args = std::env::args().skip(1);
    let seconds: u64 = args.next().expect("SECONDS EXAMINATION DIRECTORY...").parse().expect("a number");
    let examination = args.next().expect("an examination");
    println!("net examination open | structural: never s | induction: never reached s | alone");
    for directory in args {
        let directory = Path::new(&directory);
        let Ok(bytes) = std::fs::read(directory.join("model.pnml")) else { continue };
        let loaded = frontend::pnml::read("net", &bytes).expect("a net");
        measure(&loaded, directory, &examination, Duration::from_secs(seconds));
    }
}

/// How many goals each engine settled, and the seconds they took.
#[derive(Default)]
struct Score {
    open: usize,
    equation: (usize, f64),
    induction: (usize, usize, f64),
    alone: usize,
}

fn measure(loaded: &LoadedNet, directory: &Path, examination: &str, time: Duration) {
    let xml = std::fs::read(directory.join(format!("{examination}.xml")));
    let questions: Vec<(String, Goal)> = match xml {
        _ if examination == DEADLOCK => vec![("deadlock".to_owned(), Goal::Dead)],
        Ok(xml) => frontend::mcc::read(loaded, &xml).expect("formulas").into_iter().filter_map(question).collect(),
        Err(_) => return,
    };
    let mut score = Score::default();
    for (name, goal) in questions {
        let start = Instant::now();
        let reduced = reduce::reduce(&loaded.net, std::slice::from_ref(&goal), &|| start.elapsed() > 2 * time);
        if is_constant(&reduced.goals[0]) {
            continue;
        }
        if let Some(run) = compare(&name, &reduced, time, &mut score) {
            let lifted = reduced.lift(&loaded.net, 0, &run).expect("a short run");
            check::replay_net(&loaded.net, &goal, lifted).expect("the run reaches the goal of the net as given");
        }
    }
    let Score { open, equation: (never, took), induction: (proved, reached, long), alone } = score;
    let net = directory.file_name().unwrap_or_default().to_string_lossy();
    println!("{net} {examination} {open} | {never} {took:.1} | {proved} {reached} {long:.1} | {alone}");
}

/// The run that the induction found, if any.
fn compare(name: &str, reduced: &Reduced, time: Duration, score: &mut Score) -> Option<Vec<NetTransitionId>> {
    let (equation, took) = settle(reduced, time, |task| structural::run(task, &mut |_, _| {}));
    let (induction, long) = settle(reduced, time, induction::run);
    let size = (reduced.net.places().len(), reduced.net.transitions().len());
    score.open += 1;
    score.equation.0 += usize::from(equation.is_some());
    score.equation.1 += took;
    score.induction.2 += long;
    match induction {
        Some(Finding::Never(Proof::Structure(words))) => {
            score.induction.0 += 1;
            if equation.is_none() {
                score.alone += 1;
                println!("    {name} {size:?} {long:.2} s: {words}");
            }
        }
        Some(Finding::Reached(run)) => {
            score.induction.1 += 1;
            println!("    {name} {size:?} {long:.2} s: reached in {}", run.len());
            return Some(run);
        }
        _ if equation.is_none() => println!("    {name} {size:?} open"),
        _ => {}
    }
    None
}

fn is_constant(goal: &Goal) -> bool {
    matches!(goal, Goal::Satisfies(Predicate::Constant(_)))
}

/// What an engine finds, and the seconds it took.
fn settle(reduced: &Reduced, time: Duration, engine: impl FnOnce(&Task<'_>)) -> (Option<Finding>, f64) {
    let budget = Budget::unlimited().with_timeout(time).with_memory(4 << 30);
    let (board, findings) = Board::new(1);
    let start = Instant::now();
    engine(&Task { net: &reduced.net, goals: &reduced.goals, board: &board, budget: &budget });
    let took = start.elapsed().as_secs_f64();
    drop(board);
    (findings.iter().last().map(|settled| settled.finding), took)
}

fn question(named: NamedFormula) -> Option<(String, Goal)> {
    let (goal, reaching) = match named.formula {
        Formula::Deadlock => (Goal::Dead, "TRUE"),
        Formula::Exists(predicate) => (Goal::Satisfies(predicate), "TRUE"),
        Formula::Always(predicate) => (Goal::Satisfies(predicate.negated()?), "FALSE"),
        Formula::Bound(_) | Formula::Unsupported(_) => return None,
    };
    Some((format!("{} (reached: {reaching})", named.id), goal))
}
