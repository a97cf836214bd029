//! Models that would exhaust the machine are refused, or are no trouble.

use std::fmt::Write;

use crate::support::{load, mistake, size};

#[test]
fn compounds_do_not_nest_without_end() {
    let mut text = "package model port type P() atom type A() port P p() place S initial to S on p from S to S end
        compound type C0() component A a() end\n"
        .to_owned();
    for n in 1..2000 {
        writeln!(text, "compound type C{n}() component C{} c() end", n - 1).expect("a text grows");
    }
    text.push_str("end");
    assert_eq!(mistake(&text), "compounds contain compounds more than 200 deep");
}

#[test]
fn compounds_do_not_multiply_without_end() {
    let mut text = "package model port type P() atom type A() port P p() place S initial to S on p from S to S end
        compound type C0() component A a(), b() end\n"
        .to_owned();
    for n in 1..40 {
        writeln!(text, "compound type C{n}() component C{} c(), d() end", n - 1).expect("a text grows");
    }
    text.push_str("end");
    assert_eq!(mistake(&text), "the model has more than 400000 instances");
}

#[test]
fn connectors_do_not_stack_without_end() {
    let mut text = "package model port type P()
        connector type Up(P p) export port P out() define p end
        connector type Top(P p) define p end
        atom type A() export port P p() place S initial to S on p from S to S end
        compound type Root() component A a() connector Up c0(a.p)\n"
        .to_owned();
    for n in 1..2000 {
        writeln!(text, "connector Up c{n}(c{}.out)", n - 1).expect("a text grows");
    }
    text.push_str("connector Top top(c1999.out) end end");
    assert_eq!(mistake(&text), "connectors are bound to connectors more than 200 deep");
}

#[test]
fn values_do_not_grow_without_end() {
    let doubled = "x = x + x; ".repeat(40);
    let text = format!(
        "package model port type P() atom type A() data int x = 1 port P p() place S initial to S
         on p from S to S provided (x < 9) do {{ {doubled} }} end compound type Root() component A a() end end"
    );
    assert_eq!(mistake(&text), "the values that are computed here are too complicated");
}

#[test]
fn unknown_conditions_do_not_multiply_without_end() {
    let steps: String = (0..12).map(|n| format!("on p{n} from S to S provided (f() == {n})\n")).collect();
    let ports: Vec<String> = (0..12).map(|n| format!("p{n}()")).collect();
    let text = format!(
        "package model extern function int f() port type P() atom type A() port P {} place S initial to S {steps} end
         compound type Root() component A a() end end",
        ports.join(", ")
    );
    assert_eq!(mistake(&text), "after `a.start`, 12 conditions are unknown: too many");
}

#[test]
fn leaving_the_range_of_a_number_is_a_model_error() {
    let text = |first: &str| {
        format!(
            "package model port type P() atom type A() data int x = {first} port P p() place S initial to S
             on p from S to S do {{ x = x * 2; }} end compound type Root() component A a() end end"
        )
    };
    assert_eq!(size(&text("1073741823")), (2, 1, 0, 1));
    assert_eq!(mistake(&text("3000000000")), "the first value of `a.x` is 3000000000, which does not fit into 32 bits");
    assert!(load(&text("1 / 0")).is_err());
}
