//! A PostgreSQL that encrypts: what `sslmode` and `sslrootcert` in `DATABASE_URL` ask for, and what a person is told when the
//! server cannot prove it.

use std::path::Path;

use crate::house::{Ended, House};
use crate::own_server::OwnServer;

/// See `tls/make.sh`.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/process/tls/root.crt");
const OTHER_ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/process/tls/other.crt");
const ALONE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/process/tls/alone.crt");

/// A house whose database is on this host, asked for in this way.
fn asking(house: House, server: &OwnServer, host: &str, how: &str) -> House {
    house.with("DATABASE_URL", &format!("{}?{how}", server.url.replace("127.0.0.1", host)))
}

fn said(ended: &Ended) -> String {
    format!("{}{}", ended.out, ended.err)
}

#[test]
fn an_encrypted_database_is_migrated_served_and_examined_and_one_that_cannot_prove_itself_is_not() {
    let house = House::new();
    let server = OwnServer::start_on_a_port(house.folder());
    let plain = server.url.clone();
    assert!(!plain.contains('?') && plain.contains("@127.0.0.1:"), "a server on a port");
    let folder = house.folder().to_owned();

    let mut house = asking(house, &server, "127.0.0.1", "sslmode=require");
    let early = house.run(&["migrate"]);
    assert_eq!(early.code, Some(1), "{early:?}");
    assert!(said(&early).contains("ssl = on") && said(&early).contains("sslmode=disable"), "what to do: {early:?}");

    server.encrypts("server");

    house = house.with("DATABASE_URL", &format!("{plain}?sslmode=disable"));
    for arguments in [&["migrate"][..], &["doctor"], &["serve", "--listen", "127.0.0.1:0"]] {
        let refused = house.run(arguments);
        assert_eq!(refused.code, Some(1), "{arguments:?}: {refused:?}");
        assert!(said(&refused).contains("sslmode=require"), "what to do: {arguments:?}: {refused:?}");
    }

    // Whoever asks for nothing gets what there is.
    house = house.with("DATABASE_URL", &plain);
    assert!(house.output(&["migrate"]).contains("applied"));

    let good = [
        ("127.0.0.1", "sslmode=require".to_owned()),
        ("127.0.0.1", format!("sslmode=verify-ca&sslrootcert={ROOT}")),
        ("127.0.0.1", format!("sslmode=require&sslrootcert={ROOT}")),
        ("localhost", format!("sslmode=verify-full&sslrootcert={ROOT}&channel_binding=require")),
    ];
    for (host, how) in &good {
        house = asking(house, &server, host, how);
        assert_eq!(house.output(&["migrate", "--check"]), "no drift\n", "{host} {how}");
    }
    // Every door of it: pools, connections of one's own, roles.
    assert_eq!(house.run(&["doctor"]).code, Some(0));
    {
        let (_serve, client) = house.serve();
        assert!(client.is_ready());
        let plain = "SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
                     WHERE application_name LIKE 'melmastoon %' AND NOT ssl";
        let encrypted = "SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
                         WHERE application_name LIKE 'melmastoon %' AND ssl AND version >= 'TLSv1.2'";
        let session = server.session();
        assert_eq!(session.count(plain), 0);
        assert!(session.count(encrypted) > 0, "the pool's connections are there to be looked at");
    }

    let bad = [
        ("localhost", format!("sslmode=verify-full&sslrootcert={OTHER_ROOT}"), "sslrootcert=FILE"),
        ("localhost", format!("sslmode=verify-ca&sslrootcert={OTHER_ROOT}"), "sslrootcert=FILE"),
        ("localhost", format!("sslmode=require&sslrootcert={OTHER_ROOT}"), "sslrootcert=FILE"),
        ("localhost", "sslmode=verify-full".to_owned(), "sslrootcert=FILE"),
        ("127.0.0.1", format!("sslmode=verify-full&sslrootcert={ROOT}"), "localhost"),
    ];
    for (host, how, advice) in &bad {
        house = asking(house, &server, host, how);
        for arguments in [&["migrate", "--check"][..], &["doctor"], &["dlq", "list"]] {
            let refused = house.run(arguments);
            assert_eq!(refused.code, Some(1), "{host} {how} {arguments:?}: {refused:?}");
            let words = said(&refused);
            assert!(words.contains("certificate") && words.contains(advice), "{host} {how} {arguments:?}: {words}");
        }
    }

    // A server that lets nobody in who encrypts: whoever prefers to does without, whoever insists is told.
    server.lets_in("hostnossl");
    house = house.with("DATABASE_URL", &plain);
    assert_eq!(house.run(&["doctor"]).code, Some(0));
    house = asking(house, &server, "127.0.0.1", "sslmode=require");
    let refused = house.run(&["migrate"]);
    assert!(refused.code == Some(1) && said(&refused).contains("SSL encryption"), "{refused:?}");

    wrong_calls_end_with_2(house, &plain, &folder);
}

fn wrong_calls_end_with_2(mut house: House, plain: &str, folder: &Path) {
    let empty = folder.join("empty.crt");
    std::fs::write(&empty, "nothing\n").expect("a file");
    let calls = [
        ("sslmode=verify-ca".to_owned(), "sslrootcert=FILE"),
        ("sslmode=sometimes".to_owned(), "verify-full"),
        ("sslmode=require&sslrootcert=system".to_owned(), "verify-full"),
        ("sslmode=verify-full&sslrootcert=/nowhere.crt".to_owned(), "/nowhere.crt"),
        (format!("sslmode=verify-full&sslrootcert={}", empty.display()), "no certificate"),
    ];
    for (how, named) in calls {
        house = house.with("DATABASE_URL", &format!("{plain}?{how}"));
        let ended = house.run(&["migrate"]);
        assert_eq!(ended.code, Some(2), "{how}: {ended:?}");
        assert!(ended.err.contains("DATABASE_URL") && ended.err.contains(named), "{how}: {ended:?}");
    }
}

#[test]
fn a_server_may_vouch_for_itself_when_its_own_certificate_is_the_root() {
    let house = House::new();
    let server = OwnServer::start_on_a_port(house.folder());
    server.encrypts("alone");
    let house = asking(house, &server, "localhost", &format!("sslmode=verify-full&sslrootcert={ALONE}"));
    assert!(house.output(&["migrate"]).contains("applied"));
    let house = asking(house, &server, "127.0.0.1", &format!("sslmode=verify-full&sslrootcert={ALONE}"));
    assert_eq!(house.run(&["migrate"]).code, Some(1), "not under another name");
    let house = asking(house, &server, "localhost", &format!("sslmode=verify-full&sslrootcert={ROOT}"));
    assert_eq!(house.run(&["migrate"]).code, Some(1), "nor when it is not");
}
