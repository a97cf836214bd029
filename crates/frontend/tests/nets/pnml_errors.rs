//! PNML files that are refused, with the place and the reason.

use crate::support::mistake;
use frontend::pnml::read;

const OPEN: &str = "<pnml><net id='n' type='http://www.pnml.org/version-2009/grammar/ptnet'>\n";

fn refused(content: &str) -> String {
    mistake(read, &format!("{OPEN}{content}\n</net></pnml>"))
}

#[test]
fn documents_that_are_no_nets() {
    assert_eq!(mistake(read, ""), "1:1 the file has no `pnml` element");
    assert_eq!(mistake(read, "hello"), "1:1 the file has no `pnml` element");
    assert_eq!(mistake(read, "<!-- --> <svg/>"), "1:10 the root element is `svg`, not `pnml`");
    assert_eq!(mistake(read, "<pnml></pnml>"), "1:14 the file has no net");
    assert_eq!(mistake(read, "<pnml><net id='n'/></pnml>"), "1:7 the net has no type");
    assert_eq!(mistake(read, "<pnml><net id='n' type='x'/></pnml>"), "1:25 unknown type of net `x`");
    let two = format!("{OPEN}</net><net id='m' type='PTNet'/></pnml>");
    assert_eq!(mistake(read, &two), "2:7 the file has several nets");
    let after = format!("{OPEN}</net></pnml><pnml/>");
    assert_eq!(mistake(read, &after), "2:14 the document goes on after its root element");
    let latin = read("n", b"<pnml>\xe9</pnml>").expect_err("not UTF-8");
    assert_eq!((latin[0].message.as_str(), latin[0].span.start), ("the file is not text in UTF-8", 6));
}

#[test]
fn files_beyond_the_limit_are_not_looked_at() {
    let long = vec![0; frontend::MAX_NET_TEXT + 1];
    for read in [read, frontend::lola::read, frontend::tina::read, frontend::ll_net::read] {
        let mistakes = read("n", &long).expect_err("too long");
        assert!(mistakes[0].message.ends_with("nets of at most 1073741824 bytes are read"), "{mistakes:?}");
    }
}

#[test]
fn plain_nets_have_no_labels_of_coloured_ones() {
    let coloured = "a place/transition net has a label of coloured nets";
    assert_eq!(refused("<place id='p'><hlinitialMarking/></place>"), format!("2:15 {coloured}"));
    assert_eq!(refused("<place id='p'><type><text>Dot</text></type></place>"), format!("2:15 {coloured}"));
    assert_eq!(refused("<transition id='t'><condition/></transition>"), format!("2:20 {coloured}"));
    assert_eq!(refused("<declaration/>"), format!("2:1 {coloured}"));
}

#[test]
fn bombs_are_refused() {
    let bomb = "<!DOCTYPE pnml [<!ENTITY a 'aa'><!ENTITY b '&a;&a;'>]>\n<pnml>&b;</pnml>";
    assert_eq!(mistake(read, bomb), "1:1 document type declarations are refused");
    let entity = "an entity that is not one of XML's own is not expanded";
    assert_eq!(refused("<place id='p'><name><text>a &b; c</text></name></place>"), format!("2:29 {entity}"));
    assert_eq!(refused("<place id='&b;'/>"), format!("2:12 {entity}"));
    let deep = format!("{}{}", "<page id='p'>".repeat(101), "</page>".repeat(101));
    assert!(refused(&deep).ends_with("more than 100 pages are nested"));
}

#[test]
fn arcs_that_connect_nothing() {
    let nodes = "<place id='p'/><place id='q'/><transition id='t'/><transition id='u'/>\n";
    let arc = |source, target| refused(&format!("{nodes}  <arc id='a' source='{source}' target='{target}'/>"));
    assert_eq!(arc("p", "x"), "3:3 the target of an arc is neither a place nor a transition");
    assert_eq!(arc("x", "p"), "3:3 the source of an arc is neither a place nor a transition");
    assert_eq!(arc("a", "t"), "3:3 the source of an arc is neither a place nor a transition");
    assert_eq!(arc("p", "q"), "3:3 an arc leads from a place to a place");
    assert_eq!(arc("t", "u"), "3:3 an arc leads from a transition to a transition");
    let many: String = (0..50).map(|n| format!("<arc id='a{n}' source='p' target='q'/>")).collect();
    let text = format!("{OPEN}{nodes}{many}</net></pnml>");
    assert_eq!(read("n", text.as_bytes()).expect_err("dangling").len(), 20);
}

#[test]
fn references_that_lead_nowhere() {
    let dangling = "a reference node leads to no node of its kind";
    assert_eq!(refused("<referencePlace id='r' ref='x'/>"), format!("2:1 {dangling}"));
    assert_eq!(refused("<referencePlace id='r' ref='r'/>"), format!("2:1 {dangling}"));
    let circle = "<referencePlace id='r' ref='s'/><referencePlace id='s' ref='r'/>";
    assert_eq!(refused(circle), format!("2:1 {dangling}"));
    assert_eq!(refused("<transition id='t'/><referencePlace id='r' ref='t'/>"), format!("2:21 {dangling}"));
    let mixed = "<place id='p'/><referencePlace id='r' ref='s'/><referenceTransition id='s' ref='p'/>";
    assert_eq!(refused(mixed), format!("2:16 {dangling}"));
}

#[test]
fn numbers_out_of_range() {
    let marking = |n| refused(&format!("<place id='p'><initialMarking><text>{n}</text></initialMarking></place>"));
    assert_eq!(marking("-1"), "2:37 the initial marking `-1` is negative");
    assert_eq!(marking("4294967296"), "2:37 the initial marking `4294967296` is more than 4294967295");
    assert_eq!(marking("1.5"), "2:37 the initial marking `1.5` is not a number");
    assert_eq!(marking("1</text><text>x"), "2:51 the initial marking `x` is not a number");
    let weight =
        |n| refused(&format!("<arc id='a' source='p' target='q'><inscription><text>{n}</text></inscription></arc>"));
    assert_eq!(weight("0"), "2:54 an arc has the weight 0");
    assert_eq!(weight("-3"), "2:54 the weight `-3` is negative");
    assert_eq!(weight("99999999999999999999"), "2:54 the weight `99999999999999999999` is more than 4294967295");
    assert_eq!(weight("x"), "2:54 the weight `x` is not a number");
    let heavy = "<inscription><text>4294967295</text></inscription></arc>";
    let sum = format!(
        "<place id='p'/><transition id='t'/><arc id='a' source='p' target='t'>{heavy}<arc id='b' source='p' target='t'/>"
    );
    assert_eq!(refused(&sum), "1:1 the arcs of `t` weigh more than 2^32 - 1");
}

#[test]
fn ids_and_attributes() {
    assert_eq!(refused("<place id='p'/>\n<transition id='p'/>"), "3:17 the id `p` is used twice");
    assert_eq!(
        refused("<place id='p'/><place id='q'/><arc id='p' source='p' target='q'/>"),
        "2:40 the id `p` is used twice"
    );
    assert_eq!(refused("<place/>"), "2:1 this `place` has no `id`");
    assert_eq!(refused("<transition id=''/>"), "2:1 this `transition` has no `id`");
    assert_eq!(refused("<arc id='a' source='p'/>"), "2:1 this `arc` has no `target`");
    assert_eq!(refused("<arc id='a' target='p'/>"), "2:1 this `arc` has no `source`");
    assert_eq!(refused("<referencePlace id='a'/>"), "2:1 this `referencePlace` has no `ref`");
    assert_eq!(refused("<place id='p' id='q'/>"), "2:19 the attribute `id` is given twice");
    assert_eq!(refused("<place id=p/>"), "2:1 the attributes of an element are malformed");
}

#[test]
fn what_plain_nets_do_not_have() {
    let arc = "<arc id='a' source='p' target='t'><type value='inhibitor'/></arc>";
    assert_eq!(refused(arc), "2:48 arcs of the type `inhibitor` are not supported");
    let attribute = "<arc id='a' source='p' target='t' type='reset'/>";
    assert_eq!(refused(attribute), "2:41 arcs of the type `reset` are not supported");
    let label = "<arc id='a' source='p' target='t'><arctype><text>read</text></arctype></arc>";
    assert_eq!(refused(label), "2:50 arcs of the type `read` are not supported");
    let capacity = "<place id='p'><capacity><text>1</text></capacity></place>";
    assert_eq!(refused(capacity), "2:15 places with a capacity are not supported");
    let twice = "<initialMarking><text>1</text></initialMarking>";
    assert_eq!(refused(&format!("<place id='p'>{twice}{twice}</place>")), "2:62 `initialMarking` is given twice");
}

#[test]
fn damaged_xml() {
    let text = format!("{OPEN}<page id='g'>\n<place id='p'>\n");
    assert_eq!(mistake(read, &text), "3:1 the file ends inside an element");
    assert!(mistake(read, &format!("{OPEN}<place id='p'")).starts_with("2:1 the XML is cut off or malformed"));
    assert!(mistake(read, &format!("{OPEN}</place>")).starts_with("2:1 the XML is malformed"));
    assert!(mistake(read, &format!("{OPEN}<!-- ")).starts_with("2:1 the XML is cut off or malformed"));
}
