//! Wherever a member of the staff can be named, the export hands it out, or this file says why not: PostgreSQL's catalogue is walked, so that a
//! new column cannot be forgotten.

use std::collections::{BTreeMap, BTreeSet};

use contracts::ids::StaffId;
use serde_json::Value;
use server::commands::person;

use crate::lived_in::lived_in;
use crate::test_hotel::TestHotel;

/// A column that names people, how somebody is put there (`{id}`, `{actor}`), and as what the context's export has it: a kind of record, or
/// `/field` of the staff export.
const HANDED_OUT: &[(&str, &str, &str)] = &[
    ("housekeeping.audit_events.actor", "actor = {actor}", "history"),
    ("housekeeping.audit_events.aggregate_id", "aggregate_id = {id}", "history"),
    ("housekeeping.audit_events.payload", "payload = payload || {named}", "history"),
    ("housekeeping.cleaning_checklists.published_by", "published_by = {actor}", "checklist"),
    ("housekeeping.discrepancies.observed_by", "observed_by = {actor}", "discrepancy"),
    ("housekeeping.discrepancies.resolved_by", "resolved_by = {actor}", "discrepancy"),
    ("housekeeping.housekeeping_tasks.assignee_staff_id", "assignee_staff_id = {id}", "task"),
    ("housekeeping.housekeeping_tasks.escalated_to", "escalated_to = {named}", "task"),
    ("housekeeping.housekeeping_tasks.helper_staff_ids", "helper_staff_ids = ARRAY[{id}]", "task"),
    ("housekeeping.inspections.inspector_staff_id", "inspector_staff_id = {id}", "inspection"),
    ("housekeeping.linen_movements.actor", "actor = {actor}", "linen_movement"),
    ("housekeeping.loose_punches.staff_id", "staff_id = {id}", "punch"),
    ("housekeeping.lost_and_found.finder_staff_id", "finder_staff_id = {id}", "lost_item"),
    ("housekeeping.lost_and_found.matched_by_staff", "matched_by_staff = {id}", "lost_item"),
    ("housekeeping.media.kept_by", "kept_by = {actor}", "photo"),
    ("housekeeping.room_status.last_flipped_by", "last_flipped_by = {actor}", "room_status"),
    ("housekeeping.room_status_audit.flipped_by", "flipped_by = {actor}", "room_status_change"),
    ("housekeeping.routing_suggestions.decided_by", "decided_by = {actor}", "suggestion"),
    ("housekeeping.routing_suggestions.moved", "moved = jsonb_build_array({named})", "suggestion"),
    ("housekeeping.routing_suggestions.rows", "rows = jsonb_build_array({named})", "suggestion"),
    ("housekeeping.routing_suggestions.unassigned", "unassigned = jsonb_build_array({named})", "suggestion"),
    ("housekeeping.staff_profiles.staff_id", "staff_id = {id}", "profile"),
    ("housekeeping.staff_shift_assignments.staff_id", "staff_id = {id}", "shift"),
    ("reservation.alerts.resolved_by", "resolved_by = {actor}, resolved_at = coalesce(resolved_at, now())", "alert"),
    ("reservation.audit_events.actor", "actor = {actor}", "history"),
    ("reservation.audit_events.payload", "payload = payload || {named}", "history"),
    ("reservation.day_closes.closed_by", "closed_by = {actor}", "day_close"),
    ("reservation.facts.body", "body = body || {named}", "fact"),
    ("reservation.quotes.body", "body = body || {named}", "quote"),
    ("reservation.reservations.body", "body = jsonb_set(body, '{created_by}', {actor})", "reservation"),
    // The person's own first: what others decide of them makes rows that no story would make.
    ("staff.audit_events.aggregate_id", "aggregate_kind = 'staff', aggregate_id = {id}", "/history"),
    ("staff.certifications.staff_id", "staff_id = {id}", "/certifications"),
    ("staff.clock_entries.staff_id", "staff_id = {id}", "/clockEntries"),
    ("staff.handoff_acks.staff_id", "staff_id = {id}", "/notesRead"),
    ("staff.handoff_notes.from_staff_id", "from_staff_id = {id}", "/handoffNotes"),
    ("staff.leave_requests.staff_id", "staff_id = {id}", "/leave"),
    ("staff.pin_sources.staff_id", "staff_id = {id}", "/signIns"),
    (
        "staff.shift_patterns.assignees",
        "assignees = jsonb_build_array({named} || '{\"role\": \"primary\"}')",
        "/patterns",
    ),
    ("staff.suggestions.rows", "rows = jsonb_set(rows, '{0,staffId}', to_jsonb({id}::TEXT))", "/suggestions"),
    ("staff.swap_requests.left_staff_id", "left_staff_id = {id}", "/swapRequests"),
    ("staff.swap_requests.right_staff_id", "right_staff_id = {id}", "/swapRequests"),
    ("staff.audit_events.actor", "actor = {actor}", "history"),
    ("staff.audit_events.payload", "payload = payload || {named}", "history"),
    ("staff.clock_entry_revisions.revised_by", "revised_by = {actor}", "correction_made"),
    ("staff.leave_requests.cancelled_by", "cancelled_by = {id}", "leave_decided"),
    ("staff.leave_requests.decided_by", "decided_by = {id}", "leave_decided"),
    ("staff.pins.staff_id", "staff_id = {id}", "pin"),
    ("staff.shift_assignments.staff_id", "staff_id = {id}", "assignment"),
    ("staff.shifts.first_clock_in_by", "first_clock_in_by = {id}", "shift_punched"),
    ("staff.shifts.last_clock_out_by", "last_clock_out_by = {id}", "shift_punched"),
    ("staff.suggestions.decided_by", "decided_by = {actor}", "suggestion_decided"),
    ("staff.swap_requests.decided_by", "decided_by = {actor}", "swap_decided"),
    ("staff.token_revocations.staff_id", "staff_id = {id}", "tokens_voided"),
];

/// Columns that look as if somebody could be named there, or where somebody is, and why the export has no use for them.
const LEFT_OUT: &[(&str, &str)] = &[
    ("bus.event_log.envelope", "what was published: a copy, for ninety days, a year where it is regulated"),
    ("bus.event_log.ordering_key", "as the envelope"),
    ("bus.subscriptions.registered_by", "a release"),
    ("housekeeping.board_snapshot_mat.document", "a copy of the board, made anew with every change"),
    ("housekeeping.cleaning_checklists.items", "what is to be done in a room"),
    ("housekeeping.dead_letters.message", "an event that came, for thirty days"),
    ("housekeeping.dead_letters.resolved_by", "the operator of the machine"),
    ("housekeeping.housekeeping_tasks.outcome_results", "which points of a checklist were done"),
    ("housekeeping.idempotency_keys.response", "an answer, for a day"),
    ("housekeeping.inspections.results", "which points of a checklist were found done"),
    ("housekeeping.outbox.envelope_meta", "what is published, for seven days"),
    ("housekeeping.outbox.ordering_key", "as its meta"),
    ("housekeeping.outbox.payload", "as its meta; the audit has it"),
    ("housekeeping.tenant_settings.settings", "how the hotel works"),
    ("reservation.cancellation_policies.policy", "what a cancellation costs"),
    ("reservation.day_closes.figures", "numbers"),
    ("reservation.dead_letters.message", "an event that came, for thirty days"),
    ("reservation.dead_letters.resolved_by", "the operator of the machine"),
    ("reservation.idempotency_keys.response", "an answer, for a day"),
    ("reservation.outbox.envelope_meta", "what is published, for seven days"),
    ("reservation.outbox.payload", "as its meta; the audit has it"),
    ("reservation.settings.said_at", "when a setting was said"),
    ("reservation.settings.values", "how the hotel works"),
    ("staff.codes_given.staff_id", "a hash of a code, so that nobody is given it again; goes with the person"),
    ("staff.dead_letters.message", "an event that came, for thirty days"),
    ("staff.dead_letters.resolved_by", "the operator of the machine"),
    ("staff.idempotency_keys.response", "an answer, for a day"),
    ("staff.idempotency_keys.route", "as the answer"),
    ("staff.outbox.envelope_meta", "what is published, for seven days"),
    ("staff.outbox.ordering_key", "as its meta"),
    ("staff.outbox.payload", "as its meta; the audit has it"),
    ("staff.people.emergency_contact", "the person's own row, which is handed out whole"),
    ("staff.people.id", "the person's own row"),
    ("staff.people.staff_code", "the person's own row"),
    ("staff.settings.settings", "how the hotel works"),
    ("staff.shift_patterns.cycle", "days"),
    ("staff.suggestions.provenance", "which program proposed it"),
];

/// Every column of ours that holds words, and those of them in which somebody of the staff can be named: by their name, since they hold
/// documents, or since somebody is there.
async fn columns(hotel: &TestHotel) -> (BTreeSet<String>, BTreeSet<String>) {
    let sql = "SELECT n.nspname || '.' || c.relname, a.attname::TEXT,
                 a.attname ~ '(staff|actor|author|inspector|assignee|_by$)' OR a.atttypid = 'jsonb'::regtype
               FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
               WHERE n.nspname = ANY ($1) AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped
                 AND a.atttypid IN ('text'::regtype, 'text[]'::regtype, 'jsonb'::regtype)";
    let (mut all, mut naming) = (BTreeSet::new(), BTreeSet::new());
    for row in hotel.behind.query(sql, &[&server::contexts::schemas()]).await.unwrap() {
        let (table, column, looks_so): (String, String, bool) = (row.get(0), row.get(1), row.get(2));
        if looks_so || hotel.count(&format!("{table} WHERE \"{column}\"::TEXT LIKE '%stf\\_%'")).await > 0 {
            naming.insert(format!("{table}.{column}"));
        }
        all.insert(format!("{table}.{column}"));
    }
    (all, naming)
}

/// How much of each kind an export has: `history` of the records, `/shifts` of the fields beside them.
fn kinds(export: &Value) -> BTreeMap<String, usize> {
    let mut kinds = BTreeMap::new();
    for record in export["records"].as_array().into_iter().flatten() {
        *kinds.entry(record["what"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    for (name, list) in export.as_object().unwrap().iter().filter_map(|(name, value)| Some((name, value.as_array()?))) {
        kinds.insert(format!("/{name}"), list.len());
    }
    kinds
}

#[tokio::test]
async fn wherever_a_member_of_the_staff_is_named_the_export_has_it_or_it_is_said_why_not() {
    let (hotel, ..) = lived_in().await;
    let listed: BTreeSet<String> = HANDED_OUT
        .iter()
        .map(|(column, ..)| (*column).to_owned())
        .chain(LEFT_OUT.iter().map(|(column, _)| (*column).to_owned()))
        .collect();
    assert_eq!(listed.len(), HANDED_OUT.len() + LEFT_OUT.len(), "each is in one of the lists, once");
    let (all, naming) = columns(&hotel).await;
    let unsaid: Vec<&String> = naming.difference(&listed).collect();
    assert!(unsaid.is_empty(), "hand these out (personal_of_staff.sql, export_records.sql) or say why not: {unsaid:?}");
    let gone: Vec<&String> = listed.difference(&all).collect();
    assert!(gone.is_empty(), "listed, and not there any more: {gone:?}");
}

#[tokio::test]
async fn what_is_planted_in_any_column_comes_out_of_the_export() {
    let (hotel, ..) = lived_in().await;
    let caller = person::operator(&hotel.tenant);
    // Whoever plants cares for no rule but the tables' own checks.
    hotel.behind.batch_execute("SET session_replication_role = replica").await.unwrap();
    let mut missing = Vec::new();
    for (number, (column, set, kind)) in HANDED_OUT.iter().enumerate() {
        let id = StaffId::parse(&hotel.employ(&format!("Number {number}")).await).unwrap();
        let (table, _) = column.rsplit_once('.').unwrap();
        let (context, _) = table.split_once('.').unwrap();
        let before = person::export_staff(None, &hotel.app.db, &caller, &id).await.unwrap();
        let set = set
            .replace("{actor}", &format!("'{{\"type\": \"user\", \"id\": \"{id}\"}}'::JSONB"))
            .replace("{named}", &format!("'{{\"staffId\": \"{id}\"}}'::JSONB"))
            .replace("{id}", &format!("'{id}'"));
        let sql = format!(
            "UPDATE {table} SET {set} WHERE ctid = (SELECT ctid FROM {table} WHERE tenant_id = '{}' LIMIT 1)",
            hotel.tenant
        );
        let planted = hotel.behind.execute(&sql, &[]).await.unwrap_or_else(|error| panic!("{sql}: {error:?}"));
        assert_eq!(planted, 1, "{table} is empty: let `lived_in` put something there");
        let after = person::export_staff(None, &hotel.app.db, &caller, &id).await;
        let after = after.unwrap_or_else(|failure| panic!("{column}: {failure}"));
        let count = |export: &Value| kinds(&export[context]).get(*kind).copied().unwrap_or(0);
        if count(&after) <= count(&before) {
            missing.push(*column);
        }
    }
    assert!(missing.is_empty(), "planted, and not handed out: {missing:?}");
}

#[tokio::test]
async fn what_is_handed_out_of_the_audit_has_nobody_elses_name() {
    for context in server::contexts::at_rest() {
        let handing_out: Vec<_> = context
            .statements
            .iter()
            .filter(|sql| sql.text.contains("'history'") && sql.text.contains("h.actor ->> 'id' = $2"))
            .collect();
        assert_eq!(handing_out.len(), 1, "{} hands the audit out", context.name);
        for entry in contracts::catalogue::all().filter(|entry| entry.context() == context.name) {
            for field in entry.pii {
                assert!(handing_out[0].text.contains(&format!("'{field}'")), "{}: {field}", entry.subject);
            }
        }
    }
}
