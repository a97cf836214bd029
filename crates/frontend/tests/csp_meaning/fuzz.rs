//! Damaged scripts: whatever is left has a meaning or a message, and nothing panics, overflows or runs for ever.

use frontend::csp::{AssertionKind, Limits, Script};
use testkit::Rng;

const SCRIPT: &str = "
N = 3
datatype Colour = Red | Green | Mixed . Colour . { 0 .. 1 }
nametype Pair = ( { 0 , 1 } , Bool )
channel a , b
channel c : { 0 .. 2 } . Bool
channel d : { Red , Green }
channel e : Pair
transparent normal
f ( 0 ) = 1
f ( n ) = n * f ( n - 1 )
rev ( <> ) = <>
rev ( < x > ^ s ) = rev ( s ) ^ < x >
( p , q ) = ( f ( 2 ) , { x + y | x <- { 0 .. 2 } , y <- { 1 } , x != y } )
CELL ( i ) = c . i ? x -> ( if x then a -> CELL ( i ) else d ! Red -> SKIP )
CHOICE = a -> STOP [] b -> CHOICE |~| ( d ? y -> DONE ( y ) )
DONE ( Red ) = SKIP
DONE ( y ) = let R = a -> R
    g ( z ) = z == y & b -> SKIP
  within R [] g ( y )
PAIR = e ? ( x , t ) -> c . x ! t -> normal ( PAIR )
INNER = ( CELL ( 0 ) ; CHOICE ) /\\ ( b -> DIV )
SYSTEM = ( ( ||| i : { 0 .. N - 1 } @ CELL ( i ) ) [| {| c , a |} |] CHAOS ( {| c , a |} ) ) \\ { b }
LINKED = CELL ( 1 ) [ c . 1 <-> c . 0 ] CELL ( 0 )
RENAMED = ( || i : { 0 , 1 } @ [ { a , c . i . true } ] CELL ( i ) ) [[ a <- b , d . x <- a | x <- { Red } ]]
assert SYSTEM :[deadlock free]
assert CHOICE [T= INNER
assert LINKED :[divergence free]
assert RENAMED ||| PAIR :[deadlock free]
";

/// The words of the script, some of them exchanged, mostly for others of their kind, doubled or left out.
fn damaged(rng: &mut Rng) -> String {
    let mut lines: Vec<Vec<&str>> = SCRIPT.lines().map(|line| line.split(' ').collect()).collect();
    let words: Vec<&str> = SCRIPT.split_whitespace().filter(|w| !matches!(*w, "assert" | "channel")).collect();
    for _ in 0..1 + rng.below(3) {
        let line = rng.below(lines.len());
        let line = &mut lines[line];
        let place = rng.below(line.len());
        let alike: Vec<&str> = words.iter().copied().filter(|w| kind(w) == kind(line[place])).collect();
        match rng.below(10) {
            0 => line[place] = *rng.pick::<&str>(&words),
            1 => line.insert(place, *rng.pick::<&str>(&words)),
            2 if line.len() > 1 => drop(line.remove(place)),
            _ if !alike.is_empty() => line[place] = *rng.pick::<&str>(&alike),
            _ => {}
        }
    }
    lines.iter().map(|line| line.join(" ")).collect::<Vec<_>>().join("\n")
}

fn kind(word: &str) -> u8 {
    match word.chars().next() {
        Some(c) if c.is_lowercase() => 0,
        Some(c) if c.is_uppercase() => 1,
        Some(c) if c.is_ascii_digit() => 2,
        Some('[' | '|' | '/' | ';' | '-') => 3,
        Some(c) if "({<".contains(c) => 4,
        Some(c) if ")}>".contains(c) => 5,
        _ => 6,
    }
}

/// How many of its processes have a behaviour; nothing if the script is not even read.
fn run(text: &str) -> Option<usize> {
    let limits = Limits { states: 2_000, moves: 20_000, participants: 20_000, components: 500, deadline: None };
    let script = Script::read("damaged", text, &|_| Err("nothing is included".to_owned())).ok()?;
    let mut works = 0;
    for assertion in script.assertions() {
        match &assertion.kind {
            AssertionKind::DeadlockFree(p) | AssertionKind::DivergenceFree(p) => {
                works += usize::from(script.network(p, &limits).is_ok());
            }
            AssertionKind::TraceRefines { specification, implementation } => {
                works += usize::from(script.specification(specification, &limits).is_ok());
                works += usize::from(script.network(implementation, &limits).is_ok());
            }
            AssertionKind::Unsupported(_) => {}
        }
    }
    Some(works)
}

#[test]
fn the_whole_script_works() {
    assert_eq!(run(SCRIPT), Some(5));
}

#[test]
fn damage_is_reported() {
    let (mut read, mut works, mut fails) = (0, 0, 0);
    for seed in 0..2500 {
        let text = damaged(&mut Rng::new(seed));
        if let Some(count) = run(&text) {
            read += 1;
            works += count;
            fails += usize::from(count < 5);
        }
    }
    assert!(read > 300 && works > 1000 && fails > 100, "read {read}, works {works}, fails {fails}");
}
