//! Random damage to valid files: whatever comes, there is a net or there are messages within the text.

use crate::support::Reader;
use frontend::{ll_net, lola, pnml, tina};
use testkit::Rng;

const ROUNDS: u64 = 3_000;

const PNML: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- c --><pnml xmlns=\"x\">\
    <net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\"><name><text>a &amp; b</text></name>\
    <page id=\"g\"><place id=\"p\"><initialMarking><text>1</text></initialMarking></place><place id=\"q\"/>\
    <referencePlace id=\"r\" ref=\"p\"/><transition id=\"t\"><name><text><![CDATA[x]]>\u{e9}</text></name></transition>\
    <arc id=\"a\" source=\"r\" target=\"t\"><inscription><text>2</text></inscription></arc>\
    <arc id=\"b\" source=\"t\" target=\"q\"/><toolspecific tool=\"nupn\" version=\"1.1\">\
    <size places=\"2\" transitions=\"1\" arcs=\"2\"/><structure units=\"2\" root=\"u\" safe=\"true\"><unit id=\"u\">\
    <places/><subunits>v</subunits></unit><unit id=\"v\"><places>p q</places><subunits/></unit></structure>\
    </toolspecific></page></net></pnml>\n";

const LOLA: &str = "{ net }\nPLACE SAFE 2: p, q; r;\nMARKING p: 2, q;\nTRANSITION t STRONG FAIR\nCONSUME p: 1, q;\n\
    PRODUCE r: 3;\nTRANSITION u CONSUME r; PRODUCE ;\n";

const TINA: &str = "# net\nnet {a b}\ntr t : {l\\}} [0,w[ p q*2 r?3 -> s {x \u{e9}}*4\npl p : m (2K) u -> t*2\n\
    lb p {y}\nnt n 1 {note}\ntr v\n";

const LL_NET: &str = "PEP\nPTNet\nFORMAT_N2\nDPL s7n10@-9t2\nBL\n1 \"B\"6@3b\"x\"\nPL\n\"p\"1@2eM1m1b\"x\"\n5\"q\"\n\
    TR\n3\"t\"1@2v65b\"<x>\"\n\"u\"\nTP\n3<5v4\n4<5w2\nPT\n1>3\n5>4\nRA\n4<1\nTX\n";

const PIECES: &[&str] = &[
    "<",
    ">",
    "/>",
    "</",
    "&",
    "&lt;",
    "&x;",
    "\"",
    "'",
    "=",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<?",
    "<!DOCTYPE",
    "id",
    "p",
    "q",
    "t",
    "u",
    "v",
    "0",
    "1",
    "-1",
    "4294967295",
    "99999999999999999999",
    "{",
    "}",
    "\\",
    "[",
    "]",
    "0,w",
    "->",
    "?",
    "?-",
    "*",
    "!",
    ":",
    ";",
    ",",
    "(",
    ")",
    "#",
    "tr",
    "pl",
    "PLACE",
    "SAFE",
    "MARKING",
    "CONSUME",
    "PL",
    "TR",
    "RA",
    "\n",
    "\u{e9}",
    "\0",
    "\u{feff}",
    "<page id='z'>",
    "</page>",
    "<place id='p'>",
    "M",
    "w",
    "@",
    "\"x\"",
    "K",
    "E",
];

fn damaged(text: &str, rng: &mut Rng) -> Vec<u8> {
    let mut words: Vec<&str> = text.split_inclusive(|c: char| !c.is_ascii_alphanumeric()).collect();
    for _ in 0..1 + rng.below(4) {
        let at = rng.below(words.len());
        match rng.below(6) {
            0 if words.len() > 1 => drop(words.remove(at)),
            1 => words.insert(at, rng.pick::<&str>(PIECES)),
            2 => words[at] = rng.pick::<&str>(PIECES),
            3 => {
                let other = rng.below(words.len());
                words.swap(at, other);
            }
            4 => words.insert(at, words[at]),
            _ => words.truncate(at + 1),
        }
    }
    let mut bytes = words.concat().into_bytes();
    if rng.chance(25) && !bytes.is_empty() {
        let at = rng.below(bytes.len());
        bytes[at] = rng.bits() as u8;
    }
    bytes
}

fn survives(read: Reader, text: &str) {
    read("sample", text.as_bytes()).expect("the sample is a net");
    let (mut nets, mut mistakes) = (0, 0);
    for seed in 0..ROUNDS {
        let bytes = damaged(text, &mut Rng::new(seed));
        match read("fuzz", &bytes) {
            Ok(loaded) => {
                nets += 1;
                check(&loaded, &bytes);
            }
            Err(diagnostics) => {
                mistakes += 1;
                assert!(!diagnostics.is_empty(), "seed {seed}: a failure says why");
                diagnostics.iter().for_each(|d| within(d, &bytes));
            }
        }
    }
    assert!(nets > 100 && mistakes > 500, "the damage is neither harmless nor total: {nets}, {mistakes}");
}

/// The net can be walked, written and read again.
fn check(loaded: &frontend::LoadedNet, bytes: &[u8]) {
    loaded.warnings.iter().for_each(|d| within(d, bytes));
    let net = &loaded.net;
    let marking = net.initial_marking();
    for t in net.transition_ids().filter(|t| net.is_enabled(*t, &marking)) {
        assert_eq!(net.fire(t, &marking).len(), net.places().len());
    }
    let again = lola::read("again", frontend::write::lola(net).as_bytes()).unwrap_or_else(|d| panic!("{d:?}"));
    assert_eq!(again.net.transitions().len(), net.transitions().len());
}

fn within(d: &frontend::Diagnostic, bytes: &[u8]) {
    assert!(bytes.get(d.span.range()).is_some() && !d.message.is_empty(), "{d:?}");
    if let Ok(text) = std::str::from_utf8(bytes) {
        assert!(text.get(d.span.range()).is_some(), "{d:?} cuts a character\n{text}");
    }
}

#[test]
fn damaged_pnml() {
    survives(pnml::read, PNML);
}

#[test]
fn damaged_lola() {
    survives(lola::read, LOLA);
}

#[test]
fn damaged_tina() {
    survives(tina::read, TINA);
}

#[test]
fn damaged_ll_net() {
    survives(ll_net::read, LL_NET);
}

#[test]
fn noise_and_repetition_end_quickly() {
    let readers: [Reader; 4] = [pnml::read, lola::read, tina::read, ll_net::read];
    for read in readers {
        for piece in PIECES {
            // Nothing but a message is expected; a reader that is quadratic in the length would not come back.
            let _ = read("noise", piece.repeat(100_000).as_bytes());
        }
        for seed in 0..200 {
            let mut rng = Rng::new(seed);
            let noise: Vec<u8> = (0..rng.below(300)).map(|_| rng.bits() as u8).collect();
            let _ = read("noise", &noise);
        }
    }
}
