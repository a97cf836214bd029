//! The preprocessor: what a model is after it.

use frontend::promela::{Options, parse};

use crate::support::{last_body, read, sequence, valid};

/// Texts with lines of `init`, and what they become. Most are examples of the C standard in Promela's dress.
const TEXTS: &[(&str, &str)] = &[
    ("#define N 3\n init { x = N }", "x = 3"),
    ("#define N (x + \\\n 1)\n init { x = N * 2 }", "x = ((x+1)*2)"),
    ("#define F(a) a * a\n init { x = F(1 + 2) }", "x = ((1+(2*1))+2)"),
    ("#define F(a,b) ((a) + (b))\n init { x = F((1, 2), 3) }", "refused"),
    ("#define F(a,b) ((a) + (b))\n init { x = F(F(1, 2), (3)) }", "x = ((1+2)+3)"),
    ("#define F (a) a\n int a; init { x = F }", "refused"),
    ("#define F() 7\n init { x = F() + F ( ) }", "x = (7+7)"),
    ("#define F(a) a\n int F; init { x = F; F = 2 }", "x = F; F = 2"),
    ("#define F(a) a\n init { x = F\n(3) }", "x = 3"),
    ("#define F(a,b) a + b\n init { x = F(1,\n2)\n y = 2 }", "x = (1+2); y = 2"),
    ("#define F(a,b) (a + b)\n init { x = F(1,\n2) + 1 }", "refused"),
    ("#define A B\n#define B A\n int A, B; init { x = A }", "x = A"),
    ("#define x x + 1\n init { y = x }", "y = (x+1)"),
    ("#define A B\n#define B 3\n init { x = A }\n", "x = 3"),
    ("#define G(a) F(a)\n#define F(a) (a + 1)\n#define H G\n init { x = H(2) }", "x = (2+1)"),
    ("#define F(a) a(2)\n#define G(b) b * 3\n init { x = F(G) }", "x = (2*3)"),
    ("#define f(a) a*g\n#define g(a) f(a)\n int g; init { x = f(2)(9) }", "x = ((2*9)*g)"),
    ("#define N 3\n#undef N\n int N; init { x = N }", "x = N"),
    ("#undef N\n#define N\n init { N x = 1 N }", "x = 1"),
    ("#define EMPTY\n init { x = 1\n EMPTY y = 2 }", "x = 1; y = 2"),
    ("#define and &&\n#define skip (1)\n init { x and y; skip }", "((x&&y)); (1)"),
    ("#define S(a) printf(#a)\n init { S(x + \"q\") }", "printf('x + \\\"q\\\"')"),
    ("#define P(a, b) a ## b = a##1\n int ab, a1; init { P(a, b) }", "ab = a1"),
    ("#define P(a) x ## a\n#define N 3\n int xN; init { P(N) = 1 }", "xN = 1"),
    ("#define P(a, b) a ## b = 1\n init { P(x, ); P(, y) }", "x = 1; y = 1"),
    ("#define P(f, ...) printf(f, __VA_ARGS__)\n init { P(\"%d %d\", x, (y + 1)) }", "printf('%d %d',x,(y+1))"),
    ("#define P(f, ...) printf(f, ## __VA_ARGS__)\n init { P(\"a\"); P(\"%d\", x) }", "printf('a'); printf('%d',x)"),
    ("#define S(c, vs...) c!vs\n#define N 3\n init { S(q, N, x) }", "q!3,x"),
    ("#define S(...) printf(#__VA_ARGS__)\n init { S(x, y) }", "printf('x, y')"),
    ("#define STEP x = 1; y = 2\n init { STEP; STEP }", "x = 1; y = 2; x = 1; y = 2"),
    ("#define TWO x = 1 \\\n y = 2\n init { TWO }", "refused"),
    ("#if 1\n init { skip }\n#else\n what\n#endif", "(1)"),
    ("#if 0\n don't 'read \" this\n#elif 2 > 1\n init { x }\n#elif 1\n no\n#else\n no\n#endif", "(x)"),
    ("#ifdef N\n no\n#endif\n#ifndef N\n#define N\n#endif\n#ifdef N\n init { x }\n#endif", "(x)"),
    ("#if 0\n#if 1\n no\n#else\n no\n#endif\n no\n#else\n init { x }\n#endif", "(x)"),
    ("#if 0\n#define N 1\n#include \"no\"\n#error no\n#strange\n#endif\n#ifndef N\n init { x }\n#endif", "(x)"),
    ("#if defined N || defined(x) || !defined N && (1 ? 2 : 0) == 0x2u\n init { x }\n#endif", "(x)"),
    ("#define N 5\n#if N * 2 - 1 == 9 && N % 3 == 2 && (N & 1) && -N < 0 && ~0 == -1\n init { x }\n#endif", "(x)"),
    ("#if 'a' == 97 && 1 << 3 == 8 && unknown == 0 && !!1 && 010 == 8\n init { x }\n#endif", "(x)"),
    ("  #  define N 3 // no\n/* a\n */ # define M /* x */ 4\ninit { x = N + M }", "x = (3+4)"),
    ("#define N /* a\n b */ 3\n init { x = N }", "x = 3"),
    ("# 12 \"file.pml\"\n#line 3\n#pragma whatever\n#ident \"x\"\n#\n init { x }", "(x)"),
    ("#warning careful\n init { x }", "(x)"),
];

#[test]
fn macros_and_conditions_are_done() {
    for (text, shown) in TEXTS {
        let text = format!("int x, y;\n{text}");
        match *shown {
            "refused" => assert!(read(&text).is_err(), "{text}"),
            shown => assert_eq!(last_body(&text), shown, "{text}"),
        }
    }
}

#[test]
fn warnings_are_kept() {
    let parsed = valid("#define A 1\n#define A 1\n#define A 2\n#warning so so\ninit { skip }");
    let messages: Vec<&str> = parsed.warnings.iter().map(|warning| &*warning.message).collect();
    assert_eq!(messages, ["the macro `A` is defined once more, and differently", "#warning: so so"]);
}

#[test]
fn options_define_macros() {
    let defines = [("N", "3 + 1"), ("EMPTY", "")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    let options = Options { defines: defines.to_vec(), ..Options::default() };
    let text = "int x; init { x = N * 2 EMPTY }";
    let parsed = parse(text, &|_| Err(String::new()), &options).expect("a model");
    let frontend::promela::ast::Unit::Proctype(init) = &parsed.program.units[1] else { panic!("no init") };
    assert_eq!(sequence(&init.body), "x = (3+(1*2))");
    assert_eq!(&text[init.body[0].span.range()], "x = N * 2");
}

/// The files of the tests: a name and a text each.
const FILES: &[(&str, &str)] = &[
    ("a.h", "#define A 1\n#include \"sub/b.h\"\n"),
    ("sub/b.h", "#ifndef B\n#define B 2\n#include \"c.h\"\n#include \"sub/b.h\"\n#endif\n"),
    ("sub/c.h", "#pragma once\nint c;\n"),
    ("wrong.h", "int a;\n  int b[;\n"),
    ("self.h", "#include \"self.h\"\n"),
    ("open.h", "#ifdef A\n"),
    ("inline.h", "inline set(v) { v = }\n"),
];

fn with_files(text: &str) -> Result<frontend::promela::Parsed, Vec<frontend::Diagnostic>> {
    let reader = |name: &str| {
        let found = FILES.iter().find(|(file, _)| *file == name);
        found.map(|(_, text)| (*text).to_owned()).ok_or_else(|| format!("there is no {name}"))
    };
    parse(text, &reader, &Options::default())
}

#[test]
fn files_are_included() {
    let text = "#include \"a.h\"\n#include <sub/c.h>\n#define FILE \"a.h\"\n#include FILE\ninit { c = A + B }";
    let parsed = with_files(text).expect("a model");
    assert_eq!(parsed.program.units.len(), 2, "{:?}", parsed.program);
    let frontend::promela::ast::Unit::Vars(variables) = &parsed.program.units[0] else { panic!("no variable") };
    assert_eq!(&parsed.sources.text()[variables[0].name.span.range()], "c");
}

#[test]
fn mistakes_in_files_are_placed() {
    let cases = [
        ("#include \"wrong.h\"\nint x;", "in \"wrong.h\", line 2, column 9: expected an expression, found `;`"),
        ("#include \"none.h\"", "the file \"none.h\" cannot be included: there is no none.h"),
        (
            "#include \"self.h\"",
            "in \"self.h\", line 1, column 1: more than 1000 files, or more than 32 within each other",
        ),
        ("#include \"open.h\"\n#endif", "in \"open.h\", line 1, column 1: this condition has no `#endif`"),
        (
            "#include \"inline.h\"\nint x; init { set(x) }",
            "in \"inline.h\", line 1, column 21: expected an expression, found `}`",
        ),
    ];
    for (text, message) in cases {
        let mistakes = with_files(text).expect_err(text);
        assert_eq!(mistakes[0].message, message, "{text}");
        assert!(text.get(mistakes[0].span.range()).is_some_and(|part| part.starts_with("#include")), "{mistakes:?}");
    }
}

/// A text, what is wrong, and what is underlined.
const MISTAKES: &[(&str, &str, &str)] = &[
    ("#define", "expected the name of a macro", "#define"),
    ("#define 3 x", "expected the name of a macro", "3"),
    ("#define defined", "`defined` cannot be a macro", "defined"),
    ("#define F(a", "expected `,` or `)`", ""),
    ("#define F(a,a) a", "there are two parameters `a`", "a"),
    ("#define F(..., a) a", "expected `)`", ","),
    ("#define F(a, ..) a", "expected the name of a parameter", ".."),
    ("#define F(a) a\nint x = F(1,2);", "the macro `F` has 1 parameter, not 2", "F(1,2)"),
    ("#define F(a) a\nint x = F(1;", "the arguments of the macro `F` never end", "F"),
    ("#defin N 3", "there is no directive `#defin`", "defin"),
    ("#error too old", "#error: too old", "#error too old"),
    ("#include file", "expected the name of a file", "#include file"),
    ("#if\n#endif", "this condition is not understood: something is missing", "#if"),
    ("#if 1 +\n#endif", "this condition is not understood: something is missing", "#if 1 +"),
    ("#if (1\n#endif", "this condition is not understood: expected `)`", "#if (1"),
    ("#if 1 / 0\n#endif", "this condition is not understood: a division by zero", "#if 1 / 0"),
    ("#if 1 2\n#endif", "this condition is not understood: unexpected `2`", "#if 1 2"),
    ("#if defined\n#endif", "expected a name after `defined`", "#if defined"),
    ("#ifdef\n#endif", "expected a name after `#ifdef`", "#ifdef"),
    ("#if 1", "this condition has no `#endif`", "#if 1"),
    ("#else", "`#else` without `#if`", "#else"),
    ("#endif", "`#endif` without `#if`", "#endif"),
    ("#if 1\n#else\n#elif 1\n#endif", "`#elif` after `#else`", "#elif 1"),
    (
        "#define STEP x = = 1\nint x; init { STEP }",
        "expected an expression, found `=`, which the macro `STEP` gives",
        "STEP",
    ),
    ("#define LEFT (\nint x = LEFT 1;", "expected an operator or `)`, found `;`", ";"),
    ("int x = \\ 3;", "`\\` means nothing here", "\\"),
    ("int x; /* no end", "this comment never ends", "/*"),
];

#[test]
fn wrong_directives_are_explained() {
    for (text, message, underlined) in MISTAKES {
        let mistakes = read(text).expect_err(text);
        assert_eq!(mistakes[0].message, *message, "{text}");
        assert_eq!(&text[mistakes[0].span.range()], *underlined, "{text}");
    }
}
