//! The test that the book and the page on pipelines begin with.

use impasse::{Model, assert_deadlock_free};

#[test]
fn transfers_cannot_deadlock() {
    let mut bank = Model::new("bank");
    let (giro, savings) = (bank.lock("giro"), bank.lock("savings"));
    for name in ["clerk", "customer"] {
        bank.thread(name, |t| {
            t.forever(|t| {
                t.acquire(giro);
                t.acquire(savings);
                t.release(savings);
                t.release(giro);
            });
        });
    }
    assert_deadlock_free!(bank);
}

/// The pages that show the test above show it as it stands here.
#[test]
fn pages_show_this_test() {
    let (_, rest) = include_str!("bank.rs").split_once("\n\n").expect("it begins with a remark");
    let (shown, _) = rest.split_once("\n/// The pages").expect("it stands above");
    for page in [include_str!("../../../docs/book/src/how-to/rust.md"), include_str!("../../../docs/ci.md")] {
        assert!(page.contains(&format!("```rust\n{shown}```")), "a page shows something else");
    }
}
