//! Units: declarations, proctypes, claims.

use frontend::promela::ast::{Init, Type, Unit, VarDecl, Visibility};

use crate::support::{formula, proctypes, sequence, valid};

fn ty(ty: &Type) -> String {
    match ty {
        Type::Mtype(Some(name)) => format!("mtype:{}", name.text),
        Type::Named(name) => name.text.to_string(),
        plain => format!("{plain:?}").replace("(None)", "").to_lowercase(),
    }
}

fn variable(v: &VarDecl) -> String {
    let visibility = match v.visibility {
        Visibility::Plain => String::new(),
        other => format!("{other:?} ").to_lowercase(),
    };
    let size = v.size.as_ref().map_or(String::new(), |size| format!("[{size}]"));
    let width = v.width.as_ref().map_or(String::new(), |width| format!(":{width}"));
    let list = |parts: Vec<String>| parts.join(",");
    let init = match &v.init {
        None => String::new(),
        Some(Init::Value(e)) => format!("={e}"),
        Some(Init::List(values)) => format!("={{{}}}", list(values.iter().map(ToString::to_string).collect())),
        Some(Init::Channel(n, types)) => format!("=[{n}]of{{{}}}", list(types.iter().map(ty).collect())),
    };
    format!("{visibility}{} {}{size}{width}{init}", ty(&v.ty), v.name.text)
}

fn unit(unit: &Unit) -> String {
    let variables = |all: &[VarDecl]| all.iter().map(variable).collect::<Vec<_>>().join("; ");
    let name =
        |name: &Option<frontend::promela::ast::Name>| name.as_ref().map_or("-".to_owned(), |n| n.text.to_string());
    match unit {
        Unit::Mtype(m) => {
            let constants: Vec<&str> = m.constants.iter().map(|name| &*name.text).collect();
            format!("mtype {} {}", name(&m.subtype), constants.join(" "))
        }
        Unit::Typedef(t) => format!("typedef {} {{ {} }}", t.name.text, variables(&t.fields)),
        Unit::Vars(all) => variables(all),
        Unit::Proctype(p) => {
            let show =
                |e: &Option<frontend::promela::ast::Expr>| e.as_ref().map_or("-".to_owned(), ToString::to_string);
            let kind = if p.deterministic { "D_proctype" } else { "proctype" };
            let (active, priority, provided) = (show(&p.active), show(&p.priority), show(&p.provided));
            let (text, parameters) = (&p.name.text, variables(&p.parameters));
            format!("{kind} {active} {text}({parameters}) {priority} {provided} {{ {} }}", sequence(&p.body))
        }
        Unit::Never(c) => format!("never {} {{ {} }}", name(&c.name), sequence(&c.body)),
        Unit::Trace(t) => format!("trace {} {{ {} }}", t.negated, sequence(&t.body)),
        Unit::Ltl(l) => format!("ltl {} {{ {} }}", name(&l.name), formula(&l.formula)),
    }
}

/// A text, and its units one after the other.
const UNITS: &[(&str, &[&str])] = &[
    ("", &[]),
    (";; int a;; int b", &["int a", "int b"]),
    ("int a int b\nint c\n= 3\n, d", &["int a", "int b", "int c=3; int d"]),
    ("mtype = { a, b }", &["mtype - a b"]),
    ("mtype { a b,\n c, }; mtype m = a", &["mtype - a b c", "mtype m=a"]),
    ("mtype:s = { a }; mtype:s v = a, w", &["mtype s a", "mtype:s v=a; mtype:s w"]),
    ("bit a; bool b; byte c; pid d; short e; int f", &["bit a", "bool b", "byte c", "pid d", "short e", "int f"]),
    ("hidden byte a; show bit b; local int c", &["hidden byte a", "show bit b", "local int c"]),
    ("unsigned a : 5, b : 3 = 2", &["unsigned a:5; unsigned b:3=2"]),
    ("int a[3], b = 4, c[1+1] = 5", &["int a[3]; int b=4; int c[(1+1)]=5"]),
    ("int a[3] = {1, 2\n, -3}", &["int a[3]={1,2,-(3)}"]),
    ("chan a = [2] of { int, mtype:s, T, chan }", &["chan a=[2]of{int,mtype:s,T,chan}"]),
    ("chan a[2] = [0] of { byte } chan b, c", &["chan a[2]=[0]of{byte}", "chan b; chan c"]),
    (
        "typedef T { int a; byte b[2], c;; mtype d; unsigned e : 3; }; T t",
        &["typedef T { int a; byte b[2]; byte c; mtype d; unsigned e:3 }", "T t"],
    ),
    ("typedef T { int a\n U b[2]\n }", &["typedef T { int a; U b[2] }"]),
    ("proctype P() { skip }", &["proctype - P() - - { (1) }"]),
    ("active proctype P() { skip }; ;", &["proctype 1 P() - - { (1) }"]),
    ("active [N+1] D_proctype P(int a, b; T c)\n{\nskip\n}", &["D_proctype (N+1) P(int a; int b; T c) - - { (1) }"]),
    ("proctype P(mtype:s m; unsigned u : 3) { skip }", &["proctype - P(mtype:s m; unsigned u:3) - - { (1) }"]),
    ("proctype P() priority 3 provided (x || full(q)) { x }", &["proctype - P() 3 (x||full(q)) { (x) }"]),
    ("init { skip } init priority 2 { x }", &["proctype 1 init() - - { (1) }", "proctype 1 init() 2 - { (x) }"]),
    ("never { L: x -> goto L } never n { do :: y od }", &["never - { L: (x); goto L }", "never n { do <(y)> }"]),
    ("trace { q!1 } notrace { q?x }", &["trace false { q!1 }", "trace true { q?x }"]),
    ("ltl { <> x } ltl p { [] y; }", &["ltl - { <> x }", "ltl p { [] y }"]),
    ("inline f(a) { skip } int b", &["int b"]),
];

#[test]
fn units_become_trees() {
    for (text, shown) in UNITS {
        let found: Vec<String> = valid(text).program.units.iter().map(unit).collect();
        assert_eq!(found, *shown, "{text}");
    }
}

#[test]
fn a_label_may_have_the_name_of_a_proctype_that_comes_later() {
    let found = proctypes("int x; init { P: skip } proctype P() { skip }");
    assert_eq!(sequence(&found[0].body), "P: (1)");
    let found = proctypes("proctype P() { int v; skip } init { P:v }");
    assert_eq!(sequence(&found[1].body), "(P:v)");
}
