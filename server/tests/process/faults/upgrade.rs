//! Releases side by side: the schema grows under processes that know nothing of it, and an older binary works beside this one.

use std::path::PathBuf;

use rand::SeedableRng;
use rand::rngs::StdRng;

use crate::replicas::{Outfit, Replicas};
use crate::seed::seed;

/// What a newer release adds: columns with a default or none, a table, an index, a subject that somebody listens to, and its migrations on record.
const EXPANDED: &str = "
    DO $$
    DECLARE known RECORD;
    BEGIN
      FOR known IN SELECT schemaname, tablename FROM pg_tables t
        WHERE schemaname IN ('housekeeping', 'staff', 'reservation', 'bus')
          AND NOT EXISTS (SELECT FROM pg_inherits i WHERE i.inhrelid = format('%I.%I', t.schemaname, t.tablename)::REGCLASS)
      LOOP
        EXECUTE format('ALTER TABLE %I.%I ADD COLUMN tomorrow TEXT, ADD COLUMN next_week INTEGER NOT NULL DEFAULT 7',
          known.schemaname, known.tablename);
      END LOOP;
    END $$;
    CREATE TABLE housekeeping.tomorrow (tenant_id TEXT NOT NULL, id TEXT NOT NULL PRIMARY KEY);
    CREATE INDEX tomorrow_idx ON housekeeping.outbox (created_at);
    INSERT INTO bus.subscriptions (subscription, subject, began_after, registered_at, registered_by)
    SELECT 'tomorrow', 'melmastoon.housekeeping.room.status_changed.v1', coalesce(max(log_offset), 0), now(), '9.9.9' FROM bus.event_log";

/// The schema is expanded while all seven are at work; then each of them is killed and started on it.
pub(super) fn the_schema_grows(replicas: &mut Replicas, events: usize) {
    replicas.tell(events);
    let session = replicas.session();
    // As a migration does: it waits two seconds at most for a table, and comes again.
    let expanded = (0..60).any(|_| {
        session.try_tell(&format!("BEGIN; SET LOCAL lock_timeout = '2s'; {EXPANDED}; COMMIT")).is_ok() || {
            let _ = session.try_tell("ROLLBACK");
            false
        }
    });
    assert!(expanded, "the schema could not be expanded under a working hotel");
    replicas.tell(events);
    for part in 0..7 {
        replicas.kill_and_start(part);
    }
    replicas.tell(events);
    let found = replicas.converge();
    found.report("schema expanded under an older release", replicas.seed, 8);
    // The newer release's own; nobody of these has a story for it.
    session.tell("DELETE FROM bus.subscriptions WHERE subscription = 'tomorrow'");
}

/// The binary of an earlier commit, which `make faults` builds once. Not in `make test`: it takes as long as a clean build.
#[test]
#[ignore = "needs the binary of an earlier release: make faults"]
#[expect(clippy::disallowed_methods, reason = "tests have no server::config to ask")]
fn an_older_binary_and_this_one_work_side_by_side_while_the_schema_moves_on() {
    let Some(older) = std::env::var_os("MELMASTOON_FAULTS_OLDER").map(PathBuf::from).filter(|file| file.is_file())
    else {
        eprintln!(
            "SKIPPED: no binary of an earlier release (MELMASTOON_FAULTS_OLDER); scripts/faults.sh builds one where git has the history"
        );
        return;
    };
    let seed = seed();
    let old = Outfit { program: Some(older), ..Outfit::default() };
    let Some(mut replicas) = Replicas::open_with(seed, vec![old; 7]) else { return };
    let mut chance = StdRng::seed_from_u64(seed);
    replicas.tell(200);
    replicas.converge().report("the older release alone", seed, 0);
    // One of each kind becomes new, on a schema that is the newer one's.
    for part in [0, 2, 4] {
        replicas.outfits[part] = Outfit::default();
    }
    replicas.tell(200);
    replicas.migrate(0);
    for part in [0, 2, 4] {
        replicas.kill_and_start(part);
        replicas.tell(100);
    }
    for _ in 0..4 {
        replicas.tell(100);
        replicas.kill_any(&mut chance);
    }
    replicas.converge().report("two releases side by side", seed, 8);
    for part in [1, 3, 5, 6] {
        replicas.outfits[part] = Outfit::default();
        replicas.kill_and_start(part);
        replicas.tell(100);
    }
    replicas.converge().report("the newer release alone", seed, 4);
}
