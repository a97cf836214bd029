//! Random damage to valid files: whatever comes, there is a net or there are messages within the text.

use std::collections::HashSet;

use crate::support::Reader;
use frontend::{ll_net, lola, mcc, pnml, tina};
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

const COLOURED: &str = "<pnml><net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/symmetricnet\">\
    <declaration><structure><declarations><namedsort id=\"C\" name=\"C\"><cyclicenumeration>\
    <feconstant id=\"c\" name=\"1\"/><feconstant id=\"d\" name=\"2\"/></cyclicenumeration></namedsort>\
    <namedsort id=\"R\" name=\"R\"><finiteintrange start=\"1\" end=\"3\"/></namedsort>\
    <namedsort id=\"T\" name=\"T\"><productsort><usersort declaration=\"C\"/><usersort declaration=\"R\"/></productsort>\
    </namedsort><variabledecl id=\"x\" name=\"x\"><usersort declaration=\"C\"/></variabledecl>\
    <variabledecl id=\"y\" name=\"y\"><usersort declaration=\"R\"/></variabledecl></declarations></structure>\
    </declaration><place id=\"p\"><type><structure><usersort declaration=\"T\"/></structure></type><hlinitialMarking>\
    <structure><numberof><subterm><numberconstant value=\"2\"><positive/></numberconstant></subterm><subterm><tuple>\
    <subterm><all><usersort declaration=\"C\"/></all></subterm><subterm><finiteintrangeconstant value=\"2\">\
    <finiteintrange start=\"1\" end=\"3\"/></finiteintrangeconstant></subterm></tuple></subterm></numberof></structure>\
    </hlinitialMarking></place><transition id=\"t\"><condition><structure><or><subterm><inequality><subterm>\
    <variable refvariable=\"x\"/></subterm><subterm><useroperator declaration=\"d\"/></subterm></inequality></subterm>\
    <subterm><lessthan><subterm><variable refvariable=\"y\"/></subterm><subterm><variable refvariable=\"y\"/></subterm>\
    </lessthan></subterm></or></structure></condition></transition><arc id=\"a\" source=\"p\" target=\"t\"><hlinscription>\
    <structure><tuple><subterm><variable refvariable=\"x\"/></subterm><subterm><variable refvariable=\"y\"/></subterm>\
    </tuple></structure></hlinscription></arc><arc id=\"b\" source=\"t\" target=\"p\"><hlinscription><structure><add>\
    <subterm><tuple><subterm><successor><subterm><variable refvariable=\"x\"/></subterm></successor></subterm><subterm>\
    <variable refvariable=\"y\"/></subterm></tuple></subterm></add></structure></hlinscription></arc></net></pnml>";

const FORMULAS: &str = "<?xml version=\"1.0\"?><property-set xmlns=\"x\"><property><id>a</id><formula><exists-path>\
    <finally><disjunction><integer-le><tokens-count><place>p</place><place>q</place></tokens-count><integer-constant>1\
    </integer-constant></integer-le><negation><is-fireable><transition>t</transition></is-fireable></negation>\
    <equivalence><deadlock/><true/></equivalence></disjunction></finally></exists-path></formula></property><property>\
    <id>b</id><formula><place-bound><place>p</place></place-bound></formula></property></property-set>";

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

/// Well-formed XML, for the most part, with values, texts and empty elements that were others' before.
fn disarranged(text: &str, rng: &mut Rng) -> Vec<u8> {
    let mut parts: Vec<&str> = text.split_inclusive(['"', '<', '>']).collect();
    let find = |is: fn(&str) -> bool| (0..parts.len()).filter(|n| is(parts[*n])).collect::<Vec<usize>>();
    let is_value = |part: &str| part.ends_with('"') && !part.contains(['=', ':']);
    let is_text = |part: &str| part.len() > 1 && part.ends_with('<') && !part.contains(char::is_whitespace);
    let is_element = |part: &str| part.len() > 2 && part.ends_with("/>");
    let kinds = [find(is_value), find(is_text), find(is_element)];
    for _ in 0..1 + rng.below(3) {
        let kind = rng.pick(&kinds);
        if kind.is_empty() {
            continue;
        }
        let (one, other) = (*rng.pick(kind), *rng.pick(kind));
        match rng.below(3) {
            0 if is_value(parts[one]) => parts[one] = rng.pick::<&str>(&["0\"", "-1\"", "4294967295\"", "x\"", "\""]),
            0 if is_text(parts[one]) => parts[one] = rng.pick::<&str>(&["0<", "-1<", "99999999999999999999<", "x<"]),
            1 => parts.swap(one, other),
            _ => parts[one] = parts[other],
        }
    }
    parts.concat().into_bytes()
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
fn damaged_coloured_nets() {
    let limits = pnml::UnfoldLimits { places: 1_000, transitions: 1_000, arcs: 1_000 };
    let (mut nets, mut mistakes) = (0, HashSet::new());
    for seed in 0..2 * ROUNDS {
        let damage = if seed % 2 == 0 { disarranged } else { damaged };
        let bytes = damage(COLOURED, &mut Rng::new(seed));
        match pnml::read_within("fuzz", &bytes, limits) {
            Ok(loaded) => {
                nets += 1;
                check(&loaded, &bytes);
            }
            Err(diagnostics) => {
                diagnostics.iter().for_each(|d| within(d, &bytes));
                mistakes.insert(diagnostics[0].message.clone());
            }
        }
    }
    assert!(nets > 100 && mistakes.len() > 100, "{nets}, {}", mistakes.len());
}

#[test]
fn damaged_formulas() {
    let loaded = pnml::read("net", PNML.as_bytes()).expect("a net");
    let (mut files, mut refused, mut mistakes) = (0, 0, 0);
    for seed in 0..2 * ROUNDS {
        let damage = if seed % 2 == 0 { disarranged } else { damaged };
        let bytes = damage(FORMULAS, &mut Rng::new(seed));
        match mcc::read(&loaded, &bytes) {
            Ok(formulas) => {
                files += 1;
                refused += formulas.iter().filter(|f| matches!(f.formula, mcc::Formula::Unsupported(_))).count();
            }
            Err(diagnostics) => {
                mistakes += 1;
                diagnostics.iter().for_each(|d| within(d, &bytes));
            }
        }
    }
    assert!(files > 100 && refused > 100 && mistakes > 500, "{files} {refused} {mistakes}");
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
