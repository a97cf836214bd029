//! LoLA's nets.

use crate::support::{mistake, net};
use frontend::lola::read;

#[test]
fn a_net() {
    let text = "{ all of it }
        PLACE SAFE 1: p, q.1; SAFE: r; 7, s;
        MARKING p, s: 3, s:1;
        TRANSITION t STRONG FAIR { fair } CONSUME p: 2, q.1; PRODUCE ;
        TRANSITION 7 CONSUME ; PRODUCE r, 7: 4, r;";
    assert_eq!(net(read, text), "p=1\nq.1=0\nr=0\n7=0\ns=4\nt: 2*p q.1 ->\n7: -> 2*r 4*7\n");
    let loaded = read("n", text.as_bytes()).expect("well-formed");
    assert_eq!(loaded.warnings[0].message, "fairness of transitions is not taken into account");
    assert_eq!(net(read, "PLACE ; MARKING ;"), "");
}

#[test]
fn mistakes() {
    let after = |text: &str| mistake(read, &format!("PLACE p; MARKING p;\n{text}"));
    assert_eq!(mistake(read, ""), "1:1 expected `PLACE`, found the end of the file");
    assert_eq!(mistake(read, "PLACE p"), "1:8 expected `,`, found the end of the file");
    assert_eq!(mistake(read, "PLACE p;"), "1:9 expected `MARKING`, found the end of the file");
    assert_eq!(mistake(read, "PLACE p, p;"), "1:10 there are two places called `p`");
    assert_eq!(
        mistake(read, "PLACE p : nat;"),
        "1:9 places of a sort belong to high-level LoLA nets, which are not read"
    );
    assert_eq!(mistake(read, "SORT nat = [0,3];"), "1:1 high-level LoLA nets are not read");
    assert_eq!(mistake(read, "PLACE SAFE x: p;"), "1:12 the bound `x` is not a number");
    assert_eq!(mistake(read, "PLACE p; MARKING q;"), "1:18 there is no place `q`");
    assert_eq!(mistake(read, "PLACE p; MARKING p: -1;"), "1:21 the marking `-1` is negative");
    assert_eq!(mistake(read, "PLACE p; MARKING p: 4294967295, p;"), "1:33 the marking is more than 4294967295");
    assert_eq!(mistake(read, "PLACE { p"), "1:7 a comment is not closed");
    assert_eq!(after("TRANSITION CONSUME"), "2:12 expected the name of a transition, found `CONSUME`");
    assert_eq!(after("TRANSITION t PRODUCE"), "2:14 expected `CONSUME`, found `PRODUCE`");
    assert_eq!(after("TRANSITION t CONSUME p: 0;"), "2:25 an arc has the weight 0");
    assert_eq!(after("TRANSITION t CONSUME p: -2;"), "2:25 the weight `-2` is negative");
    assert_eq!(after("TRANSITION t CONSUME q;"), "2:22 there is no place `q`");
    assert_eq!(after("TRANSITION t CONSUME p p;"), "2:24 expected `,`, found `p`");
    let two = "TRANSITION t CONSUME ; PRODUCE ;\nTRANSITION t CONSUME ; PRODUCE ;";
    assert_eq!(after(two), "3:12 there are two transitions called `t`");
    assert!(read("n", b"PLACE \xff;").is_err());
}
