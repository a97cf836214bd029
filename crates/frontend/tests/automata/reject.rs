//! What is wrong or outside the part that is read gets a message that names it, at its place.

use crate::support::{aut, folder, load};

fn complaint(text: &str) -> (String, String) {
    let files = folder(&[
        ("p.aut", &aut(&[(0, "A", 0)])),
        ("short.aut", "des (0, 3, 2)\n(0, A, 1)\n"),
        ("far.aut", "des (0, 1, 2)\n(0, A, 7)\n"),
        ("loop.exp", "\"p\" ||| \"loop.exp\""),
        ("back.exp", "\"main.exp\""),
        ("main.exp", "p"),
        ("broken.exp", "p |||\n  )"),
    ]);
    let diagnostics = load(text, &files).expect_err(text);
    assert_eq!(diagnostics.len(), 1);
    (diagnostics[0].message.clone(), text[diagnostics[0].span.range()].to_owned())
}

#[test]
fn operators_of_other_languages_are_named() {
    for (text, what, place) in [
        ("p | p", "the parallel operator `|` of CCS", "|"),
        ("p \\ A", "the restriction operator `\\` of CCS and CSP", "\\"),
        ("p [| A |] p", "the parallel operator `[| ... |]` of CSP", "[|"),
        ("p [[A <- B]]", "the renaming operator `[[ ... ]]` of CSP", "[["),
        ("prio A in p end prio", "the priority operator `prio`", "prio"),
        ("hide using \"x.hid\" in p end hide", "a file of labels (`using`)", "using"),
        ("rename using \"x.ren\" in p end rename", "a file of renamings (`using`)", "using"),
    ] {
        assert_eq!(complaint(text), (format!("{what} is not supported"), place.to_owned()), "{text}");
    }
    let (message, place) = complaint("total hide \"A\\|B\" in p end hide");
    assert_eq!((message.as_str(), place.as_str()), ("the operator `\\|` is not supported in patterns", "\"A\\|B\""));
}

#[test]
fn files_that_cannot_be_used() {
    for (text, message) in [
        ("p ||| \"none.aut\"", "`none.aut` cannot be read: there is no such file"),
        ("p ||| none", "`none.aut` cannot be read: there is no such file"),
        ("\"p.lotos\"", "`p.lotos`: files of the kind `.lotos` are not read"),
        ("\"x.bcg\"", "`x.bcg` is in the binary format BCG, which is not read"),
        ("short", "`short.aut`, line 1, column 1: the header says 3 transitions, and there are 1"),
        ("far", "`far.aut`, line 2, column 8: there is no state 7: the header says 2 states, counted from 0"),
        ("\"loop.exp\"", "`loop.exp`, line 1, column 9: `loop.exp` includes itself"),
        ("\"back.exp\"", "`back.exp`, line 1, column 1: `main.exp` includes itself"),
        ("broken", "`broken.exp`, line 2, column 3: expected a file, `(`, `par`, `hide`, `rename` or `cut`, found `)`"),
    ] {
        assert_eq!(complaint(text).0, message, "{text}");
    }
}

#[test]
fn slips_of_the_grammar() {
    for (text, message, place) in [
        ("", "expected a file, `(`, `par`, `hide`, `rename` or `cut`, found the end of the file", ""),
        ("p p", "expected an operator or the end of the file, found `p`", "p"),
        ("(p", "expected `)`, found the end of the file", ""),
        ("p |[A p", "expected `]|`, found `p`", "p"),
        ("par A in p || p end", "expected `par`, found the end of the file", ""),
        ("par using A -> B in p || p end par", "the vector has 1 parts, and there are 2 behaviours", "A -> B"),
        ("par using _ * _ -> B in p || p end par", "nobody takes part in this vector", "_ * _ -> B"),
        ("par using i * A -> B in p || p end par", "silent moves cannot be synchronised or renamed", "i * A -> B"),
        ("par using \"A -> B in p", "a text is not closed", "\""),
        ("p (* x", "a comment is not closed", "(*"),
        ("p ; p", "the character `;` has no meaning here", ";"),
        (
            "total par A in p end par",
            "`total` is for `par using`: lists of gates are always compared with gates",
            "total",
        ),
        ("p |[i]| p", "`i` is no gate: it cannot be listed", "i"),
        ("p (* expect: luck *)", "this expectation is not understood", "(* expect: luck *)"),
    ] {
        assert_eq!(complaint(text), (message.to_owned(), place.to_owned()), "{text}");
    }
}

#[test]
fn bombs_are_refused() {
    let deep = format!("{}p{}", "(".repeat(5000), ")".repeat(5000));
    assert_eq!(complaint(&deep).0, "the behaviour is nested deeper than 100 levels");
    let crowd = vec!["p"; 1100].join(" ||| ");
    assert_eq!(
        complaint(&format!("({crowd}) |[A]| ({crowd})")).0,
        "this behaviour has more than 1048576 synchronisations"
    );
    let many = format!("par A#30 in {} end par", vec!["p"; 60].join("||"));
    assert_eq!(complaint(&many).0, "this behaviour has more than 1048576 synchronisations");
    // Each expression includes the next one ten times.
    let mut files = folder(&[("p.aut", &aut(&[(0, "A", 0)]))]);
    for level in 0..10 {
        let inner = if level == 9 { "p".to_owned() } else { format!("\"{}.exp\"", level + 1) };
        files.insert(format!("{level}.exp"), vec![inner; 10].join(" ||| "));
    }
    let message = load("\"0.exp\"", &files).expect_err("a bomb")[0].message.clone();
    assert!(message.ends_with("there are more than 131072 components, or they are too large together"), "{message}");
    for level in 0..20 {
        files.insert(format!("d{level}.exp"), format!("\"d{}.exp\"", level + 1));
    }
    let message = load("\"d0.exp\"", &files).expect_err("too deep")[0].message.clone();
    assert!(message.ends_with("expressions include each other deeper than 16 levels"), "{message}");
}
