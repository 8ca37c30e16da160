-- The same term, asked once a statement and not once a row.
SELECT bus.archive_after('reservation', 'audit_events', 'occurred_at', '24 months');
