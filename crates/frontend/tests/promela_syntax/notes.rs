//! Expectations in comments.

use frontend::ExpectedSize;
use model::{Expectation, NamedProperty, Property};

use crate::support::{read, valid};

fn property(name: &str) -> NamedProperty {
    NamedProperty { name: name.to_owned(), property: Property::DeadlockFree, expect: None, span: None }
}

#[test]
fn comments_expect() {
    let parsed = valid("// expect: deadlock-free violated\ninit { skip }\n  /* expect: 3 states, 2 transitions */\n");
    let mut properties = vec![property("deadlock-free")];
    let size = parsed.expectations(&mut properties, &[]).expect("there is such a property");
    assert_eq!(size, ExpectedSize { states: Some(3), transitions: Some(2), deadlocks: None });
    assert_eq!(properties[0].expect, Some(Expectation::Violated));
    assert!(parsed.expectations(&mut vec![property("other")], &["another"]).is_err());
    assert!(parsed.expectations(&mut vec![property("other")], &["deadlock-free"]).is_ok());
}

#[test]
fn expectations_must_be_understood() {
    let text = "init { skip }\n\t// expect: nothing\n";
    let mistakes = read(text).expect_err("no expectation");
    assert_eq!(&text[mistakes[0].span.range()], "// expect: nothing");
}
