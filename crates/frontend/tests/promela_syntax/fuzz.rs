//! Random damage to a valid model: whatever comes, there is a tree or there are messages within the text.

use testkit::Rng;

use crate::support::{SAMPLE, read};

const ROUNDS: u64 = 4_000;

/// Tokens that are likely to meet a grammar rule in a place where nobody expects them.
const PIECES: &str = "( ) { } [ ] < > , ; -> <-> : :: . .. @ = == != <= >= << >> + ++ - -- * / % && || ! !! ? ?? & | ^ ~ # \
    ## 0 3 99999999999999999999 'a' \"s\" \" ' /* */ // \\ \u{e9} \0 bit byte int unsigned chan mtype active assert \
    atomic break d_step do od if fi else empty nfull len eval for goto hidden init inline ltl never trace np_ of \
    priority proctype provided return run select skip timeout true typedef unless xr x N MAX twice larger sync Sender U \
    c_code";

/// Lines that the preprocessor takes.
const LINES: [&str; 8] = [
    "#define x x x\n",
    "#define MAX(a) a ## a\n",
    "#undef N\n",
    "#if N\n",
    "#else\n",
    "#endif\n",
    "#define twice(a) #a MAX(a,\n",
    "#include \"sample.pml\"\n",
];

pub(crate) fn damaged(text: &str, random: &mut Rng) -> String {
    let pieces: Vec<&str> = PIECES.split_whitespace().chain(["\n", " "]).collect();
    let mut words: Vec<String> =
        text.split_inclusive(|c: char| !c.is_ascii_alphanumeric()).map(str::to_owned).collect();
    for _ in 0..=random.below(4) {
        let at = random.below(words.len());
        match random.below(7) {
            0 => drop(words.remove(at)),
            1 | 2 => words.insert(at, format!("{} ", random.pick(&pieces))),
            3 => words[at] = format!("{} ", random.pick(&pieces)),
            4 if random.below(4) == 0 => words.truncate(at + 1),
            5 => words.insert(at, format!("\n{}", random.pick(&LINES))),
            _ => {
                let other = random.below(words.len());
                words.swap(at, other);
            }
        }
    }
    words.concat()
}

/// Reads a text: messages must lie within.
fn check(text: &str) -> bool {
    let Err(mistakes) = read(text) else { return true };
    assert!(!mistakes.is_empty() && mistakes.len() <= 50, "{text:?}");
    for mistake in mistakes {
        let range = mistake.span.range();
        assert!(range.start <= range.end && text.get(range).is_some(), "{text:?}: {mistake:?}");
    }
    false
}

#[test]
fn the_sample_is_read() {
    assert!(check(SAMPLE), "{:?}", read(SAMPLE).err());
}

#[test]
fn damaged_models_are_read_or_refused() {
    let mut taken = 0;
    for seed in 0..ROUNDS {
        taken += u64::from(check(&damaged(SAMPLE, &mut Rng::new(seed))));
    }
    assert!(taken > ROUNDS / 50 && taken < ROUNDS / 2, "{taken} of {ROUNDS} were taken");
}

#[test]
fn any_characters_are_read_or_refused() {
    let characters: Vec<char> = "aP0 \n\t(){}[]<>|/+-*%^.,:;!?@&_='\"~`#\\\u{e9}\u{1f600}\0".chars().collect();
    for seed in 0..ROUNDS {
        let mut random = Rng::new(seed);
        let text: String = (0..random.below(60)).map(|_| *random.pick(&characters)).collect();
        check(&text);
        check(&format!("init {{ {text} }}"));
        check(&format!("#define {text}\ninline f(a) {{ {text} }} init {{ f({text}) }}"));
    }
}
