-- The audit leaves for the archive after 24 months.
SELECT bus.archive_after('reservation', 'audit_events', 'occurred_at', '24 months');
CREATE INDEX ae_occurred_brin ON reservation.audit_events USING brin (occurred_at);
