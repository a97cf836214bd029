//! Prints the random program of a seed: `cargo run -p testkit --example promela -- SEED [SIZE]`.

fn main() {
    let mut numbers = std::env::args().skip(1).map(|n| n.parse().expect("a number"));
    let (seed, size) = (numbers.next().unwrap_or(1), numbers.next().unwrap_or(8));
    print!("{}", testkit::promela::random(seed, size as usize));
}
