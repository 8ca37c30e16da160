//! The facts of the data model, one by one, against PostgreSQL's catalogue: what is specified is there, under its name and as it was meant.
//! Tables, columns and policies are in `data_model`; here are keys, defaults, checks, indexes, references, views and row level security.

use platform::database::connect;
use tokio_postgres::Client;

use crate::data_model::SPECIFIED;
use crate::test_hotel::new_database;

/// Section 3: the columns of every index, and for which rows.
const INDEXES: &[(&str, &str)] = &[
    ("hkt_tenant_property_status_idx", "(tenant_id, property_id, status, priority, scheduled_for)"),
    (
        "hkt_tenant_room_open_idx",
        "(tenant_id, room_id) WHERE (status = ANY (ARRAY['pending'::text, 'assigned'::text, 'in_progress'::text, 'paused'::text]))",
    ),
    (
        "hkt_tenant_assignee_open_idx",
        "(tenant_id, assignee_staff_id) WHERE (status = ANY (ARRAY['assigned'::text, 'in_progress'::text, 'paused'::text]))",
    ),
    ("hkt_reservation_idx", "(tenant_id, reservation_id) WHERE (reservation_id IS NOT NULL)"),
    ("rs_tenant_status_idx", "(tenant_id, property_id, status)"),
    ("rsa_tenant_room_idx", "(tenant_id, property_id, room_id, flipped_at DESC)"),
    ("cl_tenant_kind_latest_idx", "(tenant_id, kind, version DESC)"),
    ("ins_task_idx", "(tenant_id, task_id)"),
    ("lm_line_idx", "(tenant_id, line_id, occurred_at DESC)"),
    ("laf_tenant_status_idx", "(tenant_id, property_id, status, recorded_at DESC)"),
    ("laf_reservation_idx", "(tenant_id, reservation_id) WHERE (reservation_id IS NOT NULL)"),
    ("rb_tenant_room_open_idx", "(tenant_id, property_id, room_id) WHERE (cleared_at IS NULL)"),
    ("ssa_tenant_active_idx", "(tenant_id, property_id, shift_starts_at, shift_ends_at) WHERE (ended_at IS NULL)"),
    ("outbox_unpublished_idx", "(id) WHERE (published_at IS NULL)"),
    ("audit_aggregate_idx", "(tenant_id, aggregate_kind, aggregate_id, occurred_at DESC)"),
];

/// Primary keys (`!`) and what is unique.
const KEYS: &[(&str, &str)] = &[
    ("housekeeping_tasks", "!id, created_at"),
    ("room_status", "!tenant_id, property_id, room_id"),
    ("room_status_audit", "!id"),
    ("cleaning_checklists", "!id"),
    ("cleaning_checklists", "tenant_id, kind, version"),
    ("inspections", "!id"),
    ("linen_inventory", "!id"),
    ("linen_inventory", "tenant_id, property_id, line"),
    ("linen_movements", "!id"),
    ("lost_and_found", "!id"),
    ("room_blocks", "!id"),
    ("staff_shift_assignments", "!id"),
    ("outbox", "!id"),
    ("outbox", "event_id"),
    ("inbox", "!topic, message_id"),
    ("idempotency_keys", "!tenant_id, route, key"),
    ("audit_events", "!id"),
];

const KINDS: &str = "turnover mid_stay_clean deep_clean post_maintenance post_renovation inspection";

/// The words that a column knows, and no others.
const WORDS: &[(&str, &str, &str)] = &[
    ("housekeeping_tasks", "kind", KINDS),
    (
        "housekeeping_tasks",
        "status",
        "pending assigned in_progress paused completed failed cancelled requires_maintenance",
    ),
    ("housekeeping_tasks", "priority", "low normal high urgent"),
    ("room_status", "status", "clean dirty cleaning cleaned inspected ready out_of_order out_of_service"),
    ("cleaning_checklists", "kind", KINDS),
    ("inspections", "outcome", "pass fail"),
    ("linen_movements", "direction", "issue return adjust"),
    ("lost_and_found", "status", "recorded matched disposed returned"),
    ("room_blocks", "reason", "cleaning inspection maintenance oos_echo oos"),
    ("room_blocks", "owner", "housekeeping maintenance property"),
];

/// What a column is when a writer says nothing of it.
const DEFAULTS: &[(&str, &str, &str)] = &[
    ("housekeeping_tasks", "source", "'manual'::text"),
    ("housekeeping_tasks", "version", "1"),
    ("housekeeping_tasks", "created_at", "now()"),
    ("housekeeping_tasks", "updated_at", "now()"),
    ("room_status", "last_flipped_at", "now()"),
    ("room_status", "version", "1"),
    ("room_status_audit", "flipped_at", "now()"),
    ("cleaning_checklists", "published_at", "now()"),
    ("inspections", "performed_at", "now()"),
    ("linen_inventory", "on_hand", "0"),
    ("linen_inventory", "low_watermark", "0"),
    ("linen_inventory", "version", "1"),
    ("linen_inventory", "updated_at", "now()"),
    ("linen_movements", "occurred_at", "now()"),
    ("lost_and_found", "status", "'recorded'::text"),
    ("lost_and_found", "recorded_at", "now()"),
    ("lost_and_found", "version", "1"),
    ("room_blocks", "created_at", "now()"),
    ("staff_shift_assignments", "active_task_count", "0"),
    ("staff_shift_assignments", "load_minutes", "0"),
    ("outbox", "created_at", "now()"),
    ("inbox", "received_at", "now()"),
    ("idempotency_keys", "created_at", "now()"),
    ("audit_events", "occurred_at", "now()"),
];

/// Section 6: what ends, and when, as the operator's policy says it. Found things leave by the tenant's own term (see `archive_terms`);
/// the others are kept for good here: nothing may be removed that was not
/// put into an archive.
const ENDS: &[(&str, &str)] =
    &[("room_blocks", "90 days"), ("outbox", "7 days"), ("inbox", "90 days"), ("idempotency_keys", "24:00:00")];

/// All facts that are looked at, here and in `data_model`: a figure to be said, and to be changed knowingly.
const FACTS: usize = 281;

async fn texts(client: &Client, sql: &str, params: &[&(dyn tokio_postgres::types::ToSql + Sync)]) -> Vec<String> {
    client.query(sql, params).await.unwrap().iter().map(|row| row.get(0)).collect()
}

#[tokio::test]
async fn every_fact_of_the_data_model_is_so() {
    let database = new_database().await;
    let client = connect(&database.superuser().config()).await.unwrap();
    let mut facts = 0;
    for (table, columns, indexes, policy) in SPECIFIED {
        // The table, its columns, its policy; its indexes are counted below.
        facts += 1 + columns.split(", ").count() + usize::from(!policy.is_empty());
        assert!(indexes.iter().all(|index| INDEXES.iter().any(|(name, _)| name == index)), "{table}");
        let guarded = "SELECT (relrowsecurity AND relforcerowsecurity)::TEXT FROM pg_class WHERE oid = ('housekeeping.' || $1::TEXT)::regclass";
        assert_eq!(texts(&client, guarded, &[table]).await, ["true"], "{table} has row level security");
        let policies =
            "SELECT (qual || ' / ' || with_check) FROM pg_policies WHERE schemaname = 'housekeeping' AND tablename = $1
                        AND roles = '{public}'";
        let rule = "(tenant_id = housekeeping.current_tenant_id())";
        assert_eq!(texts(&client, policies, &[table]).await, [format!("{rule} / {rule}")], "{table}");
        facts += 2;
    }
    for (index, wanted) in INDEXES {
        let sql =
            "SELECT regexp_replace(pg_get_indexdef(('housekeeping.' || $1::TEXT)::regclass), '^.* USING btree ', '')";
        assert_eq!(texts(&client, sql, &[index]).await, [*wanted], "{index}");
        facts += 1;
    }
    for (table, columns) in KEYS {
        let sql = "SELECT CASE contype WHEN 'p' THEN '!' ELSE '' END || (
                     SELECT string_agg(attname, ', ' ORDER BY n) FROM unnest(conkey) WITH ORDINALITY AS k (num, n)
                     JOIN pg_attribute ON attrelid = conrelid AND attnum = num)
                   FROM pg_constraint WHERE conrelid = ('housekeeping.' || $1::TEXT)::regclass AND contype IN ('p', 'u')";
        let found = texts(&client, sql, &[table]).await;
        assert!(found.iter().any(|one| one == columns), "{table}: {columns} is not in {found:?}");
        facts += 1;
    }
    for (table, column, words) in WORDS {
        let sql = "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE contype = 'c'
                   AND conrelid = ('housekeeping.' || $1::TEXT)::regclass AND pg_get_constraintdef(oid) LIKE 'CHECK ((' || $2::TEXT || ' = ANY%'";
        let list: Vec<String> = words.split(' ').map(|word| format!("'{word}'::text")).collect();
        let wanted = format!("CHECK (({column} = ANY (ARRAY[{}])))", list.join(", "));
        assert_eq!(texts(&client, sql, &[table, column]).await, [wanted], "{table}.{column}");
        facts += 1;
    }
    for (table, column, wanted) in DEFAULTS {
        let sql = "SELECT column_default FROM information_schema.columns
                   WHERE table_schema = 'housekeeping' AND table_name = $1 AND column_name = $2";
        assert_eq!(texts(&client, sql, &[table, column]).await, [*wanted], "{table}.{column}");
        facts += 1;
    }
    for (table, after) in ENDS {
        let sql = "SELECT qual FROM pg_policies WHERE schemaname = 'housekeeping' AND tablename = $1 AND roles = '{melmastoon_operator}'";
        let found = texts(&client, sql, &[table]).await;
        assert!(found.iter().any(|rule| rule.contains(&format!("'{after}'::interval"))), "{table}: {found:?}");
        facts += 1;
    }
    facts += others(&client).await;
    println!("{facts} facts of the data model");
    assert_eq!(facts, FACTS, "say so where the figure stands");
}

/// What has no table of its own.
async fn others(client: &Client) -> usize {
    let facts = [
        (
            "tasks by month",
            "SELECT partstrat::TEXT FROM pg_partitioned_table WHERE partrelid = 'housekeeping.housekeeping_tasks'::regclass",
            "r",
        ),
        (
            "by `created_at`",
            "SELECT pg_get_partkeydef('housekeeping.housekeeping_tasks'::regclass)",
            "RANGE (created_at)",
        ),
        (
            "linen moves on a line that is there",
            "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE contype = 'f' AND conrelid = 'housekeeping.linen_movements'::regclass",
            "FOREIGN KEY (line_id) REFERENCES housekeeping.linen_inventory(id)",
        ),
        (
            "never less than nothing on hand",
            "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = 'linen_inventory_on_hand_check'",
            "CHECK ((on_hand >= 0))",
        ),
        (
            "nor marked",
            "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = 'linen_inventory_low_watermark_check'",
            "CHECK ((low_watermark >= 0))",
        ),
        ("4.1", "SELECT relkind::TEXT FROM pg_class WHERE oid = 'housekeeping.room_blocks_view'::regclass", "v"),
        (
            "4.2, as a table with row level security",
            "SELECT relkind::TEXT FROM pg_class WHERE oid = 'housekeeping.board_snapshot_mat'::regclass AND relforcerowsecurity",
            "r",
        ),
        (
            "the tenant's own function",
            "SELECT provolatile::TEXT FROM pg_proc WHERE oid = 'housekeeping.current_tenant_id()'::regprocedure",
            "s",
        ),
        (
            "movements that leave carry their sum over",
            "SELECT (count(*) = 2)::TEXT FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid WHERE p.proname = 'carry_movements_over'",
            "true",
        ),
    ];
    for (what, sql, wanted) in &facts {
        assert_eq!(texts(client, sql, &[]).await, [*wanted], "{what}");
    }
    facts.len()
}
