//! Measures the engines on one net: `net_measure NET.pnml walk|search|best|all|space|speed SECONDS [PROPERTIES.xml]`.
//! Without properties, deadlocks are searched for. Prints a line for each question.

use std::time::{Duration, Instant};

use engines::net::search::{Order, Scope, SearchOptions, search, state_space};
use engines::net::walk::{Strategy, WalkOptions, walk};
use engines::net::{Board, Finding, Task};
use evidence::Budget;
use frontend::mcc::{Formula, NamedFormula};
use model::nets::{Goal, Predicate};

/// A question: its name, its goal, and whether reaching the goal means no.
type Question = (String, Goal, bool);

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [file, what, seconds, properties @ ..] = &args[..] else { panic!("NET ENGINE SECONDS [PROPERTIES]") };
    let loaded = frontend::pnml::read(file, &std::fs::read(file).expect("a file")).expect("a net");
    let questions: Vec<Question> = match properties.first() {
        None => vec![("deadlock".to_owned(), Goal::Dead, false)],
        Some(xml) => {
            let read = frontend::mcc::read(&loaded, &std::fs::read(xml).expect("a file"));
            read.expect("properties").into_iter().filter_map(question).collect()
        }
    };
    let goals: Vec<Goal> = questions.iter().map(|q| q.1.clone()).collect();
    let limit = Duration::from_secs(seconds.parse().expect("a number"));
    let budget = Budget::unlimited().with_timeout(limit).with_memory(6 << 30);
    let (board, findings) = Board::new(goals.len());
    let task = Task { net: &loaded.net, goals: &goals, board: &board, budget: &budget };
    let begin = Instant::now();
    match what.as_str() {
        "walk" => println!("{:?}", walk(&task, 1, &WalkOptions::default())),
        "search" => each(&task, Order::Depth),
        "best" => each(&task, Order::Best),
        "all" => println!("{:?}", search(&task, &SearchOptions { scope: Scope::All, order: Order::Depth })),
        "space" => println!("{:?}", state_space(task.net, &budget)),
        "speed" => speed(&task),
        other => panic!("unknown: {other}"),
    }
    let took = begin.elapsed().as_secs_f64();
    drop(board);
    for settled in findings.iter() {
        let (name, _, negated) = &questions[settled.goal];
        let answer = match settled.finding {
            Finding::Reached(run) => {
                let length = run.len();
                let checked = check::replay_net(&loaded.net, &goals[settled.goal], run);
                assert!(checked.is_ok(), "{name}: {checked:?}");
                format!("{} {length}", !negated)
            }
            Finding::Never(_) => format!("{negated} -"),
            Finding::AtLeast(value, run) => {
                let Goal::Maximum(sum) = &goals[settled.goal] else { panic!("{name} is no maximum") };
                let length = run.len();
                let checked = check::replay_net(&loaded.net, &goals[settled.goal], run).expect("a run");
                assert_eq!(sum.value(checked.last()), i128::from(value), "{name}");
                format!(">={value} {length}")
            }
            Finding::AtMost(value, _) => format!("<={value}"),
        };
        println!("ANSWER {name} {answer}");
    }
    println!("TOOK {took:.2}");
}

fn question(named: NamedFormula) -> Option<Question> {
    let (goal, negated) = match named.formula {
        Formula::Deadlock => (Goal::Dead, false),
        Formula::Exists(predicate) => (Goal::Satisfies(predicate), false),
        Formula::Always(predicate) => (Goal::Satisfies(predicate.negated()?), true),
        Formula::Bound(sum) => (Goal::Maximum(sum), false),
        Formula::Unsupported(_) => return None,
    };
    Some((named.id, goal, negated))
}

/// One search for each goal, with an equal share of what time is left.
fn each(task: &Task<'_>, order: Order) {
    for g in 0..task.goals.len() {
        let budget = task.budget.share(task.goals.len() - g);
        println!(
            "{g}: {:?}",
            search(&Task { budget: &budget, ..*task }, &SearchOptions { scope: Scope::One(g), order })
        );
    }
}

fn speed(task: &Task<'_>) {
    let steps = 5_000_000;
    for strategy in Strategy::ALL {
        let goals = [Goal::Satisfies(Predicate::Constant(false))];
        let (board, _) = Board::new(1);
        let begin = Instant::now();
        let never = Task { goals: &goals, board: &board, ..*task };
        let _ = walk(&never, 1, &WalkOptions { steps, strategies: vec![strategy] });
        println!("{strategy:?}: {:.2} M steps/s", steps as f64 / begin.elapsed().as_secs_f64() / 1e6);
    }
}
