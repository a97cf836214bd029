//! Packages that use each other.

use std::collections::HashMap;

use frontend::Diagnostic;
use frontend::bip::ast::Model;
use frontend::bip::parse;

fn read(files: &[(&str, &str)]) -> Result<Model, Vec<Diagnostic>> {
    let rest: HashMap<String, String> = files[1..].iter().map(|(n, t)| ((*n).to_owned(), (*t).to_owned())).collect();
    parse(files[0].1, &|file| rest.get(file).cloned().ok_or_else(|| "there is no such file".to_owned()))
}

#[test]
fn each_package_is_read_once() {
    let model = read(&[
        ("", "package a use b use c port type P() end"),
        ("b.bip", "package b use c use a extern function f() end"),
        ("c.bip", "package c use b extern data type T end"),
    ]);
    let names: Vec<String> = model.expect("three packages").packages.iter().map(|p| p.name.text()).collect();
    assert_eq!(names, ["a", "b", "c"]);
}

#[test]
fn functions_of_used_packages_can_be_called() {
    let lib = ("b.bip", "package b extern function int f(int) end");
    assert!(read(&[("", "package a use b const data int X = f(1) end"), lib]).is_ok());
    let mistakes = read(&[("", "package a const data int X = f(1) end"), lib]).expect_err("it is not used");
    assert_eq!(mistakes[0].message, "there is no function `f`");
}

#[test]
fn messages_about_other_files_stand_at_their_use() {
    let cases: &[(&str, &str, &str)] = &[
        ("package b port type P( end", "in \"b.bip\", line 1, column 24: expected a type of data, found `end`", "b"),
        ("package c end", "\"b.bip\" holds the package `c`, not `b`", "b"),
        (
            "package b use d end",
            "in \"b.bip\", line 1, column 15: the package `d` cannot be read: there is no such file",
            "b",
        ),
        ("package b port type P(T x) end", "in \"b.bip\", line 1, column 23: there is no data type `T`", "b"),
        ("package b \u{7} end", "in \"b.bip\", line 1, column 11: `\\u{7}` means nothing here", "b"),
    ];
    let main = "package a use b end";
    for (lib, message, underlined) in cases {
        let mistakes = read(&[("", main), ("b.bip", lib)]).expect_err(lib);
        assert_eq!(mistakes[0].message, *message);
        assert_eq!(&main[mistakes[0].span.range()], *underlined);
    }
}

#[test]
fn types_of_other_packages_are_named_with_their_package() {
    let lib = ("b.bip", "package b port type P() end");
    assert!(read(&[("", "package a use b connector type C(b.P p) define p end end"), lib]).is_ok());
    let bare = read(&[("", "package a use b connector type C(P p) define p end end"), lib]).expect_err("no package");
    assert_eq!(bare[0].help.as_deref(), Some("that of a used package is `b.P`"));
    let unused = read(&[("", "package a connector type C(b.P p) define p end end"), lib]).expect_err("no use");
    assert_eq!(
        (&*unused[0].message, unused[0].help.as_deref()),
        ("the package `b` is not used here", Some("write `use b` above"))
    );
}

/// A chain of packages without end is cut.
#[test]
fn packages_without_end_are_refused() {
    let reader = |file: &str| {
        let n: u32 =
            file.trim_start_matches('p').trim_end_matches(".bip").parse().map_err(|_| "no number".to_owned())?;
        Ok(format!("package p{n} use p{} end", n + 1))
    };
    let mistakes = parse("package p0 use p1 end", &reader).expect_err("too many");
    assert!(mistakes[0].message.contains("more than 1000 packages"), "{mistakes:?}");
}
