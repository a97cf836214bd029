//! Everything that is no model: a clear message, exit 3, nothing on standard output, nothing written.

use std::time::{Duration, Instant};

use crate::common::{Scratch, code, run, run_with, stderr, stdout};

/// The message of a file that must be refused.
fn refused(path: &str) -> String {
    let output = run(&["check", path]);
    assert_eq!(code(&output), Some(3), "{}", stderr(&output));
    assert_eq!(stdout(&output), "");
    let message = stderr(&output);
    assert!(!message.contains("panicked"), "{message}");
    message
}

#[test]
fn files_that_are_no_models() {
    let scratch = Scratch::new("no-models");
    for (name, bytes, message) in [
        ("empty.imp", &b""[..], "is empty"),
        ("blank.imp", b" \n\t\n", "is empty"),
        ("nul.imp", b"process P {\0", "is a binary file"),
        ("empty.pnml", b"", "is empty"),
        ("empty.exp", b"\n", "is empty"),
        ("empty.aut", b"", "is empty"),
        ("empty.net", b"", "is empty"),
        ("nul.pnml", b"<?xml\0\x01", "is a binary file"),
        ("nul.aut", b"des (\0", "is a binary file"),
        ("latin.imp", b"// caf\xe9\n", "the byte at position 6 is not UTF-8"),
    ] {
        let message_got = refused(&scratch.write(name, bytes));
        assert!(message_got.contains(message), "{message_got}");
    }
    let before = scratch.names();
    let output = run(&["fmt", &scratch.file("latin.imp").display().to_string()]);
    assert_eq!(code(&output), Some(3));
    assert_eq!(scratch.names(), before, "nothing was written");
}

#[test]
fn a_huge_file_is_refused_by_its_size() {
    let scratch = Scratch::new("huge");
    let path = scratch.write("huge.imp", b"");
    let file = std::fs::File::options().write(true).open(&path).expect("the file");
    file.set_len(100 << 20).expect("a sparse file");
    let start = Instant::now();
    let message = refused(&path);
    assert!(message.contains("more than 64 MB"), "{message}");
    assert!(start.elapsed() < Duration::from_secs(5), "it must not be read");
}

#[test]
fn an_endless_pipe_is_refused() {
    let output = run_with(&["check", "-"], &vec![b' '; (64 << 20) + 10]);
    assert_eq!(code(&output), Some(3));
    assert!(stderr(&output).contains("more than 64 MB"), "{}", stderr(&output));
}

#[test]
fn models_that_make_no_sense() {
    let scratch = Scratch::new("nonsense");
    let deep = |open: &str, close: &str, n: usize| {
        format!("process P {{ states a }}\nproperty invariant {}true{}", open.repeat(n), close.repeat(n))
    };
    for (name, text, message) in [
        ("parentheses", deep("(", ")", 200_000), "nest"),
        ("negations", deep("!", "", 200_000), "nest"),
        ("blocks", format!("process P {{ states a {}", "if 1 == 1 { ".repeat(100_000)), ""),
        ("no processes", "lock m\n".to_owned(), "process"),
        ("duplicate process", "process P { states a }\nprocess P { states a }".to_owned(), "P"),
        ("duplicate object", "lock m\nvar m : bool\nprocess P { states a }".to_owned(), "m"),
        ("duplicate state", "process P { states a, a }".to_owned(), "a"),
        ("initial value", "var x : 0..3 = 4\nprocess P { states a }".to_owned(), "0..3"),
        ("zero array", "lock m[0]\nprocess P { states a }".to_owned(), "m"),
        ("huge array", "lock m[4000000000]\nprocess P { states a }".to_owned(), ""),
        ("empty property", "process P { states a }\nproperty invariant".to_owned(), "expected"),
        ("property of nothing", "process P { states a }\nproperty invariant Q at a".to_owned(), "`Q`"),
    ] {
        let got = refused(&scratch.write("model.imp", text));
        assert!(got.contains(message) && got.contains("model.imp"), "{name}: {got}");
    }
}

#[test]
fn garbage_never_panics() {
    let mut seed = 1u64;
    let words =
        ["process", "P", "{", "}", "states", "a", "->", "do", "when", "(", ")", "[", "]", "0..", "99", "é", "\n"];
    for _ in 0..40 {
        let text: String = (0..60)
            .map(|_| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                format!("{} ", words[(seed >> 33) as usize % words.len()])
            })
            .collect();
        let output = run_with(&["check", "-"], text.as_bytes());
        assert_eq!(code(&output), Some(3), "{text}\n{}", stderr(&output));
    }
}

#[test]
fn several_mistakes_are_shown_at_once_and_without_colours() {
    let message = refused("mistakes.imp");
    assert!(message.contains("3 errors") && message.contains("did you mean `fork`?"), "{message}");
    assert!(!message.contains('\x1b'), "standard error is no terminal");
}
