//! Nets as PNML.

use std::fmt::Write;

use model::views::Net;
use quick_xml::escape::escape;

use crate::pnml::PT_NET;

/// The net as a PNML document with one page. Ids are numbers behind a letter, names are labels.
pub fn pnml(net: &Net) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out.push_str("<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n");
    let name = label("name", net.name());
    let _ = write!(out, "<net id=\"net\" type=\"{PT_NET}\">\n{name}\n<page id=\"page\">\n");
    places(net, &mut out);
    for (t, transition) in net.transitions().iter().enumerate() {
        let _ = writeln!(out, "<transition id=\"t{t}\">{}</transition>", label("name", &transition.name));
    }
    arcs(net, &mut out);
    out.push_str("</page>\n</net>\n</pnml>\n");
    out
}

fn places(net: &Net, out: &mut String) {
    for (p, place) in net.places().iter().enumerate() {
        let name = label("name", &place.name);
        let tokens = place.initial;
        let marking = if tokens > 0 { label("initialMarking", &tokens.to_string()) } else { String::new() };
        let _ = writeln!(out, "<place id=\"p{p}\">{name}{marking}</place>");
    }
}

fn arcs(net: &Net, out: &mut String) {
    let mut number = 0;
    let mut arc = |source: String, target: String, weight: u32| {
        let inscription = if weight > 1 { label("inscription", &weight.to_string()) } else { String::new() };
        let _ = writeln!(out, "<arc id=\"a{number}\" source=\"{source}\" target=\"{target}\">{inscription}</arc>");
        number += 1;
    };
    for t in net.transition_ids() {
        let own = format!("t{}", t.index());
        net.pre(t).iter().for_each(|(p, w)| arc(format!("p{}", p.index()), own.clone(), *w));
        net.post(t).iter().for_each(|(p, w)| arc(own.clone(), format!("p{}", p.index()), *w));
    }
}

fn label(element: &str, text: &str) -> String {
    format!("<{element}><text>{}</text></{element}>", escape(text))
}
