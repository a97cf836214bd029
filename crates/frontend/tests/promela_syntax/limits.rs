//! Texts that are all depth or all length, and bombs: what is too much is said, soon.

use std::time::{Duration, Instant};

use frontend::promela::{Options, parse};

use crate::support::read;

/// The first message about a text, which must come soon.
fn refusal(text: &str) -> String {
    let start = Instant::now();
    let mistakes = read(text).expect_err("too much");
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    mistakes[0].message.clone()
}

#[test]
fn depth_is_refused() {
    let n = 100_000;
    for piece in ["(", "! ", "- ", "~", "z[", "(x -> ", "run P(", "1 || 2 && 3 | 4 ^ 5 & 6 == 7 < 8 + 9 * ("] {
        let text = format!("int x; init {{ x = {} }}", piece.repeat(n));
        assert!(refusal(&text).starts_with("nested more than"), "{piece}: {}", refusal(&text));
    }
    for piece in ["{", "atomic {", "if :: ", "do :: x; ", "for (x : 1 .. 2) {", "x.", "L: {"] {
        let text = format!("int x; init {{ {} }}", piece.repeat(n));
        assert!(refusal(&text).starts_with("nested more than"), "{piece}: {}", refusal(&text));
    }
    let text = format!("ltl p {{ {} x }}", "[] <> X always ! (".repeat(n));
    assert!(refusal(&text).starts_with("nested more than"), "{}", refusal(&text));
    let text = format!("init {{ q?{} }}", "(".repeat(n));
    assert!(refusal(&text).starts_with("nested more than"), "{}", refusal(&text));
    let text = format!("int x = {}1;", "1 + ".repeat(n));
    assert!(refusal(&text).starts_with("an expression more than"), "{}", refusal(&text));
    let text = format!("#if {}1\n#endif", "(".repeat(n));
    assert_eq!(refusal(&text), "this condition is not understood: nested too deeply");
}

#[test]
fn length_is_not_refused() {
    let n = 50_000;
    let long = [
        format!("int x; init {{ {} }}", "x = 1; ".repeat(n)),
        format!("int x; init {{ {} }}", "L: ".repeat(n)),
        format!("int x; init {{ if {} fi }}", ":: x -> skip ".repeat(n)),
        format!("int x; init {{ q!1{} }}", ", 1".repeat(n)),
        format!("int x; init {{ q?1{} }}", ", 1".repeat(n)),
        format!("mtype = {{ {} }}", (0..n).map(|i| format!("m{i} ")).collect::<String>()),
        format!("{} init {{ skip }}", "int x; ".repeat(n)),
        format!("#if 1{}\nint x;\n#endif", " + 1".repeat(n)),
        format!("{}int x;\n{}", "#if 1\n".repeat(n), "#endif\n".repeat(n)),
        (0..n).map(|i| format!("#define m{i} {i}\nint x{i} = m{i};\n")).collect(),
    ];
    for text in long {
        let start = Instant::now();
        let result = read(&text);
        assert!(result.is_ok(), "{}...: {:?}", &text[..60], result.err().map(|mistakes| mistakes[0].clone()));
        assert!(start.elapsed() < Duration::from_secs(5), "{}...: {:?}", &text[..60], start.elapsed());
    }
}

/// The deepest trees that pass the limits fit into the stack of a test.
#[test]
fn the_deepest_trees_can_be_shown_and_dropped() {
    let level = "1 || 2 && 3 | 4 ^ 5 & 6 == 7 < 8 + 9 * (";
    let texts = [
        format!("{}0{}", level.repeat(90), ")".repeat(90)),
        format!("0{}", " + 1".repeat(990)),
        format!("{}0{}", "(0 -> ".repeat(140), " : 1)".repeat(140)),
    ];
    for text in texts {
        let shown = crate::support::last_body(&format!("int x; init {{ x = {text} }}"));
        assert!(shown.len() > 990, "{shown}");
    }
    let nested = format!("int x; init {{ {} skip {} }}", "{ if :: ".repeat(35), " fi }".repeat(35));
    assert!(read(&nested).is_ok(), "{:?}", read(&nested).err());
}

#[test]
fn bombs_do_not_go_off() {
    let doubling = |n: usize| -> String {
        let first = "#define m0 1 +\n".to_owned();
        (1..n).fold(first, |text, i| text + &format!("#define m{i} m{0} m{0}\n", i - 1))
    };
    let too_much = "the macros of this model give too much text";
    assert!(refusal(&format!("{}int x = m40 1;", doubling(41))).starts_with(too_much));
    let calls: String = (1..41).map(|i| format!("#define f{i}(a) f{0}(a a)\n", i - 1)).collect();
    assert!(refusal(&format!("#define f0(a) a\n{calls}int x = f40(1 +) 1;")).starts_with(too_much));
    let arguments = "F(".repeat(100_000);
    assert!(refusal(&format!("#define F(a) a\nint x = {arguments}")).starts_with("the arguments of the macro"));
    let nested = format!("{}1{}", "F(".repeat(1_000), ")".repeat(1_000));
    assert!(refusal(&format!("#define F(a) a\nint x = {nested};")).starts_with("macros in the arguments of macros"));
    let chain: String = (1..5_000).map(|i| format!("#define m{i} m{}\n", i - 1)).collect();
    assert!(refusal(&format!("{chain}int x = m4999;")).starts_with("macros within macros"));
    let inlines: String = (1..41).map(|i| format!("inline f{i}() {{ f{0}(); f{0}() }}\n", i - 1)).collect();
    let text = format!("inline f0() {{ skip }}\n{inlines}init {{ f40() }}");
    assert!(refusal(&text).starts_with("the inlines of this model give more than"), "{}", refusal(&text));
    let arguments: String = (1..41).map(|i| format!("inline f{i}(a) {{ f{0}(a + a) }}\n", i - 1)).collect();
    let text = format!("inline f0(a) {{ a }}\n{arguments}init {{ f40(1) }}");
    let message = refusal(&text);
    assert!(message.starts_with("the inlines of this model") || message.starts_with("an expression more"), "{message}");
}

#[test]
fn files_do_not_include_each_other_for_ever() {
    let twice = "#include \"again\"\n#include \"again\"\n";
    let mistakes = parse(twice, &|_| Ok(twice.to_owned()), &Options::default()).expect_err("too many");
    assert!(mistakes[0].message.contains("more than 1000 files"), "{:?}", mistakes[0]);
}

#[test]
fn texts_that_are_none_are_refused() {
    assert_eq!(refusal("init { skip }\0"), "this is not a text: it contains a zero byte");
    let long = " ".repeat(frontend::MAX_TEXT + 1);
    assert!(refusal(&long).starts_with("the text has"));
}
