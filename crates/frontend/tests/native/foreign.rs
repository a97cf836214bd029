//! Questions about models of other languages, and automata of other tools.

use frontend::native::{Language, Subject};
use frontend::{Diagnostic, NeverClaim, automata, bip, csp};
use model::{Expr, LocationId, ObjectId, ProcessId, Proposition, System};

fn network() -> System {
    let part = "des (0, 4, 2)\n(0, \"A !1\", 1)\n(0, \"A !2\", 1)\n(1, \"B\", 0)\n(1, i, 0)\n";
    let open = |_: &str| Ok(part.as_bytes().to_vec());
    let read = automata::read("main.exp", b"\"p.aut\" |[A]| (\"q.aut\" ||| \"p.aut\")", &open);
    read.expect("a network").network.to_system().expect("it is small")
}

fn script() -> System {
    let text = "channel c : {0..1}.{0..1}\nP = c.0.1 -> Q\nQ = c.1.0 -> P [] c.0.0 -> STOP\nR = P \\ {c.0.1}\n";
    let script = csp::Script::read("test", text, &|_| Err("nothing is included".to_owned())).expect("a script");
    let process = script.process("R").expect("a process");
    script.network(&process, &csp::Limits::default()).expect("it is small").to_system().expect("it is small")
}

fn package() -> System {
    let text = "package model
      port type Port()
      connector type Alone(Port p) define p end
      atom type A()
        data int n = 0
        export port Port p()
        place S, T, U
        initial to S, T
        on p from S to U provided (n < 3) do { n = n + 1; }
      end
      compound type Inner() component A b() connector Alone go(b.p) end
      compound type Root() component A a() component Inner in() connector Alone left(a.p) end
    end";
    bip::read("model", text, &|_| Err("nothing is used".to_owned()), &bip::Options::default())
        .expect("a package")
        .system
}

/// The names of the steps that an atom is about.
fn steps(system: &System, language: Language, atom: &str) -> Result<Vec<String>, String> {
    match Subject::System(system, language).proposition(atom) {
        Ok(Proposition::Taken(steps) | Proposition::Enabled(steps)) => {
            Ok(steps.iter().map(|t| system.transition(*t).name.clone()).collect())
        }
        Ok(other) => panic!("not about steps: {other:?}"),
        Err(mistakes) => Err(message(&mistakes)),
    }
}

fn message(mistakes: &[Diagnostic]) -> String {
    format!("{} / {}", mistakes[0].message, mistakes[0].help.as_deref().unwrap_or_default())
}

fn predicate(system: &System, language: Language, text: &str) -> Result<Expr, String> {
    Subject::System(system, language).predicate(text).map_err(|mistakes| message(&mistakes))
}

#[test]
fn steps_of_networks_have_gates_labels_and_components() {
    let system = network();
    let of = |atom| steps(&system, Language::Automata, atom);
    let labels = |label: &str| {
        let found = system.transition_ids().map(|t| system.transition(t)).filter(|t| &*t.label == label);
        found.map(|t| t.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(of("taken(`A !1`)"), Ok(labels("A !1")));
    assert_eq!(of("taken(A)").map(|all| all.len()), Ok(labels("A !1").len() + labels("A !2").len()));
    assert_eq!(of("enabled(i)"), Ok(labels("i")));
    assert_eq!(of("taken(B)").map(|all| all.len()), Ok(3));
    assert_eq!(of("taken(q.B)"), Ok(vec!["q.B".to_owned()]));
    assert_eq!(of("taken(`p[1].B`)"), Ok(vec!["p[1].B".to_owned()]));
    assert!(of("taken(p[1])").is_ok_and(|all| all.len() == 4 && of("taken(`p[1]`)") == Ok(all)));
    assert_eq!(of("taken(b)"), Err("there is no step `b` / did you mean `B`?".to_owned()));
    assert!(of("taken(p[2])").is_err_and(|e| e.contains("there is no process `p[2]`")));
}

#[test]
fn components_are_at_numbered_states() {
    let (system, language) = (network(), Language::Automata);
    let at = |name: &str, location: u32| {
        let process = system.processes().iter().position(|p| p.name == name).expect("a component");
        Ok(Expr::At(ProcessId::new(process), LocationId(location)))
    };
    assert_eq!(predicate(&system, language, "p[1] at 1"), at("p[1]", 1));
    assert_eq!(predicate(&system, language, "`p[0]` at `0`"), at("p[0]", 0));
    assert_eq!(predicate(&system, language, "q at 1"), at("q", 1));
    assert!(predicate(&system, language, "q at 2").is_err_and(|e| e.ends_with("its states are 0, 1")));
    assert!(predicate(&system, language, "forall i in 0..1: p[i] at 0").is_ok());
    assert!(predicate(&system, language, "x == 1").is_err_and(|e| e.contains("there is no `x`")));
}

#[test]
fn events_of_scripts_have_channels_and_fields() {
    let system = script();
    let of = |atom| steps(&system, Language::Csp, atom).map(|all| all.join(" "));
    assert_eq!(of("taken(c)").as_deref(), Ok("c.1.0 c.0.0"));
    assert_eq!(of("taken(c.0)").as_deref(), Ok("c.0.0"));
    assert_eq!(of("taken(`c.1.0`)").as_deref(), Ok("c.1.0"));
    assert_eq!(of("taken(tau)"), of("taken(`tau (c.0.1)`)"));
    assert!(of("taken(`c.0.1`)").is_err());
}

#[test]
fn atoms_have_places_data_ports_and_connectors() {
    let (system, language) = (package(), Language::Bip);
    let object = |name: &str| {
        let position = system.objects().iter().position(|o| o.name == name);
        Expr::read(ObjectId::new(position.unwrap_or_else(|| panic!("{name}: {:?}", system.objects()))))
    };
    assert_eq!(predicate(&system, language, "a.n == 1"), Ok(object("a.n").is(1)));
    assert_eq!(predicate(&system, language, "`in.b`.n == 1"), Ok(object("in.b.n").is(1)));
    assert_eq!(predicate(&system, language, "`in.b.n` == 1"), Ok(object("in.b.n").is(1)));
    // `S+T` and `T+U`: the place T is marked in both.
    let marked = |text: &str| predicate(&system, language, text).map(|e| format!("{e:?}").matches("At(").count());
    assert_eq!((marked("a at S"), marked("a at T"), marked("a at U")), (Ok(1), Ok(2), Ok(1)));
    assert_eq!(marked("in.b at T"), Ok(2));
    assert!(marked("a at V").is_err());
    let of = |atom| steps(&system, language, atom).map(|all| all.len());
    assert_eq!((of("taken(left)"), of("taken(a)"), of("taken(a.p)")), (Ok(1), Ok(1), Ok(1)));
    assert_eq!((of("taken(in.go)"), of("taken(in.b)"), of("taken(`in.b`.p)")), (Ok(1), Ok(1), Ok(1)));
    assert!(of("taken(right)").is_err());
}

const HOA: &str = "HOA: v1 States: 1 Start: 0 AP: 2 \"taken(B)\" \"q at 1\" Acceptance: 1 Inf(0) --BODY-- State: 0 [!0] 0 {0} --END--";

#[test]
fn atoms_of_automata_are_conditions_of_the_model() {
    let system = network();
    let subject = Subject::System(&system, Language::Automata);
    let read = |text: &str| NeverClaim::read(text).and_then(|claim| claim.acceptor(|atom| subject.proposition(atom)));
    let acceptor = read(HOA).expect("a claim");
    assert!(matches!(&acceptor.atoms[..], [Proposition::Taken(_), Proposition::State(_)]));
}

#[test]
fn mistakes_in_atoms_have_their_place_in_the_file() {
    let system = network();
    let subject = Subject::System(&system, Language::Automata);
    let places = |text: &str| -> Vec<String> {
        let mistakes = NeverClaim::read(text).and_then(|c| c.acceptor(|atom| subject.proposition(atom)));
        mistakes.expect_err("there are mistakes").iter().map(|d| text[d.span.range()].to_owned()).collect()
    };
    assert_eq!(places(&HOA.replace("taken(B)", "taken(BB)").replace("q at 1", "qq at 1")), ["BB", "qq"]);
    assert_eq!(places(&HOA.replace("taken(B)", "always q at 0")), ["always q at 0"]);
    assert_eq!(places(&HOA.replace("taken(B)", "q at \\7")), ["\"q at \\7\""]);
    assert_eq!(places(&HOA.replace("Inf(0)", "Fin(0)")), ["Fin"]);
    assert_eq!(places(&HOA.repeat(2)), [""]);
    assert_eq!(places(""), [""]);
}
