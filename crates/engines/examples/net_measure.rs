//! Measures the engines on one net: `net_measure FILE walk|search|all|space SECONDS [SEED]`; PNML, deadlocks.

use std::time::{Duration, Instant};

use engines::net::search::{Order, Scope, SearchOptions, search, state_space};
use engines::net::walk::{Strategy, WalkOptions, walk};
use engines::net::{Board, Task};
use evidence::Budget;
use model::nets::Goal;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [file, what, seconds, ..] = &args[..] else { panic!("FILE walk|search|all|space SECONDS [SEED]") };
    let seed = args.get(3).map_or(1, |s| s.parse().expect("a number"));
    let bytes = std::fs::read(file).expect("a file");
    let net = frontend::pnml::read(file, &bytes).expect("a net").net;
    let limit = Duration::from_secs(seconds.parse().expect("a number"));
    let budget = Budget::unlimited().with_timeout(limit).with_memory(6 << 30);
    let goals = [Goal::Dead];
    let (board, findings) = Board::new(goals.len());
    let task = Task { net: &net, goals: &goals, board: &board, budget: &budget };
    let begin = Instant::now();
    let one = |order| SearchOptions { scope: Scope::One(0), order };
    let end = match what.as_str() {
        "walk" => walk(&task, seed, &WalkOptions::default()),
        "search" => search(&task, &one(Order::Depth)),
        "best" => search(&task, &one(Order::Best)),
        "all" => search(&task, &SearchOptions { scope: Scope::All, order: Order::Depth }),
        "space" => state_space(&net, &budget).map(|counts| println!("{counts:?}")),
        "speed" => {
            let steps = 20_000_000;
            for strategy in Strategy::ALL {
                let (board, _) = Board::new(1);
                let never = [Goal::Satisfies(model::nets::Predicate::Constant(false))];
                let task = Task { net: &net, goals: &never, board: &board, budget: &budget };
                let begin = Instant::now();
                let _ = walk(&task, seed, &WalkOptions { steps, strategies: vec![strategy] });
                println!("{strategy:?}: {:.2} M steps/s", steps as f64 / begin.elapsed().as_secs_f64() / 1e6);
            }
            Ok(())
        }
        other => panic!("unknown: {other}"),
    };
    let took = begin.elapsed().as_secs_f64();
    drop(board);
    let found: Vec<String> = findings.iter().map(|s| summary(&s.finding)).collect();
    println!("{} {what} {took:.2} {} {end:?}", net.name(), found.join(","));
}

fn summary(finding: &engines::net::Finding) -> String {
    use engines::net::Finding::{AtLeast, AtMost, Never, Reached};
    match finding {
        Reached(run) => format!("reached:{}", run.len()),
        Never(_) => "never".to_owned(),
        AtLeast(value, _) => format!(">={value}"),
        AtMost(value, _) => format!("<={value}"),
    }
}
