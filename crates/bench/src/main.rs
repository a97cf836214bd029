//! Races against other tools, on the same models in the same run, as ratios: `cargo run --release -p bench -- explore`.

mod auto;
mod certificates;
mod explore;
mod impasse;
mod mcc;
mod measure;
mod promela;
mod reduction;
mod safety;
mod scale;
mod sizes;
mod spin;
mod unfold;

use std::process::ExitCode;

const USAGE: &str = "usage: cargo run --release -p bench -- explore [--runs N] [MODEL...]
       cargo run --release -p bench -- reduction [--runs N] [cost] [gain]
       cargo run --release -p bench -- mcc [--seconds N] [--threads N] [--examination A,B] [--every N [--offset K]]
                                           [--alone] [--unreduced] [--binary FILE] [PART OF A NAME...]
       cargo run --release -p bench -- auto [--seconds N] [--binary FILE] [MODEL OR FOLDER...]
       cargo run --release -p bench -- certificates [as for mcc]
       cargo run --release -p bench -- unfold [--order total|lexical|mcmillan] [PART OF A NAME...]
       cargo run --release -p bench -- scale [--largest STATES] [--threads N] [--runs N] [PART OF A NAME...]
       cargo run --release -p bench -- promela [--limit SECONDS] [--only PART OF A NAME]...

explore     exhaustive search, against SPIN: states per second, bytes per state, end to end
reduction   what reductions cost per transition and what they save, against the full search
safety      reduced searches for safety properties over the corpus: the provisos and the goal
mcc         the sample of the Model Checking Contest: solved, wrong and open by family and by technique; --alone also runs
            each engine by itself, --unreduced all of them without reductions
auto        what `auto` takes against the best single engine, file by file; without names, on the corpus
certificates how many answers without a run have a certificate, and what checking it costs: corpus and sample
unfold      complete prefixes of the classic nets: sizes against the published ones, events per second, against cunf
scale       states per second by threads and stores, bytes a state, on models of 10^5 to 10^8 states
promela     the public models in Promela from file to verdict, against SPIN, without and with reduction";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let result = match args.split_first() {
        Some((command, rest)) if command == "explore" => explore::Options::parse(rest).and_then(|o| explore::run(&o)),
        Some((command, rest)) if command == "reduction" => {
            reduction::Options::parse(rest).and_then(|o| reduction::run(&o))
        }
        Some((command, rest)) if command == "mcc" => mcc::Options::parse(rest).and_then(|o| mcc::run(&o)),
        Some((command, rest)) if command == "auto" => auto::Options::parse(rest).and_then(|o| auto::run_all(&o)),
        Some((command, rest)) if command == "certificates" => {
            mcc::Options::parse(rest).and_then(|o| certificates::run_all(&o))
        }
        Some((command, rest)) if command == "promela" => promela::Options::parse(rest).and_then(|o| promela::run(&o)),
        Some((command, rest)) if command == "unfold" => unfold::Options::parse(rest).and_then(|o| unfold::run_all(&o)),
        Some((command, rest)) if command == "scale" => scale::Options::parse(rest).and_then(|o| scale::run_all(&o)),
        Some((command, [])) if command == "safety" => safety::run(),
        _ => Err(USAGE.to_owned()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}
