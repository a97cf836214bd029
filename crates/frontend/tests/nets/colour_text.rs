//! Coloured nets as text: terms and declarations without the noise of XML.

/// A symmetric net with some declarations and nodes.
pub(crate) fn net(declarations: &str, content: &str) -> String {
    let kind = "http://www.pnml.org/version-2009/grammar/symmetricnet";
    format!(
        "<pnml><net id='n' type='{kind}'>\n<declaration><structure><declarations>\n{declarations}</declarations>\
         </structure></declaration>\n<page id='g'>\n{content}</page></net></pnml>"
    )
}

pub(crate) fn sort(id: &str, definition: &str) -> String {
    format!("<namedsort id='{id}' name='{id}'>{definition}</namedsort>\n")
}

/// A cyclic enumeration of constants that are called like their ids.
pub(crate) fn cyclic(constants: &[&str]) -> String {
    let constants: String = constants.iter().map(|c| format!("<feconstant id='{c}' name='{c}'/>")).collect();
    format!("<cyclicenumeration>{constants}</cyclicenumeration>")
}

pub(crate) fn range(start: i64, end: i64) -> String {
    format!("<finiteintrange start='{start}' end='{end}'/>")
}

pub(crate) fn user(sort: &str) -> String {
    format!("<usersort declaration='{sort}'/>")
}

pub(crate) fn product(sorts: &[&str]) -> String {
    format!("<productsort>{}</productsort>", sorts.iter().map(|s| user(s)).collect::<String>())
}

pub(crate) fn variable(id: &str, sort: &str) -> String {
    format!("<variabledecl id='{id}' name='{id}'>{}</variabledecl>\n", user(sort))
}

/// An operator with operands.
pub(crate) fn op(name: &str, operands: &[String]) -> String {
    let operands: String = operands.iter().map(|o| format!("<subterm>{o}</subterm>")).collect();
    format!("<{name}>{operands}</{name}>")
}

pub(crate) fn var(id: &str) -> String {
    format!("<variable refvariable='{id}'/>")
}

pub(crate) fn constant(id: &str) -> String {
    format!("<useroperator declaration='{id}'/>")
}

pub(crate) fn number(value: i64, start: i64, end: i64) -> String {
    format!("<finiteintrangeconstant value='{value}'>{}</finiteintrangeconstant>", range(start, end))
}

pub(crate) fn all(sort: &str) -> String {
    format!("<all>{}</all>", user(sort))
}

pub(crate) fn times(count: i64, term: &str) -> String {
    let count = format!("<numberconstant value='{count}'><positive/></numberconstant>");
    op("numberof", &[count, term.to_owned()])
}

pub(crate) fn place(id: &str, sort: &str, marking: Option<&str>) -> String {
    let marking = marking.map_or_else(String::new, |m| {
        format!("<hlinitialMarking><text>m</text><structure>{m}</structure></hlinitialMarking>")
    });
    format!("<place id='{id}'><type><text>{sort}</text><structure>{}</structure></type>{marking}</place>\n", user(sort))
}

pub(crate) fn transition(id: &str, condition: Option<&str>) -> String {
    let condition =
        condition.map_or_else(String::new, |c| format!("<condition><structure>{c}</structure></condition>"));
    format!("<transition id='{id}'>{condition}</transition>\n")
}

pub(crate) fn arc(source: &str, target: &str, term: &str) -> String {
    // Arcs need ids that are used once: what they say is long enough to be one.
    let id: String =
        format!("{source}-{target}-{term}").chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
    format!(
        "<arc id='{id}' source='{source}' target='{target}'><hlinscription><structure>{term}</structure>\
         </hlinscription></arc>\n"
    )
}
