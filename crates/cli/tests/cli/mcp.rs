//! `impasse mcp`, as an agent uses it.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::Client;
use crate::common::{Scratch, models};
use crate::schema;

fn start(args: &[&str]) -> Client {
    let mut client = Client::start(&[&["mcp"], args].concat(), &models());
    let params = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "0" } });
    let hello = client.request("initialize", &params);
    assert_eq!((&hello["protocolVersion"], &hello["serverInfo"]["name"]), (&json!("2025-06-18"), &json!("impasse")));
    client.notify("notifications/initialized", &json!({}));
    client
}

/// Calls a tool; what it returns fits the schema that it promises.
fn call(client: &mut Client, tool: &str, arguments: &Value) -> Value {
    let result = client.request("tools/call", &json!({ "name": tool, "arguments": arguments }));
    let tools = client.request("tools/list", &json!({}));
    let tools = tools["tools"].as_array().expect("a list").clone();
    let schema = &tools.iter().find(|t| t["name"] == tool).expect("the tool is listed")["outputSchema"];
    assert_eq!(schema::fits(schema, &result["structuredContent"]), Ok(()), "{result}");
    result
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().expect("a text")
}

#[test]
fn tools_are_listed_with_schemas() {
    let mut client = start(&["--max-timeout", "90s"]);
    assert_eq!(client.request("ping", &json!({})), json!({}));
    let tools = client.request("tools/list", &json!({}));
    let names: Vec<&str> =
        tools["tools"].as_array().expect("a list").iter().filter_map(|t| t["name"].as_str()).collect();
    assert_eq!(names, ["check", "explain", "simulate", "info"]);
    for tool in tools["tools"].as_array().expect("a list") {
        let input = &tool["inputSchema"];
        assert_eq!(input["required"], json!(["timeout_seconds"]));
        assert_eq!(input["properties"]["timeout_seconds"]["maximum"], 90.0);
        let described = |v: &Value| v["description"].as_str().is_some_and(|d| !d.is_empty());
        assert!(described(tool) && input["properties"].as_object().is_some_and(|p| p.values().all(described)));
    }
    assert!(client.close().success());
}

#[test]
fn a_deadlock_is_found_explained_and_stepped_to() {
    let mut client = start(&[]);
    let nothing = call(&mut client, "explain", &json!({ "timeout_seconds": 20 }));
    assert_eq!(nothing["isError"], true, "there is no run yet");
    let result = call(
        &mut client,
        "check",
        &json!({ "path": "philosophers.imp", "parameters": { "n": 3 }, "timeout_seconds": 30 }),
    );
    let data = &result["structuredContent"];
    assert_eq!(
        (&data["verdict"], &data["exit_code"], &result["isError"]),
        (&json!("violated"), &json!(11), &json!(false))
    );
    assert_eq!(schema::fits(&schema::ours("report.schema.json"), &data["report"]), Ok(()));
    assert!(text(&result).contains("VIOLATED deadlock-free: there is a deadlock"), "{}", text(&result));
    // The last run again, and the same as a value.
    let told = call(&mut client, "explain", &json!({ "timeout_seconds": 20 }));
    assert!(text(&told).contains("3 steps lead to a deadlock"), "{}", text(&told));
    let trace = &data["report"]["results"][0]["trace"];
    let same = json!({ "path": "philosophers.imp", "trace": trace, "timeout_seconds": 20 });
    assert_eq!(text(&call(&mut client, "explain", &same)), text(&told));
    // By hand: by number, by name.
    let model = json!({ "path": "philosophers.imp", "parameters": { "n": 3 }, "timeout_seconds": 20 });
    let at = |client: &mut Client, steps: Value| {
        let mut arguments = model.clone();
        arguments["steps"] = steps;
        call(client, "simulate", &arguments)
    };
    let first = at(&mut client, json!([]));
    let names: Vec<&str> = trace["stem"].as_array().expect("steps").iter().filter_map(|s| s["name"].as_str()).collect();
    assert_eq!(first["structuredContent"]["enabled"][0]["number"], 1);
    assert_eq!(first["structuredContent"]["deadlock"], false);
    let last = at(&mut client, json!(names));
    assert_eq!(last["structuredContent"]["deadlock"], true);
    assert_eq!(last["structuredContent"]["taken"].as_array().map(Vec::len), Some(3));
    let reasons = last["structuredContent"]["disabled"][0]["reasons"][0].as_str().unwrap_or_default();
    assert!(reasons.contains("fork") && text(&last).contains(reasons), "{last}");
    assert_eq!(at(&mut client, json!([99]))["isError"], true);
    let again = at(&mut client, json!([names[0], names[0]]));
    assert!(text(&again).contains("disabled"), "{again}");
    assert!(client.close().success());
}

/// What a guard that is a model error leads to is not computed: its command relies on the guard.
#[test]
fn a_guard_that_is_a_model_error_is_the_end() {
    let mut client = start(&[]);
    let model = "var a[2] : 0..1\nvar i, y : 0..3\nvar x : 0..3 = 3\nprocess P {\n states s, t\n s -> t do i := 2\n \
                 t -> s when a[i] == 0 && x < 3 do x := x + 1\n}\n";
    let arguments = json!({ "text": model, "language": "native", "steps": [1, 1], "timeout_seconds": 30 });
    let result = call(&mut client, "simulate", &arguments);
    assert_eq!(result["isError"], true, "{result}");
    assert!(text(&result).contains("the index 2 is outside the array `a`"), "{result}");
    assert!(client.close().success());
}

#[test]
fn texts_are_models_and_mistakes_have_places() {
    let mut client = start(&[]);
    let promela = "byte x; active proctype P() { x = 1; assert(x == 2) }";
    let result = call(&mut client, "check", &json!({ "text": promela, "language": "promela", "timeout_seconds": 30 }));
    assert_eq!(result["structuredContent"]["verdict"], "violated", "{result}");
    let asked = json!({ "text": "lock m\nprocess P { states a, b a -> b do acquire m }", "reachable": "P at b", "timeout_seconds": 9 });
    assert_eq!(call(&mut client, "check", &asked)["structuredContent"]["verdict"], "holds");
    let info = call(&mut client, "info", &json!({ "path": "philosophers.pnml", "timeout_seconds": 9 }));
    assert_eq!(info["structuredContent"]["model"]["transitions"], 4);
    let wrong =
        call(&mut client, "info", &json!({ "text": "process P {\n  states a\n  a -> b\n}", "timeout_seconds": 9 }));
    assert_eq!((&wrong["isError"], &wrong["structuredContent"]["error"]["kind"]), (&json!(true), &json!("model")));
    assert_eq!(wrong["structuredContent"]["error"]["diagnostics"][0]["start"]["line"], 3);
    assert!(text(&wrong).contains("3:"), "{}", text(&wrong));
}

#[test]
fn partial_deadlocks_can_be_asked_for() {
    let mut client = start(&[]);
    let model = "lock m\nprocess P { states a, b  a -> b do acquire m }\nprocess Q { states a, b  a -> b do acquire m }\n\
                 process Clock { states tick  tick -> tick }";
    let ask = |client: &mut Client, question: &str| {
        let result = call(client, "check", &json!({ "text": model, question: true, "timeout_seconds": 30 }));
        result["structuredContent"]["verdict"].clone()
    };
    assert_eq!((ask(&mut client, "deadlock"), ask(&mut client, "partial")), (json!("holds"), json!("violated")));
}

#[test]
fn what_takes_too_long_is_unknown() {
    let mut client = start(&[]);
    let start = Instant::now();
    let slow = json!({ "path": "large.imp", "engine": "explore:persistent=none", "invariant": "true", "timeout_seconds": 0.4 });
    let result = call(&mut client, "check", &slow);
    let (data, taken) = (&result["structuredContent"], start.elapsed());
    assert_eq!(data["verdict"], "unknown", "{result}");
    assert!(taken < Duration::from_secs(20), "{taken:?}");
    // Reading does not look at the clock, but ends all the same.
    let many = "process P[i in 0..20000] { states a, b  a -> b }\nproperty reachable exists i in 0..20000: P[i] at b"
        .to_owned();
    let late = call(&mut client, "info", &json!({ "text": many, "timeout_seconds": 0.01 }));
    assert_eq!(late["structuredContent"]["verdict"], "unknown", "{late}");
}

#[test]
fn calls_can_be_cancelled() {
    let mut client = start(&[]);
    let slow = json!({ "name": "check", "arguments": { "path": "large.imp", "engine": "explore", "invariant": "true", "timeout_seconds": 300 } });
    let id = client.ask("tools/call", &slow);
    // The server goes on meanwhile.
    assert_eq!(client.request("ping", &json!({})), json!({}));
    client.notify("notifications/cancelled", &json!({ "requestId": id, "reason": "nobody waits" }));
    assert!(!client.comes(Duration::from_secs(1), |m| m["id"] == id), "a cancelled call has no answer");
    // There is room for as many as before.
    let ids: Vec<u64> = (0..4).map(|_| client.ask("tools/call", &slow)).collect();
    let busy = client.reply("tools/call", &slow);
    assert_eq!(busy["error"]["code"], -32000, "{busy}");
    for id in ids {
        client.notify("notifications/cancelled", &json!({ "requestId": id }));
    }
    let start = Instant::now();
    assert!(client.close().success());
    assert!(start.elapsed() < Duration::from_secs(10), "workers end with the server");
}

#[test]
fn arguments_that_make_no_sense_are_told() {
    let mut client = start(&["--max-timeout", "60s"]);
    let told = |client: &mut Client, arguments: Value| {
        let result = call(client, "check", &arguments);
        assert_eq!(result["isError"], true, "{result}");
        text(&result).to_owned()
    };
    assert!(told(&mut client, json!({ "path": "mutex.imp" })).contains("timeout_seconds"));
    assert!(told(&mut client, json!({ "path": "mutex.imp", "timeout_seconds": 61 })).contains("at most 60"));
    assert!(told(&mut client, json!({ "path": "mutex.imp", "timeout_seconds": "soon" })).contains("soon"));
    assert!(told(&mut client, json!({ "timeout_seconds": 1 })).contains("`path` or as `text`"));
    assert!(told(&mut client, json!({ "path": "mutex.imp", "depth": 1, "timeout_seconds": 1 })).contains("`depth`"));
    assert!(
        told(&mut client, json!({ "path": "mutex.imp", "engine": "guess", "timeout_seconds": 9 })).contains("guess")
    );
    assert!(
        told(&mut client, json!({ "path": "mutex.imp", "properties": ["no"], "timeout_seconds": 9 }))
            .contains("no property")
    );
    assert!(told(&mut client, json!({ "path": "nowhere.imp", "timeout_seconds": 9 })).contains("no such file"));
    assert!(told(&mut client, json!({ "text": "x", "language": "cobol", "timeout_seconds": 9 })).contains("cobol"));
    let error = |reply: Value| reply["error"]["code"].as_i64();
    assert_eq!(error(client.reply("tools/call", &json!({ "name": "destroy", "arguments": {} }))), Some(-32602));
    assert_eq!(error(client.reply("tools/call", &json!({ "arguments": [] }))), Some(-32602));
    assert_eq!(error(client.reply("resources/list", &json!({}))), Some(-32601));
    client.send_text("{ not JSON");
    assert_eq!(client.wait(|m| m["id"].is_null())["error"]["code"], -32700);
    client.send_text("[]");
    assert_eq!(client.wait(|m| m["id"].is_null())["error"]["code"], -32600);
    assert_eq!(client.request("ping", &json!({})), json!({}));
    let mut strange = Client::start(&["mcp"], &models());
    assert_eq!(error(strange.reply("tools/list", &json!({}))), Some(-32600));
}

#[test]
fn only_files_below_the_folder_are_read() {
    let scratch = Scratch::new("mcp-outside");
    let model = scratch.write("mine.imp", "process P { states a }");
    let secret = scratch.write("secret.txt", "a secret");
    let mut client = start(&[]);
    let info = |client: &mut Client, arguments: Value| call(client, "info", &arguments);
    for path in [&*model, "../models/../cli/main.rs", "/etc/hostname"] {
        let refused = info(&mut client, json!({ "path": path, "timeout_seconds": 9 }));
        assert!(text(&refused).contains("outside of the folders"), "{refused}");
    }
    let including = json!({ "text": format!("#include \"{secret}\"\n"), "language": "promela", "timeout_seconds": 9 });
    let refused = info(&mut client, including.clone());
    assert!(
        text(&refused).contains("outside of the folders") && !refused.to_string().contains("a secret"),
        "{refused}"
    );
    let folder = std::path::Path::new(&secret).parent().expect("a folder").display().to_string();
    let mut trusting = start(&["--allow", &folder]);
    assert_eq!(info(&mut trusting, json!({ "path": model, "timeout_seconds": 9 }))["isError"], false);
    assert!(!text(&info(&mut trusting, including)).contains("outside of the folders"));
}
