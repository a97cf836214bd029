//! How far the nets of a folder (PNML files) shrink, and in which time: `measure FILE...`.
//!
//! Each net is reduced for dead markings, for three observed places, and for both. A line a net, then the means.

use std::time::{Duration, Instant};

use model::nets::{Goal, Linear};
use model::views::{Net, PlaceId};
use reduce::{Uses, reduce};

const LIMIT: Duration = Duration::from_secs(20);

/// What was measured of one kind of goals.
#[derive(Default)]
struct Column {
    logs: [f64; 2],
    nets: usize,
    worst: (Duration, String),
    decided: usize,
    uses: Uses,
}

impl Column {
    fn add(&mut self, net: &Net, goals: &[Goal]) -> String {
        let start = Instant::now();
        let reduced = reduce(net, goals, &|| start.elapsed() > LIMIT);
        let time = start.elapsed();
        let sizes = [reduced.net.places().len(), reduced.net.transitions().len()];
        let before = [net.places().len(), net.transitions().len()];
        for i in 0..2 {
            self.logs[i] += ((sizes[i] as f64 + 1.0) / (before[i] as f64 + 1.0)).ln();
        }
        self.nets += 1;
        self.decided += usize::from(reduced.net.transitions().is_empty());
        if time > self.worst.0 {
            self.worst = (time, net.name().to_owned());
        }
        for (name, times) in reduced.uses() {
            *self.uses.entry(name).or_default() += times;
        }
        format!("{:>7} {:>7} {:>6.2}s", sizes[0], sizes[1], time.as_secs_f64())
    }

    fn summary(&self) -> String {
        let mean = |i: usize| 100.0 * (self.logs[i] / self.nets.max(1) as f64).exp();
        let (worst, name) = &self.worst;
        format!(
            "{:.1} % of the places, {:.1} % of the transitions left; {} without transitions; worst {:.2} s ({name}); {:?}",
            mean(0),
            mean(1),
            self.decided,
            worst.as_secs_f64(),
            self.uses
        )
    }
}

fn main() {
    let mut columns: [Column; 3] = Default::default();
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path).expect("the file can be read");
        let Ok(loaded) = frontend::pnml::read(&path, &bytes) else { continue };
        let net = loaded.net;
        let n = net.places().len();
        let watched = |i: usize| Goal::Maximum(Linear::tokens(PlaceId::new(i * n / 3)));
        let views: Vec<Goal> = (0..3.min(n)).map(watched).collect();
        let both: Vec<Goal> = views.iter().cloned().chain([Goal::Dead]).collect();
        let cells = [vec![Goal::Dead], views, both].map(|goals| goals);
        let texts: Vec<String> = columns.iter_mut().zip(&cells).map(|(c, goals)| c.add(&net, goals)).collect();
        println!("{:<60} {:>7} {:>7} | {}", path, n, net.transitions().len(), texts.join(" | "));
    }
    for (name, column) in ["dead", "three places", "both"].iter().zip(&columns) {
        println!("{name}: {}", column.summary());
    }
}
