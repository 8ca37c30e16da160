//! A database of one's own instead of the embedded one: `DATABASE_URL` replaces it.

use crate::house::House;
use crate::own_server::OwnServer;
use crate::process::until;
use crate::story::Hotel;

#[test]
fn a_database_of_ones_own_is_migrated_served_and_examined() {
    let house = House::new();
    let server = OwnServer::start(&house.folder().join("server"));
    // A folder that is not there yet: the first command that needs it makes it.
    let keys = house.folder().join("keys");
    let house = house.with("DATABASE_URL", &server.url).with("MELMASTOON_DATA_DIR", keys.to_str().expect("a path"));
    assert!(!house.folder().join("postgres").exists());

    let early = house.run(&["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(early.code, Some(1), "{early:?}");
    assert!(early.err.contains("melmastoon migrate"), "what to do: {early:?}");
    let pending = house.run(&["migrate", "--check"]);
    assert_eq!(pending.code, Some(1), "{pending:?}");
    assert!(pending.out.contains("housekeeping V001") && pending.out.contains("melmastoon migrate"), "{pending:?}");

    assert!(house.output(&["migrate"]).contains("applied housekeeping V001"));
    assert_eq!(house.output(&["migrate"]), "up to date\n");
    assert_eq!(house.output(&["migrate", "--check"]), "no drift\n");

    {
        let (_serve, client) = house.serve();
        let _relay = house.beside(&["relay"]);
        let hotel = Hotel::of(&house, "CHINAR");
        until("ready", std::time::Duration::from_secs(15), || client.is_ready());
        hotel.check_out(&client, 1);
        hotel.turn_over(&client, 1);
        assert_eq!(hotel.room(&client, 1)["status"], "ready");
        hotel.feed_of(&client, 10);
    }
    assert!(!keys.join("postgres").exists(), "no embedded PostgreSQL was made");
    let shown = house.output(&["config"]);
    let password = server.url.split([':', '@']).nth(2).expect("a password");
    assert!(shown.contains("***") && !shown.contains(password), "{shown}");
    let shown = house.output(&["config", "--json"]);
    assert!(shown.contains("***") && !shown.contains(password), "{shown}");

    let healthy = house.run(&["doctor"]);
    assert_eq!(healthy.code, Some(0), "{healthy:?}");
    assert!(healthy.out.lines().count() >= 6 && healthy.out.lines().all(|line| line.starts_with("ok ")), "{healthy:?}");
    assert!(!healthy.out.contains(password), "{healthy:?}");

    server.tell("ALTER ROLE melmastoon_app BYPASSRLS");
    let ill = house.run(&["doctor"]);
    assert_eq!(ill.code, Some(1), "{ill:?}");
    let line = ill.out.lines().find(|line| line.starts_with("FAIL")).expect("a failed check");
    assert!(
        line.contains("melmastoon_app") && line.contains("ALTER ROLE melmastoon_app NOSUPERUSER NOBYPASSRLS"),
        "{line}"
    );
    let told: serde_json::Value = serde_json::from_str(&house.run(&["doctor", "--json"]).out).expect("JSON");
    let failed: Vec<_> = told.as_array().expect("a list").iter().filter(|check| check["ok"] == false).collect();
    assert_eq!(failed.len(), 1, "{told}");
    server.tell("ALTER ROLE melmastoon_app NOSUPERUSER NOBYPASSRLS");

    server.tell("ALTER TABLE housekeeping.outbox NO FORCE ROW LEVEL SECURITY");
    let leak = house.run(&["doctor"]);
    assert!(leak.code == Some(1) && leak.out.contains("housekeeping.outbox"), "{leak:?}");
    server.tell("ALTER TABLE housekeeping.outbox FORCE ROW LEVEL SECURITY");
    assert_eq!(house.run(&["doctor"]).code, Some(0));

    server.tell("UPDATE housekeeping.schema_history SET checksum = 'another' WHERE version = 1");
    for arguments in [&["migrate", "--check"][..], &["migrate"], &["doctor"]] {
        let drift = house.run(arguments);
        assert_eq!(drift.code, Some(1), "{arguments:?}: {drift:?}");
        let words = format!("{}{}", drift.out, drift.err);
        assert!(words.contains("housekeeping V001") && words.contains("edited"), "{arguments:?}: {drift:?}");
    }
    let json: serde_json::Value =
        serde_json::from_str(&house.run(&["migrate", "--check", "--json"]).out).expect("JSON");
    assert_eq!(json["drift"].as_array().map(Vec::len), Some(1), "{json}");

    let nobody = house.with("DATABASE_URL", "postgres://nobody:secret@127.0.0.1:1/none");
    for arguments in [&["serve"][..], &["migrate"], &["doctor"], &["dlq", "list"]] {
        let away = nobody.run(arguments);
        assert_eq!(away.code, Some(1), "{arguments:?}: {away:?}");
        assert!(!format!("{away:?}").contains("secret"), "{arguments:?}: {away:?}");
    }
}
