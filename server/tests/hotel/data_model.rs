//! The specified data model is a subset of ours: same tables, columns, types, indexes and policies by name.

use platform::database::connect;

use crate::test_hotel::new_database;

/// Table, its columns with types (`!` = not null), its indexes, its policy.
pub(crate) type Table = (&'static str, &'static str, &'static [&'static str], &'static str);

pub(crate) const SPECIFIED: &[Table] = &[
    (
        "housekeeping_tasks",
        "id text!, tenant_id text!, property_id text!, room_id text!, reservation_id text, kind text!, status text!, \
         priority text!, assignee_staff_id text, checklist_id text, checklist_version int4, scheduled_for timestamptz, \
         started_at timestamptz, paused_at timestamptz, pause_reason text, completed_at timestamptz, duration_minutes int4, \
         failure_reason text, failure_note text, outcome_results jsonb, linen_issued int4, linen_returned int4, \
         locale_hint text, source text!, source_event_id text, version int4!, created_at timestamptz!, updated_at timestamptz!",
        &[
            "hkt_tenant_property_status_idx",
            "hkt_tenant_room_open_idx",
            "hkt_tenant_assignee_open_idx",
            "hkt_reservation_idx",
        ],
        "hkt_tenant_isolation",
    ),
    (
        "room_status",
        "tenant_id text!, property_id text!, room_id text!, status text!, last_task_id text, last_flipped_at timestamptz!, \
         last_flipped_by jsonb!, last_cause text!, version int4!",
        &["rs_tenant_status_idx"],
        "rs_tenant_isolation",
    ),
    (
        "room_status_audit",
        "id int8!, tenant_id text!, property_id text!, room_id text!, previous_status text!, status text!, cause text!, \
         task_id text, flipped_by jsonb!, flipped_at timestamptz!",
        &["rsa_tenant_room_idx"],
        "rsa_tenant_isolation",
    ),
    (
        "cleaning_checklists",
        "id text!, tenant_id text!, kind text!, version int4!, items jsonb!, published_at timestamptz!, published_by jsonb!",
        &["cl_tenant_kind_latest_idx"],
        "cl_tenant_isolation",
    ),
    (
        "inspections",
        "id text!, tenant_id text!, task_id text!, inspector_staff_id text!, checklist_id text!, checklist_version int4!, \
         results jsonb!, outcome text!, reason text, failed_item_keys _text, performed_at timestamptz!",
        &["ins_task_idx"],
        "ins_tenant_isolation",
    ),
    (
        "room_blocks",
        "id text!, tenant_id text!, property_id text!, room_id text!, reason text!, owner text!, blocked_until timestamptz, \
         note text, created_at timestamptz!, cleared_at timestamptz",
        &["rb_tenant_room_open_idx"],
        "rb_tenant_isolation",
    ),
    (
        "linen_inventory",
        "id text!, tenant_id text!, property_id text!, line text!, on_hand int4!, low_watermark int4!, version int4!, \
         updated_at timestamptz!",
        &[],
        "li_tenant_isolation",
    ),
    (
        "linen_movements",
        "id int8!, tenant_id text!, line_id text!, task_id text, direction text!, count int4!, occurred_at timestamptz!, \
         actor jsonb!",
        &["lm_line_idx"],
        "lm_tenant_isolation",
    ),
    (
        "lost_and_found",
        "id text!, tenant_id text!, property_id text!, room_id text!, reservation_id text, description text!, \
         photo_media_ids _text, storage_location text, finder_staff_id text!, status text!, matched_at timestamptz, \
         matched_by_staff text, claimant_name text, claimant_phone text, disposed_at timestamptz, dispose_method text, \
         recorded_at timestamptz!, version int4!",
        &["laf_tenant_status_idx", "laf_reservation_idx"],
        "laf_tenant_isolation",
    ),
    (
        "staff_shift_assignments",
        "id text!, tenant_id text!, property_id text!, staff_id text!, shift_id text!, shift_starts_at timestamptz!, \
         shift_ends_at timestamptz!, capacity_minutes int4!, languages _text, skills _text, active_task_count int4!, \
         load_minutes int4!, ended_at timestamptz",
        &["ssa_tenant_active_idx"],
        "ssa_tenant_isolation",
    ),
    (
        "outbox",
        "id int8!, event_id text!, tenant_id text!, subject text!, payload jsonb!, envelope_meta jsonb!, \
         created_at timestamptz!, published_at timestamptz",
        &["outbox_unpublished_idx"],
        "",
    ),
    ("inbox", "topic text!, message_id text!, tenant_id text!, received_at timestamptz!", &[], ""),
    (
        "idempotency_keys",
        "tenant_id text!, route text!, key text!, response_hash text!, response jsonb!, status_code int4!, created_at timestamptz!",
        &[],
        "",
    ),
    (
        "audit_events",
        "id int8!, tenant_id text!, aggregate_id text!, aggregate_kind text!, event_id text!, subject text!, payload jsonb!, \
         occurred_at timestamptz!, actor jsonb!",
        &["audit_aggregate_idx"],
        "",
    ),
];

#[tokio::test]
async fn every_specified_table_column_index_and_policy_exists_under_its_name() {
    let database = new_database().await;
    let client = connect(&database.superuser().config()).await.unwrap();
    let columns = "SELECT attname || ' ' || typname || CASE WHEN attnotnull THEN '!' ELSE '' END
                   FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
                   WHERE attrelid = to_regclass('housekeeping.' || $1::TEXT) AND attnum > 0 AND NOT attisdropped";
    let indexes = "SELECT indexname::TEXT FROM pg_indexes WHERE schemaname = 'housekeeping' AND tablename = $1";
    let policies = "SELECT policyname::TEXT FROM pg_policies WHERE schemaname = 'housekeeping' AND tablename = $1";
    for (table, wanted, wanted_indexes, policy) in SPECIFIED {
        let list = async |sql: &str| -> Vec<String> {
            client.query(sql, &[table]).await.unwrap().iter().map(|row| row.get(0)).collect()
        };
        let found = list(columns).await;
        for column in wanted.split(", ").map(str::trim) {
            assert!(found.iter().any(|one| one == column), "{table} has no `{column}`: {found:?}");
        }
        let found = list(indexes).await;
        assert!(wanted_indexes.iter().all(|index| found.iter().any(|one| one == index)), "{table}: {found:?}");
        let found = list(policies).await;
        assert!(found.iter().any(|one| one.starts_with(policy)), "{table} has no policy {policy}: {found:?}");
    }
}

/// 3.9: the words that a block knows, and no others.
#[tokio::test]
async fn a_block_knows_the_specified_reasons_and_owners_and_no_others() {
    let database = new_database().await;
    let client = connect(&database.superuser().config()).await.unwrap();
    let (reasons, owners) =
        (["cleaning", "inspection", "maintenance", "oos_echo", "oos"], ["housekeeping", "maintenance", "property"]);
    let insert = "INSERT INTO housekeeping.room_blocks (id, tenant_id, property_id, room_id, reason, owner)
                  VALUES ($1, 'tnt_A', 'prp_A', 'rom_A', $2, $3)";
    for reason in reasons {
        for owner in owners {
            client.execute(insert, &[&format!("blk_{reason}_{owner}"), &reason, &owner]).await.unwrap();
        }
    }
    for (reason, owner) in [("painting", "housekeeping"), ("oos", "guest")] {
        assert!(client.execute(insert, &[&"blk_wrong", &reason, &owner]).await.is_err(), "{reason} {owner}");
    }
}

/// 4.1: one view over housekeeping's blocks and maintenance's, with the rights of whoever asks.
#[tokio::test]
async fn the_view_of_blocks_shows_both_and_to_everybody_their_own() {
    let database = new_database().await;
    let client = connect(&database.superuser().config()).await.unwrap();
    let view =
        "SELECT coalesce(reloptions::TEXT, '') FROM pg_class WHERE oid = 'housekeeping.room_blocks_view'::regclass";
    let options: String = client.query_one(view, &[]).await.unwrap().get(0);
    assert!(options.contains("security_invoker=true"), "{options}");
    client
        .batch_execute(
            "INSERT INTO housekeeping.room_blocks (id, tenant_id, property_id, room_id, reason, owner)
             VALUES ('blk_1', 'tnt_A', 'prp_A', 'rom_A', 'oos', 'housekeeping'), ('blk_2', 'tnt_B', 'prp_B', 'rom_B', 'oos', 'property');
             INSERT INTO housekeeping.maintenance_blocks (tenant_id, work_order_id, property_id, room_id, blocking)
             VALUES ('tnt_A', 'wo-1', 'prp_A', 'rom_A', true), ('tnt_A', 'wo-2', 'prp_A', 'rom_A', false)",
        )
        .await
        .unwrap();
    client.batch_execute("SET ROLE melmastoon_app; SET app.tenant_id = 'tnt_A'").await.unwrap();
    let rows = client.query("SELECT id, owner FROM housekeeping.room_blocks_view ORDER BY id", &[]).await.unwrap();
    let seen: Vec<(String, String)> = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
    let expected =
        [("blk_1", "housekeeping"), ("wo-1", "maintenance")].map(|(id, who)| (id.to_owned(), who.to_owned()));
    assert_eq!(seen, expected);
}

#[tokio::test]
async fn added_columns_ask_nothing_of_a_writer_that_knows_the_specification_alone() {
    // `estimated_minutes` is the one decided to be required; keys and the outbox are written by the platform alone.
    let required = [
        "housekeeping_tasks.estimated_minutes",
        "idempotency_keys.request_hash",
        "idempotency_keys.state",
        "outbox.ordering_key",
    ];
    let database = new_database().await;
    let client = connect(&database.superuser().config()).await.unwrap();
    for (table, specified, ..) in SPECIFIED {
        let sql = "SELECT column_name::TEXT FROM information_schema.columns
                   WHERE table_schema = 'housekeeping' AND table_name = $1 AND is_nullable = 'NO' AND column_default IS NULL";
        for row in client.query(sql, &[table]).await.unwrap() {
            let column: String = row.get(0);
            let known = specified.split(", ").any(|one| one.trim().split(' ').next() == Some(column.as_str()));
            let place = format!("{table}.{column}");
            assert!(known || required.contains(&place.as_str()), "{place} is required and was not specified");
        }
    }
}

#[tokio::test]
async fn stock_refuses_what_the_specification_refuses() {
    let database = new_database().await;
    let client = connect(&database.superuser().config()).await.unwrap();
    let line = "INSERT INTO housekeeping.linen_inventory (id, tenant_id, property_id, line";
    let refused = [
        (format!("{line}, on_hand) VALUES ('lin_2', 't', 'p', 'b', -1)"), "on_hand"),
        (format!("{line}, low_watermark) VALUES ('lin_2', 't', 'p', 'b', -1)"), "low_watermark"),
        (format!("{line}) VALUES ('lin_2', 't', 'p', 'a')"), "line"),
        (
            "INSERT INTO housekeeping.linen_movements (tenant_id, line_id, direction, count, actor) VALUES ('t', 'lin_1', 'lost', 1, '{}')"
                .to_owned(),
            "direction",
        ),
        (
            "INSERT INTO housekeeping.linen_movements (tenant_id, line_id, direction, count, actor) VALUES ('t', 'lin_9', 'issue', 1, '{}')"
                .to_owned(),
            "line_id",
        ),
        (
            "INSERT INTO housekeeping.lost_and_found (id, tenant_id, property_id, room_id, description, finder_staff_id, status)
             VALUES ('laf_1', 't', 'p', 'r', 'd', 's', 'gone')"
                .to_owned(),
            "status",
        ),
    ];
    client.batch_execute(&format!("{line}) VALUES ('lin_1', 't', 'p', 'a')")).await.unwrap();
    for (sql, names) in refused {
        let error = client.batch_execute(&sql).await.unwrap_err();
        let constraint = error.as_db_error().and_then(|error| error.constraint()).unwrap_or_default().to_owned();
        assert!(constraint.contains(names), "{sql}: {error:?}");
    }
}
