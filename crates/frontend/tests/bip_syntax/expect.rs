//! Expectations in comments.

use frontend::bip::{Options, read};
use frontend::{Diagnostic, ExpectedSize, Loaded};
use model::Expectation;

/// A package with one invariant and one deadlock, after these comments.
fn loaded(comments: &str) -> Result<Loaded, Vec<Diagnostic>> {
    let package = "package k port type P() atom type A() port P p() place S, T initial to S on p from S to T
        invariant calm provided (true) // expect: nothing that is read
        end compound type C() component A a() end end";
    read("k", &format!("{comments}\n{package}"), &|_| Err("no other package".to_owned()), &Options::default())
}

#[test]
fn properties_and_sizes_are_expected() {
    let loaded = loaded("// expect: deadlock-free violated\n  //expect: a.calm holds\n// expect: 2 states, 1 deadlock");
    let loaded = loaded.expect("a model");
    let expected: Vec<_> = loaded.properties.iter().map(|p| (&*p.name, p.expect)).collect();
    let (violated, holds) = (Some(Expectation::Violated), Some(Expectation::Holds));
    assert_eq!(expected, [("deadlock-free", violated), ("a.calm", holds)]);
    assert_eq!(loaded.size, ExpectedSize { states: Some(2), transitions: None, deadlocks: Some(1) });
}

#[test]
fn nothing_need_be_expected() {
    let loaded = loaded("// expected: something").expect("a model");
    assert!(loaded.properties.iter().all(|p| p.expect.is_none()) && loaded.size == ExpectedSize::default());
}

#[test]
fn wrong_expectations_are_mistakes() {
    let text = "// first\n // expect: a.clam holds ";
    let mistakes = loaded(text).expect_err("no such invariant");
    assert_eq!(mistakes[0].message, "there is no property `a.clam`");
    assert_eq!(mistakes[0].help.as_deref(), Some("did you mean `a.calm`?"));
    assert_eq!(&text[mistakes[0].span.range()], "// expect: a.clam holds");
    assert_eq!(loaded("// expect: luck").expect_err("no verdict")[0].message, "this expectation is not understood");
}
