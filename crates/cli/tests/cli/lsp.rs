//! `impasse lsp`, as an editor uses it.

use std::time::Duration;

use serde_json::{Value, json};

use crate::client::Client;
use crate::common::{Scratch, models};

const PHILOSOPHERS: &str = "lock fork[2]
process Phil[i in 0..1] {
  states thinking, hungry, eating
  thinking -> hungry   do acquire fork[i]
  hungry   -> eating   do acquire fork[(i+1) % 2]
  eating   -> thinking do release fork[i], release fork[(i+1) % 2]
}
property free: deadlock-free
property feast: reachable Phil[0] at eating
";

fn start() -> Client {
    let mut client = Client::start(&["lsp"], &models());
    let capabilities = json!({
        "textDocument": { "publishDiagnostics": { "relatedInformation": true } },
        "window": { "workDoneProgress": true },
        "workspace": { "codeLens": { "refreshSupport": true } },
    });
    let hello =
        client.request("initialize", &json!({ "processId": null, "rootUri": null, "capabilities": capabilities }));
    assert_eq!(hello["capabilities"]["executeCommandProvider"]["commands"], json!(["impasse.check"]));
    client.notify("initialized", &json!({}));
    client
}

fn open(client: &mut Client, uri: &str, language: &str, text: &str) -> Value {
    let document = json!({ "uri": uri, "languageId": language, "version": 1, "text": text });
    client.notify("textDocument/didOpen", &json!({ "textDocument": document }));
    diagnostics(client, uri, 1)
}

fn change(client: &mut Client, uri: &str, version: u64, text: &str) {
    let document = json!({ "uri": uri, "version": version });
    client.notify("textDocument/didChange", &json!({ "textDocument": document, "contentChanges": [{ "text": text }] }));
}

/// The next diagnostics of a version of a document.
fn diagnostics(client: &mut Client, uri: &str, version: u64) -> Value {
    let published = |m: &Value| {
        m["method"] == "textDocument/publishDiagnostics"
            && m["params"]["uri"] == uri
            && m["params"]["version"] == version
    };
    client.wait(published)["params"]["diagnostics"].take()
}

/// Asks about the n-th occurrence of a word.
fn at(client: &mut Client, method: &str, (uri, text): (&str, &str), word: &str, nth: usize) -> Value {
    let (offset, _) = text.match_indices(word).nth(nth).expect("the word is there");
    let before = &text[..offset];
    let (line, start) = (before.matches('\n').count(), before.rfind('\n').map_or(0, |n| n + 1));
    let position = json!({ "line": line, "character": before[start..].encode_utf16().count() });
    client.request(method, &json!({ "textDocument": { "uri": uri }, "position": position }))
}

fn hover(client: &mut Client, document: (&str, &str), word: &str, nth: usize) -> String {
    at(client, "textDocument/hover", document, word, nth)["contents"]["value"].as_str().unwrap_or_default().to_owned()
}

fn end(mut client: Client) {
    assert_eq!(client.request("shutdown", &Value::Null), Value::Null);
    assert_eq!(client.reply("textDocument/hover", &json!({}))["error"]["code"], -32600);
    client.notify("exit", &Value::Null);
    assert!(client.close().success());
}

#[test]
fn a_mistake_is_shown_until_it_is_mended() {
    let mut client = start();
    let uri = "file:///nowhere/at%20all/phil.imp";
    // Columns are units of UTF-16: the comment before the mistake has one that is two.
    let wrong = PHILOSOPHERS.replace("  hungry   -> eating", "  /* \u{1f600} */ hungry -> eatin ");
    let shown = open(&mut client, uri, "impasse", &wrong);
    let first = &shown[0];
    assert_eq!((&first["severity"], &first["source"]), (&json!(1), &json!("impasse")), "{shown}");
    assert_eq!(first["range"]["start"], json!({ "line": 4, "character": 21 }), "{shown}");
    assert!(first["message"].as_str().is_some_and(|m| m.contains("eatin")), "{shown}");
    assert!(first["relatedInformation"].to_string().contains("eating"), "{shown}");
    change(&mut client, uri, 2, "garbage");
    change(&mut client, uri, 3, PHILOSOPHERS);
    assert_eq!(diagnostics(&mut client, uri, 3), json!([]));
    let second = |m: &Value| m["params"]["version"] == 2;
    assert!(!client.comes(Duration::from_millis(100), second), "nobody is told about what was typed over");
    client.notify("textDocument/didClose", &json!({ "textDocument": { "uri": uri } }));
    client.wait(|m| m["method"] == "textDocument/publishDiagnostics" && m["params"].get("version").is_none());
    end(client);
}

#[test]
fn names_are_explained_and_found() {
    let mut client = start();
    let native = ("file:///nowhere/phil.imp", PHILOSOPHERS);
    open(&mut client, native.0, "impasse", native.1);
    let fork = hover(&mut client, native, "fork[i]", 0);
    assert!(fork.contains("object") && fork.contains("lock fork[2]") && fork.contains("2 of them"), "{fork}");
    assert!(fork.contains("initially"), "{fork}");
    let phil = hover(&mut client, native, "Phil", 1);
    assert!(phil.contains("process") && phil.contains("3 states, starts at `thinking`"), "{phil}");
    assert!(hover(&mut client, native, "feast", 0).contains("property"));
    assert!(hover(&mut client, native, "eating", 3).contains("state"), "after `at`");
    assert_eq!(hover(&mut client, native, "{", 0), "");
    let found = at(&mut client, "textDocument/definition", native, "Phil[0]", 0);
    assert_eq!(found["range"]["start"], json!({ "line": 1, "character": 8 }));
    let symbols = client.request("textDocument/documentSymbol", &json!({ "textDocument": { "uri": native.0 } }));
    let process = symbols.as_array().and_then(|all| all.iter().find(|s| s["name"] == "Phil")).expect("the process");
    assert_eq!(process["children"].as_array().map(Vec::len), Some(4), "an index and three states");

    let text = "#define N 2\nmtype = { ping };\nchan c = [N] of { mtype };\nactive proctype P() {\n  byte x = 3;\n  c!ping; x++\n}\n";
    let promela = ("untitled:Untitled-1", text);
    assert_eq!(open(&mut client, promela.0, "promela", promela.1), json!([]));
    let channel = hover(&mut client, promela, "c!", 0);
    assert!(channel.contains("channel") && channel.contains("2 messages"), "{channel}");
    assert!(hover(&mut client, promela, "x++", 0).contains("byte x = 3"));
    assert!(hover(&mut client, promela, "N]", 0).contains("#define N 2"));
    let found = at(&mut client, "textDocument/definition", promela, "ping;", 0);
    assert_eq!(found["range"]["start"], json!({ "line": 1, "character": 10 }));

    let text = std::fs::read_to_string(models().join("philosophers.pnml")).expect("the net");
    let net = ("file:///nowhere/net.pnml", &*text);
    assert_eq!(open(&mut client, net.0, "xml", net.1), json!([]));
    let place = hover(&mut client, net, "f0\" target", 0);
    assert!(
        place.contains("`fork0`, marked with 1 token") && place.contains("emptied by `take 0`, `eat 1`"),
        "{place}"
    );
    let transition = hover(&mut client, net, "eat0\"/>", 0);
    assert!(transition.contains("takes from `hungry 0`, `fork1`"), "{transition}");
    let found = at(&mut client, "textDocument/definition", net, "f0\" target", 0);
    assert_eq!(found["range"]["start"]["line"], 8);
    end(client);
}

#[test]
fn a_lens_checks_and_the_answer_is_shown() {
    let mut client = start();
    let uri = "file:///nowhere/phil.imp";
    open(&mut client, uri, "impasse", PHILOSOPHERS);
    client.wait(|m| m["method"] == "workspace/codeLens/refresh");
    let lenses = client.request("textDocument/codeLens", &json!({ "textDocument": { "uri": uri } }));
    let titles: Vec<&str> =
        lenses.as_array().expect("a list").iter().filter_map(|l| l["command"]["title"].as_str()).collect();
    assert_eq!(titles, ["check for deadlock", "check everything", "check free", "check feast"]);
    let lens = &lenses[2];
    assert_eq!(lens["range"]["start"], json!({ "line": 7, "character": 0 }));
    let result = client.request("workspace/executeCommand", &lens["command"]);
    assert_eq!(result["report"]["results"][0]["verdict"], "violated", "{result}");
    let shown = diagnostics(&mut client, uri, 1);
    assert_eq!((&shown[0]["severity"], &shown[0]["range"]["start"]["line"]), (&json!(1), &json!(7)), "{shown}");
    assert_eq!(shown[0]["message"], "free: violated: 2 steps lead to a deadlock");
    let steps = shown[0]["relatedInformation"].as_array().expect("the run");
    assert_eq!(steps.len(), 2);
    assert_eq!(steps[0]["location"]["range"]["start"]["line"], 3, "{shown}");
    let message = client.wait(|m| m["method"] == "window/showMessage");
    assert_eq!(message["params"]["type"], 1);
    client.wait(|m| m["method"] == "window/workDoneProgress/create");
    client.wait(|m| m["method"] == "$/progress" && m["params"]["value"]["kind"] == "end");
    // Beside it, one that holds.
    client.request("workspace/executeCommand", &lenses[3]["command"]);
    let shown = diagnostics(&mut client, uri, 1);
    assert_eq!((shown.as_array().map(Vec::len), &shown[1]["message"]), (Some(2), &json!("feast: holds")));
    // What was said about another text is no longer shown.
    change(&mut client, uri, 2, &format!("{PHILOSOPHERS}\n"));
    assert_eq!(diagnostics(&mut client, uri, 2), json!([]));
    end(client);
}

#[test]
fn checks_are_limited_and_can_be_cancelled() {
    let mut client = start();
    let uri = "file:///nowhere/large.imp";
    // Nothing but a search of all states can tell that a product of these is never that prime number.
    let text = "var x: 0..1000002 = 1\nvar y: 0..1000002 = 1\nprocess P {\n  states s\n  s -> s do x := (x * 7 + 3) % 1000003\n}\n\
                process Q {\n  states s\n  s -> s do y := (y * 5 + 1) % 1000003\n}\n\
                property p: invariant y * x != 1000000000039\n";
    open(&mut client, uri, "impasse", text);
    let slow = |seconds: f64| {
        let asked = json!({ "uri": uri, "property": "p", "timeoutSeconds": seconds });
        json!({ "command": "impasse.check", "arguments": [asked] })
    };
    let result = client.request("workspace/executeCommand", &slow(1.5));
    assert_eq!(result["report"]["results"][0]["verdict"], "unknown", "{result}");
    let shown = diagnostics(&mut client, uri, 1);
    assert_eq!(shown[0]["severity"], 2, "{shown}");
    let id = client.ask("workspace/executeCommand", &slow(300.0));
    assert_eq!(at(&mut client, "textDocument/definition", (uri, text), "y * x", 0)["range"]["start"]["line"], 1);
    client.notify("$/cancelRequest", &json!({ "id": id }));
    assert_eq!(client.wait(|m| m["id"] == id)["error"]["code"], -32800);
    let id = client.ask("workspace/executeCommand", &slow(300.0));
    let begun = client.wait(|m| m["method"] == "$/progress" && m["params"]["token"] == "impasse-check-3");
    client.notify("window/workDoneProgress/cancel", &json!({ "token": begun["params"]["token"] }));
    assert_eq!(client.wait(|m| m["id"] == id)["error"]["code"], -32800);
    end(client);
}

#[test]
fn includes_are_those_of_the_editor() {
    let scratch = Scratch::new("lsp-includes");
    let included = scratch.write("constants.h", "#define N wrong");
    let folder = included.strip_suffix("/constants.h").expect("a file in a folder");
    let mut client = start();
    let (uri, header) = (format!("file://{folder}/m.pml"), format!("file://{folder}/constants.h"));
    let text = "#include \"constants.h\"\nbyte x = N;\nactive proctype P() { x = 1 }\n";
    let shown = open(&mut client, &uri, "promela", text);
    assert_eq!(shown[0]["severity"], 1, "{shown}");
    open(&mut client, &header, "promela", "#define N 3\n");
    // The text that includes it has not changed, but what it means.
    assert_eq!(diagnostics(&mut client, &uri, 1), json!([]));
    end(client);
}

#[test]
fn nonsense_is_answered_and_survived() {
    let mut client = Client::start(&["lsp"], &models());
    assert_eq!(client.reply("textDocument/hover", &json!({}))["error"]["code"], -32002);
    client.request("initialize", &json!({ "capabilities": {} }));
    client.send_text("{ not JSON");
    assert_eq!(client.wait(|m| m["id"].is_null())["error"]["code"], -32700);
    client.send_text("[1, 2]");
    assert_eq!(client.wait(|m| m["id"].is_null())["error"]["code"], -32600);
    assert_eq!(client.reply("textDocument/rename", &json!({}))["error"]["code"], -32601);
    client.notify("workspace/unheardOf", &json!({ "a": [] }));
    client.notify("textDocument/didChange", &json!({ "textDocument": { "uri": "file:///never/opened.imp" } }));
    client.notify("textDocument/didChange", &json!(7));
    for params in [json!({}), json!({ "textDocument": { "uri": "file:///x.imp" }, "position": { "line": -1 } })] {
        assert_eq!(client.request("textDocument/hover", &params), Value::Null);
    }
    let wrong = [json!({ "command": "rm" }), json!({ "command": "impasse.check" })];
    for params in wrong {
        assert_eq!(client.reply("workspace/executeCommand", &params)["error"]["code"], -32602);
    }
    // A file that is not there, not open.
    let check = json!({ "command": "impasse.check", "arguments": [{ "uri": "file:///no/such.imp" }] });
    assert!(
        client.request("workspace/executeCommand", &check)["error"]["message"].to_string().contains("no such file")
    );
    let shown = open(&mut client, "file:///nowhere/empty.imp", "impasse", "");
    assert!(shown[0]["message"].as_str().is_some_and(|m| m.contains("empty")), "{shown}");
    // Without `shutdown` it is not a good end.
    client.notify("exit", &Value::Null);
    assert!(!client.close().success());
}

#[test]
fn large_texts_are_read_and_nobody_waits_meanwhile() {
    let mut client = start();
    let (large, small) = ("file:///nowhere/large.imp", "file:///nowhere/small.imp");
    let objects: String = (0..100_000).map(|i| format!("var x{i}: 0..3 = 1\n")).collect();
    let text = format!("process P {{ states a, b  a -> b do x0 := 2 }}\n{objects}");
    let document = json!({ "uri": large, "languageId": "impasse", "version": 1, "text": text });
    client.notify("textDocument/didOpen", &json!({ "textDocument": document }));
    assert_eq!(open(&mut client, small, "impasse", PHILOSOPHERS), json!([]));
    let early = |m: &Value| m["params"]["uri"] == large && m["params"]["version"] == 1;
    assert!(!client.comes(Duration::ZERO, early), "the small one is read beside the large one");
    let shown = diagnostics(&mut client, large, 1);
    assert!(
        shown.as_array().is_some_and(|all| all.iter().all(|d| d["severity"] == 2)),
        "only what is unused: {}",
        shown[0]
    );
    assert!(hover(&mut client, (large, &text), "x0", 0).contains("initially 1"));
    let symbols = client.request("textDocument/documentSymbol", &json!({ "textDocument": { "uri": large } }));
    assert_eq!(symbols.as_array().map(Vec::len), Some(100_001));
    end(client);
}
