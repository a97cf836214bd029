//! What the notation means, construct by construct.

use crate::support::{aut, counts, folder, load, network, rules};

fn sample() -> crate::support::Folder {
    folder(&[
        ("p.aut", &aut(&[(0, "A !1", 1), (1, "B", 0)])),
        ("q.aut", &aut(&[(0, "A !1", 1), (0, "A !2", 1), (1, "C", 0)])),
        ("r.aut", &aut(&[(0, "C", 0), (0, "i", 0)])),
        ("e.aut", &aut(&[(0, "A !1", 1), (1, "exit", 2)])),
    ])
}

fn labels(text: &str) -> Vec<String> {
    rules(&network(text, &sample())).into_iter().map(|(label, n)| format!("{label}/{n}")).collect()
}

#[test]
fn parallel_operators() {
    assert_eq!(labels("\"p.aut\" ||| \"q.aut\""), ["A !1/1", "A !1/1", "A !2/1", "B/1", "C/1"]);
    assert_eq!(labels("\"p\" |[A]| \"q\""), ["A !1/2", "B/1", "C/1"]);
    assert_eq!(labels("p.aut || q.aut"), ["A !1/2"]);
    assert_eq!(labels("p |[]| r"), ["A !1/1", "B/1", "C/1", "i/1"]);
    assert_eq!(
        labels("behaviour (p ||| p) |[A] | q".replace("] |", "]|").as_str()),
        ["A !1/2", "A !1/2", "B/1", "B/1", "C/1"]
    );
    // From the right: q meets r on C, then p meets both on A.
    assert_eq!(labels("p |[A]| q |[C]| r"), ["A !1/2", "B/1", "C/2", "i/1"]);
}

#[test]
fn par_with_gates() {
    let text = "par A in (* all *) p || q || q end par";
    assert_eq!(labels(text), ["A !1/3", "B/1", "C/1", "C/1"]);
    let text = "par\n  A -> p -- these two meet\n|| A, C -> q\n|| C -> r\n|| p\nend par";
    assert_eq!(labels(text), ["A !1/1", "A !1/2", "B/1", "B/1", "C/2", "i/1"]);
    let text = "par A#2 in p || q || q end par";
    assert_eq!(labels(text), ["A !1/2", "A !1/2", "A !1/2", "A !2/2", "B/1", "C/1", "C/1"]);
    let text = "par A#2, C in A -> p || A -> q || C -> r end par";
    assert_eq!(labels(text), ["A !1/2", "B/1", "C/1", "C/1", "i/1"].map(str::to_owned));
}

#[test]
fn vectors() {
    let text = "par using \"A !1\" * \"A !2\" * _ -> \"D\", _ * \"C\" * \"C\" -> \"i\" in p || q || r end par";
    assert_eq!(labels(text), ["D/2", "i/1", "i/2"]);
    // Gates stand for any offers, the same in all parts.
    assert_eq!(labels("par using A * A -> X, B * _ -> B in p || q end par"), ["B/1", "X !1/2"]);
    assert_eq!(labels("label par using B * \"A !2\" -> X in p || q end par"), ["X/2"]);
    assert_eq!(labels("gate par using _ * \"A\" -> \"i\" in p || q end par"), ["i/1", "i/1"]);
    assert_eq!(labels("par using _ * _ * i -> i in p || q || r end par"), ["i/1"]);
}

#[test]
fn hiding_cutting_and_renaming() {
    assert_eq!(labels("hide A in q end hide"), ["C/1", "i/1", "i/1"]);
    assert_eq!(labels("hide A in q"), ["C/1", "i/1", "i/1"]);
    assert_eq!(labels("hide \"A !2\" in q end hide"), ["A !1/1", "C/1", "i/1"]);
    assert_eq!(labels("total hide \"A.*\", C in q end hide"), ["i/1", "i/1", "i/1"]);
    assert_eq!(labels("partial hide \"!2\" in q end hide"), ["A !1/1", "C/1", "i/1"]);
    assert_eq!(labels("hide all but A in q end hide"), ["A !1/1", "A !2/1", "i/1"]);
    assert_eq!(labels("cut A in q end cut"), ["C/1"]);
    assert_eq!(labels("gate cut all but C in (q ||| r) end cut"), ["C/1", "C/1", "i/1"]);
    assert_eq!(labels("rename A -> Z, C -> A in q end rename"), ["A/1", "Z !1/1", "Z !2/1"]);
    assert_eq!(labels("rename \"A !\\([0-9]\\)\" -> \"P\\1\" in q end rename"), ["C/1", "P1/1", "P2/1"]);
    assert_eq!(labels("single rename \"[A-Z]\" -> \"x\" in q end rename"), ["x/1", "x !1/1", "x !2/1"]);
    assert_eq!(labels("multiple rename \"[A-Z0-9]\" -> \"x\" in q end rename"), ["x/1", "x !x/1", "x !x/1"]);
    assert_eq!(labels("rename A -> i in p end rename ||| p"), ["A !1/1", "B/1", "B/1", "i/1"]);
    // What became equal meets.
    assert_eq!(labels("rename B -> C in p end rename |[C]| r"), ["A !1/1", "C/2", "i/1"]);
}

#[test]
fn termination_is_common() {
    let files = sample();
    let both = network("e ||| e", &files);
    assert_eq!(rules(&both), [("A !1", 1), ("A !1", 1), ("exit", 2)].map(|(l, n)| (l.to_owned(), n)));
    assert_eq!(counts(&both), (5, 5, 0));
    // The other never terminates: nobody can.
    assert_eq!(counts(&network("e ||| stop", &files)), (2, 1, 1));
    assert_eq!(counts(&network("exit ||| exit", &files)), (2, 1, 0));
    assert_eq!(counts(&network("stop", &files)), (1, 0, 1));
    assert_eq!(counts(&network("hide all but B in e", &files)), (3, 2, 0));
}

#[test]
fn names_are_distinct() {
    let files = folder(&[
        ("p.aut", &aut(&[(0, "A", 0)])),
        ("sub/p.aut", &aut(&[(0, "B", 0)])),
        ("sub/pair.exp", "\"p\" |[B]| \"./p.aut\""),
    ]);
    let network = network("par p || \"sub/pair\" || stop end par", &files);
    let names: Vec<&str> = network.components().iter().map(|c| c.name()).collect();
    assert_eq!(names, ["p[0]", "p[1]", "p[2]", "stop"]);
    let rules: Vec<&str> = network.rules().iter().map(|r| &*r.name).collect();
    assert_eq!(rules, ["p[0].A", "B"]);
}

#[test]
fn hidden_rules_keep_their_old_name() {
    let network = network("hide A in p |[A]| q", &sample());
    let names: Vec<&str> = network.rules().iter().map(|r| &*r.name).collect();
    assert_eq!(names, ["A !1 (hidden)", "p.B", "q.C"]);
}

#[test]
fn slips_are_remarked() {
    let loaded = load("p |[a]| q |[B]| r", &sample()).expect("a network");
    let messages: Vec<&str> = loaded.warnings.iter().map(|w| w.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "different operators without parentheses are read from the right, as in LOTOS",
            "nothing here has the gate `B`",
            "nothing here has the gate `a`",
        ]
    );
    assert_eq!(loaded.warnings[2].help.as_deref(), Some("there is a gate `A`"));
    let loaded = load("\"p.bcg\" ||| \"p.bcg\"", &sample()).expect("a network");
    assert_eq!(loaded.warnings.len(), 1, "{:?}", loaded.warnings);
}

#[test]
fn notes_are_read() {
    let loaded = load("(* expect: deadlock-free holds *) p -- expect: 2 states\n", &sample()).expect("a network");
    assert_eq!(loaded.properties[0].expect, Some(model::Expectation::Holds));
    assert_eq!(loaded.size.states, Some(2));
}

/// Ten thousand components in a ring: no list is as wide as the network.
#[test]
fn wide_networks_stay_sparse() {
    let n = 10_000;
    let files = folder(&[("p.aut", &aut(&[(0, "L", 1), (1, "R", 0)]))]);
    let branch =
        |k: usize| format!("G{k}, G{} -> rename L -> G{k}, R -> G{} in p end rename\n", (k + 1) % n, (k + 1) % n);
    let text = format!("par\n{}end par", (0..n).map(branch).collect::<Vec<_>>().join("|| "));
    let network = network(&text, &files);
    assert_eq!((network.components().len(), network.rules().len()), (n, n));
    assert!(network.rules().iter().all(|r| r.participants.len() == 2));
    let chain = format!("p{}", " ||| p".repeat(n));
    assert_eq!(crate::support::network(&chain, &files).rules().len(), 2 * (n + 1));
    let chain = format!("p{}", " |[L]| p".repeat(2000));
    assert_eq!(crate::support::network(&chain, &files).rules().len(), 2002);
}
