//! What must hold after every step of a desk at random, read from the database: each question finds what is wrong.

/// What has to hold, each with what is wrong where it does not.
pub(crate) const MUST_HOLD: &[(&str, &str)] = &[
    (
        "R1 no room-night twice",
        "SELECT a.id || ' and ' || b.id FROM reservation.room_allocations a JOIN reservation.room_allocations b
         ON a.room_no = b.room_no AND a.id < b.id AND a.nights && b.nights WHERE a.released_at IS NULL AND b.released_at IS NULL",
    ),
    (
        "R1 one party a room",
        "SELECT room_id FROM reservation.room_allocations WHERE occupied GROUP BY room_id HAVING count(*) > 1",
    ),
    (
        "R4 no more is asked back of a payment than it brought",
        "SELECT r.id || ' ' || asked.key FROM reservation.reservations r, jsonb_each_text(r.body -> 'refunds_requested') AS asked
         WHERE asked.value::NUMERIC > (SELECT coalesce(sum((f.body ->> 'amount')::NUMERIC), 0) FROM reservation.facts f
           WHERE f.tenant_id = r.tenant_id AND f.reservation_id = r.id AND f.kind = 'captured' AND f.body ->> 'intent' = asked.key)",
    ),
    (
        "R6 who is to come or is here has a place for every room, and paid, or will in cash",
        "SELECT r.id FROM reservation.reservations r, jsonb_array_elements(r.body -> 'items') AS item
         WHERE r.status IN ('confirmed', 'check_in_started', 'checked_in', 'checkout_started') AND (item ->> 'active')::BOOLEAN
           AND (r.body ->> 'method' IS NULL OR NOT EXISTS (SELECT FROM reservation.room_allocations a
             WHERE a.tenant_id = r.tenant_id AND a.reservation_id = r.id AND a.item_id = item ->> 'id' AND a.released_at IS NULL))",
    ),
    (
        "R6 who is here has a room",
        "SELECT r.id FROM reservation.reservations r JOIN reservation.room_allocations a ON a.reservation_id = r.id
         WHERE r.status IN ('checked_in', 'checkout_started') AND a.released_at IS NULL AND NOT (a.occupied AND a.pinned)",
    ),
    (
        "R7 what is over has no night",
        "SELECT r.id FROM reservation.reservations r JOIN reservation.room_allocations a ON a.reservation_id = r.id
         WHERE r.status IN ('cancelled', 'no_show', 'expired', 'checked_out') AND (a.released_at IS NULL OR a.occupied)",
    ),
    (
        "R8 no name, contact or salt is told",
        "SELECT a.event_id FROM reservation.audit_events a, reservation.tenant_secrets s
         WHERE a.payload::TEXT ~* 'zarmina|noori|example\\.com|700 ?123|0700123456' OR position(s.salt IN a.payload::TEXT) > 0",
    ),
    (
        "who is to come and has no room is somebody's to look after",
        "SELECT r.id FROM reservation.reservations r JOIN reservation.room_allocations a ON a.reservation_id = r.id
         WHERE r.status = 'confirmed' AND a.released_at IS NULL AND a.room_id IS NULL AND NOT EXISTS (SELECT FROM reservation.alerts l
           WHERE l.reservation_id = r.id AND l.kind IN ('overbooked', 'room_out_of_order') AND l.resolved_at IS NULL)",
    ),
    (
        "an alert about a missing room is over when none is missing",
        "SELECT l.id FROM reservation.alerts l WHERE l.kind = 'overbooked' AND l.resolved_at IS NULL AND NOT EXISTS (
           SELECT FROM reservation.room_allocations a
           WHERE a.reservation_id = l.reservation_id AND a.released_at IS NULL AND a.room_id IS NULL)",
    ),
    ("R11 codes", "SELECT code FROM reservation.reservations WHERE code !~ '^GM-[346789BCDFGHJKMNPQRTVWXY]{6,8}$'"),
    (
        "every event has its own version, and the reservation the last",
        "SELECT r.id FROM reservation.reservations r JOIN (
           SELECT aggregate_id, count(*) AS events, max((payload ->> 'aggregateVersion')::INTEGER) AS last,
                  count(DISTINCT payload ->> 'aggregateVersion') AS versions
           FROM reservation.audit_events WHERE aggregate_kind = 'reservation' GROUP BY 1) e ON e.aggregate_id = r.id
         WHERE e.events <> r.version OR e.last <> r.version OR e.versions <> r.version",
    ),
    (
        "a timer for whoever waits for one",
        "SELECT r.id FROM reservation.reservations r WHERE (r.status = 'held' AND NOT EXISTS (
           SELECT FROM reservation.timers t WHERE t.reservation_id = r.id AND t.kind = 'hold_expiry'))
         OR (r.status IN ('checked_in', 'checkout_started') AND NOT EXISTS (
           SELECT FROM reservation.timers t WHERE t.reservation_id = r.id AND t.kind = 'overstay'))
         OR (r.status IN ('cancelled', 'no_show', 'expired', 'checked_out') AND EXISTS (
           SELECT FROM reservation.timers t WHERE t.reservation_id = r.id))",
    ),
];

/// From where to where a person may put a reservation.
pub(crate) const PUT_BY_HAND: &[(&str, &str)] = &[
    ("check_in_started", "confirmed"),
    ("checkout_started", "checked_in"),
    ("checked_in", "confirmed"),
    ("checked_out", "checked_in"),
    ("cancelled", "confirmed"),
    ("no_show", "confirmed"),
    ("expired", "confirmed"),
];

/// From where to where an event leads; what is not here stays where it is.
pub(crate) fn leads(from: &str, event: &str, to: &mut String) -> bool {
    let next = match (from, event) {
        ("", "held") => "held",
        ("held", "confirmed") => "confirmed",
        ("held" | "expired", "hold_expired") => "expired",
        ("held" | "confirmed" | "check_in_started" | "expired" | "cancelled", "cancelled") => "cancelled",
        ("no_show", "cancelled") | ("confirmed", "no_show") => "no_show",
        ("confirmed", "check_in_started") => "check_in_started",
        ("check_in_started", "checked_in") | ("checked_in", "early_checkout") => "checked_in",
        ("checked_in", "checkout_started") | ("checkout_started", "early_checkout") => "checkout_started",
        ("checkout_started", "checked_out") => "checked_out",
        ("checked_in" | "checkout_started", "overstayed")
        | (_, "modified" | "dates_changed" | "payment_intended" | "special_request.added") => from,
        _ => return false,
    };
    next.clone_into(to);
    true
}
