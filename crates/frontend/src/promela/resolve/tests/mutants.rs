//! Programs with parts left out, doubled or exchanged: there is a program or there are messages, never a panic.

use crate::promela::{Options, parse, resolve};

/// A bit of everything.
const WORDS: &str = "mtype = { red , green } ; typedef Inner { byte a ; short b [ 2 ] } ; \
    typedef Outer { Inner i [ 3 ] ; chan c = [ 1 ] of { Inner } } ; Outer o [ 2 ] ; byte x , y , l [ 3 ] = { 1 , 2 } ; \
    chan q = [ 2 ] of { mtype , byte } ; chan r = [ 0 ] of { Inner } ; unsigned u : 3 ; \
    proctype Worker ( byte id ; chan out ) provided ( x > 0 ) { byte k = id ; L : out ! red , k ; goto L } \
    active [ 2 ] proctype Main ( ) { byte z ; Inner n ; \
    end : do :: x == 1 -> break :: q ? red , z -> atomic { x = 2 ; if :: y == 1 -> goto M :: else fi ; M : x ++ } \
    :: d_step { x = 1 ; do :: x < 3 -> x ++ :: else -> break od } :: run Worker ( x , q ) \
    :: { x = 1 ; { byte z = 2 ; x = z } } unless { x == 3 ; y = 4 } od ; \
    for ( z : 1 .. 3 ) { y = z } ; for ( z in l ) { y = l [ z ] } ; for ( n in r ) { y = n . a } ; select ( z : 0 .. 5 ) ; \
    progress : o [ 1 ] . i [ x ] . b [ 0 ] = 2 ; o [ 0 ] . c ! o [ 1 ] . i [ 2 ] ; assert ( len ( q ) < 2 ) ; \
    x = ( Worker [ 1 ] @ L -> Worker [ 1 ] : k : _pid ) ; goto M } \
    never { do :: x == 1 -> break :: else od ; accept : x == 2 } ltl p { [] ( x == 1 -> <> Worker @ L ) } \
    notrace { q ! red , _ ; q ? red , 1 }";

/// The next number of a sequence that looks random.
pub(super) fn next(seed: &mut u64, below: usize) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) as usize % below
}

/// Names of things, as opposed to keywords and signs.
fn is_name(word: &str) -> bool {
    const KEYWORDS: &str = "mtype typedef byte short chan of unsigned proctype provided goto active do od if fi else atomic \
        break d_step run unless for in select assert len never ltl notrace";
    word.chars().all(|c| c.is_ascii_alphabetic() || c == '_') && !KEYWORDS.split_whitespace().any(|k| k == word)
}

/// Exchanges a name for another one, a number for a name or the other way round; now and then leaves something out.
fn mutant(seed: u64) -> String {
    let mut seed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut words: Vec<&str> = WORDS.split_whitespace().collect();
    for _ in 0..=next(&mut seed, 3) {
        let is_value = |w: &str| is_name(w) || w.parse::<u32>().is_ok();
        let values: Vec<usize> = (0..words.len()).filter(|w| is_value(words[*w])).collect();
        let (at, other) = (values[next(&mut seed, values.len())], values[next(&mut seed, values.len())]);
        match next(&mut seed, 8) {
            0 => _ = words.remove(at),
            1 => _ = words.remove(next(&mut seed, words.len())),
            2 => words.swap(at, other),
            _ => words[at] = words[other],
        }
    }
    words.join(" ")
}

/// Whether there is a program; nothing if it cannot be parsed.
fn is_resolved(text: &str) -> Option<bool> {
    let none = |name: &str| Err(format!("{name} is not there"));
    let parsed = parse(text, &none, &Options::default()).ok()?;
    Some(resolve(&parsed.program).is_ok())
}

#[test]
fn mutants_are_resolved_or_refused() {
    assert_eq!(is_resolved(WORDS), Some(true));
    let results: Vec<bool> = (0..3_000).filter_map(|seed| is_resolved(&mutant(seed))).collect();
    let resolved = results.iter().filter(|r| **r).count();
    assert!(resolved > 200 && results.len() - resolved > 500, "{resolved} of {}", results.len());
}
