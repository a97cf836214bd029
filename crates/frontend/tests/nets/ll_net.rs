//! PEP's low-level nets.

use crate::support::{mistake, net};
use frontend::ll_net::read;

#[test]
fn a_net() {
    let text = "PEP\nPetriBox\nFORMAT_N2\nDPL s7n10@-9t2\nN1@1\"text\"\nBL\n1 \"B1\"630@330 b\"x\"\nPL\n\
        \"a\"1@-2eM1m1\n\"b\"3@4b\"{M7}\"R\"M9\"\n7\"c\"M2M2\n\"d\"\nTR\r\n\"t\"1@1v65b\"< x' = 1 >\"\n5 \"u\"S\nPTR\n9\"x\"\nTP\n\
        1<2v4\n5<8J1@2w3\nPT\n1>1\n7>5w2\nRA\n1<8\nTX\nanything\n";
    assert_eq!(net(read, text), "a=1\nb=0\nc=2\nd=0\nt: a d -> b d\nu: 2*c -> 3*d\n");
}

#[test]
fn mistakes() {
    let with = |arcs: &str| mistake(read, &format!("PEP\nPL\n\"p\"M1\nTR\n\"t\"\n{arcs}"));
    assert_eq!(mistake(read, ""), "1:1 the file has no net: no section starts in it");
    assert_eq!(mistake(read, "PLACE"), "1:1 the first line is not `PEP`");
    assert_eq!(mistake(read, "PEP\nPTNet"), "2:6 the file has no net: no section starts in it");
    assert_eq!(mistake(read, "PEP\nPL\nx"), "3:1 expected a name in quotes");
    assert_eq!(mistake(read, "PEP\nPL\n\"x"), "3:1 a name is not closed");
    assert_eq!(mistake(read, "PEP\nPL\n\"x\"\n\"x\""), "4:1 there are two places called `x`");
    assert_eq!(mistake(read, "PEP\nPL\n2\"x\"\n2\"y\""), "4:1 there are two places with the number 2");
    assert_eq!(mistake(read, "PEP\nTR\n\"x\"\n\"x\""), "4:1 there are two transitions called `x`");
    assert_eq!(mistake(read, "PEP\nTR\n2\"x\"\n2\"y\""), "4:1 there are two transitions with the number 2");
    assert_eq!(mistake(read, "PEP\nPL\n\"x\"M-1"), "3:1 the marking `-1` is negative");
    assert_eq!(mistake(read, "PEP\nPL\n\"x\"M1M2"), "3:1 `M` is given twice");
    assert_eq!(mistake(read, "PEP\nPL\n\"x\"%"), "3:1 the line is malformed");
    assert_eq!(mistake(read, "PEP\nPL\n\"x\"k1M1"), "3:1 a place with a capacity is not supported");
    assert_eq!(with("TP\n1<2"), "7:1 there is no place with the number 2");
    assert_eq!(with("PT\n1>2"), "7:1 there is no transition with the number 2");
    assert_eq!(with("PT\n1<1"), "7:1 expected two numbers with `>` between them");
    assert_eq!(with("PT\nx"), "7:1 the number `` is not a number");
    assert_eq!(with("PT\n1>1w0"), "7:1 an arc has the weight 0");
    assert_eq!(with("PT\n1>1w99999999999"), "7:1 the weight `99999999999` is more than 4294967295");
    assert_eq!(with("PT\n1>1\nRA\n1<1"), "9:1 transition `t` tests place `p` and has another arc from it");
}
