//! `impasse mcc`: the conventions of the contest, on a net of our own.

use crate::common::{Scratch, code, impasse, run, stderr, stdout};

/// Two runners pass one baton; a third place holds what nobody needs.
const NET: &str = r#"<?xml version="1.0"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
<net id="relay" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">
<place id="left"><initialMarking><text>1</text></initialMarking></place><place id="right"/><place id="spare"/>
<transition id="go"/><transition id="back"/><transition id="drop"/>
<arc id="a" source="left" target="go"/><arc id="b" source="go" target="right"/>
<arc id="c" source="right" target="back"/><arc id="d" source="back" target="left"/>
<arc id="e" source="spare" target="drop"/>
</page></net></pnml>"#;

fn property(id: &str, formula: &str) -> String {
    format!("<property><id>{id}</id><formula>{formula}</formula></property>")
}

fn folder(test: &str) -> Scratch {
    let dir = Scratch::new(test);
    let both = "<integer-le><integer-constant>2</integer-constant><tokens-count><place>left</place><place>right</place>\
                </tokens-count></integer-le>";
    let right = "<is-fireable><transition>back</transition></is-fireable>";
    let file = |name: &str, properties: &[String]| {
        dir.write(name, format!("<property-set>{}</property-set>", properties.concat()));
    };
    dir.write("model.pnml", NET);
    file(
        "ReachabilityCardinality.xml",
        &[
            property("never-two", &format!("<all-paths><globally><negation>{both}</negation></globally></all-paths>")),
            property("two", &format!("<exists-path><finally>{both}</finally></exists-path>")),
            property("next", &format!("<exists-path><next>{both}</next></exists-path>")),
        ],
    );
    file(
        "ReachabilityFireability.xml",
        &[property("right", &format!("<exists-path><finally>{right}</finally></exists-path>"))],
    );
    let runs = |formula: &str| format!("<all-paths>{formula}</all-paths>");
    file(
        "LTLFireability.xml",
        &[
            property("again", &runs(&format!("<globally><finally>{right}</finally></globally>"))),
            property("for-good", &runs(&format!("<finally><globally>{right}</globally></finally>"))),
            property("always", &runs(&format!("<globally>{right}</globally>"))),
            property("never", &runs(&format!("<finally>{both}</finally>"))),
            property(
                "until",
                &runs(&format!("<until><before><negation>{right}</negation></before><reach>{right}</reach></until>")),
            ),
        ],
    );
    file("UpperBounds.xml", &[property("sum", "<place-bound><place>left</place><place>right</place></place-bound>")]);
    dir
}

/// The lines of an examination without their techniques, sorted, and the exit code.
fn answers(dir: &str, examination: &str) -> (Vec<String>, Option<i32>) {
    let output = run(&["mcc", dir, examination, "--timeout", "30s", "--threads", "2"]);
    let answer = |line: &str| line.split(" TECHNIQUES").next().unwrap_or(line).to_owned();
    let mut lines: Vec<String> = stdout(&output).lines().map(answer).collect();
    lines.sort();
    (lines, code(&output))
}

#[test]
fn every_examination_is_answered() {
    let dir = folder("mcc-answers");
    let path = dir.file(".").display().to_string();
    let expect = |examination: &str, lines: &[&str], code: i32| {
        let lines: Vec<String> = lines.iter().map(|l| (*l).to_owned()).collect();
        assert_eq!(answers(&path, examination), (lines, Some(code)), "{examination}");
    };
    expect("ReachabilityDeadlock", &["FORMULA ReachabilityDeadlock FALSE"], 0);
    let cardinality = ["FORMULA never-two TRUE", "FORMULA next CANNOT_COMPUTE", "FORMULA two FALSE"];
    expect("ReachabilityCardinality", &cardinality, 10);
    expect("ReachabilityFireability", &["FORMULA right TRUE"], 0);
    let runs = ["again TRUE", "always FALSE", "for-good FALSE", "never FALSE", "until TRUE"];
    expect("LTLFireability", &runs.map(|line| format!("FORMULA {line}")).each_ref().map(String::as_str), 0);
    expect("UpperBounds", &["FORMULA sum 1"], 0);
    expect("OneSafe", &["FORMULA OneSafe TRUE"], 0);
    expect("QuasiLiveness", &["FORMULA QuasiLiveness FALSE"], 0);
    expect("StableMarking", &["FORMULA StableMarking TRUE"], 0);
    let space = ["MAX_TOKEN_IN_PLACE 1", "MAX_TOKEN_PER_MARKING 1", "STATES 2", "TRANSITIONS 2"];
    expect("StateSpace", &space.map(|line| format!("STATE_SPACE {line}")).each_ref().map(String::as_str), 0);
    expect("CTLFireability", &["DO_NOT_COMPETE"], 10);
}

#[test]
fn an_infinite_state_space_has_infinite_figures() {
    let dir = folder("mcc-infinite");
    let grows = NET.replace(r#"<arc id="e""#, r#"<arc id="f" source="go" target="spare"/><arc id="e""#);
    dir.write("model.pnml", grows);
    let figures = ["MAX_TOKEN_IN_PLACE", "MAX_TOKEN_PER_MARKING", "STATES", "TRANSITIONS"];
    let expected = figures.map(|figure| format!("STATE_SPACE {figure} +inf")).to_vec();
    assert_eq!(answers(&dir.file(".").display().to_string(), "StateSpace"), (expected, Some(0)));
}

#[test]
fn the_environment_of_the_contest_is_respected() {
    let dir = folder("mcc-environment");
    let path = dir.file(".").display().to_string();
    let with = |name: &str, value: &str, args: &[&str]| {
        let output = impasse(args).env(name, value).output().expect("the program starts");
        (stdout(&output), stderr(&output), code(&output))
    };
    let (out, _, ended) = with("BK_EXAMINATION", "OneSafe", &["mcc", &path]);
    assert!(out.starts_with("FORMULA OneSafe TRUE TECHNIQUES ") && ended == Some(0), "{out}");
    let (_, err, ended) = with("BK_TIME_CONFINEMENT", "soon", &["mcc", &path, "OneSafe"]);
    assert!(err.contains("not a number of seconds") && ended == Some(2), "{err}");
    let (out, _, ended) = with("BK_TIME_CONFINEMENT", "60", &["mcc", &path, "ReachabilityFireability"]);
    assert!(out.starts_with("FORMULA right TRUE TECHNIQUES ") && ended == Some(0), "{out}");
    // With no time at all there is no answer, and above all no wrong one.
    let (out, _, ended) = with("BK_TIME_CONFINEMENT", "0", &["mcc", &path, "QuasiLiveness"]);
    assert!(!out.contains("TRUE") && (ended == Some(10) || out.contains("FALSE")), "{out}");
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let dir = folder("mcc-refused");
    let path = dir.file(".").display().to_string();
    let refused = |args: &[&str], exit: i32, because: &str| {
        let output = run(&[&["mcc", &path], args].concat());
        let said = stderr(&output);
        assert!(code(&output) == Some(exit) && said.contains(because), "{args:?}: {said}");
    };
    refused(&["Reachability"], 2, "there is no examination `Reachability`");
    refused(&[], 2, "BK_EXAMINATION");
    refused(&["OneSafe", "--engines", "magic"], 2, "there is no `magic`");
    std::fs::remove_file(dir.file("UpperBounds.xml")).expect("it is there");
    refused(&["UpperBounds"], 3, "UpperBounds.xml");
    dir.write("UpperBounds.xml", "<property-set><property>");
    refused(&["UpperBounds"], 3, "UpperBounds.xml");
    std::fs::remove_file(dir.file("model.pnml")).expect("it is there");
    refused(&["OneSafe"], 3, "model.pnml");
}
