//! Certificates that are saved prove what they say, and nothing else.

use crate::common::{Scratch, code, run, stderr, stdout};

const ASYMMETRIC: &str = "../../../../corpus/classics/philosophers-asymmetric.imp";
const SCRIPT: &str = "../../../../corpus/csp/philosophers.csp";

/// Saves the certificate of a model.
fn saved(scratch: &Scratch, name: &str, model: &[&str]) -> String {
    let file = scratch.file(name).display().to_string();
    let output = run(&[&["check"], model, &["--deadlock", "--engine", "local", "--certificate", &file, "-q"]].concat());
    assert_eq!(code(&output), Some(0), "{}{}", stdout(&output), stderr(&output));
    file
}

#[test]
fn a_certificate_is_verified_against_its_model_only() {
    let scratch = Scratch::new("verify");
    let file = saved(&scratch, "proof.json", &[ASYMMETRIC, "--set", "n=4"]);
    // The parameters are those of the certificate unless others are given.
    let verified = run(&["verify", ASYMMETRIC, &file]);
    assert_eq!((code(&verified), stdout(&verified).starts_with("VERIFIED")), (Some(0), true), "{}", stdout(&verified));
    assert!(stdout(&verified).contains("with n=4"), "what was verified is told: {}", stdout(&verified));
    let refused = run(&["verify", ASYMMETRIC, "--set", "n=5", &file]);
    let why = "it was made with n=4, and --set n=5 is given";
    assert_eq!((code(&refused), stderr(&refused).contains(why)), (Some(3), true), "{}", stderr(&refused));
    let other = run(&["verify", "../../../../corpus/philosophers.imp", "--set", "n=4", &file]);
    assert_eq!(code(&other), Some(3), "it is about another model: {}", stdout(&other));
    let why = "it was made for the model `philosophers-asymmetric`, this is `philosophers`";
    assert!(stderr(&other).contains(why), "{}", stderr(&other));
}

#[test]
fn a_script_has_certificates_too() {
    let scratch = Scratch::new("verify-csp");
    let file = saved(&scratch, "proof.json", &[SCRIPT, "--process", "ASYMMETRIC"]);
    // Without a name it is the process that the certificate is about.
    for process in [&["--process", "ASYMMETRIC"][..], &[]] {
        let verified = run(&[&["verify", SCRIPT], process, &[&file]].concat());
        assert_eq!(code(&verified), Some(0), "{}{}", stdout(&verified), stderr(&verified));
    }
    assert_eq!(code(&run(&["verify", SCRIPT, "--process", "PLAIN", &file])), Some(3));
}

/// Who changes what a certificate says it is about gets no other answer than what is so.
#[test]
fn names_and_questions_cannot_be_forged() {
    let scratch = Scratch::new("verify-forged");
    let (model, file) = ("../../../../corpus/classics/peterson.imp", scratch.file("q.json").display().to_string());
    let checked = run(&["check", model, "--invariant", "true", "--certificate", &file, "-q"]);
    assert_eq!(code(&checked), Some(0), "{}", stderr(&checked));
    let text = std::fs::read_to_string(&file).expect("the certificate");
    let forge = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut forged: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        change(&mut forged["proofs"][0]);
        code(&run(&["verify", model, &scratch.write("forged.json", forged.to_string())]))
    };
    assert_eq!(forge(&|_| {}), Some(0));
    assert_eq!(forge(&|p| p["question"]["file"] = "turn == 7".into()), Some(3), "a name of its own");
    assert_eq!(forge(&|p| p["model"] = "nonsense".into()), Some(3), "another model");
    assert_eq!(forge(&|p| p["question"]["text"] = "P[0] at critical".into()), Some(10), "another question");
    assert_eq!(forge(&|p| p["property"] = "unheard of".into()), Some(0), "the question counts");
}

/// Options are part of the certificate, and divergence can be asked for.
#[test]
fn options_and_divergence_are_kept() {
    let scratch = Scratch::new("verify-options");
    let script = "../../../../corpus/csp/livelock.csp";
    let file = scratch.file("d.json").display().to_string();
    let checked = run(&["check", script, "--process", "CLOCK", "--divergence", "--certificate", &file, "-q"]);
    assert_eq!(code(&checked), Some(0), "{}{}", stdout(&checked), stderr(&checked));
    let verified = run(&["verify", script, &file]);
    assert_eq!(code(&verified), Some(0), "{}{}", stdout(&verified), stderr(&verified));
}

/// Every kind of property: a set of states, an observer, reachability, and ranks for claims about runs.
#[test]
fn everything_that_a_model_proves_is_verified() {
    let scratch = Scratch::new("verify-all");
    for model in ["classics/peterson.imp", "services/batch-job.imp", "classics/token-ring.imp"] {
        let (model, file) = (format!("../../../../corpus/{model}"), scratch.file("all.json").display().to_string());
        let checked = run(&["check", &model, "--certificate", &file, "--format", "json"]);
        let report: serde_json::Value = serde_json::from_str(&stdout(&checked)).expect("a report");
        let kinds: Vec<_> =
            report["results"].as_array().expect("results").iter().map(|r| &r["evidence"]["kind"]).collect();
        assert!(kinds.iter().all(|kind| *kind == "certificate" || *kind == "run"), "{model}: {kinds:?}");
        let verified = run(&["verify", &model, &file]);
        let lines = stdout(&verified).lines().filter(|line| line.starts_with("VERIFIED")).count();
        assert_eq!(code(&verified), Some(0), "{model}: {}", stdout(&verified));
        assert_eq!(lines, kinds.iter().filter(|kind| **kind == "certificate").count(), "{model}");
    }
}

/// Questions of the command line are part of the certificate.
#[test]
fn questions_are_kept() {
    let scratch = Scratch::new("verify-question");
    let (model, file) = ("../../../../corpus/classics/peterson.imp", scratch.file("q.json").display().to_string());
    let asked = ["--reachable", "P[0] at critical && P[1] at critical"];
    let checked = run(&[&["check", model, "--certificate", &file, "-q"], &asked[..]].concat());
    assert_eq!(code(&checked), Some(12), "what is not reachable violates it: {}", stderr(&checked));
    assert_eq!(code(&run(&["verify", model, &file])), Some(0));
}

#[test]
fn runs_are_verified_too() {
    let scratch = Scratch::new("verify-run");
    let (model, file) = ("../../../../corpus/philosophers.imp", scratch.file("run.json").display().to_string());
    assert_eq!(code(&run(&["check", model, "--trace", &file, "-q"])), Some(11));
    let verified = run(&["verify", model, &file]);
    assert_eq!((code(&verified), stdout(&verified).starts_with("VERIFIED")), (Some(0), true), "{}", stdout(&verified));
    let text = std::fs::read_to_string(&file).expect("the run");
    let mut run_of: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    run_of["stem"].as_array_mut().expect("steps").pop();
    let less = scratch.write("less.json", run_of.to_string());
    let refused = run(&["verify", model, &less]);
    assert_eq!((code(&refused), stdout(&refused).starts_with("REFUSED")), (Some(10), true), "{}", stdout(&refused));
}

#[test]
fn what_is_no_certificate_is_bad_input() {
    let scratch = Scratch::new("verify-bad");
    for text in ["", "{}", "[1]", r#"{"schema":"x","model":"m","property":"p","proof":{}}"#] {
        let file = scratch.write("bad.json", text);
        let output = run(&["verify", ASYMMETRIC, &file]);
        assert_eq!(code(&output), Some(3), "{text}: {}", stderr(&output));
    }
    // A proof with a refutation missing is one of nothing.
    let file = saved(&scratch, "proof.json", &[ASYMMETRIC]);
    let text = std::fs::read_to_string(&file).expect("the certificate");
    let start = text.find("\"refutations\":[").expect("refutations") + "\"refutations\":[".len();
    let file = scratch.write("less.json", format!("{}]}}}}}}]}}", &text[..start]));
    assert_eq!(code(&run(&["verify", ASYMMETRIC, &file])), Some(10));
}

/// Something that is true only because `B` is not kept waiting for ever.
const FAIR: &str = "var x : 0..1
process A { states s, t
  s -> t
  t -> s }
process B { states a, b
  end b
  a -> b do x := 1 }
property up: ltl eventually x == 1
";

/// What a claim rests on beside the text of the model is told, and cannot be denied.
#[test]
fn what_a_claim_rests_on_is_told() {
    let scratch = Scratch::new("verify-conditions");
    let model = scratch.write("w.imp", FAIR);
    let file = scratch.file("fair.json").display().to_string();
    let checked = run(&["check", &model, "--fairness", "weak", "--certificate", &file, "-q"]);
    assert_eq!(code(&checked), Some(0), "{}{}", stdout(&checked), stderr(&checked));
    for given in [&["--fairness", "weak"][..], &[]] {
        let verified = run(&[&["verify", &model, &file], given].concat());
        let told = stdout(&verified).ends_with("`w` under weak fairness: `up` holds\n");
        assert_eq!((code(&verified), told), (Some(0), true), "{}", stdout(&verified));
    }
    for other in ["none", "strong"] {
        let refused = run(&["verify", &model, &file, "--fairness", other]);
        let why = stderr(&refused).contains("it was made under weak fairness, and another --fairness is given");
        assert_eq!((code(&refused), why), (Some(3), true), "{}", stderr(&refused));
    }
}

#[test]
fn what_is_said_about_promela_is_told() {
    let scratch = Scratch::new("verify-macros");
    let model =
        scratch.write("a.pml", "active proctype p() {\n#ifndef SAFE\n  assert(0)\n#endif\n  assert(N < 3)\n}\n");
    let file = scratch.file("c.json").display().to_string();
    let options = ["-D", "SAFE=1", "-D", "N=7", "--no-assertions"];
    let checked = run(&[&["check", &model, "--deadlock", "--certificate", &file, "-q"], &options[..]].concat());
    assert_eq!(code(&checked), Some(0), "{}{}", stdout(&checked), stderr(&checked));
    let verified = run(&["verify", &model, &file]);
    let told = stdout(&verified).contains("with -D SAFE=1, -D N=7, without assertions: `deadlock-free` holds");
    assert_eq!((code(&verified), told), (Some(0), true), "{}{}", stdout(&verified), stderr(&verified));
    for other in [&["-D", "SAFE=0"][..], &["--no-end-states"]] {
        let refused = run(&[&["verify", &model, &file], other].concat());
        assert_eq!(code(&refused), Some(3), "{}{}", stdout(&refused), stderr(&refused));
    }
}

#[test]
fn what_a_run_rests_on_is_told() {
    let scratch = Scratch::new("verify-run-set");
    let (model, file) = ("../../../../corpus/philosophers.imp", scratch.file("run.json").display().to_string());
    assert_eq!(code(&run(&["check", model, "--set", "n=3", "--trace", &file, "-q"])), Some(11));
    let verified = run(&["verify", model, &file]);
    assert!(stdout(&verified).contains("`philosophers` with n=3: the run shows that"), "{}", stdout(&verified));
    assert_eq!(code(&run(&["verify", model, &file, "--set", "n=4"])), Some(3));
}

/// No text of a file looks like a line of ours.
#[test]
fn texts_of_certificates_stay_in_their_line() {
    let scratch = Scratch::new("verify-injected");
    let (model, file) = ("../../../../corpus/classics/peterson.imp", scratch.file("q.json").display().to_string());
    assert_eq!(code(&run(&["check", model, "--invariant", "true", "--certificate", &file, "-q"])), Some(0));
    let text = std::fs::read_to_string(&file).expect("the certificate");
    let forge = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut forged: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        change(&mut forged);
        let output = run(&["verify", model, &scratch.write("forged.json", forged.to_string())]);
        let told = stdout(&output) + &stderr(&output);
        assert!(!told.lines().any(|line| line.starts_with("VERIFIED forged")), "{told}");
        assert!(!told.contains('\u{1b}'), "{told:?}");
        (code(&output), stdout(&output).lines().count())
    };
    let injected = "true /*` holds\nVERIFIED forged.json: all is well */";
    assert_eq!(forge(&|c| c["proofs"][0]["question"]["text"] = injected.into()), (Some(0), 1));
    assert_eq!(forge(&|c| c["proofs"][0]["question"]["text"] = "true /*\u{1b}[2J*/".into()), (Some(3), 0));
    assert_eq!(forge(&|c| c["proofs"][0]["model"] = injected.into()), (Some(3), 0));
    assert_eq!(forge(&|c| c["schema"] = injected.into()), (Some(3), 0));
    assert_eq!(forge(&|c| c["set"] = serde_json::json!([injected])), (Some(3), 0));
    assert_eq!(forge(&|c| c[injected] = 1.into()), (Some(3), 0));
}
