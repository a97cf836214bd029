//! PNML files that are read.

use crate::support::{net, shown};
use frontend::pnml::read;
use model::views::{NetTransitionId, PlaceId};

const TYPE: &str = "http://www.pnml.org/version-2009/grammar/ptnet";

fn document(content: &str) -> String {
    format!("<?xml version=\"1.0\"?>\n<pnml><net id=\"n\" type=\"{TYPE}\">{content}</net></pnml>\n")
}

#[test]
fn a_net_with_names_markings_and_weights() {
    let text = document(
        r#"<name><text>whole</text></name><page id="g">
        <arc id="a1" source="p" target="t"><inscription> <text> 2 </text><graphics><offset x="1" y="2"/></graphics>
        </inscription></arc>
        <place id="p"><name><graphics/><text>  ready </text></name>
          <initialMarking><!-- many --><text>
            17<!-- more -->
          </text></initialMarking></place>
        <place id="q"><initialMarking><text/></initialMarking></place>
        <transition id="t"><name><text>go</text></name></transition>
        <arc id='a2' source = 't' target='q'/>
        <arc id="a3" source="t" target="q"><inscription><text>2</text></inscription></arc>
        </page>"#,
    );
    assert_eq!(net(read, &text), "ready=17\nq=0\ngo: 2*ready -> 3*q\n");
    let loaded = read("n", text.as_bytes()).expect("well-formed");
    assert_eq!(loaded.ids.places("p"), Some(&[PlaceId::new(0)][..]));
    assert_eq!(loaded.ids.transitions("t"), Some(&[NetTransitionId::new(0)][..]));
    assert!(loaded.ids.places("ready").is_none() && loaded.ids.places("t").is_none());
    assert!(loaded.nupn.is_none() && loaded.warnings.is_empty());
}

#[test]
fn pages_and_references() {
    let text = document(
        r#"<page id="g1"><place id="p"/><page id="g2"><referencePlace id="r1" ref="r2"/>
        <transition id="t"/><page id="g3"><referencePlace id="r2" ref="p"/><referenceTransition id="s" ref="t"/>
        <arc id="a" source="r1" target="s"/></page></page></page>
        <page id="g4"><arc id="b" source="s" target="p"/></page>"#,
    );
    assert_eq!(net(read, &text), "p=0\nt: p -> p\n");
}

#[test]
fn text_in_all_its_forms() {
    let text = document(
        "<place id='a&amp;b'><name><text>x &lt;<![CDATA[&y]]> &#65;&#x42; \u{e9}</text></name></place>
        <transition id='t'/><arc id='c' source='a&#38;b' target='t'/>",
    );
    assert_eq!(net(read, &text), "x <&y AB \u{e9}=0\nt: x <&y AB \u{e9} ->\n");
    let marked = format!("\u{feff}{}", document("<place id='p'/>"));
    assert_eq!(net(read, &marked), "p=0\n");
}

#[test]
fn prefixes_tools_and_older_editions() {
    let text = r#"<x:pnml xmlns:x="u"><x:net id="n" type="http://www.informatik.hu-berlin.de/top/pntd/ptNetb">
        <x:place id="p"><x:initialMarking><x:value>3</x:value></x:initialMarking><capacity><value>0</value></capacity>
        <toolspecific tool="other"><place id="p"/><initialMarking><text>9</text></initialMarking></toolspecific>
        </x:place><toolspecific tool="any" version="1"><page><place/></page></toolspecific>
        <transition id="t"/><arc id="a" source="p" target="t"><type value="normal"/></arc></x:net></x:pnml>"#;
    assert_eq!(net(read, text), "p=3\nt: p ->\n");
}

#[test]
fn equal_names_are_told_apart_by_ids() {
    let name = "<name><text>same</text></name>";
    let text = document(&format!("<place id='p'>{name}</place><place id='q'>{name}</place>"));
    assert_eq!(net(read, &text), "same (p)=0\nsame (q)=0\n");
}

#[test]
fn depth_costs_nothing() {
    let deep = format!("{}{}", "<x>".repeat(200_000), "</x>".repeat(200_000));
    let text = document(&format!("<place id='p'>{deep}</place><toolspecific tool='x'>{deep}</toolspecific>"));
    assert_eq!(net(read, &text), "p=0\n");
}

#[test]
fn a_long_chain_of_references_is_followed_once() {
    let links: String = (0..30_000).map(|n| format!("<referencePlace id='r{n}' ref='r{}'/>", n + 1)).collect();
    let arcs: String = (0..30_000).map(|n| format!("<arc id='a{n}' source='r{n}' target='t'/>")).collect();
    let text =
        document(&format!("{links}<referencePlace id='r30000' ref='p'/><place id='p'/><transition id='t'/>{arcs}"));
    let loaded = read("n", text.as_bytes()).expect("well-formed");
    assert_eq!(shown(&loaded.net), "p=0\nt: 30000*p ->\n");
}
